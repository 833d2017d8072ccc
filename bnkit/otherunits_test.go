package bnkit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn"
)

// TestOtherUnits: a model of doses in milligrams (500 ± 100) is asked about grams, micrograms, and milligrams.
func TestOtherUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	net := must[*bn.Network](t)(bn.New("[cured][dose|cured]", bn.Discrete("cured", "no", "yes"), bn.Continuous("dose")))
	rows := [][]string{{"cured", "dose"}}
	for i := range 80 {
		mean, word := 450.0, "no"
		if i%2 == 0 {
			mean, word = 550, "yes"
		}
		rows = append(rows, []string{word, fmt.Sprint(mean + 80*rng.NormFloat64())})
	}
	frame := func(unit float64, n int) dataframe.DataFrame {
		list := [][]string{{"dose"}}
		for i := range n {
			list = append(list, []string{fmt.Sprint(unit * (420 + 20*float64(i)))})
		}
		return dataframe.LoadRecords(list)
	}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, dataframe.LoadRecords(rows), learn.ML{}, nil))
	for _, c := range []struct {
		unit float64
		n    int
		want string
	}{{1, 8, ""}, {1e-3, 8, `all 8 values of "dose", from 0.42 to 0.56, lie 4 standard deviations or more`},
		{1e3, 8, "give them in the units of the fit"}, {1e3, 4, ""}} {
		_, err := bnkit.Predict(m, frame(c.unit, c.n), "cured")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("unit %v, %d values: %v, want %q", c.unit, c.n, err, c.want)
		}
	}
}
