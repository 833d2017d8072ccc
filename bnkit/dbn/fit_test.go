package dbn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// seen are complete series of the weather: by hand rain[0] is no 2, yes 1; after no come no 2,
// yes 1; after yes no 1, yes 1; umbrellas in rain are 2 of 3, without 1 of 5.
const seen = `series,time,rain,umbrella
	a,0,no,no
	a,1,no,no
	a,2,yes,yes
	a,3,yes,no
	a,4,no,yes
	b,0,yes,yes
	c,0,no,no
	c,1,no,no
`

func tabs(s string) string { return strings.ReplaceAll(s, "\t", "") }

func TestClosedForm(t *testing.T) {
	net := weather(t)
	s := csv(t, tabs(seen))
	ml := must(dbn.Fit(t.Context(), net, s, learn.ML{}, nil))(t)
	smooth := must(dbn.Fit(t.Context(), net, s, learn.MAP{Pseudocount: 1}, nil))(t)
	for cell, want := range []float64{2. / 3, 1. / 3, 2. / 3, 1. / 3, 1. / 2, 1. / 2, 4. / 5, 1. / 5, 1. / 3, 2. / 3} {
		numtest.Close(t, parameters(ml.Net)[cell], want, 1e-15, 0)
	}
	for cell, want := range []float64{3. / 5, 2. / 5, 3. / 5, 2. / 5, 2. / 4, 2. / 4, 5. / 7, 2. / 7, 2. / 5, 3. / 5} {
		numtest.Close(t, parameters(smooth.Net)[cell], want, 1e-15, 0)
	}
	numtest.Close(t, ml.LogLikelihood, logLikelihood(t, ml.Net, s), 1e-12, 0)
	if ml.Cases != 8 || ml.Expected || must(ml.FreeParameters())(t) != 5 {
		t.Errorf("%v cases, expected %v, %v free parameters", ml.Cases, ml.Expected, must(ml.FreeParameters())(t))
	}
	if first, _, _ := strings.Cut(ml.String(), "\n"); first != "3 series of 8 slices in all" {
		t.Errorf("the report begins with %q", first)
	}
	// EM on complete series is the same.
	em := must(dbn.Fit(t.Context(), net, s, learn.EM{}, nil))(t)
	for cell, want := range parameters(ml.Net) {
		numtest.Close(t, parameters(em.Net)[cell], want, 1e-12, 0)
	}
	if em.Expected || must(net.Template().Table("rain[1]"))(t).P[0] != 0.7 {
		t.Error("fitting changed the network, or complete counts are called expected")
	}

	gap := csv(t, "series,time,rain,umbrella\n a,0,no,no\n a,2,yes,yes\n a,3,yes,\n")
	if _, err := dbn.Fit(t.Context(), net, gap, learn.ML{}, nil); !errors.Is(err, data.ErrMissing) ||
		!strings.Contains(err.Error(), `series "a", time 1: "rain"`) {
		t.Errorf("a gap under ML: %v", err)
	}
	if _, err := dbn.Fit(t.Context(), net, gap.Select(0), learn.ML{}, &learn.Settings{SkipMissing: true}); err != nil {
		t.Errorf("skipping: %v", err)
	}
	skip := must(dbn.Fit(t.Context(), net, gap, learn.MAP{Pseudocount: 1}, &learn.Settings{SkipMissing: true}))(t)
	if want := []float64{0, 2, 2}; !slices.Equal(skip.Skipped, want) {
		t.Errorf("skipped %v, want %v", skip.Skipped, want)
	}
	numtest.Close(t, parameters(skip.Net)[5], 2./3, 1e-15, 0) // rain after rain, once
}

