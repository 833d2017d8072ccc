package learn_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// trial is [arm][dose][effect|arm:dose] with six cases by hand: effect is 1, 3, 5 on placebo
// at the doses 0, 1, 1, and 0, 4, 2 on the drug at 0, 1, 2.
func trial(t testing.TB) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bn.New("[arm][dose][effect|arm:dose]", bn.Discrete("arm", "placebo", "drug"), bn.Continuous("dose"),
		bn.Continuous("effect"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(
		data.Column{Var: net.Variable(0), States: []bn.State{0, 0, 0, 1, 1, 1}},
		data.Column{Var: net.Variable(1), Values: []float64{0, 1, 1, 0, 1, 2}},
		data.Column{Var: net.Variable(2), Values: []float64{1, 3, 5, 0, 4, 2}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

// normal is the log density of values about their means.
func normal(variance float64, deviations ...float64) float64 {
	total := 0.0
	for _, d := range deviations {
		total -= math.Log(2*math.Pi*variance)/2 + d*d/(2*variance)
	}
	return total
}

func TestFitGaussianByHand(t *testing.T) {
	net, table := trial(t)
	r := fit(t, net, table, learn.ML{})
	dose, effect := r.Net.Gaussian(1), r.Net.Gaussian(2)
	// dose: mean 5/6, squares 7 − 25/6
	numtest.Close(t, dose.Intercept[0], 5./6, 1e-14, 0)
	numtest.Close(t, dose.Variance[0], 7./6-25./36, 1e-14, 0)
	// placebo: 1 + 3·dose leaves 0, −1, 1; drug: 1 + dose leaves −1, 2, −1
	for config, want := range [][3]float64{{1, 3, 2. / 3}, {1, 1, 2}} {
		numtest.Close(t, effect.Intercept[config], want[0], 1e-13, 0)
		numtest.Close(t, effect.Weights[config][0], want[1], 1e-13, 0)
		numtest.Close(t, effect.Variance[config], want[2], 1e-13, 0)
	}
	want := 6*math.Log(0.5) + normal(17./36, -5./6, 1./6, 1./6, -5./6, 1./6, 7./6) + normal(2./3, 0, -1, 1) +
		normal(2, -1, 2, -1)
	numtest.Close(t, r.LogLikelihood, want, 1e-12, 0)
	if r.Cases != 6 || len(r.Counts) != 2 || len(r.Flags) != 0 || r.Moments == nil {
		t.Errorf("result %+v", r)
	}
	if net.Gaussian(2).Intercept[0] != 0 {
		t.Error("Fit changed the network it was given")
	}
	again, err := fitStatistics(net, &data.Counts{Layout: net.Layout(), N: r.Counts, Rows: 6}, r.Moments,
		learn.ML{})
	if err != nil || again.LogLikelihood != r.LogLikelihood {
		t.Errorf("from statistics: %+v, %v", again, err)
	}
}

// One virtual case of MAP in closed form: with the flat intercept and the weight near its
// expectation 2 the placebo's regression is (Z'Z + Λ)⁻¹(Z'y + Λμ) with Λ = diag(0, 2).
func TestFitGaussianMAP(t *testing.T) {
	net, table := trial(t)
	prior := constraint.GaussianPrior{Shape: 2, Scale: 3, Precision: 2, Mean: map[string]float64{"dose": 2}}
	r := fit(t, net, table, learn.MAP{GaussianOf: map[string]constraint.GaussianPrior{"effect": prior}})
	// [3 2; 2 4] w = [9, 8 + 4]
	numtest.Close(t, r.Net.Gaussian(2).Intercept[0], 12./8, 1e-13, 0)
	numtest.Close(t, r.Net.Gaussian(2).Weights[0][0], 18./8, 1e-13, 0)
	// (b + ½·(½² + ¾² + 1¼²) + ½·2·¼²) / (a + 3/2 + 1/2 + 1)
	numtest.Close(t, r.Net.Gaussian(2).Variance[0], (3+(4./16+9./16+25./16)/2+1./16)/5, 1e-13, 0)
	numtest.Close(t, r.Net.Gaussian(1).Intercept[0], 5./6, 1e-14, 0) // without a prior
	for _, r := range []*learn.Result{r, fit(t, net, table, learn.MAP{Gaussian: &prior, VarianceFloor: 0.1})} {
		if !strings.Contains(r.Method, "normal-inverse-gamma") {
			t.Errorf("method %q", r.Method)
		}
	}
	numtest.Close(t, fit(t, net, table, learn.MAP{}).LogLikelihood, fit(t, net, table, learn.ML{}).LogLikelihood, 0, 0)
}

func TestFitGaussianUnderStatements(t *testing.T) {
	net, table := trial(t)
	parallel := constraint.ShareWeightsAcross{Var: "effect"}
	fair := constraint.ShareStates{Var: "arm", Groups: [][]string{{"placebo", "drug"}}}
	free, r := fit(t, net, table, learn.ML{}),
		fit(t, net, table, learn.ML{Constraints: []constraint.Constraint{parallel, fair}})
	if w := r.Net.Gaussian(2).Weights; w[0][0] != w[1][0] || !(w[0][0] > 1 && w[0][0] < 3) {
		t.Errorf("weights %v, want equal and between 1 and 3", w)
	}
	if !(r.LogLikelihood < free.LogLikelihood) {
		t.Errorf("statements raise the log-likelihood from %v to %v", free.LogLikelihood, r.LogLikelihood)
	}
	rows, err := r.RowStatements("effect")
	if err != nil || len(rows) != 2 || !slices.Equal(rows[1], []string{parallel.String()}) {
		t.Errorf("statements by configuration %q, %v", rows, err)
	}
	if _, err := r.FamilyCounts("effect"); !errors.Is(err, bn.ErrNotDiscrete) {
		t.Errorf("counts of a continuous variable: %v", err)
	}
}

func TestFitGaussianMissing(t *testing.T) {
	net, table := trial(t)
	cols := table.Columns()
	dose := slices.Clone(cols[1].Values)
	dose[4] = math.NaN()
	holed, err := data.New(cols[0], data.Column{Var: cols[1].Var, Values: dose}, cols[2])
	if err != nil {
		t.Fatal(err)
	}
	var where *data.ValueError
	if _, err := learn.Fit(t.Context(), net, holed, learn.ML{}, nil); !errors.As(err, &where) || where.Row != 5 ||
		where.Name != "dose" || !strings.Contains(err.Error(), "SkipMissing in Settings") {
		t.Errorf("a missing cell: %v", err)
	}
	r, err := learn.Fit(t.Context(), net, holed, learn.ML{VarianceFloor: 0.01}, &learn.Settings{SkipMissing: true})
	if err != nil || !slices.Equal(r.Skipped, []float64{0, 1, 1}) {
		t.Fatalf("skipped %+v, %v", r, err)
	}
	numtest.Close(t, r.Net.Gaussian(2).Variance[1], 0.01, 0, 0) // two cases are left on the drug
	numtest.Close(t, r.Net.Gaussian(2).Weights[1][0], 1, 1e-13, 0)
}

func TestFitGaussianErrors(t *testing.T) {
	net, table := trial(t)
	prior := constraint.GaussianPrior{Shape: 1, Scale: 1}
	for name, test := range map[string]struct {
		m    learn.Method
		says string
	}{
		"a prior of a stranger": {learn.MAP{GaussianOf: map[string]constraint.GaussianPrior{"W": prior}}, `"W"`},
		"a prior of states": {learn.MAP{GaussianOf: map[string]constraint.GaussianPrior{"arm": prior}},
			`"arm", which is discrete`},
		"no scale":           {learn.MAP{Gaussian: &constraint.GaussianPrior{Shape: 1}}, "Scale"},
		"a floor below zero": {learn.ML{VarianceFloor: -1}, "floor"},
		"a statement about a table": {learn.ML{
			Constraints: []constraint.Constraint{constraint.ShareStates{Var: "dose", Groups: [][]string{{"a"}}}}},
			"continuous"},
		"a statement about no parent": {learn.ML{
			Constraints: []constraint.Constraint{constraint.ShareWeights{Var: "effect",
				Groups: [][]string{{"dose", "age"}}}}}, `"age"`},
	} {
		if _, err := learn.Fit(t.Context(), net, table, test.m, nil); err == nil || !strings.Contains(err.Error(),
			test.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, test.says)
		}
	}
	if _, err := learn.Fit(t.Context(), net, table.Head(4), learn.ML{}, nil); !errors.Is(err,
		constraint.ErrUnbounded) ||
		!strings.Contains(err.Error(), "arm=drug") {
		t.Errorf("one case on the drug: %v", err)
	}
	counts := &data.Counts{Layout: net.Layout(), N: []float64{3, 3}, Rows: 6}
	if _, err := learn.FitCounts(net, counts, learn.ML{}); err == nil ||
		!strings.Contains(err.Error(), `"dose" is continuous`) {
		t.Errorf("counts alone: %v", err)
	}
	if _, err := fitStatistics(net, counts, &data.Moments{}, learn.ML{}); err == nil {
		t.Error("moments of nothing: no error")
	}
	if _, err := fitStatistics(net, nil, nil, learn.ML{}); err == nil {
		t.Error("nothing: no error")
	}
}

// From 20 000 sampled cases the parameters come back.
func TestFitGaussianRecovers(t *testing.T) {
	net, _ := trial(t)
	g := net.Gaussian(2)
	g.Intercept, g.Weights, g.Variance = []float64{1, -2}, [][]float64{{3}, {0.5}}, []float64{4, 0.25}
	table, err := data.Sample(net, 20000, rand.NewPCG(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	r := fit(t, net, table, learn.ML{})
	for config := range 2 {
		got := r.Net.Gaussian(2)
		tol := 5 * math.Sqrt(g.Variance[config]/10000) // five standard errors
		numtest.Close(t, got.Intercept[config], g.Intercept[config], tol, 0)
		numtest.Close(t, got.Weights[config][0], g.Weights[config][0], tol, 0)
		numtest.Close(t, got.Variance[config], g.Variance[config], 0, 5*math.Sqrt(2./10000))
	}
}

func ExampleFit_continuous() {
	net, err := bn.New("[MSFT][INTL][PSUPPLY][DELL|MSFT:INTL:PSUPPLY]",
		bn.Continuous("MSFT"), bn.Continuous("INTL"), bn.Continuous("PSUPPLY"), bn.Continuous("DELL"))
	if err != nil {
		fmt.Println(err)
		return
	}
	// Five days are too few for five free parameters, but not for two.
	days, err := data.New(
		data.Column{Var: net.Variable(0), Values: []float64{1.2, -0.4, 0.3, -1.1, 0.6}},
		data.Column{Var: net.Variable(1), Values: []float64{0.5, 0.8, -0.9, -0.2, 1.4}},
		data.Column{Var: net.Variable(2), Values: []float64{-1, 2, 0.5, 1, -0.5}},
		data.Column{Var: net.Variable(3), Values: []float64{0.8, 0.5, -0.2, -0.6, 1.1}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	known := constraint.ProportionalWeights{Var: "DELL", Weights: map[string]float64{"MSFT": 1, "INTL": 1,
		"PSUPPLY": 0.2}}
	fit, err := learn.Fit(context.Background(), net, days, learn.ML{Constraints: []constraint.Constraint{known}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	dell := fit.Net.Gaussian(3)
	fmt.Println(known)
	fmt.Printf("intercept %.3f, weights %.3f, variance %.4f\n", dell.Intercept[0], dell.Weights[0], dell.Variance[0])
	// Output:
	// the weights of INTL, MSFT, PSUPPLY for DELL are as 1 : 1 : 0.2
	// intercept 0.035, weights [0.548 0.548 0.110], variance 0.0014
}

func fitStatistics(net *bn.Network, c *data.Counts, moments *data.Moments, m learn.Method) (*learn.Result, error) {
	compiled, err := learn.Compile(net, m)
	if err != nil {
		return nil, err
	}
	return compiled.Fit(c, moments)
}
