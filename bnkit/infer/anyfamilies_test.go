package infer_test

import (
	"errors"
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

// Evidence of a probability below all numbers, and tables that contradict each other by more than numbers hold.
func TestAnyFamiliesUnderflow(t *testing.T) {
	net, table, want, _ := manyChildren(t)
	check := func(net *bn.Network, table *data.Table, want float64) {
		t.Helper()
		plan, err := infer.NewPlan(net, table, nil)
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
		n, err := count([][]int{{0}, {1, 2, 0}}) // x0 and x1 are in their first states
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(n[0][0]-want) > 1e-9 || math.Abs(n[1][0]-want) > 1e-9 || math.Abs(n[1][1]-1+want) > 1e-9 {
			t.Errorf("%v and %v, want %v", n[0], n[1][:2], want)
		}
	}
	check(net, table, want)
	vars := []bn.Variable{bn.Discrete("class", "a", "b")}
	model := "[class]"
	var columns []data.Column
	for _, name := range []string{"u", "v", "w", "x", "y", "z"} {
		vars = append(vars, bn.Discrete(name, "0", "1"))
		model += "[" + name + "|class]"
		columns = append(columns, data.Column{Var: bn.Discrete(name, "0", "1"), States: []bn.State{0}})
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{0.25, 0.75})
	for v := 1; v < net.Len(); v++ { // (1e-200)³ of a, then the same of b
		copy(net.CPT(v).P, []float64{1e-200, 1, 1, 0})
		if v > 3 {
			copy(net.CPT(v).P, []float64{1, 0, 1e-200, 1})
		}
	}
	if table, err = data.New(columns...); err != nil {
		t.Fatal(err)
	}
	check(net, table, 0.25)

	copy(net.CPT(1).P, []float64{0, 1, 0, 1})
	plan, err := infer.NewPlan(net, table, nil)
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
	for range 2 { // an error leaves nothing half done
		if _, err := count([][]int{{0}}); !errors.Is(err, infer.ErrImpossibleEvidence) {
			t.Errorf("impossible evidence: %v", err)
		}
	}
	if _, err := count([][]int{{0, 0}}); err == nil {
		t.Error("no error for a member that stands twice")
	}
}
