package relabel

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
)

// The assignment is the best of all permutations.
func TestAssign(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for range 300 {
		n := 1 + rng.IntN(5)
		cost := make([][]float64, n)
		for i := range cost {
			cost[i] = make([]float64, n)
			for j := range cost[i] {
				cost[i][j] = float64(rng.IntN(7)) // with ties
			}
		}
		best := math.Inf(1)
		var try func(i int, used int, sum float64)
		try = func(i, used int, sum float64) {
			if i == n {
				best = min(best, sum)
				return
			}
			for j := range n {
				if used>>j&1 == 0 {
					try(i+1, used|1<<j, sum+cost[i][j])
				}
			}
		}
		try(0, 0, 0)
		got, used := 0.0, 0
		for i, j := range assign(cost) {
			got += cost[i][j]
			used |= 1 << j
		}
		if got != best || used != 1<<n-1 {
			t.Fatalf("%v: %v costs %v, the best %v", cost, assign(cost), got, best)
		}
	}
}

// Tables of which two hidden variables were renamed come back as they were.
func TestAlign(t *testing.T) {
	net, err := bn.New("[G][H|G][X|G:H][Y|H]", bn.Discrete("G", "0", "1"), bn.Discrete("H", "0", "1", "2"),
		bn.Discrete("X", "0", "1"), bn.Discrete("Y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(6, 1))
	layout := net.Layout()
	want := make([]float64, layout.Len())
	for cell := range want {
		want[cell] = rng.Float64()
	}
	names, err := New(net, []string{"G", "H"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, h := []int{1, 0}, []int{2, 0, 1}
	got := make([]float64, layout.Len())
	for s := range 2 {
		got[layout.Cell(0, 0, g[s])] = want[layout.Cell(0, 0, s)]
		for r := range 3 {
			got[layout.Cell(1, g[s], h[r])] = want[layout.Cell(1, s, r)]
			for x := range 2 {
				got[layout.Cell(2, 3*g[s]+h[r], x)] = want[layout.Cell(2, 3*s+r, x)]
				got[layout.Cell(3, h[r], x)] = want[layout.Cell(3, r, x)]
			}
		}
	}
	Align(got, want, names)
	for cell := range want {
		if got[cell] != want[cell] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
