package infer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// A state is a joint state of the discrete variables with what linear algebra says of the continuous ones in it.
type state struct {
	states []int
	log    float64     // of the probability and the density of what is observed
	weight float64     // probability given that
	mean   []float64   // of all variables given it; the value of an observed one
	cov    [][]float64 // likewise
}

// enumerate goes through all joint states of the discrete variables that agree with a row: in each the continuous
// ones are jointly normal with mean (I−B)⁻¹a and covariance (I−B)⁻¹D(I−B)⁻ᵀ.
func enumerate(net *bn.Network, row func(v int) (x float64, seen bool)) (list []state, loglik float64) {
	n := net.Len()
	var now []int
	var walk func(states []int, log float64)
	walk = func(states []int, log float64) {
		if len(states) < n {
			v := len(states)
			if !net.Variable(v).IsDiscrete() {
				walk(append(states, 0), log)
				return
			}
			x, seen := row(v)
			for s := range net.Variable(v).Cardinality() {
				if !seen || int(x) == s {
					walk(append(states[:v:v], s), log)
				}
			}
			return
		}
		now = states
		for v := range n {
			if t := net.CPT(v); t != nil {
				log += math.Log(t.Row(config(net, v, now))[now[v]])
			}
		}
		if math.IsInf(log, -1) {
			return
		}
		s := state{states: slices.Clone(states)}
		s.log = log + s.normal(net, row)
		list = append(list, s)
	}
	walk(nil, 0)
	high := math.Inf(-1)
	for _, s := range list {
		high = max(high, s.log)
	}
	sum := 0.0
	for _, s := range list {
		sum += math.Exp(s.log - high)
	}
	loglik = high + math.Log(sum)
	for i := range list {
		list[i].weight = math.Exp(list[i].log - loglik)
	}
	return list, loglik
}

// config is the configuration of the discrete parents.
func config(net *bn.Network, v int, states []int) int {
	var given []int
	for _, u := range net.DAG().Parents(v) {
		if net.Variable(u).IsDiscrete() {
			given = append(given, states[u])
		}
	}
	if t := net.CPT(v); t != nil {
		return t.Configs().Index(given)
	}
	return net.Gaussian(v).Configs().Index(given)
}

