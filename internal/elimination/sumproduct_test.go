package elimination_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/internal/elimination"
	"bnlab/internal/factor"
	"bnlab/internal/numtest"
)

// TestSumProduct compares random products with the sum over all joint states.
func TestSumProduct(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	cards := []int{2, 3, 1, 2, 4, 2}
	for range 200 {
		var list, logs []*factor.Factor
		for range rng.IntN(6) {
			vars := rng.Perm(len(cards))[:rng.IntN(4)]
			f := factor.New(vars, pick(cards, vars))
			for i := range f.Values {
				f.Values[i] = rng.Float64()
				if rng.IntN(5) == 0 {
					f.Values[i] = 0
				}
			}
			g := factor.New(vars, pick(cards, vars))
			for i, x := range f.Values {
				g.Values[i] = math.Log(x)
			}
			list, logs = append(list, f), append(logs, g)
		}
		keep := rng.Perm(len(cards))[:rng.IntN(3)]
		got, err := elimination.SumProduct(list, keep, elimination.Plain, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		gotLogs, err := elimination.SumProduct(logs, keep, elimination.Logs, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range got.Vars {
			if !slices.Contains(keep, v) {
				t.Fatalf("variable %d of %v is left, keep %v", v, got.Vars, keep)
			}
		}
		want := factor.New(got.Vars, pick(cards, got.Vars))
		present := map[int]bool{}
		for _, f := range list {
			for _, v := range f.Vars {
				present[v] = true
			}
		}
		states := make([]int, len(cards))
		var sum func(v int)
		sum = func(v int) {
			if v == len(cards) {
				p := 1.0
				for _, f := range list {
					p *= f.At(pick(states, f.Vars)...)
				}
				at := 0
				for _, u := range got.Vars {
					at += states[u] * want.Stride(u)
				}
				want.Values[at] += p
				return
			}
			for s := range cards[v] {
				states[v] = s
				sum(v + 1)
				if !present[v] {
					break
				}
			}
			states[v] = 0
		}
		sum(0)
		for i, w := range want.Values {
			numtest.Close(t, got.Values[i], w, 1e-12, 1e-12)
			numtest.Close(t, math.Exp(gotLogs.Values[i]), w, 1e-12, 1e-12)
		}
	}
}

func TestSumProductIsBounded(t *testing.T) {
	a, b := factor.New([]int{0, 1}, []int{10, 10}), factor.New([]int{1, 2}, []int{10, 10})
	_, err := elimination.SumProduct([]*factor.Factor{a, b}, []int{0, 2}, elimination.Plain, 999)
	var large *elimination.TooLargeError
	if !errors.As(err, &large) || large.Cells != 1000 || !slices.Equal(large.Vars, []int{0, 1, 2}) {
		t.Errorf("error %v, want a *TooLargeError of 1000 cells over 0, 1 and 2", err)
	}
	if _, err := elimination.SumProduct([]*factor.Factor{a, b}, []int{0, 2}, elimination.Plain, 1000); err != nil {
		t.Error(err)
	}
}

func TestSmallest(t *testing.T) {
	card := func(v int) int { return []int{2, 3, 4, 5}[v] }
	scopes := [][]int{{0, 1}, {1, 2}, {2, 3}}
	v, members, cells := elimination.Smallest(scopes, card, []int{1, 2, 3, 0})
	if v != 0 || cells != 6 || !slices.Equal(members, []int{0, 1}) {
		t.Errorf("Smallest = %d, %v, %v, want 0 with the product of 0 and 1", v, members, cells)
	}
	if v, _, cells := elimination.Smallest(scopes, card, nil); v != -1 || !math.IsInf(cells, 1) {
		t.Errorf("Smallest of none = %d, %v", v, cells)
	}
}

func pick(of, at []int) []int {
	out := make([]int, len(at))
	for i, v := range at {
		out[i] = of[v]
	}
	return out
}
