package learn_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// bn.fit(method = "bayes", iss = 10) of bnlearn 5.2.1.
func TestBDeuOfBnlearn(t *testing.T) {
	net, table := clinic(t, "clinic.csv")
	fit, err := learn.Fit(t.Context(), net, table, learn.BDeu{EquivalentSampleSize: 10}, nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, fit.LogLikelihood, datatest.OracleNumbers(t, "bnlearn.txt", "loglik of mle ")[1], 1e-9, 0)
	got := row(t, fit.Net, "lung", bn.Given{"smokes": "yes", "age": "young"})
	for i, want := range datatest.OracleNumbers(t, "bnlearn.txt", "bayes:10 lung|smokes=yes,age=young ") {
		numtest.Close(t, got[i], want, 1e-9, 0)
	}
	if _, err := learn.Compile(net, learn.BDeu{EquivalentSampleSize: math.NaN()}); err == nil {
		t.Error("a size that is no number")
	}
}

// Under P(yes | a) ≤ P(yes | b) the mean is that of two beta densities restricted to it, by integration.
func TestPosteriorMeanUnderInfluence(t *testing.T) {
	net, err := bn.New("[X][Y|X]", bn.Discrete("X", "a", "b"), bn.Discrete("Y", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := learn.Compile(net, learn.PosteriorMean{Draws: 40000, Seed: 1,
		Constraints: []constraint.Constraint{constraint.Influence{Parent: "X", Child: "Y"}}})
	if err != nil {
		t.Fatal(err)
	}
	fit, err := compiled.Fit(&data.Counts{Layout: net.Layout(), Rows: 20, N: []float64{10, 10, 4, 6, 6, 4}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const steps = 2000
	var all, low, high float64
	for i := range steps {
		x := (float64(i) + 0.5) / steps
		for j := i; j < steps; j++ {
			y := (float64(j) + 0.5) / steps
			w := math.Pow(1-x, 4) * math.Pow(x, 6) * math.Pow(1-y, 6) * math.Pow(y, 4)
			if i == j {
				w /= 2
			}
			all, low, high = all+w, low+w*x, high+w*y
		}
	}
	se := fit.Means.StdErr
	if !(se > 0 && se < 0.01) {
		t.Errorf("standard error %v", se)
	}
	p := fit.Net.CPT(1).P
	numtest.Close(t, p[1], low/all, 4*se, 0)
	numtest.Close(t, p[3], high/all, 4*se, 0)
	numtest.Close(t, fit.Net.CPT(0).P[0], 0.5, 1e-12, 0)
	if fit.Solution != nil || !strings.Contains(fit.String(), "posterior means") {
		t.Errorf("reported as a maximum:\n%v", fit)
	}
}

// A fixed value, and parameters that are shared, have closed forms by hand.
func TestPosteriorMeanClosedForms(t *testing.T) {
	net, err := bn.New("[X]", bn.Discrete("X", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	counts := &data.Counts{Layout: net.Layout(), Rows: 10, N: []float64{6, 3, 1}}
	for name, c := range map[string]struct {
		statement constraint.Constraint
		want      []float64
	}{
		"fixed": {constraint.Fixed{Var: "X", P: map[string]float64{"a": 0.25}},
			[]float64{0.25, 0.75 * 4 / 6, 0.75 * 2 / 6}},
		// One parameter in two cells: Dirichlet count 6 + 3 + 1, and 2 for c, of 12; half of it for each cell.
		"shared": {constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}},
			[]float64{10. / 24, 10. / 24, 2. / 12}},
	} {
		compiled, err := learn.Compile(net, learn.PosteriorMean{Constraints: []constraint.Constraint{c.statement}})
		if err != nil {
			t.Fatal(name, err)
		}
		fit, err := compiled.Fit(counts, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		for i, want := range c.want {
			numtest.Close(t, fit.Net.CPT(0).P[i], want, 1e-12, 0)
		}
		if fit.Means.StdErr != 0 {
			t.Errorf("%s: drawn", name)
		}
	}
	curved := constraint.Formula{Text: "a is b squared", Cells: []constraint.Cell{{Var: "X", State: "a"},
		{Var: "X", State: "b"}}, Equal: []constraint.Function{{Value: func(x []float64) float64 {
		return x[0] - x[1]*x[1]
	}}}}
	compiled, err := learn.Compile(net, learn.PosteriorMean{Constraints: []constraint.Constraint{curved}})
	if err == nil {
		_, err = compiled.Fit(counts, nil)
	}
	if !errors.Is(err, constraint.ErrNoPrior) || !strings.Contains(err.Error(), "learn.MAP") {
		t.Errorf("a formula: %v", err)
	}
	if !strings.Contains(err.Error(), `"a is b squared"`) {
		t.Errorf("a formula without its name: %v", err)
	}
}

// TestNoPosteriorMean: beside a noisy-OR, other statements have posterior means, and the error names the noisy-OR.
func TestNoPosteriorMean(t *testing.T) {
	yes := []string{"no", "yes"}
	net, err := bn.New("[a][b][y|a:b][z|a]", bn.Discrete("a", yes...), bn.Discrete("b", yes...),
		bn.Discrete("y", yes...), bn.Discrete("z", yes...))
	if err != nil {
		t.Fatal(err)
	}
	up := constraint.Influence{Parent: "a", Child: "z", Sign: constraint.Positive}
	or := constraint.NoisyOR{Child: "y", Sets: [][]string{{"a"}, {"b"}}}
	for _, m := range []learn.Method{learn.PosteriorMean{Constraints: []constraint.Constraint{up, or}},
		learn.BDeu{Constraints: []constraint.Constraint{up, or}}} {
		compiled, err := learn.Compile(net, m)
		if err == nil {
			_, err = compiled.Fit(&data.Counts{Layout: net.Layout(), N: make([]float64, net.Layout().Len())}, nil)
		}
		if !errors.Is(err, constraint.ErrNoPrior) || !strings.Contains(err.Error(), or.String()) ||
			strings.Contains(err.Error(), up.String()) {
			t.Errorf("%v: %v", m, err)
		}
	}
}
