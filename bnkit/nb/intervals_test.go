package nb

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// Intervals draws the table of CPT, higher by a strip in each row and with a note.
func TestIntervals(t *testing.T) {
	df := dataframe.New(
		series.New([]string{"a", "a", "b", "b", "b"}, series.String, "A"),
		series.New([]string{"x", "y", "x", "x", "y"}, series.String, "X"),
	)
	net, err := bnkit.NewNetwork("[A][X|A]", df, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bnkit.Fit(t.Context(), net, df, learn.MAP{Pseudocount: 1,
		Constraints: []constraint.Constraint{constraint.AtMost{Var: "X", States: []string{"x"}, P: 0.5}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := CPT(m, "X")
	if err != nil {
		t.Fatal(err)
	}
	fig, err := Intervals(t.Context(), m, "X", &bnkit.IntervalSettings{Level: 0.9, Src: rand.NewPCG(1, 0)})
	if err != nil {
		t.Fatal(err)
	}
	svg, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if fig.Height < plain.Height+25 || !bytes.Contains(svg, []byte("bars: 90 % credible intervals")) {
		t.Errorf(
			"height %v beside %v of a plain table, which a note of 12 and two strips of 9 should raise, or no note",
			fig.Height, plain.Height)
	}
	for _, set := range []*bnkit.IntervalSettings{nil, {}} {
		if _, err := Intervals(t.Context(), m, "X", set); err == nil || !strings.Contains(err.Error(), "rand.NewPCG") {
			t.Errorf("without a source: %v", err)
		}
	}
}

// A continuous variable has no table to draw, and is told where its regression is.
func TestCPTOfContinuous(t *testing.T) {
	net, err := bn.New("[x]", bn.Continuous("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CPT(bnkit.ModelOf(net), "x"); err == nil || !strings.Contains(err.Error(), "bnkit.Coefficients") {
		t.Errorf("error %v", err)
	}
}