// normal conditions the joint normal and returns the log-density of what is observed.
func (s *state) normal(net *bn.Network, row func(v int) (float64, bool)) float64 {
	n := net.Len()
	b, a, d := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), mat.NewDense(n, n, nil)
	var seen []int
	for v := range n {
		b.Set(v, v, 1)
		g := net.Gaussian(v)
		if g == nil {
			continue
		}
		if _, ok := row(v); ok {
			seen = append(seen, v)
		}
		at, i := config(net, v, s.states), 0
		a.SetVec(v, g.Intercept[at])
		d.Set(v, v, g.Variance[at])
		for _, u := range net.DAG().Parents(v) {
			if !net.Variable(u).IsDiscrete() {
				b.Set(v, u, -g.Weights[at][i])
				i++
			}
		}
	}
	var inverse, cov, mean mat.Dense
	if err := inverse.Inverse(b); err != nil {
		panic(err)
	}
	mean.Mul(&inverse, a)
	cov.Product(&inverse, d, inverse.T())
	log := 0.0
	if k := len(seen); k > 0 {
		r, own, with := mat.NewDense(k, 1, nil), mat.NewSymDense(k, nil), mat.NewDense(n, k, nil)
		for i, u := range seen {
			x, _ := row(u)
			r.Set(i, 0, x-mean.At(u, 0))
			for j, v := range seen {
				own.SetSym(i, j, cov.At(u, v))
			}
			for v := range n {
				with.Set(v, i, cov.At(v, u))
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(own) {
			panic("singular")
		}
		var solved, shift, gain, less mat.Dense
		if err := chol.SolveTo(&solved, r); err != nil {
			panic(err)
		}
		var squares mat.Dense
		squares.Mul(r.T(), &solved)
		log = -(float64(k)*math.Log(2*math.Pi) + chol.LogDet() + squares.At(0, 0)) / 2
		shift.Mul(with, &solved)
		mean.Add(&mean, &shift)
		if err := chol.SolveTo(&gain, with.T()); err != nil {
			panic(err)
		}
		less.Mul(with, &gain)
		cov.Sub(&cov, &less)
	}
	s.mean, s.cov = make([]float64, n), make([][]float64, n)
	for v := range n {
		s.mean[v], s.cov[v] = mean.At(v, 0), mat.Row(nil, v, &cov)
	}
	for _, v := range seen {
		s.mean[v], _ = row(v)
		for u := range n {
			s.cov[u][v], s.cov[v][u] = 0, 0
		}
	}
	return log
}

// randomCLG is a random network of both kinds with some zeros among tables, weights and, for variables with
// children, variances.
func randomCLG(t testing.TB, rng *rand.Rand) *bn.Network {
	t.Helper()
	net := randomMixed(t, rng)
	for v := range net.Len() {
		if c := net.CPT(v); c != nil {
			infertest.Fill(rng, c, 0.2)
			continue
		}
		parent := slices.ContainsFunc(net.Variables(), func(u bn.Variable) bool {
			i, _ := net.Index(u.Name)
			return slices.Contains(net.DAG().Parents(i), v)
		})
		g := net.Gaussian(v)
		for at := range g.Variance {
			for i := range g.Weights[at] {
				if rng.IntN(4) == 0 {
					g.Weights[at][i] = 0
				}
			}
			if parent && len(g.Continuous) > 0 && rng.IntN(3) == 0 {
				g.Variance[at] = 0 // its parents have one, mostly
			}
		}
	}
	return net
}

// drawRow draws a case of the network and hides about half of it.
func drawRow(t testing.TB, rng *rand.Rand, net *bn.Network) (row func(v int) (float64, bool), given infer.Evidence) {
	t.Helper()
	table, err := data.Sample(net, 1, rand.NewPCG(rng.Uint64(), 0))
	if err != nil {
		t.Fatal(err)
	}
	given = infer.Evidence{}
	values, seen := make([]float64, net.Len()), make([]bool, net.Len())
	for v, c := range table.Columns() {
		if rng.IntN(2) == 0 {
			continue
		}
		if net.Gaussian(v) != nil && slices.Min(net.Gaussian(v).Variance) == 0 {
			continue // what determines it could be observed too
		}
		if seen[v] = true; c.States != nil {
			values[v] = float64(c.States[0])
			given[c.Var.Name] = c.Var.States[c.States[0]]
		} else {
			values[v] = c.Values[0]
			given[c.Var.Name] = fmt.Sprint(c.Values[0])
		}
	}
	return func(v int) (float64, bool) { return values[v], seen[v] }, given
}

// TestHiddenContinuous compares all answers with the joint normal of each configuration of the discrete
// variables, enumerated.
func TestHiddenContinuous(t *testing.T) {
	networks := 300
	if !numtest.Full() {
		networks = 80
	}
	hidden := 0
	for seed := range networks {
		rng := rand.New(rand.NewPCG(uint64(seed), 31))
		net := randomCLG(t, rng)
		row, given := drawRow(t, rng, net)
		list, loglik := enumerate(net, row)
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		log, err := e.LogProbability(given)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		numtest.Close(t, log, loglik, 1e-9, 1e-9)
		all, err := e.Marginals(given)
		if err != nil {
			t.Fatal(err)
		}
		var targets []string
		var at []int
		for v, variable := range net.Variables() {
			if !variable.IsDiscrete() {
				targets, at = append(targets, variable.Name), append(at, v)
				if _, seen := row(v); !seen {
					hidden++
				}
				continue
			}
			want := make([]float64, variable.Cardinality())
			for _, s := range list {
				want[s.states[v]] += s.weight
			}
			for i, p := range all.Of(variable.Name) {
				numtest.Close(t, p, want[i], 1e-9, 0)
			}
		}
		x, err := e.Expectation(given, targets...)
		if err != nil {
			t.Fatal(err)
		}
		mean := make([]float64, len(at))
		for i, v := range at {
			for _, s := range list {
				mean[i] += s.weight * s.mean[v]
			}
			numtest.Close(t, x.Mean[i], mean[i], 1e-8, 1e-8)
		}
		for i, u := range at {
			for j, v := range at {
				want := 0.0
				for _, s := range list {
					want += s.weight * (s.cov[u][v] + (s.mean[u]-mean[i])*(s.mean[v]-mean[j]))
				}
				numtest.Close(t, x.Covariance[i][j], want, 1e-8, 1e-8)
			}
		}
		for _, c := range x.Components {
			weight := 0.0
			for _, s := range list {
				agrees := true
				for name, value := range c.Given {
					v, _ := net.Index(name)
					agrees = agrees && net.Variable(v).States[s.states[v]] == value
				}
				if !agrees {
					continue
				}
				weight += s.weight
				for i, v := range at {
					numtest.Close(t, c.Mean[i], s.mean[v], 1e-8, 1e-8)
				}
			}
			numtest.Close(t, c.Weight, weight, 1e-9, 0)
		}
		best, most, err := e.MostProbable(given)
		if err != nil {
			t.Fatal(err)
		}
		high, second := state{log: math.Inf(-1)}, math.Inf(-1)
		for _, s := range list {
			if s.log > high.log {
				high, second = s, high.log
			} else {
				second = max(second, s.log)
			}
		}
		numtest.Close(t, most, high.log, 1e-9, 1e-9)
		if second < high.log-1e-6 {
			for v, variable := range net.Variables() {
				if variable.IsDiscrete() && best[variable.Name] != variable.States[high.states[v]] {
					t.Errorf("most probable %v, want %v", best, high.states)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v given %v", seed, net, given)
		}
	}
	if hidden < networks {
		t.Errorf("%d hidden variables in %d networks", hidden, networks)
	}
}

// gappy draws cases of a network and hides cells of all kinds, and columns.
func gappy(t testing.TB, rng *rand.Rand, net *bn.Network, rows int) *data.Table {
	t.Helper()
	table, err := data.Sample(net, rows, rand.NewPCG(rng.Uint64(), 0))
	if err != nil {
		t.Fatal(err)
	}
	var cols []data.Column
	for v, c := range table.Columns() {
		c.States, c.Values = slices.Clone(c.States), slices.Clone(c.Values)
		wholly := rng.IntN(4) == 0 || net.Gaussian(v) != nil && slices.Min(net.Gaussian(v).Variance) == 0
		for row := range rows {
			switch {
			case !wholly && rng.IntN(4) > 0:
			case c.States != nil:
				c.States[row] = bn.Missing
			default:
				c.Values[row] = math.NaN()
			}
		}
		cols = append(cols, c)
	}
	if table, err = data.New(cols...); err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, rows)
	for row := range weights {
		weights[row] = float64(rng.IntN(4)) / 2
	}
	weights[0] = 1.5
	if table, err = table.WithWeights(weights); err != nil {
		t.Fatal(err)
	}
	return table
}

// cells reads a row of a table.
func cells(table *data.Table, row int) func(v int) (float64, bool) {
	cols := table.Columns()
	return func(v int) (float64, bool) {
		switch c := cols[v]; {
		case c.IsMissing(row):
			return 0, false
		case c.States != nil:
			return float64(c.States[row]), true
		default:
			return c.Values[row], true
		}
	}
}

// TestHiddenContinuousMoments compares expected counts and moments, log-probabilities and predictions of tables
// with enumeration.
func TestHiddenContinuousMoments(t *testing.T) {
	networks := 120
	if !numtest.Full() {
		networks = 40
	}
	summed := 0
	for seed := range networks {
		rng := rand.New(rand.NewPCG(uint64(seed), 32))
		net := randomCLG(t, rng)
		table := gappy(t, rng, net, 1+rng.IntN(12))
		plan, err := infer.NewPlan(net, table, &infer.Options{Workers: 2})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		n, m := make([]float64, net.Layout().Len()), data.NewMoments(net)
		loglik, err := plan.ExpectMoments(n, m, theta(net), gaussians(net))
		if err != nil {
			t.Fatal(err)
		}
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		logs, err := e.LogProbabilities(table)
		if err != nil {
			t.Fatal(err)
		}
		predicted, err := e.Predict(table, net.Variable(0).Name)
		if err != nil {
			t.Fatal(err)
		}
		counts, skipped, total := make([]float64, len(n)), make([]float64, net.Len()), 0.0
		want := make([][]map[[2]int]float64, net.Len())
		weights := make([][]float64, net.Len())
		for v := range net.Len() {
			if g := net.Gaussian(v); g != nil {
				weights[v] = make([]float64, len(g.Variance))
				for range g.Variance {
					want[v] = append(want[v], map[[2]int]float64{})
				}
			}
		}
		for row := range table.Rows() {
			w := table.Weights()[row]
			read := cells(table, row)
			list, log := enumerate(net, read)
			total += w * log
			numtest.Close(t, logs[row], log, 1e-9, 1e-9)
			if w > 0 {
				without, _ := enumerate(net, func(v int) (float64, bool) {
					x, seen := read(v)
					return x, seen && v > 0
				})
				p := make([]float64, len(predicted[row]))
				for _, s := range without {
					p[s.states[0]] += s.weight
				}
				for i, x := range p {
					numtest.Close(t, predicted[row][i], x, 1e-9, 0)
				}
			}
			needed := make([]bool, net.Len())
			order := net.DAG().Order()
			for i := len(order) - 1; i >= 0; i-- {
				v := order[i]
				if _, seen := read(v); seen || needed[v] {
					needed[v] = true
					for _, u := range net.DAG().Parents(v) {
						needed[u] = true
					}
				}
			}
			for v := range net.Len() {
				if net.Gaussian(v) != nil && !needed[v] {
					skipped[v] += w
				}
				for _, s := range list {
					at := config(net, v, s.states)
					if net.CPT(v) != nil {
						counts[net.Layout().Cell(v, at, s.states[v])] += w * s.weight
						continue
					}
					if !needed[v] {
						continue
					}
					var members []int
					for _, u := range net.DAG().Parents(v) {
						if !net.Variable(u).IsDiscrete() {
							members = append(members, u)
							if _, seen := read(u); !seen {
								summed++
							}
						}
					}
					members = append(members, v)
					weights[v][at] += w * s.weight
					to := want[v][at]
					to[[2]int{0, 0}] += w * s.weight
					for i, a := range members {
						to[[2]int{0, i + 1}] += w * s.weight * s.mean[a]
						for j, b := range members {
							to[[2]int{i + 1, j + 1}] += w * s.weight * (s.cov[a][b] + s.mean[a]*s.mean[b])
						}
					}
				}
			}
		}
		numtest.Close(t, loglik, total, 1e-9, 1e-9)
		for cell, x := range counts {
			numtest.Close(t, n[cell], x, 1e-9, 0)
		}
		for v := range net.Len() {
			numtest.Close(t, m.Skipped[v], skipped[v], 1e-12, 0)
			for at, f := range m.Factors[v] {
				numtest.Close(t, f.N, weights[v][at], 1e-9, 0)
				if f.R == nil {
					continue
				}
				k := int(math.Sqrt(float64(len(f.R))))
				for i, x := range products(f) {
					if i/k <= i%k {
						numtest.Close(t, x, want[v][at][[2]int{i / k, i % k}], 1e-8, 1e-8)
					}
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, net)
		}
	}
	if summed < networks {
		t.Errorf("%d hidden parents in %d networks", summed, networks)
	}
}

// TestExpectationByIntegration integrates over the hidden variables of small networks on a grid.
func TestExpectationByIntegration(t *testing.T) {
	net, err := bn.New("[class][f|class][g|f][y|class:f:g]", bn.Discrete("class", "a", "b"), bn.Continuous("f"),
		bn.Continuous("g"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	if err := net.SetTable("class", "a b\n0.3 0.7"); err != nil {
		t.Fatal(err)
	}
	shake(rand.New(rand.NewPCG(5, 0)), net.Gaussian(1))
	shake(rand.New(rand.NewPCG(6, 0)), net.Gaussian(2))
	shake(rand.New(rand.NewPCG(7, 0)), net.Gaussian(3))
	x, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.Expectation(infer.Evidence{"y": "1.5"}, "f", "g")
	if err != nil {
		t.Fatal(err)
	}
	classes, err := x.Posterior(infer.Evidence{"y": "1.5"}, "class")
	if err != nil {
		t.Fatal(err)
	}
	log, err := x.LogProbability(infer.Evidence{"y": "1.5"})
	if err != nil {
		t.Fatal(err)
	}
	// Sums over equally spaced points converge fast for smooth functions that vanish at the ends.
	const reach, step = 24.0, 0.125
	p := func(v, at int, y float64, given ...float64) float64 {
		return normal(y, net.Gaussian(v).Mean(at, given), net.Gaussian(v).Variance[at])
	}
	var sum, f1, g1, ff, fg, a float64
	for f := -reach; f <= reach; f += step {
		for g := -reach; g <= reach; g += step {
			both := [2]float64{0.3, 0.7}
			for at := range both {
				both[at] *= p(1, at, f) * p(2, 0, g, f) * p(3, at, 1.5, f, g)
			}
			w := both[0] + both[1]
			a += both[0]
			sum, f1, g1, ff, fg = sum+w, f1+w*f, g1+w*g, ff+w*f*f, fg+w*f*g
		}
	}
	numtest.Close(t, log, math.Log(sum*step*step), 1e-9, 0)
	numtest.Close(t, classes.P[0][0], a/sum, 1e-9, 0)
	f1, g1 = f1/sum, g1/sum
	numtest.Close(t, got.Mean[0], f1, 1e-9, 0)
	numtest.Close(t, got.Mean[1], g1, 1e-9, 0)
	numtest.Close(t, got.Covariance[0][0], ff/sum-f1*f1, 1e-9, 0)
	numtest.Close(t, got.Covariance[0][1], fg/sum-f1*g1, 1e-9, 0)
	if mean, variance := got.Of("g"); mean != got.Mean[1] || variance != got.Covariance[1][1] {
		t.Errorf("of g: %v, %v", mean, variance)
	}
	if len(got.Components) != 2 || got.Components[1].Given["class"] != "b" {
		t.Errorf("components %v", got.Components)
	}
}

// sumOf is total = x + class·w without noise, with a sensor of the total in class b only.
func sumOf(t *testing.T) *infer.Engine {
	t.Helper()
	net, err := bn.New("[class][x][w][total|class:x:w][late|class]", bn.Discrete("class", "a", "b"), bn.Continuous("x"),
		bn.Continuous("w"), bn.Continuous("total"), bn.Discrete("late", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	if err := net.SetTable("late", "class | no yes\na | 0.5 0.5\nb | 0.9 0.1"); err != nil {
		t.Fatal(err)
	}
	g := net.Gaussian(3)
	g.Weights, g.Variance = [][]float64{{1, 0}, {1, 1}}, []float64{0, 0}
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestDeterministic has a variable that others determine. In class a the total 2 is sure once x is 2, and in b it
// has density N(2; 2, 1): so sure that class a is, whatever else was found. A total that is not x rules a out.
func TestDeterministic(t *testing.T) {
	e := sumOf(t)
	for _, c := range []struct {
		given   infer.Evidence
		classA  float64
		w, over float64 // mean and variance
	}{
		{infer.Evidence{"x": "2", "total": "2"}, 1, 0, 1},
		{infer.Evidence{"x": "2", "total": "2", "late": "yes"}, 1, 0, 1},
		{infer.Evidence{"x": "2", "total": "3"}, 0, 1, 0},
		{infer.Evidence{"x": "2", "total": "3", "late": "no"}, 0, 1, 0},
		// Total 2 is N(0, 1) at 2 in a, and N(0, 2) in b, where w has mean 1 and variance ½.
		{infer.Evidence{"total": "2"}, normal(2, 0, 1) / (normal(2, 0, 1) + normal(2, 0, 2)), math.NaN(), math.NaN()},
	} {
		p, err := e.Posterior(c.given, "class")
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, p.P[0][0], c.classA, 1e-12, 0)
		x, err := e.Expectation(c.given, "w")
		if err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(c.w) {
			b := 1 - c.classA
			c.w, c.over = b, c.classA*(1+b*b)+b*(0.5+(1-b)*(1-b))
		}
		numtest.Close(t, x.Mean[0], c.w, 1e-12, 0)
		numtest.Close(t, x.Covariance[0][0], c.over, 1e-12, 0)
	}
	contradiction := infer.Evidence{"class": "a", "x": "2", "total": "3"}
	if _, err := e.Posterior(contradiction, "late"); !errors.Is(err, infer.ErrImpossibleEvidence) {
		t.Errorf("error %v", err)
	}
	if _, err := e.Expectation(contradiction, "w"); !errors.Is(err, infer.ErrImpossibleEvidence) {
		t.Errorf("error %v", err)
	}
	if _, err := e.LogProbability(contradiction); !errors.Is(err, infer.ErrImpossibleEvidence) {
		t.Errorf("error %v", err)
	}
	if _, err := e.LogProbability(infer.Evidence{"x": "2", "total": "2"}); !errors.Is(err, infer.ErrNoDensity) ||
		!strings.Contains(err.Error(), `"total"`) {
		t.Errorf("error %v", err)
	}
	if x, err := e.Expectation(infer.Evidence{"x": "2"}, "x"); err != nil || x.Mean[0] != 2 || x.Covariance[0][0] != 0 {
		t.Errorf("%v, error %v", x, err)
	}
	for _, c := range []struct{ target, message string }{{"class", `"class", which is discrete`}, {"y", `"y"`}} {
		if _, err := e.Expectation(nil, c.target); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("error %v", err)
		}
	}
}

// TestMixtureTooWide has 40 switches on one hidden variable: 2^40 configurations.
func TestMixtureTooWide(t *testing.T) {
	vars := []bn.Variable{bn.Continuous("level")}
	names, parents := []string{"level"}, [][]int{nil}
	for i := range 40 {
		s, y := fmt.Sprint("switch", i), fmt.Sprint("y", i)
		vars = append(vars, bn.Discrete(s, "off", "on"), bn.Continuous(y))
		names, parents = append(names, s, y), append(parents, nil, []int{0, 2*i + 1})
	}
	dag, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(dag, vars)
	if err != nil {
		t.Fatal(err)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	given := infer.Evidence{}
	for i := range 40 {
		given[fmt.Sprint("y", i)] = "1"
	}
	_, err = e.Posterior(given, "switch3")
	var wide *infer.WidthError
	if !errors.As(err, &wide) || len(wide.Variables) != 40 || !slices.Equal(wide.Continuous, []string{"level"}) ||
		!strings.Contains(err.Error(), "hidden continuous level link") {
		t.Errorf("error %v", err)
	}
	given["level"] = "0.5" // then they fall apart
	if _, err := e.Posterior(given, "switch3"); err != nil {
		t.Error(err)
	}
}

// TestObservedMoments: y depends on x, which is missing at times, and on f, which nobody sees. There are enough rows
// with x and y for a start, then too few.
func TestObservedMoments(t *testing.T) {
	net, err := bn.New("[x][f][y|x:f]", bn.Continuous("x"), bn.Continuous("f"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for _, c := range []struct {
		x    []float64
		want []float64 // N, Σ x, Σ x², Σ f, Σ y, Σ xy of y's rows
	}{
		{[]float64{1, 2, 0, 1, -1, 2, nan}, []float64{6, 5, 11, 0, 21, 16}},
		{[]float64{1, 2, 0, nan, -1, 2, nan}, []float64{7, 0, 0, 0, 28, 0}},
	} {
		table, err := data.New(data.Column{Var: bn.Continuous("x"), Values: c.x},
			data.Column{Var: bn.Continuous("y"), Values: []float64{1, 2, 3, 4, 5, 6, 7}})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := infer.NewPlan(net, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := data.NewMoments(net)
		if !plan.AddObservedMoments(m) || plan.IsComplete() || !slices.Equal(plan.Hidden(), []string{"f"}) {
			t.Errorf("nothing is summed out; hidden %v", plan.Hidden())
		}
		p := products(m.Factors[2][0]) // of 1, x, f, y
		for i, at := range []int{0, 1, 5, 2, 3, 7} {
			numtest.Close(t, p[at], c.want[i], 1e-12, 0)
		}
		if m.Factors[1][0].R != nil {
			t.Errorf("rows of f: %v", m.Factors[1][0])
		}
	}
}

// TestSensitivityOfMixture compares the slope of an answer by a table entry with differences, where a hidden number
// stands between.
func TestSensitivityOfMixture(t *testing.T) {
	net, err := bn.New("[class][f|class][y|f]", bn.Discrete("class", "a", "b"), bn.Continuous("f"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	net.Gaussian(1).Intercept[1], net.Gaussian(2).Weights[0][0] = 1, 0.8
	answer := func(x float64) (float64, *infer.Engine) {
		copy(net.CPT(0).P, []float64{1 - x, x})
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.Posterior(infer.Evidence{"y": 1.2}, "class")
		if err != nil {
			t.Fatal(err)
		}
		return p.P[0][1], e
	}
	const h = 1e-5
	above, _ := answer(0.3 + h)
	below, _ := answer(0.3 - h)
	_, e := answer(0.3)
	s, err := e.Sensitivity(infer.Evidence{"y": 1.2}, "class", "b")
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, s.Derivative(1), (above-below)/(2*h), 1e-8, 0)
}

// TestHiddenContinuousWorkers: the number of workers does not show in moments and log-likelihood, to the last bit.
func TestHiddenContinuousWorkers(t *testing.T) {
	net := randomCLG(t, rand.New(rand.NewPCG(2, 31)))
	for seed := uint64(3); net.Gaussian(net.Len()-1) == nil || len(net.Gaussian(net.Len()-1).Continuous) == 0; seed++ {
		net = randomCLG(t, rand.New(rand.NewPCG(seed, 31)))
	}
	table := gappy(t, rand.New(rand.NewPCG(4, 0)), net, 3000)
	var logs []float64
	var all []*data.Moments
	for _, workers := range []int{1, 3} {
		plan, err := infer.NewPlan(net, table, &infer.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		m := data.NewMoments(net)
		log, err := plan.ExpectMoments(make([]float64, net.Layout().Len()), m, theta(net), gaussians(net))
		if err != nil {
			t.Fatal(err)
		}
		logs, all = append(logs, log), append(all, m)
	}
	if logs[0] != logs[1] || !reflect.DeepEqual(all[0], all[1]) {
		t.Errorf("log-likelihoods %v, or moments, differ by workers", logs)
	}
}

// TestMixtureTakesForEver has 24 switches: memory would do, but not time.
func TestMixtureTakesForEver(t *testing.T) {
	_, err := switches(t, 24)
	if !errors.Is(err, infer.ErrTooWide) {
		t.Errorf("error %v", err)
	}
	if _, err = switches(t, 10); err != nil {
		t.Error(err)
	}
}

// switches asks for a switch of many that a hidden level adds to what each shows.
func switches(t *testing.T, n int) (*infer.Posteriors, error) {
	t.Helper()
	model, vars, given := "[level]", []bn.Variable{bn.Continuous("level")}, infer.Evidence{}
	for i := range n {
		model += fmt.Sprintf("[s%d][y%d|level:s%d]", i, i, i)
		vars = append(vars, bn.Discrete(fmt.Sprint("s", i), "off", "on"), bn.Continuous(fmt.Sprint("y", i)))
		given[fmt.Sprint("y", i)] = 1.0
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	return infer.Posterior(net, given, "s0")
}

// BenchmarkHiddenContinuous is an E-step of a factor analyser with six measurements of 1,000 cases, the mean of a
// factor given six measurements, and the class of a mixture of such.
func BenchmarkHiddenContinuous(b *testing.B) {
	model, vars := "[class][f|class]", []bn.Variable{bn.Discrete("class", "a", "b"), bn.Continuous("f")}
	for i := range 6 {
		model += fmt.Sprintf("[y%d|f]", i)
		vars = append(vars, bn.Continuous(fmt.Sprint("y", i)))
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		b.Fatal(err)
	}
	for v := 1; v < net.Len(); v++ {
		shake(rand.New(rand.NewPCG(uint64(v), 0)), net.Gaussian(v))
	}
	table, err := data.Sample(net, 1000, rand.NewPCG(1, 0))
	if err != nil {
		b.Fatal(err)
	}
	if table, err = table.Keep("y0", "y1", "y2", "y3", "y4", "y5"); err != nil {
		b.Fatal(err)
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		b.Fatal(err)
	}
	e, err := infer.New(net, nil)
	if err != nil {
		b.Fatal(err)
	}
	given := infer.Evidence{}
	for i, c := range table.Columns() {
		given[fmt.Sprint("y", i)] = c.Values[0]
	}
	n, p, g := make([]float64, net.Layout().Len()), theta(net), gaussians(net)
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"E-step", func() error {
			_, err := plan.ExpectMoments(n, data.NewMoments(net), p, g)
			return err
		}},
		{"Expectation", func() error { return second(e.Expectation(given, "f")) }},
		{"Posterior", func() error { return second(e.Posterior(given, "class")) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
