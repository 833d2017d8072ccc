package infer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// TestRenaming orders variables, parents and states anew: posteriors and expected counts
// by name stay.
func TestRenaming(t *testing.T) {
	for seed := range some(40) {
		rng := rand.New(rand.NewPCG(uint64(seed), 5))
		net := infertest.Random(rng, 2+rng.IntN(9), 0.2)
		other := infertest.Renamed(rng, net)
		evidence := infertest.Evidence(rng, net, 0.3)
		a, errA := marginals(net, evidence)
		b, errB := marginals(other, evidence)
		if (errA == nil) != (errB == nil) {
			t.Fatalf("errors %v and %v", errA, errB)
		}
		for i := 0; errA == nil && i < net.Len(); i++ {
			v := net.Variable(i)
			w, _ := other.Index(v.Name)
			for state, name := range v.States {
				at := slices.Index(other.Variable(w).States, name)
				numtest.Close(t, a.P[i][state], b.Of(v.Name)[at], rounding, 0)
			}
		}
		table := sample(t, rng, net, 20, 0.2)
		n, log := counts(t, net, table)
		m, otherLog := counts(t, other, table)
		numtest.Close(t, log, otherLog, 0, rounding)
		for cell, x := range n {
			v, config, state := net.Layout().Locate(cell)
			from := net.CPT(v)
			w, _ := other.Index(from.Child.Name)
			given := bn.Given{}
			for i, name := range from.ConfigNames(config) {
				given[from.Parents[i].Name] = name
			}
			to, err := other.CPT(w).Config(given)
			if err != nil {
				t.Fatal(err)
			}
			at := other.Layout().Cell(w, to, slices.Index(other.CPT(w).Child.States, from.Child.States[state]))
			numtest.Close(t, x, m[at], 1e-9, 0)
		}
	}
}

// TestRows orders the rows anew and splits one into two of half its weight.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	net := infertest.Random(rng, 7, 0)
	table := sample(t, rng, net, 40, 0.3)
	order := append(rng.Perm(40), 0)
	other := table.Select(order)
	w := slices.Clone(other.Weights())
	for i, row := range order {
		if row == 0 {
			w[i] /= 2
		}
	}
	other, err := other.WithWeights(w)
	if err != nil {
		t.Fatal(err)
	}
	n, log := counts(t, net, table)
	m, otherLog := counts(t, net, other)
	numtest.Close(t, log, otherLog, 0, 1e-12)
	for cell, x := range n {
		numtest.Close(t, x, m[cell], 1e-11, 0)
	}
	target := net.Variable(0).Name
	p, q := predicted(t, net, table, target), predicted(t, net, other, target)
	for i, row := range order {
		if len(p[row]) != len(q[i]) {
			t.Fatalf("row %d: %v and %v", row, p[row], q[i])
		}
		for state, x := range p[row] {
			numtest.Close(t, q[i][state], x, 1e-12, 0)
		}
	}
}

// TestWorkers: the number of goroutines does not change a bit. The plan is large enough for
// several chunks, and several goroutines use it at once.
func TestWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	net := infertest.Random(rng, 12, 0)
	table, err := data.Sample(net, 3000, rng)
	if err != nil {
		t.Fatal(err)
	}
	var cols []data.Column
	for _, c := range table.Columns() {
		states := slices.Clone(c.States)
		for row := range states {
			if rng.IntN(3) == 0 {
				states[row] = bn.Missing
			}
		}
		cols = append(cols, data.Column{Var: c.Var, States: states})
	}
	if table, err = data.New(cols...); err != nil {
		t.Fatal(err)
	}
	type answer struct {
		n      []float64
		loglik float64
		err    error
	}
	var want answer
	for _, workers := range []int{1, 2, 5} {
		plan, err := infer.NewPlan(net, table, &infer.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		answers := make(chan answer)
		for range 3 {
			go func() {
				a := answer{n: make([]float64, net.Layout().Len())}
				a.loglik, a.err = plan.Expect(a.n, theta(net))
				answers <- a
			}()
		}
		for range 3 {
			got := <-answers
			if got.err != nil {
				t.Fatal(got.err)
			}
			if want.n == nil {
				want = got
			}
			if got.loglik != want.loglik || !slices.Equal(got.n, want.n) {
				t.Errorf("%d workers: other counts", workers)
			}
		}
	}
}

// children of one class, in manyChildren.
const children = 600

