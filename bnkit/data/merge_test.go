package data_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// TestMerge: statistics of two tables, the first of which has faded, are those of one table with its weights.
func TestMerge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	net, err := bn.New("[A][B|A][x|A][y|x:B]", bn.Discrete("A", "a", "b"), bn.Discrete("B", "a", "b", "c"),
		bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	const n, early, fading = 200, 120, 0.25
	a, b := make([]bn.State, n), make([]bn.State, n)
	x, y, w := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		a[i], b[i] = bn.State(rng.IntN(2)), bn.State(rng.IntN(3))
		x[i], y[i], w[i] = rng.NormFloat64(), 3+rng.NormFloat64(), 1
		if i < early {
			w[i] = fading
		}
	}
	table := func(from, to int, weights []float64) *data.Table {
		cols := []data.Column{{Var: net.Variable(0), States: a[from:to]}, {Var: net.Variable(1), States: b[from:to]},
			{Var: net.Variable(2), Values: x[from:to]}, {Var: net.Variable(3), Values: y[from:to]}}
		t1, err := data.New(cols...)
		if err == nil && weights != nil {
			t1, err = t1.WithWeights(weights)
		}
		if err != nil {
			t.Fatal(err)
		}
		return t1
	}
	stats := func(table *data.Table) (*data.Counts, *data.Moments) {
		c, err := table.Count(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := table.Crossproducts(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		return c, m
	}
	c1, m1 := stats(table(0, early, nil))
	c2, m2 := stats(table(early, n, nil))
	want, wantM := stats(table(0, n, w))
	got, err := c1.Merge(fading, c2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.N {
		if math.Abs(got.N[i]-want.N[i]) > 1e-12 {
			t.Errorf("entry %d: %v, want %v", i, got.N[i], want.N[i])
		}
	}
	if math.Abs(got.Rows-want.Rows) > 1e-12 {
		t.Errorf("%v rows, want %v", got.Rows, want.Rows)
	}
	gotM, err := m1.Merge(fading, m2)
	if err != nil {
		t.Fatal(err)
	}
	for v := range wantM.Factors {
		for config, f := range wantM.Factors[v] {
			g := gotM.Factors[v][config]
			if math.Abs(g.N-f.N) > 1e-12 {
				t.Errorf("variable %d has %v rows, want %v", v, g.N, f.N)
			}
			for i := range f.R {
				if math.Abs(g.R[i]-f.R[i]) > 1e-11 {
					t.Errorf("factor of variable %d: %v, want %v", v, g.R, f.R)
				}
			}
		}
	}
	other, err := bn.New("[A]", bn.Discrete("A", "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	c3, err := table(0, 5, nil).Count(other, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c1.Merge(1, c3); err == nil {
		t.Error("counts of two networks were merged")
	}
	if _, err := c1.Merge(math.NaN(), c2); err == nil {
		t.Error("counts faded by NaN")
	}
}
