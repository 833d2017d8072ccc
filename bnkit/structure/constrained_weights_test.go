package structure_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

// Two weights that are equal are the weight of the sum of the parents, and two configurations whose weight is the same
// have one weight, two intercepts and two variances.
func TestConstrainedWeights(t *testing.T) {
	vars := append([]bn.Variable{bn.Discrete("s", "a", "b")}, continuous("x y z")...)
	table := regressed(t, "[s][x|s][y][z|x:y:s]", 300, 8, vars...)
	c := table.Columns()
	sum := make([]float64, table.Rows())
	for row := range sum {
		sum[row] = c[1].Values[row] + c[2].Values[row]
	}
	family := func(score structure.Score, child int, parents ...int) float64 {
		t.Helper()
		got, err := scorer(t, table, score).Family(t.Context(), child, parents)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	alike := structure.Constrained{Statements: []constraint.Constraint{
		constraint.ShareWeights{Var: "z", Groups: [][]string{{"x", "y"}}}}}
	want := leastSquares(c[3].Values, [][]float64{sum}) - 3*math.Log(300)/2
	numtest.Close(t, family(alike, 3, 1, 2), want, 1e-8, 0)
	numtest.Close(t, family(alike, 3, 1), family(structure.BIC{}, 3, 1), 1e-9, 0)
	numtest.Close(t, family(alike, 3, 0, 1), family(structure.BIC{}, 3, 0, 1), 1e-9, 0)
	numtest.Close(t, family(alike, 0), family(structure.BIC{}, 0), 1e-9, 0)

	// By a search over the one weight: each configuration has the mean and the variance that are left.
	parallel := structure.Constrained{Score: structure.AIC{}, Statements: []constraint.Constraint{
		constraint.ShareWeightsAcross{Var: "z"}}}
	loglik := func(weight float64) float64 {
		total := 0.0
		for state := range 2 {
			var left []float64
			for row := range sum {
				if int(c[0].States[row]) == state {
					left = append(left, c[3].Values[row]-weight*c[1].Values[row])
				}
			}
			total += leastSquares(left, nil)
		}
		return total
	}
	low, high := -5.0, 5.0
	for range 200 {
		if a, b := low+(high-low)/3, high-(high-low)/3; loglik(a) < loglik(b) {
			low = a
		} else {
			high = b
		}
	}
	numtest.Close(t, family(parallel, 3, 0, 1), loglik(low)-5, 1e-7, 0)
	if got, free := family(parallel, 3, 0, 1), family(structure.AIC{}, 3, 0, 1); got == free {
		t.Error("the statement changes nothing")
	}
	// A climb scores neighbours together, as the families by themselves.
	r, err := structure.Learn(t.Context(), table, alike, structure.HillClimb{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := structure.Learn(t.Context(), table, alike, structure.Exact{}, nil)
	if err != nil || r.Score > exact.Score+1e-8 || !strings.HasPrefix(r.ScoreName, "conditional-Gaussian BIC under 1") {
		t.Errorf("%v, above %v; %v", r, exact, err)
	}
	numtest.Close(t, r.Score, family(alike, 0, r.DAG.Parents(0)...)+family(alike, 1, r.DAG.Parents(1)...)+
		family(alike, 2, r.DAG.Parents(2)...)+family(alike, 3, r.DAG.Parents(3)...), 1e-8, 0)

	_, err = structure.NewScorer(table, structure.Constrained{Score: structure.BDeu{}}, nil)
	if !errors.Is(err, bn.ErrNotDiscrete) {
		t.Errorf("BDeu: %v", err)
	}
	_, err = structure.NewScorer(table, structure.Constrained{Score: structure.BGe{}}, nil)
	if err == nil || !strings.Contains(err.Error(), "takes no statements") {
		t.Errorf("BGe: %v", err)
	}
}
