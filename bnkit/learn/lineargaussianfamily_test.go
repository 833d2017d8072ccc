package learn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// equalNodes compares linear-Gaussian nodes.
func equalNodes(t testing.TB, got, want *bn.Network, tolerance float64) {
	t.Helper()
	for v := range want.Len() {
		a, b := got.Gaussian(v), want.Gaussian(v)
		if b == nil {
			continue
		}
		for config := range b.Intercept {
			numtest.Close(t, a.Intercept[config], b.Intercept[config], tolerance, tolerance)
			numtest.Close(t, a.Variance[config], b.Variance[config], tolerance, tolerance)
			for i, w := range b.Weights[config] {
				numtest.Close(t, a.Weights[config][i], w, tolerance, tolerance)
			}
		}
	}
}

// With complete cases gradients end at least squares, alone, under statements about weights
// (one of which ties configurations with variances of their own), and under a prior.
func TestAPNOfGaussians(t *testing.T) {
	net, table := trial(t)
	prior := constraint.GaussianPrior{Shape: 2, Scale: 3, Precision: 2, InterceptPrecision: .5,
		Mean: map[string]float64{"dose": 2}}
	for _, statements := range [][]constraint.Constraint{
		nil,
		{constraint.ShareWeightsAcross{Var: "effect", Parents: []string{"dose"}}},
	} {
		for _, p := range []*constraint.GaussianPrior{nil, &prior} {
			for _, search := range searches {
				want := fit(t, net, table, learn.MAP{Constraints: statements, Gaussian: p})
				r := trained(t, net, table, learn.APN{Constraints: statements, Gaussian: p,
					ConjugateGradient: search}, &exact)
				equalNodes(t, r.Net, want.Net, 1e-5)
				numtest.Close(t, r.LogLikelihood, want.LogLikelihood, 1e-6, 0)
				if r.Moments == nil || (r.GaussianPriors != nil) != (p != nil) {
					t.Errorf("moments %v, priors %v", r.Moments, r.GaussianPriors)
				}
			}
		}
	}
}

// Units do not matter: a parent far from zero, a child a million times as large.
func TestAPNOfGaussiansInOtherUnits(t *testing.T) {
	net, err := bn.New("[x][y|x]", bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	x, y := make([]float64, 50), make([]float64, 50)
	for i := range x {
		x[i] = 1000 + rng.NormFloat64()
		y[i] = 1e6 * (x[i] - 990 + rng.NormFloat64())
	}
	table, err := data.New(data.Column{Var: net.Variable(0), Values: x}, data.Column{Var: net.Variable(1), Values: y})
	if err != nil {
		t.Fatal(err)
	}
	want := fit(t, net, table, learn.ML{})
	from := net.Clone()
	copy(from.Gaussian(1).Intercept, []float64{1e6})
	copy(from.Gaussian(1).Variance, []float64{1e14})
	copy(from.Gaussian(0).Intercept, []float64{900})
	copy(from.Gaussian(0).Variance, []float64{1e4})
	for _, search := range searches {
		set := exact
		set.From = from
		r := trained(t, net, table, learn.APN{ConjugateGradient: search}, &set)
		equalNodes(t, r.Net, want.Net, 1e-4)
		if len(r.Trace) > 100 {
			t.Errorf("%v: %d iterations", search, len(r.Trace))
		}
	}
}

// The same in units that are far from 1, such as inhabitants or metres in place of parsecs: the search
// takes as many steps.
func TestAPNOfGaussiansInFarUnits(t *testing.T) {
	net, err := bn.New("[x][y|x]", bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	for _, search := range searches {
		steps := 0
		for _, unit := range []float64{1, 1e10, 1e-10, 1e60} {
			rng := rand.New(rand.NewPCG(1, 0))
			x, y := make([]float64, 50), make([]float64, 50)
			for i := range x {
				x[i] = unit * (3 + rng.NormFloat64())
				y[i] = 2*x[i]/unit + rng.NormFloat64()
			}
			table, err := data.New(data.Column{Var: net.Variable(0), Values: x},
				data.Column{Var: net.Variable(1), Values: y})
			if err != nil {
				t.Fatal(err)
			}
			set := exact
			set.From = net.Clone()
			copy(set.From.Gaussian(0).Variance, []float64{unit * unit})
			set.From.Gaussian(1).Weights[0][0] = 1 / unit
			r := trained(t, net, table, learn.APN{ConjugateGradient: search}, &set)
			equalNodes(t, r.Net, fit(t, net, table, learn.ML{}).Net, 1e-4)
			if steps == 0 {
				steps = len(r.Trace)
			}
			if len(r.Trace) > 2*steps {
				t.Errorf("%v: %d steps in units of %v, %d in those of 1", search, len(r.Trace), unit, steps)
			}
		}
	}
}

// A hidden class behind a measurement and a test: what EM finds from the same start.
func TestAPNOfHiddenMixture(t *testing.T) {
	net, err := bn.New("[K][test|K][x|K][y|x:K]", bn.Discrete("K", "a", "b"), bn.Discrete("test", "-", "+"),
		bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{.4, .6})
	copy(net.CPT(1).P, []float64{.8, .2, .3, .7})
	copy(net.Gaussian(2).Intercept, []float64{0, 3})
	copy(net.Gaussian(3).Intercept, []float64{1, -1})
	for config, w := range []float64{.5, 1} {
		net.Gaussian(3).Weights[config][0] = w
	}
	table, err := data.Sample(net, 500, rand.NewPCG(6, 0))
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.Keep("test", "x", "y"); err != nil {
		t.Fatal(err)
	}
	prior := &constraint.GaussianPrior{Shape: 1, Scale: 1}
	set := exact
	set.From, set.Starts = net, 1
	want := trained(t, net, table, learn.EM{Gaussian: prior}, &set)
	for _, search := range searches {
		r := trained(t, net, table, learn.APN{Gaussian: prior, ConjugateGradient: search}, &set)
		numtest.Close(t, r.Trace[len(r.Trace)-1].Objective, want.Trace[len(want.Trace)-1].Objective, 1e-5, 0)
		equalNodes(t, r.Net, want.Net, 1e-2)
	}
	// From random starts, too, the best of some is as good.
	random := exact
	random.Seed = 3
	r := trained(t, net, table, learn.APN{Gaussian: prior}, &random)
	if last := r.Trace[len(r.Trace)-1].Objective; !(last > want.Trace[len(want.Trace)-1].Objective-1e-4) {
		t.Errorf("objective %v from random starts, %v from the truth", last, want.Trace[len(want.Trace)-1].Objective)
	}
}

// Two cases for an intercept and a weight: no variance is small enough.
func TestAPNUnbounded(t *testing.T) {
	net, err := bn.New("[x][y|x]", bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(data.Column{Var: net.Variable(0), Values: []float64{0, 1}},
		data.Column{Var: net.Variable(1), Values: []float64{0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Fit(t.Context(), net, table, learn.APN{}, nil); !errors.Is(err, constraint.ErrUnbounded) {
		t.Errorf("fit: %v", err)
	}
	from := net.Clone()
	from.Gaussian(1).Variance[0] = math.E
	if _, err := learn.Fit(t.Context(), net, table, learn.APN{}, &learn.Settings{From: from,
		Tolerance: 1e-12}); !errors.Is(err,
		constraint.ErrUnbounded) {
		t.Errorf("climb: %v", err)
	}
}