// manyChildren has 600 observed children of one hidden class. The probability of a case,
// about 1e-370, is no float64; by Bayes' rule the posterior odds are (0.3/0.2)^k with k the
// children in one state more than in the other. It returns the posterior of the first class
// and the log-probability.
func manyChildren(t testing.TB) (net *bn.Network, table *data.Table, posterior, log float64) {
	t.Helper()
	names := []string{"class"}
	parents := [][]int{nil}
	vars := []bn.Variable{bn.Discrete("class", "a", "b")}
	for i := range children {
		names = append(names, fmt.Sprint("x", i))
		parents = append(parents, []int{0})
		vars = append(vars, bn.Discrete(names[i+1], "u", "v", "w", "x"))
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	if net, err = bn.NewNetwork(g, vars); err != nil {
		t.Fatal(err)
	}
	for v := 1; v < net.Len(); v++ {
		copy(net.CPT(v).P, []float64{0.3, 0.2, 0.25, 0.25, 0.2, 0.3, 0.25, 0.25})
	}
	cols := []data.Column{}
	for i, v := range vars[1:] {
		s := bn.State(0)
		if i >= children/2+1 { // two more in the first state
			s = 1
		}
		cols = append(cols, data.Column{Var: v, States: []bn.State{s}})
	}
	if table, err = data.New(cols...); err != nil {
		t.Fatal(err)
	}
	odds := 0.3 * 0.3 / (0.2 * 0.2)
	return net, table, odds / (1 + odds), math.Log(0.5) + (children/2-1)*math.Log(0.3*0.2) + math.Log(0.3*0.3+0.2*0.2)
}

// TestUnderflow asks in every way.
func TestUnderflow(t *testing.T) {
	net, table, want, wantLog := manyChildren(t)
	evidence := infer.Evidence{}
	for _, c := range table.Columns() {
		evidence[c.Var.Name] = c.Text(0)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Posterior(evidence, "class")
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, p.P[0][0], want, 1e-12, 0)
	log, err := e.LogProbability(evidence)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, log, wantLog, 0, 1e-12)
	_, log, err = e.MostProbable(evidence)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, log, math.Log(0.5)+(children/2+1)*math.Log(0.3)+(children/2-1)*math.Log(0.2), 0, 1e-12)
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, net.Layout().Len())
	if log, err = plan.Expect(n, theta(net)); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, log, wantLog, 0, 1e-12)
	numtest.Close(t, n[0], want, 1e-12, 0)
	for v := 1; v < net.Len(); v++ {
		lo, hi := net.Layout().Family(v)
		sum := 0.0
		for _, x := range n[lo:hi] {
			sum += x
		}
		numtest.Close(t, sum, 1, 1e-12, 0)
	}
	w, err := infer.LikelihoodWeighting(net, evidence, 1000, rand.NewPCG(1, 0), "class")
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, w.P[0][0], want, 5*w.StandardErrors[0][0], 0)
	numtest.Close(t, w.LogProbability, wantLog, 5*w.RelativeError, 0)
}

