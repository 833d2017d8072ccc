package learn_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// confounded is u → x, u → y, x → y.
func confounded(t *testing.T) *bn.Network {
	t.Helper()
	net, err := bn.New("[u][x|u][y|x:u]", bn.Discrete("u", "0", "1"), bn.Discrete("x", "0", "1"),
		bn.Discrete("y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{0.6, 0.4})
	copy(net.CPT(1).P, []float64{0.9, 0.1, 0.2, 0.8})
	copy(net.CPT(2).P, []float64{0.8, 0.2, 0.3, 0.7, 0.6, 0.4, 0.1, 0.9}) // by x, then u
	return net
}

// coinTrial is observed rows of the network, then rows in which x was set by a coin.
func coinTrial(t *testing.T, observed, set int) *data.Table {
	t.Helper()
	net := confounded(t)
	cut, err := net.Do(bn.Policy("x", "\"0\" \"1\"\n0.5 0.5"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 16))
	var states [3][]bn.State
	cells := make([]string, observed+set)
	for row := range observed + set {
		from := net
		if row >= observed {
			from, cells[row] = cut, "x"
		}
		draw := func(p []float64) bn.State {
			if rng.Float64() < p[0] {
				return 0
			}
			return 1
		}
		u := draw(from.CPT(0).P)
		x := draw(net.CPT(1).Row(int(u)))
		if row >= observed {
			x = draw([]float64{0.5, 0.5})
		}
		y := draw(net.CPT(2).Row(int(2*x + u)))
		for v, s := range []bn.State{u, x, y} {
			states[v] = append(states[v], s)
		}
	}
	var cols []data.Column
	for v := range 3 {
		cols = append(cols, data.Column{Var: net.Variable(v), States: states[v]})
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.WithInterventions("set", cells); err != nil {
		t.Fatal(err)
	}
	return table
}

// P(x | u) of a trial is that of the observed rows; without the record the coin is taken for a habit.
func TestInterventionsAreNotHabits(t *testing.T) {
	table := coinTrial(t, 40000, 40000)
	r, err := learn.Fit(t.Context(), confounded(t), table, learn.ML{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	truth := confounded(t)
	for v := range 3 {
		for i, want := range truth.CPT(v).P {
			numtest.Close(t, r.Net.CPT(v).P[i], want, 0.015, 0) // 11,000 cases in the rarest row: 3.4 standard errors
		}
	}
	var rows []*data.Table
	for _, regime := range table.Regimes() {
		rows = append(rows, regime.Rows)
	}
	only, err := learn.Fit(t.Context(), confounded(t), rows[0], learn.ML{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range only.Net.CPT(1).P {
		numtest.Close(t, r.Net.CPT(1).P[i], want, 1e-14, 0)
	}
	forgetful, err := table.WithInterventions("set", make([]string, table.Rows()))
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := learn.Fit(t.Context(), truth, forgetful, learn.ML{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := wrong.Net.CPT(1).P[0]; p > 0.8 {
		t.Errorf("without the record P(x=0 | u=0) = %v, which should be far from 0.9", p)
	}
}

// Where x was set in all rows, the table of y given x is that of do(x), though u is not in the network; observed
// rows confound it: P(y=0 | do(x=0)) = 0.6·0.8 + 0.4·0.3 = 0.6, P(y=0 | x=0) = (0.54·0.8 + 0.08·0.3)/0.62 = 0.735.
func TestInterventionsDeconfound(t *testing.T) {
	table := coinTrial(t, 6000, 6000)
	net, err := bn.New("[x][y|x]", bn.Discrete("x", "0", "1"), bn.Discrete("y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.456 / 0.62, 0.6} {
		r, err := learn.Fit(t.Context(), net, table.Regimes()[i].Rows, learn.ML{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, r.Net.CPT(1).P[0], want, 0.025, 0)
	}
}

// likelihood is ln P(what is observed | what was set), by enumeration, and the expected counts.
func likelihood(net *bn.Network, table *data.Table) (loglik float64, expected [3][]float64) {
	for v := range expected {
		expected[v] = make([]float64, len(net.CPT(v).P))
	}
	for _, regime := range table.Regimes() {
		set := len(regime.Set) > 0
		cols := regime.Rows.Columns()
		for row := range regime.Rows.Rows() {
			total := 0.0
			var weights [8]float64
			at := func(joint int) [3]int {
				u, x, y := joint>>2, joint>>1&1, joint&1
				return [3]int{u, 2*u + x, 4*x + 2*u + y}
			}
			for joint := range 8 {
				possible := true
				for i, s := range []int{joint >> 2, joint >> 1 & 1, joint & 1} {
					c := cols[i].States[row]
					possible = possible && (c == bn.Missing || int(c) == s)
				}
				if !possible {
					continue
				}
				weights[joint] = 1
				for v, cell := range at(joint) {
					if v != 1 || !set {
						weights[joint] *= net.CPT(v).P[cell]
					}
				}
				total += weights[joint]
			}
			loglik += math.Log(total)
			for joint, w := range weights {
				for v, cell := range at(joint) {
					if v != 1 || !set {
						expected[v][cell] += w / total
					}
				}
			}
		}
	}
	return loglik, expected
}

func TestEMLeavesInterventionsOut(t *testing.T) {
	table := coinTrial(t, 150, 150)
	cells := make([]string, 300)
	for row := 150; row < 300; row++ {
		cells[row] = "x"
	}
	cols := table.Columns()
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range cols {
		cols[i].States = append([]bn.State(nil), cols[i].States...)
		for row := range 300 {
			if rng.Float64() < 0.3 && !(i == 1 && row >= 150) {
				cols[i].States[row] = bn.Missing
			}
		}
	}
	holed, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	if holed, err = holed.WithInterventions("set", cells); err != nil {
		t.Fatal(err)
	}
	r, err := learn.Fit(t.Context(), confounded(t), holed, learn.EM{}, &learn.Settings{Tolerance: 1e-13})
	if err != nil {
		t.Fatal(err)
	}
	loglik, expected := likelihood(r.Net, holed)
	numtest.Close(t, r.LogLikelihood, loglik, 1e-6, 0)
	for v := range 3 { // at the maximum the tables are the expected counts, normalized
		for i, p := range r.Net.CPT(v).P {
			row := i / 2 * 2
			numtest.Close(t, p, expected[v][i]/(expected[v][row]+expected[v][row+1]), 1e-4, 0)
		}
	}
	if _, err := infer.NewPlan(r.Net, holed, nil); err == nil || !strings.Contains(err.Error(), "Regimes") {
		t.Errorf("a plan that would ignore the record: %v", err)
	}
	if _, err := learn.Fit(t.Context(), r.Net, holed, learn.Gibbs{}, &learn.Settings{Seed: 1}); err == nil {
		t.Error("Gibbs ignores the record")
	}
	complete, err := learn.Fit(t.Context(), r.Net, table, learn.EM{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	closed, err := learn.Fit(t.Context(), r.Net, table, learn.ML{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, complete.LogLikelihood, closed.LogLikelihood, 1e-9, 0)
	for v := range 3 {
		for i, want := range closed.Net.CPT(v).P {
			numtest.Close(t, complete.Net.CPT(v).P[i], want, 1e-9, 0)
		}
	}
}

// The regression of a node is that of the rows in which it was not set, in EM as in the closed form.
func TestEMWithSetContinuousVariables(t *testing.T) {
	net, err := bn.New("[g][a|g][b|a]", bn.Discrete("g", "0", "1"), bn.Continuous("a"), bn.Continuous("b"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(8, 8))
	var g []bn.State
	var a, b []float64
	cells := make([]string, 400)
	for row := range cells {
		s := bn.State(rng.IntN(2))
		x := float64(s) + rng.NormFloat64()
		if row%2 == 1 {
			x, cells[row] = 5*rng.NormFloat64(), "a"
		}
		y := 2*x + 0.5*rng.NormFloat64()
		if row%4 == 2 {
			y, cells[row] = 0, "b"
		}
		g, a, b = append(g, s), append(a, x), append(b, y)
	}
	table, err := data.New(data.Column{Var: net.Variable(0), States: g}, data.Column{Var: net.Variable(1), Values: a},
		data.Column{Var: net.Variable(2), Values: b})
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.WithInterventions("set", cells); err != nil {
		t.Fatal(err)
	}
	closed, err := learn.Fit(t.Context(), net, table, learn.ML{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, closed.Net.Gaussian(2).Weights[0][0], 2, 0.02, 0)
	em, err := learn.Fit(t.Context(), net, table, learn.EM{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, em.LogLikelihood, closed.LogLikelihood, 1e-6, 0)
	for v := 1; v < 3; v++ {
		for config, want := range closed.Net.Gaussian(v).Intercept {
			numtest.Close(t, em.Net.Gaussian(v).Intercept[config], want, 1e-9, 0)
			numtest.Close(t, em.Net.Gaussian(v).Variance[config], closed.Net.Gaussian(v).Variance[config], 1e-9, 0)
		}
	}
}
