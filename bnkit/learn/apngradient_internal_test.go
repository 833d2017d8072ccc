package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
)

// randomTables fills the tables of net.
func randomTables(net *bn.Network, rng *rand.Rand) *bn.Network {
	for v := range net.Len() {
		t := net.CPT(v)
		if t == nil {
			continue
		}
		for config := range t.Configs().Len() {
			row, total := t.Row(config), 0.0
			for s := range row {
				row[s] = 0.1 + rng.ExpFloat64()
				total += row[s]
			}
			for s := range row {
				row[s] /= total
			}
		}
	}
	return net
}

// twoCauses is a network with two causes, of which the second stays hidden, and three effects,
// and cases of it with a fifth of the cells missing.
func twoCauses(t testing.TB, rows int, rng *rand.Rand) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bn.New("[C][H|C][X|C:H][Y|C:H][Z|H]",
		bn.Discrete("C", "no", "yes"), bn.Discrete("H", "no", "yes"),
		bn.Discrete("X", "no", "yes"), bn.Discrete("Y", "no", "yes"), bn.Discrete("Z", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	randomTables(net, rng)
	table, err := data.Sample(net, rows, rng)
	if err != nil {
		t.Fatal(err)
	}
	return net, punched(t, table, .2, rng, "H")
}

// punched is table without a column and with some cells missing.
func punched(t testing.TB, table *data.Table, share float64, rng *rand.Rand, hidden string) *data.Table {
	t.Helper()
	var cols []data.Column
	for _, c := range table.Columns() {
		if c.Var.Name == hidden {
			continue
		}
		c.States = append([]bn.State(nil), c.States...)
		for row := range c.States {
			if rng.Float64() < share {
				c.States[row] = bn.Missing
			}
		}
		cols = append(cols, c)
	}
	out, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// ascentOf is an APN at a random start.
func ascentOf(t testing.TB, net *bn.Network, table *data.Table, m APN, rng *rand.Rand) *ascent {
	t.Helper()
	p, err := compile(net, m)
	if err != nil {
		t.Fatal(err)
	}
	c, err := planned(t.Context(), net, table, m, &Settings{})
	if err != nil {
		t.Fatal(err)
	}
	theta, err := p.first(c, 1, &Settings{}, rng)
	if err != nil {
		t.Fatal(err)
	}
	way, err := m.begin(p, c, rng)
	if err != nil {
		t.Fatal(err)
	}
	if err := way.start(theta); err != nil {
		t.Fatal(err)
	}
	return way.(*ascent)
}

// The gradient by every coordinate is that of finite differences of the objective: free tables
// in both coordinates (along rows for entries, whose sum is fixed), families, the conditional
// likelihood, the penalty and the prior.
func TestAPNGradients(t *testing.T) {
	up := []constraint.Constraint{
		constraint.Influence{Parent: "H", Child: "Z"}, constraint.Influence{Parent: "C", Child: "X",
			Sign: constraint.Negative},
	}
	own := UserCPD{
		Text: "logistic", Children: []string{"X"}, Parameters: []string{"a", "b", "c"},
		Table: func(dst, l []float64) {
			for config := range 4 {
				dst[2*config+1] = logistic(l[0] + l[1]*float64(config/2) + l[2]*float64(config%2))
				dst[2*config] = 1 - dst[2*config+1]
			}
		},
	}
	for name, m := range map[string]APN{
		"tables":  {},
		"MAP":     {Pseudocount: 2},
		"penalty": {Constraints: up, ViolationWeight: 7},
		"synergy": {Constraints: []constraint.Constraint{up[0], constraint.Synergy{Parents: []string{"H", "C"},
			Child: "X", Sub: true}, &constraint.Synergy{Parents: []string{"C", "H"}, Child: "X", Margin: .1}},
			ViolationWeight: 5},
		"prices": {Constraints: []constraint.Constraint{
			constraint.AtPrice{Statement: up[1], Price: 4},
			constraint.AtPrice{Statement: constraint.AtMost{Var: "Z", States: []string{"a"}, P: .3}, Price: 9},
			&constraint.AtPrice{Statement: constraint.ShareAcross{Var: "X"}, Price: 2}}},
		"prices and a weight": {Constraints: []constraint.Constraint{up[0],
			constraint.AtPrice{Statement: constraint.Between{Var: "X", States: []string{"yes"}, Low: .4, High: .6},
				Price: 6}}, ViolationWeight: 3},
		"conditional": {Targets: []string{"X", "Z"}},
		"noisy-OR": {CPDs: []ParametricCPD{NoisyORCPD{Child: "X", Leak: true},
			NoisyORCPD{Child: "Y", Leak: true, Present: map[string]string{"Y": "no", "C": "no"}}}},
		"tied":   {CPDs: []ParametricCPD{SharedTable{[]string{"X", "Y"}}}, Constraints: up, ViolationWeight: 3},
		"neural": {CPDs: []ParametricCPD{NeuralNet{"Y", 3}}, Pseudocount: 1},
		"user":   {CPDs: []ParametricCPD{own}, Targets: []string{"Y"}},
		"statement": {Constraints: []constraint.Constraint{constraint.AtMost{Var: "Z", States: []string{"a"},
			P: .9}}},
	} {
		for _, m.ConjugateGradient = range []bool{false, true} {
			t.Run(fmt.Sprint(name, m.ConjugateGradient), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(7, 11))
				net, table := twoCauses(t, 60, rng)
				a := ascentOf(t, net, table, m, rng)
				for range 3 {
					checkGradient(t, a, rng)
				}
			})
		}
	}
}