// TestStandardErrors repeats the sampler: the spread of its estimates is what it says. The
// ratio of two variances from 100 runs has a standard deviation of about 14 %.
func TestStandardErrors(t *testing.T) {
	net := infertest.Asia()
	evidence := infer.Evidence{"xray": "yes", "bronc": "yes"}
	exact, err := infer.Posterior(net, evidence, "lung")
	if err != nil {
		t.Fatal(err)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	log, err := e.LogProbability(evidence)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 100
	var squares, claimed, logSquares, logClaimed float64
	for run := range runs {
		w, err := infer.LikelihoodWeighting(net, evidence, 2000, rand.NewPCG(uint64(run), 0), "lung")
		if err != nil {
			t.Fatal(err)
		}
		d := w.P[0][1] - exact.P[0][1]
		squares += d * d
		claimed += w.StandardErrors[0][1] * w.StandardErrors[0][1]
		d = w.LogProbability - log
		logSquares += d * d
		logClaimed += w.RelativeError * w.RelativeError
	}
	numtest.Close(t, squares/claimed, 1, 0.5, 0)
	numtest.Close(t, logSquares/logClaimed, 1, 0.5, 0)
}

// mixed is a class that a measurement depends on, linear in a dose that is given.
func mixed(t testing.TB) *bn.Network {
	t.Helper()
	net, err := bn.New("[class][dose][sign|class][level|class:dose]", bn.Discrete("class", "a", "b"),
		bn.Continuous("dose"), bn.Discrete("sign", "no", "yes"), bn.Continuous("level"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{0.7, 0.3})
	copy(net.CPT(2).P, []float64{0.9, 0.1, 0.4, 0.6})
	g := net.Gaussian(3)
	copy(g.Intercept, []float64{1, 2})
	g.Weights[0][0], g.Weights[1][0] = 0.5, -1
	copy(g.Variance, []float64{1, 4})
	return net
}

func normal(x, mean, variance float64) float64 {
	return math.Exp(-(x-mean)*(x-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
}

// TestContinuous compares with Bayes' rule written out.
func TestContinuous(t *testing.T) {
	net := mixed(t)
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	joint := func(dose, level float64) [2]float64 {
		return [2]float64{
			0.7 * normal(dose, 0, 1) * normal(level, 1+0.5*dose, 1),
			0.3 * normal(dose, 0, 1) * normal(level, 2-dose, 4),
		}
	}
	ab := joint(2, 1.5)
	evidence := infer.Evidence{"dose": "2", "level": "1.5"}
	all, err := e.Marginals(evidence)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, all.Of("class")[1], ab[1]/(ab[0]+ab[1]), 1e-12, 0)
	numtest.Close(t, all.Of("sign")[1], (0.1*ab[0]+0.6*ab[1])/(ab[0]+ab[1]), 1e-12, 0)
	log, err := e.LogProbability(evidence)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, log, math.Log(ab[0]+ab[1]), 1e-12, 0)
	states, log, err := e.MostProbable(evidence)
	if err != nil || states["class"] != "a" || states["sign"] != "no" || states["dose"] != "2" {
		t.Fatalf("%v, error %v", states, err)
	}
	numtest.Close(t, log, math.Log(ab[0]*0.9), 1e-12, 0)
	w, err := infer.LikelihoodWeighting(net, evidence, 20_000, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, w.Of("class")[1], all.Of("class")[1], 5*w.StandardErrors[0][1], 0)
	numtest.Close(t, w.LogProbability, log-math.Log(ab[0]*0.9)+math.Log(ab[0]+ab[1]), 5*w.RelativeError, 0)

	// A dose that is not observed matters only when the level is.
	if p, err := e.Posterior(infer.Evidence{"sign": "yes"}, "class"); err != nil {
		t.Error(err)
	} else {
		numtest.Close(t, p.P[0][1], 0.18/(0.18+0.07), 1e-12, 0)
	}
	// Then it is summed out: level given class is normal around 1 or 2 with variance 1.25 or 5.
	a, b := 0.7*normal(1, 1, 1.25), 0.3*normal(1, 2, 5)
	if p, err := e.Posterior(infer.Evidence{"level": "1"}, "class", "sign"); err != nil {
		t.Error(err)
	} else {
		numtest.Close(t, p.P[0][1], b/(a+b), 1e-12, 0)
		numtest.Close(t, p.P[1][1], (0.1*a+0.6*b)/(a+b), 1e-12, 0)
	}
	if log, err := e.LogProbability(infer.Evidence{"level": "1"}); err != nil {
		t.Error(err)
	} else {
		numtest.Close(t, log, math.Log(a+b), 1e-12, 0)
	}
	w, err = infer.LikelihoodWeighting(net, infer.Evidence{"level": "1"}, 20_000, rand.NewPCG(1, 0), "class")
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, w.P[0][1], b/(a+b), 5*w.StandardErrors[0][1], 0)

	for _, c := range []struct{ name, value, message string }{
		{"dose", "much", `"dose" is continuous and "much" is not a finite number`},
		{"dose", "NaN", "not a finite number"},
		{"dose", "Inf", "not a finite number"},
	} {
		if _, err := e.Marginals(infer.Evidence{c.name: c.value}); err == nil ||
			!strings.Contains(err.Error(), c.message) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := e.Posterior(nil, "dose"); !errors.Is(err, bn.ErrNotDiscrete) {
		t.Errorf("error %v", err)
	}
	// So far out that every density is zero, with the class hidden and with it known.
	for _, far := range []infer.Evidence{
		{"dose": "0", "level": "1e200"}, {"class": "a", "dose": "0", "level": "1e200"},
	} {
		if _, err := e.Marginals(far); !errors.Is(err, infer.ErrImpossibleEvidence) {
			t.Errorf("error %v", err)
		}
	}
	net.Gaussian(3).Variance[1] = 0
	if e, err = infer.New(net, nil); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		second(e.Marginals(evidence)),
		second(e.LogProbability(infer.Evidence{"class": "b", "dose": "2", "level": "1.5"})),
		second(infer.LikelihoodWeighting(net, evidence, 100, rand.NewPCG(1, 0))),
	} {
		if !errors.Is(err, infer.ErrNoDensity) || !strings.Contains(err.Error(), `"level"`) {
			t.Errorf("error %v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestContinuousCases has cases with and without the class and the level.
func TestContinuousCases(t *testing.T) {
	net := mixed(t)
	nan := math.NaN()
	table, err := data.New(
		data.Column{Var: net.Variable(0), States: []bn.State{bn.Missing, 1, bn.Missing, bn.Missing}},
		data.Column{Var: net.Variable(1), Values: []float64{2, 0, 1, nan}},
		data.Column{Var: net.Variable(3), Values: []float64{1.5, 3, nan, nan}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.WithWeights([]float64{3, 1, 1, 1}); err != nil {
		t.Fatal(err)
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, net.Layout().Len())
	loglik, err := plan.Expect(n, theta(net))
	if err != nil {
		t.Fatal(err)
	}
	a, b := 0.7*normal(2, 0, 1)*normal(1.5, 2, 1), 0.3*normal(2, 0, 1)*normal(1.5, 0, 4)
	numtest.Close(t, loglik, 3*math.Log(a+b)+math.Log(0.3*normal(0, 0, 1)*normal(3, 2, 4))+math.Log(normal(1, 0, 1)),
		1e-12, 0)
	classB := 3*b/(a+b) + 1 + 0.3 + 0.3
	for cell, want := range []float64{6 - classB, classB, 0.9 * (6 - classB), 0.1 * (6 - classB), 0.4 * classB,
		0.6 * classB} {
		numtest.Close(t, n[cell], want, 1e-12, 0)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Predict(table, "class")
	if err != nil {
		t.Fatal(err)
	}
	ab := normal(3, 1, 1) * 0.7 // the class of row 2 is not looked at
	numtest.Close(t, p[0][1], b/(a+b), 1e-12, 0)
	numtest.Close(t, p[1][1], 0.3*normal(3, 2, 4)/(ab+0.3*normal(3, 2, 4)), 1e-12, 0)
	numtest.Close(t, p[3][1], 0.3, 1e-12, 0)
}

// grid is a lattice of n×n binary variables, each with its left and upper neighbours as
// parents: as wide as it is long.
func grid(t testing.TB, n int) *bn.Network {
	t.Helper()
	var names []string
	var parents [][]int
	var vars []bn.Variable
	for i := range n {
		for j := range n {
			names = append(names, fmt.Sprintf("x%d_%d", i, j))
			var p []int
			if i > 0 {
				p = append(p, (i-1)*n+j)
			}
			if j > 0 {
				p = append(p, i*n+j-1)
			}
			parents = append(parents, p)
			vars = append(vars, bn.Discrete(names[len(names)-1], "no", "yes"))
		}
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func TestTooWide(t *testing.T) {
	net := grid(t, 28)
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	corner := infer.Evidence{"x27_27": "yes"}
	column := data.Column{Var: net.Variable(net.Len() - 1), States: []bn.State{1}}
	table, err := data.New(column)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		second(e.Marginals(corner)), second(e.LogProbability(corner)), second(infer.NewPlan(net, table, nil)),
		second(logLikelihood(net, table)),
		second(e.Predict(table, "x0_0")),
	} {
		var wide *infer.WidthError
		if !errors.As(err, &wide) || !errors.Is(err, infer.ErrTooWide) {
			t.Fatalf("error %v, want %v", err, infer.ErrTooWide)
		}
		if !(wide.Cells > float64(wide.Limit)) || len(wide.Variables) < 24 ||
			math.Exp2(float64(len(wide.Variables))) != wide.Clique {
			t.Errorf("%+v", wide)
		}
		for _, part := range []string{"LikelihoodWeighting", "MaxCells", wide.Variables[0]} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("error %q does not say %s", err, part)
			}
		}
	}
	if _, err := infer.LikelihoodWeighting(net, corner, 100, rand.NewPCG(1, 0), "x0_0"); err != nil {
		t.Error(err)
	}
	small, err := infer.New(infertest.Asia(), &infer.Options{MaxCells: 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := small.Marginals(nil); !errors.Is(err, infer.ErrTooWide) {
		t.Errorf("error %v", err)
	}
}

// TestWidthError counts by hand. With D observed, what is left of [A][B|A][C|B][D|A:C] is a
// triangle of r states at each corner: leaves of r, r², r² and r² entries, one product of r²,
// a message of r², and the root. The product of all three has r³, which nobody holds.
func TestWidthError(t *testing.T) {
	var vars []bn.Variable
	for _, name := range []string{"A", "B", "C", "D"} {
		vars = append(vars, bn.Discrete(name, "1", "2", "3", "4", "5", "6"))
	}
	net, err := bn.New("[A][B|A][C|B][D|A:C]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	for v := range net.Len() {
		for i := range net.CPT(v).P {
			net.CPT(v).P[i] = 1. / 6
		}
	}
	const cells, clique = 6 + 5*36 + 1, 6 * 36
	evidence := infer.Evidence{"D": "1"}
	for limit := cells - 1; limit <= cells; limit++ {
		e, err := infer.New(net, &infer.Options{MaxCells: limit})
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Marginals(evidence)
		if limit == cells && err == nil {
			continue
		}
		var wide *infer.WidthError
		if !errors.As(err, &wide) || wide.Cells != cells || wide.Clique != clique ||
			strings.Join(wide.Variables, "") != "ABC" {
			t.Errorf("limit %d: %+v, %v", limit, wide, err)
		}
	}
	for _, part := range []string{"1.875e+08 entries (3 GB)", "100 are allowed", "216 joint states, those of A, B, C",
		"learn.FitCases"} {
		text := (&infer.WidthError{Cells: 1.875e8, Limit: 100, Clique: clique,
			Variables: []string{"A", "B", "C"}}).Error()
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
	one, err := infer.New(net, &infer.Options{MaxCells: 1})
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(data.Column{Var: vars[1], States: []bn.State{0}})
	if err != nil {
		t.Fatal(err)
	}
	var wide *infer.WidthError
	if err := second(one.Predict(table, "C")); !errors.As(err, &wide) || wide.Clique != 6 ||
		strings.Join(wide.Variables, "") != "C" {
		t.Errorf("nothing summed out: %+v", wide)
	}
}

func TestNil(t *testing.T) {
	net := infertest.Asia()
	table, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{0}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	for want, errs := range map[string][]error{
		"no network": {
			second(infer.New(nil, nil)), second(infer.NewPlan(nil, table, nil)), second(infer.Posterior(nil, nil)),
			second(marginals(nil, nil)),
			second(logLikelihood(nil, table)), second(infer.LikelihoodWeighting(nil, nil, 10, rand.NewPCG(1, 0))),
		},
		"no table": {
			second(infer.NewPlan(net, nil, nil)), second(logLikelihood(net, nil)),
			second(e.LogProbabilities(nil)), second(e.Predict(nil, net.Variable(0).Name)),
		},
	} {
		for i, err := range errs {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%d: error %v, want %q", i, err, want)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	net := infertest.Asia()
	column := func(name string, states ...bn.State) data.Column {
		return data.Column{Var: bn.Discrete(name, "no", "yes"), States: states}
	}
	table := func(cols ...data.Column) *data.Table {
		t.Helper()
		table, err := data.New(cols...)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	weightless, err := table(column("smoke", 0)).WithWeights([]float64{0})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		table   *data.Table
		is      error
		message string
	}{
		{"no rows", table(column("smoke")), data.ErrNoRows, ""},
		{"no weight", weightless, data.ErrNoRows, ""},
		{"column not in the network", table(column("smoke", 0), column("smoking", 0)), bn.ErrUnknownVariable,
			`unknown variable "smoking"`},
		{"unknown state", table(data.Column{Var: bn.Discrete("smoke", "no", "often"), States: []bn.State{0, 1}}),
			bn.ErrUnknownState, "row 2"},
		{"continuous column", table(data.Column{Var: bn.Continuous("smoke"), Values: []float64{1}}), bn.ErrNotDiscrete,
			"smoke"},
	} {
		e, _ := infer.New(net, nil)
		for _, err := range []error{second(infer.NewPlan(net, c.table, nil)), second(logLikelihood(net, c.table)),
			second(e.Predict(c.table, "lung"))} {
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%s: error %v, want %v with %q", c.name, err, c.is, c.message)
			}
		}
	}

	// Row 2 has lung cancer without either; row 1 has not, and lacks a cell.
	wrong := table(column("lung", bn.Missing, 1), column("either", 1, 0), column("xray", 0, 0),
		column("tub", 1, bn.Missing))
	e, _ := infer.New(net, nil)
	plan, err := infer.NewPlan(net, wrong, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"Expect":        second(plan.Expect(make([]float64, 36), theta(net))),
		"LogLikelihood": second(logLikelihood(net, wrong)),
		"Predict":       second(e.Predict(wrong, "smoke")),
	} {
		var impossible *infer.ImpossibleError
		if !errors.As(err, &impossible) || impossible.Case != 2 ||
			impossible.Evidence.String() != "either=no, lung=yes, xray=no" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	// All values of a column missing is the same as no column.
	plan, err = infer.NewPlan(net, table(column("smoke", 0, 1), column("lung", bn.Missing, bn.Missing)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := plan.Hidden(); !slices.Contains(got, "lung") || slices.Contains(got, "smoke") || plan.IsComplete() {
		t.Errorf("hidden: %v", got)
	}
	for _, err := range []error{
		second(infer.Posterior(net, nil, "cancer")), second(e.Predict(wrong, "cancer")),
		second(infer.LikelihoodWeighting(net, nil, 10, rand.NewPCG(1, 0), "cancer")),
	} {
		if !errors.Is(err, bn.ErrUnknownVariable) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := infer.LikelihoodWeighting(net, nil, 10, nil); !errors.Is(err, bn.ErrNoSource) {
		t.Errorf("error %v", err)
	}
	if _, err := infer.LikelihoodWeighting(net, nil, 0, rand.NewPCG(1, 0)); err == nil {
		t.Error("no samples are enough")
	}
	if _, err := infer.LikelihoodWeighting(net, infer.Evidence{"lung": "yes", "either": "no"}, 10,
		rand.NewPCG(1, 0)); !errors.Is(err, infer.ErrNoSample) {
		t.Errorf("error %v", err)
	}
}

// TestObserved counts complete cases outright, and weights of zero not at all.
func TestObserved(t *testing.T) {
	net := infertest.Asia()
	table, err := data.Sample(net, 500, rand.NewPCG(8, 0))
	if err != nil {
		t.Fatal(err)
	}
	counts, err := table.Count(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	observed, expected := make([]float64, len(counts.N)), make([]float64, len(counts.N))
	plan.AddObserved(observed)
	if _, err := plan.Expect(expected, theta(net)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(observed, counts.N) || !slices.Equal(expected, counts.N) || !plan.IsComplete() ||
		plan.Weight() != 500 || plan.Hidden() != nil {
		t.Error("complete cases are not counted as data.Count does")
	}
}

// TestRepositoryNetworks compares the queries of the benchmarks with the sampler, and the
// posterior of one target with that among all.
func TestRepositoryNetworks(t *testing.T) {
	for _, name := range []string{"insurance", "alarm", "hailfinder"} {
		net := network(t, name)
		evidence := queries(t, net, 1)[0]
		exact, err := marginals(net, evidence)
		if err != nil {
			t.Fatal(err)
		}
		w, err := infer.LikelihoodWeighting(net, evidence, 20_000, rand.NewPCG(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		for v, p := range exact.P {
			for state, x := range p {
				// five standard errors, and some for states that were never drawn
				numtest.Close(t, w.P[v][state], x, 5*w.StandardErrors[v][state]+20/w.EffectiveSamples, 0)
			}
		}
	}
}

// TestOrder: the order of elimination does not change an answer.
func TestOrder(t *testing.T) {
	for seed := range some(30) {
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		net := infertest.Random(rng, 3+rng.IntN(9), 0.2)
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		evidence := infertest.Evidence(rng, net, 0.2)
		want, err := e.Marginals(evidence)
		if err != nil {
			continue
		}
		log, err := e.LogProbability(evidence)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			e.SetOrder(rng.Perm(net.Len()))
			got, err := e.Marginals(evidence)
			if err != nil {
				t.Fatal(err)
			}
			for v, p := range want.P {
				for state, x := range p {
					numtest.Close(t, got.P[v][state], x, rounding, 0)
				}
			}
			if other, err := e.LogProbability(evidence); err != nil || !numtest.Close(t, other, log, rounding, 0) {
				t.Errorf("error %v", err)
			}
		}
	}
}

// TestGrid is too large to enumerate, and large enough to look for an order of its own. By
// the definition of a conditional probability P(x | e) = P(x, e)/P(e); a table of one row
// gives the same; and no other joint state is more probable than the most probable one.
func TestGrid(t *testing.T) {
	net := grid(t, 9)
	rng := rand.New(rand.NewPCG(10, 0))
	for v := range net.Len() {
		infertest.Fill(rng, net.CPT(v), 0)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	evidence := infer.Evidence{"x0_3": "yes", "x4_4": "no", "x8_8": "yes"}
	all, err := e.Marginals(evidence)
	if err != nil {
		t.Fatal(err)
	}
	total, err := e.LogProbability(evidence)
	if err != nil {
		t.Fatal(err)
	}
	row, err := data.New(
		data.Column{Var: net.Variable(3), States: []bn.State{1}},
		data.Column{Var: net.Variable(4*9 + 4), States: []bn.State{0}},
		data.Column{Var: net.Variable(8*9 + 8), States: []bn.State{1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if log, err := logLikelihood(net, row); err != nil || !numtest.Close(t, log, total, 1e-10, 0) {
		t.Errorf("error %v", err)
	}
	for _, v := range []int{0, 8, 40 - 1, 72, 79} {
		name := net.Variable(v).Name
		both := infer.Evidence{name: "yes"}
		for k, s := range evidence {
			both[k] = s
		}
		log, err := e.LogProbability(both)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, all.Of(name)[1], math.Exp(log-total), 1e-10, 0)
		p, err := e.Predict(row, name)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, p[0][1], all.Of(name)[1], 1e-10, 0)
	}

	states, log, err := e.MostProbable(evidence)
	if err != nil {
		t.Fatal(err)
	}
	score := func(states bn.Given) float64 {
		sum := 0.0
		for v := range net.Len() {
			c := net.CPT(v)
			given := bn.Given{}
			for _, p := range c.Parents {
				given[p.Name] = states[p.Name]
			}
			config, err := c.Config(given)
			if err != nil {
				t.Fatal(err)
			}
			sum += math.Log(c.Row(config)[slices.Index(c.Child.States, states[c.Child.Name])])
		}
		return sum
	}
	numtest.Close(t, score(states), log, 1e-10, 0)
	for v := range net.Len() {
		name := net.Variable(v).Name
		if _, ok := evidence[name]; ok {
			continue
		}
		old := states[name]
		states[name] = map[string]string{"no": "yes", "yes": "no"}[old]
		if other := score(states); other > log+1e-12 {
			t.Errorf("with %s = %s the log probability is %v, more than %v", name, states[name], other, log)
		}
		states[name] = old
	}
}

// TestContradictions: values of continuous children that contradict what else is known of their
// parent by more than the exponents of numbers hold are possible, asked in every way. In
// logarithms, with distances d in standard deviations,
//
//	log P(class, x) = log prior − Σ d²/2 + constant.
func TestContradictions(t *testing.T) {
	for _, c := range []struct {
		name   string
		prior  []float64
		values [3]float64 // of x, y and z; means are below
	}{
		{"two values", []float64{0.2, 0.3, 0.5}, [3]float64{0, 100, 0}},
		{"the other way", []float64{0.2, 0.3, 0.5}, [3]float64{100, 0, 0}},
		{"a zero", []float64{0, 0.4, 0.6}, [3]float64{0, 1, 0}},
		{"a small number", []float64{1e-300, 0.4, 0.6}, [3]float64{0, 60, 0}},
		{"a worse state is nowhere as bad", []float64{0.2, 0.3, 0.5}, [3]float64{0, 140, 70}},
		{"none", []float64{0.2, 0.3, 0.5}, [3]float64{0.5, 0.25, 100}},
	} {
		net, err := bn.New("[class][x|class][y|class][z|class]", bn.Discrete("class", "a", "b", "c"),
			bn.Continuous("x"), bn.Continuous("y"), bn.Continuous("z"))
		if err != nil {
			t.Fatal(err)
		}
		copy(net.CPT(0).P, c.prior)
		means := [3][]float64{{0, 100, 26}, {100, 140, 114}, {80, 140, 100}}
		logs, high := make([]float64, 3), math.Inf(-1)
		for state := range logs {
			logs[state] = math.Log(c.prior[state]) - 1.5*math.Log(2*math.Pi)
			for i, x := range c.values {
				net.Gaussian(1 + i).Intercept[state] = means[i][state]
				logs[state] -= (x - means[i][state]) * (x - means[i][state]) / 2
			}
			high = max(high, logs[state])
		}
		sum := 0.0
		for _, x := range logs {
			sum += math.Exp(x - high)
		}
		wantLog, want := high+math.Log(sum), make([]float64, 3)
		for state, x := range logs {
			want[state] = math.Exp(x - wantLog)
		}
		check := func(what string, got []float64, log float64) {
			t.Helper()
			for state := range want {
				if !numtest.Close(t, got[state], want[state], 1e-9, 0) {
					t.Errorf("%s: %s", c.name, what)
				}
			}
			numtest.Close(t, log, wantLog, 0, 1e-12)
		}
		// Two cases: the one of interest, and one without a contradiction, in a block with it.
		table, err := data.New(data.Column{Var: bn.Continuous("x"), Values: []float64{c.values[0], 100}},
			data.Column{Var: bn.Continuous("y"), Values: []float64{c.values[1], 140}},
			data.Column{Var: bn.Continuous("z"), Values: []float64{c.values[2], 140}})
		if err != nil {
			t.Fatal(err)
		}
		easy := math.Log(c.prior[1]) - 1.5*math.Log(2*math.Pi) // of the other case, all in state b
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		logp, err := e.LogProbabilities(table)
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.Predict(table, "class")
		if err != nil {
			t.Fatal(err)
		}
		check("table", p[0], logp[0])
		numtest.Close(t, logp[1], easy, 1e-12, 0)
		numtest.Close(t, p[1][1], 1, 1e-12, 0)
		evidence := infer.Evidence{"x": c.values[0], "y": c.values[1], "z": c.values[2]}
		post, err := e.Marginals(evidence)
		if err != nil {
			t.Fatal(err)
		}
		log, err := e.LogProbability(evidence)
		if err != nil {
			t.Fatal(err)
		}
		check("query", post.P[0], log)
		states, log, err := e.MostProbable(evidence)
		if err != nil {
			t.Fatal(err)
		}
		if best := net.Variable(0).States[slices.Index(logs, high)]; states["class"] != best {
			t.Errorf("%s: the most probable state is %s, not %s", c.name, best, states["class"])
		}
		numtest.Close(t, log, high, 0, 1e-12)
		// With weights 3 and 2, the counts are 3·posterior and 2 in state b.
		if table, err = table.WithWeights([]float64{3, 2}); err != nil {
			t.Fatal(err)
		}
		plan, err := infer.NewPlan(net, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, m := make([]float64, 3), data.NewMoments(net)
		log, err = plan.ExpectMoments(n, m, theta(net), gaussians(net))
		if err != nil {
			t.Fatal(err)
		}
		n[1] -= 2
		for state := range n {
			weight := 3 * want[state]
			if state == 1 {
				weight += 2
			}
			numtest.Close(t, m.Factors[1][state].N, weight, 1e-9, 0)
			n[state] /= 3
		}
		check("moments", n, (log-2*easy)/3)
		err = plan.EachCase(theta(net), func(i int, weight, log float64, n []float64) error {
			if i == 0 {
				check("each case", n, log)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestHeavyCases: cases of any weight have finite counts, also where they are improbable: of
// P(a=b=c=1 | h) = 1e-240 and 8e-240 the posterior of h is 1/9 and 8/9.
func TestHeavyCases(t *testing.T) {
	net, err := bn.New("[h][a|h][b|h][c|h]", bn.Discrete("h", "0", "1"), bn.Discrete("a", "0", "1"),
		bn.Discrete("b", "0", "1"), bn.Discrete("c", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	var cols []data.Column
	for v := 1; v < net.Len(); v++ {
		copy(net.CPT(v).P, []float64{1, 1e-80, 1, 2e-80})
		cols = append(cols, data.Column{Var: net.Variable(v), States: []bn.State{1, 0}})
	}
	for _, weight := range []float64{1, 1e29, 1e31, 1e80, 1e149} {
		table, err := data.New(cols...)
		if err != nil {
			t.Fatal(err)
		}
		if table, err = table.WithWeights([]float64{weight, 1}); err != nil {
			t.Fatal(err)
		}
		n, _ := counts(t, net, table)
		for cell, want := range []float64{weight/9 + 0.5, weight*8/9 + 0.5, 0.5, weight / 9, 0.5, weight * 8 / 9} {
			numtest.Close(t, n[cell], want, 0, 1e-12)
		}
	}
}
