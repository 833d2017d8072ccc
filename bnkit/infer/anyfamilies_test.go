package infer_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
)

// holed samples rows from a network and makes cells missing; all cells of the variables that are never observed.
func holed(t testing.TB, net *bn.Network, rows int, share float64, never func(v int) bool,
	rng *rand.Rand) *data.Table {
	t.Helper()
	full, err := data.Sample(net, rows, rand.NewPCG(rng.Uint64(), 0))
	if err != nil {
		t.Fatal(err)
	}
	var columns []data.Column
	for v, c := range full.Columns() {
		if never(v) {
			continue
		}
		c.States = slices.Clone(c.States)
		for row := range c.States {
			if rng.Float64() < share {
				c.States[row] = bn.Missing
			}
		}
		columns = append(columns, c)
	}
	out, err := data.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// enumerated is what AnyFamilies computes, by all joint states.
func enumerated(net *bn.Network, table *data.Table, family []int) []float64 {
	size := 1
	for _, v := range family {
		size *= net.Variable(v).Cardinality()
	}
	n := make([]float64, size)
	column := make([][]bn.State, net.Len())
	for _, c := range table.Columns() {
		v, _ := net.Index(c.Var.Name)
		column[v] = c.States
	}
	for row := range table.Rows() {
		of, total := make([]float64, size), 0.0
		infertest.Joint(net, func(states []int, p float64) {
			for v, c := range column {
				if c != nil && c[row] != bn.Missing && int(c[row]) != states[v] {
					return
				}
			}
			at := 0
			for _, v := range family {
				at = at*net.Variable(v).Cardinality() + states[v]
			}
			of[at] += p
			total += p
		})
		for i, p := range of {
			n[i] += p / total
		}
	}
	return n
}

// TestAnyFamilies compares expected counts of families in and outside the graph with enumeration, in parts of few
// joint states and of many, asked for at once and one after another.
func TestAnyFamilies(t *testing.T) {
	large := 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 7))
		net := infertest.Random(rng, 9, 0.1)
		share := 0.2
		if seed%2 == 1 {
			share = 0.9
		}
		table := holed(t, net, 12, share, func(v int) bool { return v == 3 }, rng)
		plan, err := infer.NewPlan(net, table, &infer.Options{Workers: 1 + int(seed%3)})
		if err != nil {
			t.Fatal(err)
		}
		var theta []float64
		for v := range net.Len() {
			theta = append(theta, net.CPT(v).P...)
		}
		count, err := plan.AnyFamilies(theta)
		if err != nil {
			t.Fatal(err)
		}
		var families [][]int
		for range 12 {
			families = append(families, rng.Perm(net.Len())[:1+rng.IntN(4)])
		}
		all := 1
		for v := range net.Len() {
			all *= net.Variable(v).Cardinality()
		}
		if share > 0.5 && all > 1<<11 {
			large++
		}
		for v := range net.Len() { // of the graph
			families = append(families, append(slices.Clone(net.DAG().Parents(v)), v))
		}
		got, err := count(families[:8])
		if err != nil {
			t.Fatal(err)
		}
		rest, err := count(families[8:])
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, rest...)
		for i, f := range families {
			for cell, want := range enumerated(net, table, f) {
				if math.Abs(got[i][cell]-want) > 1e-10 {
					t.Fatalf("seed %d: family %v: entry %d is %v, by enumeration %v", seed, f, cell, got[i][cell], want)
				}
			}
		}
		n := make([]float64, net.Layout().Len())
		if _, err := plan.Expect(n, theta); err != nil {
			t.Fatal(err)
		}
		for v := range net.Len() {
			lo, _ := net.Layout().Family(v)
			for cell, x := range got[12+v] {
				if math.Abs(x-n[lo+cell]) > 1e-10 {
					t.Fatalf("seed %d: entry %d of variable %d is %v, by Expect %v", seed, cell, v, x, n[lo+cell])
				}
			}
		}
	}
	if large == 0 {
		t.Error("no part was large")
	}
}