// The same for linear-Gaussian nodes with a hidden discrete parent: free, with a prior, with
// weights that configurations share, and for targets of both kinds.
func TestAPNGradientsOfGaussians(t *testing.T) {
	net, err := bn.New("[K][A|K][X|K][Y|X:A:K][Z|Y]", bn.Discrete("K", "a", "b"), bn.Discrete("A", "0", "1", "2"),
		bn.Continuous("X"), bn.Continuous("Y"), bn.Continuous("Z"))
	if err != nil {
		t.Fatal(err)
	}
	shares := []constraint.Constraint{
		constraint.ShareWeightsAcross{Var: "Y", Parents: []string{"X"}, ForEach: []string{"K"}},
		constraint.ProportionalWeights{Var: "Z", Weights: map[string]float64{constraint.Intercept: -.5, "Y": 2}},
	}
	prior := &constraint.GaussianPrior{Shape: 1, Scale: 2, Precision: 3, InterceptPrecision: .5,
		Mean: map[string]float64{"X": 1}}
	for name, m := range map[string]APN{
		"free":       {},
		"prior":      {Gaussian: prior},
		"shared":     {Constraints: shares, Gaussian: prior},
		"discrete":   {Targets: []string{"A"}, Gaussian: prior},
		"continuous": {Targets: []string{"Z", "A"}},
	} {
		for _, m.ConjugateGradient = range []bool{false, true} {
			t.Run(fmt.Sprint(name, m.ConjugateGradient), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(5, 1))
				truth := randomTables(net.Clone(), rng)
				copy(truth.Gaussian(2).Intercept, []float64{-1, 1})
				for config := range 6 {
					truth.Gaussian(3).Intercept[config] = float64(config)
					truth.Gaussian(3).Weights[config][0] = rng.NormFloat64()
				}
				table, err := data.Sample(truth, 60, rng)
				if err != nil {
					t.Fatal(err)
				}
				a := ascentOf(t, net, punched(t, table, .2, rng, "K"), m, rng)
				for range 3 {
					checkGradient(t, a, rng)
				}
			})
		}
	}
}

// checkGradient compares derivatives at a point near the present one.
func checkGradient(t *testing.T, a *ascent, rng *rand.Rand) {
	t.Helper()
	p := a.newPoint()
	at := func(x []float64) float64 {
		copy(p.x, x)
		if err := a.at(p); err != nil {
			t.Fatal(err)
		}
		return p.objective
	}
	x := append([]float64(nil), a.now.x...)
	err := a.each(func(b block, lo, hi int) error {
		table, ok := b.(entries)
		for i := lo; i < hi; i++ {
			if ok {
				x[i] *= 1 + .2*rng.Float64()
			} else {
				x[i] += .2 * rng.NormFloat64()
			}
		}
		for ; ok && lo < hi; lo += table.states {
			total := 0.0
			for s := range table.states {
				total += x[lo+s]
			}
			for s := range table.states {
				x[lo+s] /= total
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// Directions: each coordinate by itself, or an entry against the next in its row.
	along := make([][2]int, len(x))
	for i := range along {
		along[i] = [2]int{i, -1}
	}
	_ = a.each(func(b block, lo, hi int) error {
		if table, ok := b.(entries); ok {
			for i := lo; i < hi; i++ {
				along[i][1] = lo + (i-lo)/table.states*table.states + (i-lo+1)%table.states
			}
		}
		return nil
	})
	y := make([]float64, len(x))
	differences := fd.Gradient(nil, func(t []float64) float64 {
		copy(y, x)
		for i, d := range t {
			y[i] += d
			if j := along[i][1]; j >= 0 {
				y[j] -= d
			}
		}
		return at(y)
	}, make([]float64, len(x)), &fd.Settings{Formula: fd.Central, Step: 1e-6})
	at(x)
	for i, want := range differences {
		got := p.grad[i]
		if j := along[i][1]; j >= 0 {
			got -= p.grad[j]
		}
		if !(math.Abs(got-want) <= 2e-6*(1+math.Abs(want))) {
			t.Errorf("coordinate %d: %v, by differences %v", i, got, want)
		}
	}
}