// TestStatements: any statement about the template holds in the fit, and the objective never
// falls under it.
func TestStatements(t *testing.T) {
	truth := scene(t, "[a|a[t-1]:b[t-1]][b|b[t-1]:a][y|a:b]", 50)
	s := must(must(truth.Sample([]int{20, 20, 15, 9}, rand.NewPCG(51, 0)))(t).Keep("y"))(t)
	statements := []constraint.Constraint{
		constraint.Influence{Parent: "a[1]", Child: "y[1]", Sign: constraint.Positive},
		constraint.ShareAcross{Var: "b[1]", Given: []bn.Given{{"b[0]": "0"}}},
		constraint.AtMost{Var: "a[0]", States: []string{"1"}, P: 0.3},
	}
	fit, err := dbn.Fit(t.Context(), truth, s, learn.EM{Pseudocount: 0.5, Constraints: statements},
		&learn.Settings{Starts: 2, MaxIterations: 60, Seed: 52})
	if err != nil {
		t.Fatal(err)
	}
	last := math.Inf(-1)
	for _, step := range fit.Trace {
		if step.Objective < last-1e-9 {
			t.Errorf("iteration %d: the objective falls from %v to %v", step.Iteration, last, step.Objective)
		}
		last = step.Objective
	}
	p := must(constraint.Compile(fit.Net.Template(), statements...))(t)
	if v := p.Violation(parameters(fit.Net)); v > 1e-9 {
		t.Errorf("violation %v", v)
	}
	numtest.Close(t, fit.LogLikelihood, must(fit.Net.LogLikelihood(s))(t), 1e-9, 0)
}

// TestInput: an input is a parent in the first slice of the template, where its table is not
// counted a second time.
func TestInput(t *testing.T) {
	net := scene(t, "[u][s|s[t-1]:u][y|s]", 60)
	s := must(must(net.Sample([]int{10, 12}, rand.NewPCG(61, 0)))(t).Keep("u", "y"))(t)
	set := &learn.Settings{Seed: 62, Starts: 1, MaxIterations: 40}
	fit := must(dbn.Fit(t.Context(), net, s, learn.EM{Pseudocount: 1}, set))(t)
	c := must(s.Table().Column("u"))(t)
	ones := 0.0
	for _, state := range c.States {
		ones += float64(state)
	}
	for _, name := range []string{"u[0]", "u[1]"} {
		numtest.Close(t, must(fit.Net.Template().Table(name))(t).P[1], (ones+1)/24, 1e-12, 0)
	}
	// u, s first, s later, y: 1 + 2 + 4 + 2·2.
	if got := must(fit.FreeParameters())(t); got != 11 {
		t.Errorf("%d free parameters, want 11", got)
	}
	for _, f := range fit.Flags {
		t.Errorf("flag %v", f)
	}
	first := constraint.Fixed{Var: "u[0]", P: map[string]float64{"1": 0.5}}
	if _, err := dbn.Fit(t.Context(), net, s, learn.EM{Constraints: []constraint.Constraint{first}}, set); err == nil ||
		!strings.Contains(err.Error(), "u[0] shares the table of u[1]") {
		t.Errorf("a statement about a table that is not looked at: %v", err)
	}
	alpha := map[string][]float64{"u[0]": {50, 1}}
	for what, m := range map[string]learn.Method{
		"Alpha":            learn.EM{Alpha: alpha},
		`Alpha for "u[0]"`: learn.APN{Alpha: alpha},
		"one table for": learn.APN{CPDs: []learn.ParametricCPD{nil,
			learn.SharedTable{Children: []string{"u[0]", "u[1]"}}}},
		"u[0] shares the table":     learn.MAP{Alpha: alpha},
		"use learn.EM or learn.APN": learn.Gibbs{},
	} {
		if _, err := dbn.Fit(t.Context(), net, s, m, set); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", m, err)
		}
	}
	later := constraint.Fixed{Var: "u[1]", P: map[string]float64{"1": 0.5}}
	fit = must(dbn.Fit(t.Context(), net, s, learn.EM{Constraints: []constraint.Constraint{later}}, set))(t)
	for _, f := range fit.Flags { // u[0] had no counts of its own
		if f.Var == "u[0]" {
			t.Errorf("flag %v", f)
		}
	}
	numtest.Close(t, must(fit.Net.Template().Table("u[0]"))(t).P[1], 0.5, 1e-12, 0)
}

