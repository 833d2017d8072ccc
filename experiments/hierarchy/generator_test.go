package hierarchy

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// information is I(X; parent j)/H(X) from the joint distribution, cell by cell, independently of how the
// generator sums it.
func information(t *table, parent int) float64 {
	r := len(t.rows[0])
	joint := make(map[[2]int]float64)
	px, pk := make(map[int]float64), make(map[int]float64)
	for c, row := range t.rows {
		// decode the configuration by hand: the last parent varies fastest
		rest, states := c, make([]int, len(t.prior))
		for j := len(t.prior) - 1; j >= 0; j-- {
			states[j], rest = rest%len(t.prior[j]), rest/len(t.prior[j])
		}
		w := 1.0
		for j, s := range states {
			w *= t.prior[j][s]
		}
		for x := range r {
			joint[[2]int{states[parent], x}] += w * row[x]
			px[x] += w * row[x]
			pk[states[parent]] += w * row[x]
		}
	}
	i, h := 0.0, 0.0
	for k, p := range joint {
		if p > 0 {
			i += p * math.Log2(p/(pk[k[0]]*px[k[1]]))
		}
	}
	for _, p := range px {
		if p > 0 {
			h -= p * math.Log2(p)
		}
	}
	return i / h
}

func divergence(p, q *table) float64 {
	kl := 0.0
	for c, w := range p.weights {
		for x, a := range p.rows[c] {
			kl += w * a * math.Log(a/q.rows[c][x])
		}
	}
	return kl
}

func roots(t *testing.T, arity, n int, src *rand.Rand) [][]float64 {
	t.Helper()
	var prior [][]float64
	for range n {
		root, err := draw(arity, nil, []float64{0.9}, src)
		if err != nil {
			t.Fatal(err)
		}
		h := 0.0
		for _, p := range root.rows[0] {
			h -= p * math.Log2(p) / math.Log2(float64(arity))
		}
		if math.Abs(h-0.9) > 1e-6 {
			t.Fatalf("NIS %v", h)
		}
		prior = append(prior, root.rows[0])
	}
	return prior
}

// TestStrengths: tables, drawn and modified, have the strengths that were asked for (B06 §3.1).
func TestStrengths(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 0))
	for _, arity := range []int{2, 3, 4, 5} {
		for parents := 1; parents <= 3; parents++ {
			for range 4 {
				want := make([]float64, parents)
				for j := range want {
					want[j] = 0.1
				}
				prior := roots(t, arity, parents, src)
				d, err := draw(arity, prior, want, src)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range []float64{0, 0.001, -0.02, 0.02, 0.05} {
					next := make([]float64, parents)
					for j := range next {
						next[j] = 0.1 + c*float64(1-2*(j%2))
					}
					m, err := d.modify(next)
					if err != nil {
						t.Fatalf("arity %d, %d parents, %v: %v", arity, parents, next, err)
					}
					for c, row := range m.rows {
						sum := 0.0
						for _, p := range row {
							sum += p
						}
						if !(math.Abs(sum-1) < 1e-12) {
							t.Fatalf("row %d sums to %v", c, sum)
						}
					}
					for j := range next {
						if got := information(m, j); !(math.Abs(got-next[j]) < 1e-6) {
							t.Errorf("arity %d, parent %d of %d: NMIS %v, want %v", arity, j, parents, got, next[j])
						}
					}
				}
			}
		}
	}
}

// TestModifyIsNear: the same strengths give the same table, bit by bit, and the divergence grows with the
// difference (the two properties that B06 §3.1 states). One parent of four states: about a 500th of a nat
// from 0.10 to 0.12.
func TestModifyIsNear(t *testing.T) {
	src := rand.New(rand.NewPCG(2, 0))
	mean := 0.0
	const tables = 20
	for range tables {
		d, err := draw(4, roots(t, 4, 1, src), []float64{0.1}, src)
		if err != nil {
			t.Fatal(err)
		}
		same, err := d.modify([]float64{0.1})
		if err != nil || !reflect.DeepEqual(same.rows, d.rows) {
			t.Fatalf("the same strength gives another table (%v)", err)
		}
		for _, sign := range []float64{-1, 1} {
			last := 0.0
			for _, c := range []float64{1e-4, 0.001, 0.005, 0.01, 0.02, 0.04} {
				m, err := d.modify([]float64{0.1 + sign*c})
				if err != nil {
					t.Fatal(err)
				}
				kl := divergence(d, m)
				if !(kl > last) {
					t.Errorf("divergence %v at %v, %v before", kl, sign*c, last)
				}
				last = kl
				if sign*c == 0.02 {
					mean += kl / tables
				}
			}
		}
	}
	if !(mean > 0.0012 && mean < 0.0026) {
		t.Errorf("mean divergence %v nats at 0.02", mean)
	}
}

// TestModifyRoot: a table without parents, sharper and flatter.
func TestModifyRoot(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 0))
	d, err := draw(4, nil, []float64{0.9}, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []float64{0.5, 0.89, 0.9, 0.91, 1} {
		m, err := d.modify([]float64{want})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.nis(); !(math.Abs(got-want) < 1e-6) {
			t.Errorf("NIS %v, want %v", got, want)
		}
	}
}

// TestBadStrengths: what no table has is refused, not looked for without end.
func TestBadStrengths(t *testing.T) {
	src := rand.New(rand.NewPCG(4, 0))
	half := [][]float64{{0.5, 0.5}}
	for _, c := range []struct {
		name  string
		arity int
		prior [][]float64
		want  []float64
	}{
		{"NIS above 1", 4, nil, []float64{1.1}},
		{"NIS of 0", 4, nil, []float64{0}},
		{"NaN", 4, half, []float64{math.NaN()}},
		{"NMIS of 1", 4, half, []float64{1}},
		{"two strengths for one parent", 4, half, []float64{0.1, 0.1}},
		{"one state", 1, nil, []float64{0.9}},
	} {
		if _, err := draw(c.arity, c.prior, c.want, src); err == nil {
			t.Errorf("%s: no error", c.name)
		}
	}
	uniform, _ := newTable(4, nil)
	if _, err := uniform.modify([]float64{0.9}); err == nil {
		t.Error("a uniform table made sharper: no error")
	}
}
