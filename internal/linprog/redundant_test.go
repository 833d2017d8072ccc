package linprog

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRedundant compares groups of inequalities, rows said twice and dependent equations among them, with a linear
// program for each row without its group.
func TestRedundant(t *testing.T) {
	const tol = 1e-9
	yes, no := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rng.IntN(5)
		p := Problem{Len: n, Equal: []Row{{Value: 1}}}
		for j := range n {
			p.Equal[0].Index = append(p.Equal[0].Index, j)
		}
		if rng.IntN(3) == 0 {
			p.Equal = append(p.Equal, Row{Index: []int{0, 1}, Coef: []float64{1, -float64(rng.IntN(3))}})
		}
		var groups [][]int
		for range 1 + rng.IntN(12) {
			var group []int
			for range rng.IntN(3) {
				r := Row{Index: rng.Perm(n)[:1+rng.IntN(n)]}
				for range r.Index {
					r.Coef = append(r.Coef, float64(rng.IntN(5)-1))
				}
				r.Value = float64(rng.IntN(9)) / 8
				if k := len(p.AtMost); k > 0 && rng.IntN(6) == 0 {
					r = p.AtMost[rng.IntN(k)]
				}
				group = append(group, len(p.AtMost))
				p.AtMost = append(p.AtMost, r)
			}
			groups = append(groups, group)
		}
		got, err := Redundant(p, groups, tol)
		if _, feasible, _ := Feasible(p); !feasible {
			if !errors.Is(err, ErrInfeasible) {
				t.Errorf("seed %d: error %v for rows that contradict each other", seed, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		for g, group := range groups {
			q, want := p, true
			q.AtMost = nil
			for i, r := range p.AtMost {
				if !slices.Contains(group, i) {
					q.AtMost = append(q.AtMost, r)
				}
			}
			for _, i := range group {
				c := make([]float64, n)
				for k, j := range p.AtMost[i].Index {
					c[j] += p.AtMost[i].Factor(k)
				}
				most, _, err := Maximise(q, c)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				want = want && most <= p.AtMost[i].Value+tol
			}
			if got[g] != want {
				t.Errorf("seed %d: group %d of %v: %v, want %v", seed, g, p, got[g], want)
			}
			if want {
				yes++
			} else {
				no++
			}
		}
	}
	if yes < 200 || no < 200 {
		t.Errorf("%d groups are redundant and %d are not: too few to tell", yes, no)
	}
	// Without an equation the set has no end.
	got, err := Redundant(Problem{Len: 2, AtMost: []Row{{Index: []int{0}, Value: 1}, {Index: []int{0}, Value: 2},
		{Index: []int{0, 1}, Coef: []float64{1, -1}, Value: 3}}}, [][]int{{0}, {1}, {2}, {0, 1}}, tol)
	if want := []bool{false, true, true, false}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, error %v, want %v", got, err, want)
	}
}
