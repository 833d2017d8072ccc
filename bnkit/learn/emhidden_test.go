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

// factorModel is a score of ability and tests that show it.
func factorModel(t testing.TB, tests int) *bn.Network {
	t.Helper()
	model, vars := "[ability]", []bn.Variable{bn.Continuous("ability")}
	for i := range tests {
		model += fmt.Sprintf("[test%d|ability]", i)
		vars = append(vars, bn.Continuous(fmt.Sprint("test", i)))
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range tests {
		g := net.Gaussian(i + 1)
		g.Intercept[0], g.Weights[0][0], g.Variance[0] = float64(i), 0.5+0.4*float64(i), 0.3+0.2*float64(i)
	}
	return net
}

// without draws cases and drops columns.
func without(t testing.TB, net *bn.Network, rows int, seed uint64, hidden ...string) *data.Table {
	t.Helper()
	table, err := data.Sample(net, rows, rand.NewPCG(seed, 0))
	if err != nil {
		t.Fatal(err)
	}
	names := slices.DeleteFunc(net.Names(), func(name string) bool { return slices.Contains(hidden, name) })
	if table, err = table.Keep(names...); err != nil {
		t.Fatal(err)
	}
	return table
}

// factorEM is EM of a factor analyser with one factor f ~ N(a, v), written from the formulas of Rubin and Thayer
// (1982) but for a and v, which they fix: with y = μ + λf + e, e ~ N(0, Ψ),
//
//	1/s = 1/v + Σ λ²/ψ,   E[f | y] = s·(a/v + Σ λ(y − μ)/ψ),   Var[f | y] = s.
type factorEM struct {
	a, v       float64
	mu, lambda []float64
	psi        []float64
	y          [][]float64 // by case
	fixed      bool        // a and v stay
	loglik     float64     // at the parameters before the last step
}

func (e *factorEM) step() {
	k, n := len(e.mu), float64(len(e.y))
	precision := 1 / e.v
	for j := range k {
		precision += e.lambda[j] * e.lambda[j] / e.psi[j]
	}
	s := 1 / precision
	var f1, f2 float64
	y1, y2, fy := make([]float64, k), make([]float64, k), make([]float64, k)
	e.loglik = 0
	for _, y := range e.y {
		m, squares, logdet := e.a/e.v, e.a*e.a/e.v, math.Log(e.v)
		for j := range k {
			r := y[j] - e.mu[j]
			m += e.lambda[j] * r / e.psi[j]
			squares += r * r / e.psi[j]
			logdet += math.Log(e.psi[j])
		}
		m *= s
		// |vλλ' + Ψ| = |Ψ|·v/s, and the squares by completing them.
		e.loglik -= (float64(k)*math.Log(2*math.Pi) + logdet - math.Log(s) + squares - m*m/s) / 2
		f1, f2 = f1+m, f2+m*m+s
		for j := range k {
			y1[j], y2[j], fy[j] = y1[j]+y[j], y2[j]+y[j]*y[j], fy[j]+m*y[j]
		}
	}
	mean, variance := f1/n, f2/n-f1/n*f1/n
	if !e.fixed {
		e.a, e.v = mean, variance
	}
	for j := range k {
		e.lambda[j] = (fy[j]/n - mean*y1[j]/n) / variance
		e.mu[j] = y1[j]/n - e.lambda[j]*mean
		e.psi[j] = y2[j]/n - y1[j]/n*y1[j]/n - e.lambda[j]*(fy[j]/n-mean*y1[j]/n)
	}
}

func newFactorEM(net *bn.Network, table *data.Table) *factorEM {
	e := &factorEM{a: net.Gaussian(0).Intercept[0], v: net.Gaussian(0).Variance[0]}
	for j := 1; j < net.Len(); j++ {
		g := net.Gaussian(j)
		e.mu, e.lambda = append(e.mu, g.Intercept[0]), append(e.lambda, g.Weights[0][0])
		e.psi = append(e.psi, g.Variance[0])
	}
	for row := range table.Rows() {
		var y []float64
		for _, c := range table.Columns() {
			y = append(y, c.Values[row])
		}
		e.y = append(e.y, y)
	}
	return e
}

// TestFactorAnalyser compares step by step with EM written for it, and the end with the maximum where the factor
// has mean 0 and variance 1, which is the same model.
func TestFactorAnalyser(t *testing.T) {
	truth := factorModel(t, 5)
	table := without(t, truth, 300, 1, "ability")
	from := truth.Clone()
	for j := range 5 {
		from.Gaussian(j + 1).Weights[0][0], from.Gaussian(j + 1).Variance[0] = 1, 1
	}
	const steps = 12
	direct := newFactorEM(from, table)
	var trace []float64
	for range steps + 1 {
		direct.step()
		trace = append(trace, direct.loglik)
	}
	r, err := learn.Fit(context.Background(), truth, table, learn.EM{}, &learn.Settings{From: from, Starts: 1,
		MaxIterations: steps, Tolerance: 1e-300})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Trace) != steps+1 || !slices.Equal(r.Hidden, []string{"ability"}) || !r.Expected {
		t.Fatalf("%d steps, hidden %v, expected counts %v", len(r.Trace), r.Hidden, r.Expected)
	}
	for i, step := range r.Trace {
		numtest.Close(t, step.LogLikelihood, trace[i], 0, 1e-11)
	}
	fixed := newFactorEM(from, table)
	fixed.fixed = true
	for range 2000 {
		fixed.step()
	}
	if r, err = learn.Fit(context.Background(), truth, table, learn.EM{}, &learn.Settings{Seed: 3,
		MaxIterations: 2000, Tolerance: 1e-12}); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, r.LogLikelihood, fixed.loglik, 1e-3, 0)
	for i := range 5 {
		one := r.Net.Gaussian(i + 1)
		loading := math.Abs(one.Weights[0][0]) * math.Sqrt(r.Net.Gaussian(0).Variance[0])
		numtest.Close(t, loading, math.Abs(fixed.lambda[i]), 5e-3, 0)
		numtest.Close(t, one.Variance[0], fixed.psi[i], 5e-3, 0)
	}
	if r.Starts < 2 || r.Agreed < 2 {
		t.Errorf("%d of %d starts agree", r.Agreed, r.Starts)
	}
}