// TestBDeu: the equivalent sample size is given once to a table that stands in all slices, spread over its cells.
func TestBDeu(t *testing.T) {
	net := scene(t, "[u][s|s[t-1]:u][y|s]", 60)
	s := must(net.Sample([]int{10, 12}, rand.NewPCG(61, 0)))(t)
	fit := must(dbn.Fit(t.Context(), net, s, learn.BDeu{EquivalentSampleSize: 4}, nil))(t)
	u, state, y := must(s.Table().Column("u"))(t), must(s.Table().Column("s"))(t), must(s.Table().Column("y"))(t)
	ones, high, both := 0.0, 0.0, 0.0
	for row := range u.States {
		ones += float64(u.States[row])
		if state.States[row] == 1 {
			high++
			if y.States[row] == 1 {
				both++
			}
		}
	}
	for _, name := range []string{"u[0]", "u[1]"} {
		numtest.Close(t, must(fit.Net.Template().Table(name))(t).P[1], (ones+2)/26, 1e-12, 0)
	}
	numtest.Close(t, must(fit.Net.Template().Table("y[1]"))(t).Row(1)[1], (both+4./6)/(high+2), 1e-12,
		0) // y has three states
	first := constraint.Fixed{Var: "u[0]", P: map[string]float64{"1": 0.5}}
	_, err := dbn.Fit(t.Context(), net, s, learn.BDeu{Constraints: []constraint.Constraint{first}}, nil)
	if err == nil || !strings.Contains(err.Error(), "u[0] shares the table of u[1]") {
		t.Errorf("a statement about a table that is not looked at: %v", err)
	}
}

