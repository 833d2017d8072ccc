package hierarchy_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
)

// balanced is the tree of B06 §3.1, of 3, 9 and 45 variables.
func balanced(t testing.TB) *hierarchy.Hierarchy {
	t.Helper()
	var atomic []string
	top, middle := make([]hierarchy.Composite, 3), make([]hierarchy.Composite, 9)
	for k := range middle {
		middle[k].Name = fmt.Sprint("X", 4+k)
		for range 5 {
			atomic = append(atomic, fmt.Sprint("X", 13+len(atomic)))
			middle[k].Of = append(middle[k].Of, atomic[len(atomic)-1])
		}
	}
	for k := range top {
		top[k].Name = fmt.Sprint("X", 1+k)
		for _, m := range middle[3*k : 3*k+3] {
			top[k].Of = append(top[k].Of, m.Name)
		}
	}
	h, err := hierarchy.New(atomic, append(top, middle...)...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// fourStates makes pairs of slices of variables with four states, of which one in four follows
// another in the slice before.
func fourStates(t testing.TB, names []string, rows int) *data.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 9))
	n := len(names)
	cols := make([]data.Column, 2*n)
	for k := range cols {
		cols[k] = data.Column{Var: bn.Discrete(dbn.At(names[k%n], k/n), "1", "2", "3", "4"),
			States: make([]bn.State, rows)}
		for row := range rows {
			cols[k].States[row] = bn.State(rng.IntN(4))
		}
	}
	for v := 0; v < n; v += 4 {
		from := rng.IntN(n)
		for row := range rows {
			if rng.IntN(5) < 2 {
				cols[n+v].States[row] = cols[from].States[row]
			}
		}
	}
	return columns(t, cols...)
}

// BenchmarkLearn learns both slices of B06 §3.1's 57 variables from 20 series of 150 steps.
func BenchmarkLearn(b *testing.B) {
	h := balanced(b)
	pairs := fourStates(b, h.Names(), 20*149)
	by := structure.ByCandidates{Anneal: structure.AnnealParents{Seed: 1}}
	for _, how := range []struct {
		name string
		hierarchy.Search
	}{
		{"rfw", hierarchy.FamilyWise{Relaxed: true, By: by}}, {"pw", hierarchy.ParentWise{By: by}},
		{"prior", hierarchy.Prior{Alpha: 1, By: structure.GreedyParents{}}},
	} {
		b.Run(how.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.Learn(context.Background(), pairs, structure.BDeu{EquivalentSampleSize: 10}, how.Search,
					nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("flat", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := structure.LearnDynamic(context.Background(), pairs, structure.BDeu{EquivalentSampleSize: 10},
				structure.GreedyParents{}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
