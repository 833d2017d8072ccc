package infer_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
)

// TestNames gives variables and states other names: no number changes.
func TestNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 0))
	net := infertest.Random(rng, 8, 0)
	table := sample(t, rng, net, 30, 0.3)
	rename := func(v bn.Variable) bn.Variable {
		states := slices.Clone(v.States)
		for i, s := range states {
			states[i] = "z" + s
		}
		slices.Sort(states) // as they were
		return bn.Discrete("no "+v.Name, states...)
	}
	var names []string
	var parents [][]int
	var vars []bn.Variable
	for v := range net.Len() {
		vars = append(vars, rename(net.Variable(v)))
		names, parents = append(names, vars[v].Name), append(parents, net.DAG().Parents(v))
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	other, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	for v := range net.Len() {
		copy(other.CPT(v).P, net.CPT(v).P)
	}
	var cols []data.Column
	for _, c := range table.Columns() {
		cols = append(cols, data.Column{Var: rename(c.Var), States: c.States})
	}
	otherTable, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	if otherTable, err = otherTable.WithWeights(table.Weights()); err != nil {
		t.Fatal(err)
	}
	want, wantLog := counts(t, net, table)
	got, gotLog := counts(t, other, otherTable)
	if gotLog != wantLog || !slices.Equal(got, want) {
		t.Error("other counts under other names")
	}
	name := table.Columns()[0].Var.Name
	a := predicted(t, net, table, name)
	b := predicted(t, other, otherTable, "no "+name)
	if !slices.EqualFunc(a, b, slices.Equal) {
		t.Error("other posteriors under other names")
	}
}

// counts are the expected counts and the log-likelihood at the network's own parameters.
func counts(t testing.TB, net *bn.Network, table *data.Table) ([]float64, float64) {
	t.Helper()
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, net.Layout().Len())
	loglik, err := plan.Expect(n, theta(net))
	if err != nil {
		t.Fatal(err)
	}
	return n, loglik
}

// predicted are the posteriors of a variable by row.
func predicted(t testing.TB, net *bn.Network, table *data.Table, target string) [][]float64 {
	t.Helper()
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Predict(table, target)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestMissingColumn: a column without any value is the same as no column.
func TestMissingColumn(t *testing.T) {
	net := infertest.Asia()
	full, err := data.Sample(net, 50, rand.NewPCG(16, 0))
	if err != nil {
		t.Fatal(err)
	}
	cols := full.Columns()
	empty := slices.Clone(cols)
	for _, v := range []int{1, 4} {
		empty[v].States = slices.Repeat([]bn.State{bn.Missing}, 50)
	}
	without := slices.Concat(cols[:1], cols[2:4], cols[5:])
	with, err := data.New(empty...)
	if err != nil {
		t.Fatal(err)
	}
	lacking, err := data.New(without...)
	if err != nil {
		t.Fatal(err)
	}
	want, wantLog := counts(t, net, lacking)
	got, gotLog := counts(t, net, with)
	if gotLog != wantLog || !slices.Equal(got, want) {
		t.Error("other counts")
	}
	if !slices.EqualFunc(predicted(t, net, with, "tub"), predicted(t, net, lacking, "tub"), slices.Equal) {
		t.Error("other posteriors")
	}
}