// TestHiddenMean is a mixture of Gaussians with a hidden mean: classes of people differ in what three noisy tests
// measure, with cells missing here and there. Ties of the weights hold, and EM never falls.
func TestHiddenMean(t *testing.T) {
	truth, err := bn.New("[class][level|class][a|level][b|level:class][c|level:a]", bn.Discrete("class", "x", "y"),
		bn.Continuous("level"), bn.Continuous("a"), bn.Continuous("b"), bn.Continuous("c"))
	if err != nil {
		t.Fatal(err)
	}
	truth.Gaussian(1).Intercept = []float64{-2, 2}
	for v := 2; v < 5; v++ {
		g := truth.Gaussian(v)
		for config := range g.Variance {
			g.Variance[config] = 0.5
			for i := range g.Weights[config] {
				g.Weights[config][i] = 0.8
			}
		}
	}
	table := without(t, truth, 400, 2, "class", "level")
	rng := rand.New(rand.NewPCG(4, 0))
	var cols []data.Column
	for _, c := range table.Columns() {
		c.Values = slices.Clone(c.Values)
		for row := range c.Values {
			if rng.IntN(10) == 0 {
				c.Values[row] = math.NaN()
			}
		}
		cols = append(cols, c)
	}
	if table, err = data.New(cols...); err != nil {
		t.Fatal(err)
	}
	tie := constraint.ShareWeights{Var: "c", Groups: [][]string{{"level", "a"}}}
	r, err := learn.Fit(context.Background(), truth, table,
		learn.EM{Pseudocount: 1, VarianceFloor: 0.01, Constraints: []constraint.Constraint{tie}},
		&learn.Settings{Seed: 5, Starts: 2, MaxIterations: 60})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range r.Trace[1:] {
		if step.Objective < r.Trace[i].Objective-1e-9*math.Abs(step.Objective) {
			t.Errorf("step %d: the objective falls from %v to %v", i+1, r.Trace[i].Objective, step.Objective)
		}
	}
	c := r.Net.Gaussian(4)
	numtest.Close(t, c.Weights[0][0], c.Weights[0][1], 0, 1e-12)
	if !slices.Equal(r.Hidden, []string{"class", "level"}) {
		t.Errorf("hidden %v", r.Hidden)
	}
	again, err := learn.Fit(context.Background(), truth, table, learn.EM{VarianceFloor: 0.01},
		&learn.Settings{From: truth, Starts: 1, MaxIterations: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.LogLikelihood < again.Trace[0].LogLikelihood {
		t.Errorf("log-likelihood %v, less than %v of the truth", r.LogLikelihood, again.Trace[0].LogLikelihood)
	}
	if !strings.Contains(r.String(), "never observed: class, level") {
		t.Errorf("%v", r)
	}
}

// TestGapsInNumbers: EM on numbers with gaps gives what is known of bivariate normal data with gaps in one of them
// alone, monotone missingness: the regression on the complete rows, and the mean and variance of the other from all.
// (Anderson 1957.)
func TestGapsInNumbers(t *testing.T) {
	net, err := bn.New("[y][x|y]", bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	x := []float64{1, 2.5, 2, 4.5, 3, nan, nan, nan}
	y := []float64{0.5, 1, 2, 3, 2.5, 4, -1, 0.5}
	table, err := data.New(data.Column{Var: bn.Continuous("x"), Values: x},
		data.Column{Var: bn.Continuous("y"), Values: y})
	if err != nil {
		t.Fatal(err)
	}
	// In the network y → x gaps in x are barren, in x → y they are summed out: the same model.
	want, err := learn.Fit(context.Background(), net, table, learn.EM{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	turned, err := bn.New("[x][y|x]", bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := learn.Fit(context.Background(), turned, table, learn.EM{}, &learn.Settings{MaxIterations: 2000,
		Tolerance: 1e-15})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, got.LogLikelihood, want.LogLikelihood, 1e-8, 0)
	my, vy := want.Net.Gaussian(0).Intercept[0], want.Net.Gaussian(0).Variance[0]
	b := want.Net.Gaussian(1).Weights[0][0]
	vx := want.Net.Gaussian(1).Variance[0] + b*b*vy
	numtest.Close(t, got.Net.Gaussian(0).Intercept[0], want.Net.Gaussian(1).Intercept[0]+b*my, 1e-5, 0)
	numtest.Close(t, got.Net.Gaussian(0).Variance[0], vx, 1e-5, 0)
	numtest.Close(t, got.Net.Gaussian(1).Weights[0][0], b*vy/vx, 1e-5, 0)
	if _, err := identify(turned, table); err == nil || errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("error %v", err)
	}
}
