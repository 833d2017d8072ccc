package bnkit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// TestWeighedWithGaps: a frame with holes is weighed with all its rows; the intervals with Cases draw the holes too,
// and their mean is the table; and the next question may be asked of the same model, but not of one from a file.
func TestWeighedWithGaps(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[smoker][age][ill|smoker:age]", bn.Discrete("smoker", "no", "yes"),
		bn.Discrete("age", "young", "old"), bn.Discrete("ill", "no", "yes")))
	rng := rand.New(rand.NewPCG(4, 0))
	rows := [][]string{{"smoker", "age", "ill"}}
	for range 60 {
		row := []string{"no", "young", "no"}
		risk := 0.2
		if rng.Float64() < 0.4 {
			row[0], risk = "yes", risk+0.2
		}
		if rng.Float64() < 0.5 {
			row[1], risk = "old", risk+0.3
		}
		if rng.Float64() < risk {
			row[2] = "yes"
		}
		if rng.Float64() < 0.3 {
			row[rng.IntN(3)] = ""
		}
		rows = append(rows, row)
	}
	df := dataframe.LoadRecords(rows, dataframe.DetectTypes(false), dataframe.DefaultType("string"))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.Averaged{Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "smoker", Child: "ill"},
		constraint.Influence{Parent: "age", Child: "ill", Sign: constraint.Negative}, // false
	}, Seed: 1}, nil))
	if m.Cases != 60 || !m.Expected {
		t.Errorf("%v cases, expected %v", m.Cases, m.Expected)
	}
	right, wrong := m.Weighing.Statements[0], m.Weighing.Statements[1]
	if !(right.After > 0.5 && wrong.After < 0.1) || max(right.StdErr, wrong.StdErr) > 0.01 {
		t.Errorf("%v ± %v, %v ± %v", right, right.StdErr, wrong, wrong.StdErr)
	}
	if !strings.Contains(m.String(), "; missing cells drawn with them") {
		t.Errorf("the report does not tell of the missing cells:\n%s", m)
	}
	frame := must[dataframe.DataFrame](t)(bnkit.PosteriorInterval(t.Context(), m, nil, &bnkit.IntervalSettings{
		Src: rand.NewPCG(2, 0), Cases: &df, Draws: 800}, "ill"))
	point := must[dataframe.DataFrame](t)(bnkit.Posterior(m, nil, "ill"))
	a, b := frame.Col("probability").Float()[1], point.Col("probability").Float()[1]
	if note := frame.Col("note").Elem(0).String(); math.Abs(a-b) > 0.015 ||
		!strings.Contains(note, "missing cells: drawn") || strings.Contains(note, "too narrow") {
		t.Errorf("mean %v, table %v, note %q", a, b, note)
	}
	asked := must[dataframe.DataFrame](t)(bnkit.Elicit(t.Context(), m,
		[]constraint.Constraint{constraint.AtMost{Var: "ill", States: []string{"yes"}, P: 0.3,
			Given: bn.Given{"smoker": "no", "age": "young"}}}, nil))
	if asked.Nrow() == 0 || asked.Col("gain").Float()[0] <= 0 {
		t.Error(asked)
	}
	path := filepath.Join(t.TempDir(), "model.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	loaded := must[*bnkit.Model](t)(bnkit.Load(path))
	if fmt.Sprint(loaded.Weighing.Subsets) != fmt.Sprint(m.Weighing.Subsets) {
		t.Errorf("saved %v, loaded %v", m.Weighing.Subsets, loaded.Weighing.Subsets)
	}
	if _, err := bnkit.Elicit(t.Context(), loaded, nil, nil); err == nil ||
		!strings.Contains(err.Error(), "fit again") {
		t.Errorf("of a loaded model: %v", err)
	}
}
