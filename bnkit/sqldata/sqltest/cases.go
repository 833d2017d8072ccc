package sqltest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// Sample draws cases.
func Sample(t testing.TB, net *bn.Network, n int) *data.Table {
	t.Helper()
	cases, err := data.Sample(net, n, rand.NewPCG(3, 0))
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// Holed takes away cells at random.
func Holed(t testing.TB, cases *data.Table, share float64) *data.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 0))
	cols := cases.Columns()
	for i := range cols {
		cols[i].States = slices.Clone(cols[i].States)
		for row := range cols[i].States {
			if rng.Float64() < share {
				cols[i].States[row] = bn.Missing
			}
		}
	}
	out, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	if out, err = out.WithWeights(cases.Weights()); err != nil {
		t.Fatal(err)
	}
	return out
}

// Weighted gives rows weights such as 1.25, whose sums are exact in any order.
func Weighted(t testing.TB, cases *data.Table) *data.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 0))
	w := make([]float64, cases.Rows())
	for i := range w {
		w[i] = float64(rng.IntN(8)) / 4
	}
	out, err := cases.WithWeights(w)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Odd gives columns and states names that a careless statement would break on.
func Odd(t testing.TB, cases *data.Table) *data.Table {
	t.Helper()
	names := []string{`select`, `a"b`, `it's`, `Größe µ`, `x; DROP TABLE y --`, `c0`, `a.b`, `w`, `n`, `g0`}
	cols := cases.Columns()
	for i := range cols {
		cols[i].Var = bn.Discrete(names[i%len(names)]+fmt.Sprint(i/len(names)), `no'; --`, `ja "ja"`)
		if i < len(names) {
			cols[i].Var.Name = names[i]
		}
	}
	out, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Families are those of single variables, pairs in both
// directions, a repeated one, and wider ones.
func Families(vars []bn.Variable) []data.Family {
	var list []data.Family
	for i, v := range vars {
		list = append(list, data.Family{Child: v.Name})
		for j := range i {
			list = append(list, data.Family{Child: v.Name, Parents: []string{vars[j].Name}})
			list = append(list, data.Family{Child: vars[j].Name, Parents: []string{v.Name}})
		}
		if i > 2 {
			list = append(list, data.Family{Child: vars[i-1].Name,
				Parents: []string{v.Name, vars[0].Name, vars[i-2].Name}})
		}
	}
	wide := data.Family{Child: vars[0].Name}
	for _, v := range vars[1:min(7, len(vars))] {
		wide.Parents = append(wide.Parents, v.Name)
	}
	return append(list, wide, list[1], list[1])
}

// Same compares the counts of families.
func Same(t *testing.T, c data.Source, cases *data.Table, list []data.Family, opts *data.CountOptions) {
	t.Helper()
	got, err := c.CountFamilies(context.Background(), list, opts)
	if err != nil {
		t.Fatal(err)
	}
	want, err := cases.CountFamilies(context.Background(), list, opts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if !slices.Equal(got[i].N, want[i].N) || got[i].Skipped != want[i].Skipped {
			t.Fatalf("%v: counts %v and %v skipped, want %v and %v", list[i], got[i].N, got[i].Skipped, want[i].N,
				want[i].Skipped)
		}
		if got[i].Configs.Len() != want[i].Configs.Len() {
			t.Fatalf("%v: %d configurations, want %d", list[i], got[i].Configs.Len(), want[i].Configs.Len())
		}
	}
}