// TestHeldOut: cases of other series stop a fit, and the estimate is the best for them after the
// first iteration.
func TestHeldOut(t *testing.T) {
	net := scene(t, "[s|s[t-1]][y|s]", 70)
	lengths := make([]int, 30)
	for i := range lengths {
		lengths[i] = 8
	}
	s := must(must(net.Sample(lengths, rand.NewPCG(71, 0)))(t).Keep("y"))(t)
	held := s.Select(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	other := must(net.Cases(held, nil))(t)
	fit := must(dbn.Fit(t.Context(), net, s.Select(10, 11, 12, 13, 14, 15), learn.EM{},
		&learn.Settings{Seed: 72,
			Starts: 1, HeldOut: other, Patience: 3}))(t)
	best := math.Inf(-1)
	for _, step := range fit.Trace[1:] {
		best = max(best, step.HeldOut)
	}
	numtest.Close(t, must(fit.Net.LogLikelihood(held))(t), best, 1e-9, 0)
}

// TestGaussianRegression: with all cells observed an autoregression is least squares, and the
// likelihood is the sum of normal densities.
func TestGaussianRegression(t *testing.T) {
	net := network(t, "[u][x|x[t-1]:u]", bn.Continuous("u"), bn.Continuous("x"))
	random(net, rand.New(rand.NewPCG(80, 0)))
	s := must(net.Sample([]int{9, 7, 8, 6}, rand.NewPCG(81, 0)))(t)
	fit := must(dbn.Fit(t.Context(), net, s, learn.ML{}, nil))(t)
	u, x := must(s.Table().Column("u"))(t).Values, must(s.Table().Column("x"))(t).Values
	// Residuals are orthogonal to the regressors, and their mean square is the variance.
	two := fit.Net.Template()
	g := two.Gaussian(must(two.Index("x[1]"))(t))
	var sums [4]float64
	n, row := 0.0, 0
	for i := range s.Len() {
		for slice := range s.Length(i) {
			if slice > 0 {
				before, now := x[row-1], u[row]
				if g.Continuous[0].Name != "x[0]" {
					t.Fatalf("parents %v", g.Continuous)
				}
				r := x[row] - g.Mean(0, []float64{before, now})
				for k, z := range []float64{1, before, now, r} {
					sums[k] += r * z
				}
				n++
			}
			row++
		}
	}
	for _, sum := range sums[:3] {
		numtest.Close(t, sum, 0, 1e-10, 0)
	}
	numtest.Close(t, sums[3]/n, g.Variance[0], 1e-12, 0)
	mean, square := 0.0, 0.0
	for _, y := range u {
		mean += y / 30
	}
	for _, y := range u {
		square += (y - mean) * (y - mean) / 30
	}
	for _, name := range []string{"u[0]", "u[1]"} {
		g := two.Gaussian(must(two.Index(name))(t))
		numtest.Close(t, g.Intercept[0], mean, 1e-12, 0)
		numtest.Close(t, g.Variance[0], square, 1e-12, 0)
	}
	numtest.Close(t, fit.LogLikelihood, must(fit.Net.LogLikelihood(s))(t), 1e-9, 0)
}

// TestExpectMoments compares the expected moments of a hidden Markov model with a continuous
// sensor with smoothed probabilities times rows.
func TestExpectMoments(t *testing.T) {
	net := network(t, "[s|s[t-1]][x|s]", bn.Discrete("s", "0", "1"), bn.Continuous("x"))
	random(net, rand.New(rand.NewPCG(90, 0)))
	s := must(must(net.Sample([]int{6, 3, 6}, rand.NewPCG(91, 0)))(t).Keep("x"))(t)
	c := must(net.Cases(s, &infer.Options{Workers: 2}))(t)
	random(net, rand.New(rand.NewPCG(92, 0)))
	two := net.Template()
	m, n := data.NewMoments(two), make([]float64, two.Layout().Len())
	list := []*bn.LinearGaussian{nil, nil, two.Gaussian(2)}
	loglik := must(c.ExpectMoments(n, m, parameters(net), list))(t)
	numtest.Close(t, loglik, must(net.LogLikelihood(s))(t), 1e-11, 0)
	smooth := must(net.Smooth(s))(t)
	x := must(s.Table().Column("x"))(t).Values
	for state := range 2 {
		var want [3]float64 // Σ p, Σ p·x, Σ p·x²
		row := 0
		for i := range smooth {
			for slice := range smooth[i] {
				p := smooth[i][slice].Of("s")[state]
				want[0], want[1], want[2] = want[0]+p, want[1]+p*x[row], want[2]+p*x[row]*x[row]
				row++
			}
		}
		f := m.Factors[2][state]
		numtest.Close(t, f.N, want[0], 1e-11, 0)
		numtest.Close(t, f.R[0]*f.R[0], want[0], 1e-11, 0)
		numtest.Close(t, f.R[0]*f.R[1], want[1], 1e-11, 0)
		numtest.Close(t, f.R[1]*f.R[1]+f.R[3]*f.R[3], want[2], 1e-11, 0)
	}
	if m.Rows != 15 {
		t.Errorf("%v rows, want 15", m.Rows)
	}
	if _, err := c.ExpectMoments(n, m, parameters(net), list[:2]); err == nil {
		t.Error("took two nodes for three variables")
	}
	sure := two.Gaussian(2).Clone()
	sure.Variance[1] = 0
	if _, err := c.ExpectMoments(n, m, parameters(net), []*bn.LinearGaussian{nil, nil, sure}); !errors.Is(err,
		infer.ErrNoDensity) {
		t.Errorf("no variance: error %v", err)
	}
	// EM with these never falls.
	fit := must(dbn.Fit(t.Context(), net, s, learn.EM{Pseudocount: 1, VarianceFloor: 0.01},
		&learn.Settings{Seed: 93,
			Starts: 2, MaxIterations: 30}))(t)
	last := math.Inf(-1)
	for _, step := range fit.Trace {
		if step.Objective < last-1e-9 {
			t.Errorf("iteration %d: the objective falls from %v to %v", step.Iteration, last, step.Objective)
		}
		last = step.Objective
	}
	numtest.Close(t, fit.LogLikelihood, must(fit.Net.LogLikelihood(s))(t), 1e-9, 0)
}

// TestAPN: both searches end where the gradient of the tied parameters, in the coordinates of
// TestGradient and with the pseudocounts added, is nearly nothing beside the counts.
func TestAPN(t *testing.T) {
	net := scene(t, "[a|a[t-1]:b[t-1]][b|b[t-1]:a][y|a:b]", 200)
	s := must(must(net.Sample([]int{20, 15, 20, 9}, rand.NewPCG(201, 0)))(t).Keep("y"))(t)
	c := must(net.Cases(s, nil))(t)
	for _, search := range []bool{false, true} {
		fit := must(dbn.Fit(t.Context(), net, s, learn.APN{Pseudocount: 1, ConjugateGradient: search},
			&learn.Settings{Seed: 202,
				Starts: 1, Tolerance: 1e-12}))(t)
		theta := parameters(fit.Net)
		n := make([]float64, len(theta))
		if _, err := c.Expect(n, theta); err != nil {
			t.Fatal(err)
		}
		two := fit.Net.Template()
		for v := range two.Len() {
			for config := range two.CPT(v).Configs().Len() {
				lo, hi := two.Layout().Row(v, config)
				sum := 0.0
				for cell := lo; cell < hi; cell++ {
					sum += n[cell] + 1
				}
				for cell := lo; cell < hi; cell++ {
					numtest.Close(t, n[cell]+1-theta[cell]*sum, 0, 0.01, 0) // of 64 slices
				}
			}
		}
	}
	if _, err := dbn.Fit(t.Context(), net, s, learn.Gibbs{}, nil); err == nil {
		t.Error("Gibbs was not refused")
	}
}
