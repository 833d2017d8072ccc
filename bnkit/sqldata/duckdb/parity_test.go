//go:build cgo

package duckdb

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
)

func must[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// garden has awkward names of variables and states, and tables that differ by row.
func garden(t testing.TB) *bn.Network {
	t.Helper()
	net := must(bn.NewNetwork(
		must(bn.NewDAG([]string{"rain; DROP TABLE cases", `lawn "wet"`, "Ünal's shoes", "select"},
			[][]int{nil, {0}, {1}, {0, 1}}))(t),
		[]bn.Variable{
			bn.Discrete("rain; DROP TABLE cases", "no", "a 'little'", "-- much"),
			bn.Discrete(`lawn "wet"`, "false", "true"),
			bn.Discrete("Ünal's shoes", "1", "2", "10"),
			bn.Discrete("select", "<5", "5..10", ">10"),
		}))(t)
	rng := rand.New(rand.NewPCG(3, 0))
	for v := range net.Len() {
		cpt := net.CPT(v)
		for config := range cpt.Configs().Len() {
			row, sum := cpt.Row(config), 0.0
			for state := range row {
				row[state] = rng.ExpFloat64() + 0.1
				sum += row[state]
			}
			for state := range row {
				row[state] /= sum
			}
		}
	}
	return net
}

// opened writes the table as Parquet and opens that.
func opened(t testing.TB, table *data.Table, opts *Options) *Cases {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cases.parquet")
	if err := parquet.Write(path, table); err != nil {
		t.Fatal(err)
	}
	return open(t, path, opts)
}

func open(t testing.TB, path string, opts *Options) *Cases {
	t.Helper()
	cases := must(Open(context.Background(), path, opts))(t)
	t.Cleanup(func() {
		if err := cases.Close(); err != nil {
			t.Error(err)
		}
	})
	return cases
}

// gaps loses some cells of a table.
func gaps(t testing.TB, table *data.Table) *data.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 0))
	cols := make([]data.Column, len(table.Columns()))
	for i, c := range table.Columns() {
		cols[i] = data.Column{Var: c.Var, States: append([]bn.State(nil), c.States...)}
		for row := range cols[i].States {
			if rng.IntN(10) == 0 {
				cols[i].States[row] = bn.Missing
			}
		}
	}
	return must(data.New(cols...))(t)
}

func families(net *bn.Network) []data.Family {
	list := []data.Family{{Child: net.Variable(0).Name, Parents: []string{net.Variable(3).Name, net.Variable(2).Name}}}
	for v := range net.Len() {
		f := data.Family{Child: net.Variable(v).Name}
		for _, p := range net.DAG().Parents(v) {
			f.Parents = append(f.Parents, net.Variable(p).Name)
		}
		list = append(list, f)
	}
	return list
}

// TestCounts compares counts with those of the table in memory: they are whole numbers.
func TestCounts(t *testing.T) {
	net := garden(t)
	complete := must(data.Sample(net, 5000, rand.NewPCG(1, 0)))(t)
	for name, table := range map[string]*data.Table{"complete": complete, "with gaps": gaps(t, complete)} {
		cases := opened(t, table, nil)
		if diff := cmp.Diff(table.Variables(), cases.Variables()); diff != "" {
			t.Errorf("%s: variables: %s", name, diff)
		}
		if cases.TotalWeight() != 5000 {
			t.Errorf("%s: %v rows", name, cases.TotalWeight())
		}
		opts := &data.CountOptions{SkipMissing: true}
		want := must(table.CountFamilies(t.Context(), families(net), opts))(t)
		got := must(cases.CountFamilies(t.Context(), families(net), opts))(t)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: counts\n%v, want\n%v", name, got, want)
		}
	}
}

// TestLearners fits and searches through DuckDB and in memory.
func TestLearners(t *testing.T) {
	net := garden(t)
	table := must(data.Sample(net, 3000, rand.NewPCG(2, 0)))(t)
	cases := opened(t, table, nil)
	near := cmpopts.EquateApprox(0, 1e-9)
	rain, lawn, shoes, amount := net.Variable(0).Name, net.Variable(1).Name, net.Variable(2).Name, net.Variable(3).Name
	for _, m := range []learn.Method{
		learn.ML{},
		learn.MAP{Pseudocount: 1},
		learn.ML{Constraints: []constraint.Constraint{
			constraint.Influence{Parent: lawn, Child: shoes, Sign: constraint.Positive},
			constraint.Influence{Parent: rain, Child: amount, Sign: constraint.Negative},
		}},
		learn.ML{Constraints: []constraint.Constraint{constraint.ShareAcross{Var: lawn}}},
	} {
		want := must(learn.Fit(t.Context(), net, table, m, nil))(t)
		got := must(learn.Fit(t.Context(), net, cases, m, nil))(t)
		for v := range net.Len() {
			if diff := cmp.Diff(want.Net.CPT(v).P, got.Net.CPT(v).P, near); diff != "" {
				t.Errorf("%v: table of %s: %s", m, net.Variable(v).Name, diff)
			}
		}
		if diff := cmp.Diff(want.LogLikelihood, got.LogLikelihood, near); diff != "" {
			t.Errorf("%v: log-likelihood: %s", m, diff)
		}
	}
	for _, score := range []structure.Score{structure.BIC{}, structure.BDeu{EquivalentSampleSize: 5}} {
		want := must(structure.Learn(t.Context(), table, score, structure.HillClimb{}, nil))(t)
		got := must(structure.Learn(t.Context(), cases, score, structure.HillClimb{}, nil))(t)
		// Terms of a score are added in the order in which counts come.
		if want.DAG.String() != got.DAG.String() || !cmp.Equal(want.Score, got.Score, cmpopts.EquateApprox(1e-13, 0)) {
			t.Errorf("%v: %v with %v, want %v with %v", score, got.DAG, got.Score, want.DAG, want.Score)
		}
		if want.DAG.Arcs() == 0 {
			t.Errorf("%v: no arc to be found", score)
		}
	}
}

// TestHidden fits a class that nobody sees, from cases with gaps.
func TestHidden(t *testing.T) {
	net := garden(t)
	table := gaps(t, must(data.Sample(net, 2000, rand.NewPCG(5, 0)))(t))
	cases := opened(t, table, nil)
	vars := append([]bn.Variable{bn.Discrete("class", "a", "b")}, net.Variables()...)
	names, parents := []string{"class"}, [][]int{nil}
	for _, v := range net.Variables() {
		names, parents = append(names, v.Name), append(parents, []int{0})
	}
	model := must(bn.NewNetwork(must(bn.NewDAG(names, parents))(t), vars))(t)
	settings := func() *learn.Settings { return &learn.Settings{Starts: 2, Seed: 1, MaxIterations: 50} }
	want := must(learn.Fit(t.Context(), model, table, learn.EM{}, settings()))(t)
	got := must(learn.Fit(t.Context(), model, cases, learn.EM{}, settings()))(t)
	if diff := cmp.Diff(want.LogLikelihood, got.LogLikelihood, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("log-likelihood: %s", diff)
	}
}

// TestNumbers cuts a continuous column in the database.
func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	load, err := make([]float64, 2000), make([]bn.State, 2000)
	for i := range load {
		load[i] = rng.NormFloat64()
		if load[i] > rng.NormFloat64() {
			err[i] = 1
		}
	}
	load[7] = 0.5 // at a cut
	table := must(data.New(data.Column{Var: bn.Continuous("load"), Values: load},
		data.Column{Var: bn.Discrete("error", "no", "yes"), States: err}))(t)
	cut := must(data.Cuts{Column: "load", Cuts: []float64{-0.5, 0.5}, Names: []string{"low", "medium", "high"}}.Fit(
		table))(t)
	inMemory := must(cut.Apply(table))(t)
	opts := &Options{}
	opts.Cases.Discretization = cut
	cases := opened(t, table, opts)
	family := []data.Family{{Child: "error", Parents: []string{"load"}}}
	want := must(inMemory.CountFamilies(t.Context(), family, nil))(t)
	got := must(cases.CountFamilies(t.Context(), family, nil))(t)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
}

// TestBeyondMemory counts a file whose distinct rows take more memory than DuckDB may have: the
// rest goes to temporary files, which are gone afterwards.
func TestBeyondMemory(t *testing.T) {
	temporary := t.TempDir()
	dir := t.TempDir()
	vars := make([]bn.Variable, 24)
	for v := range vars {
		vars[v] = bn.Discrete(string(rune('a'+v)), "0", "1", "2", "3")
	}
	w := must(parquet.Create(filepath.Join(dir, "many.parquet"), vars, nil))(t)
	rng := rand.New(rand.NewPCG(7, 0))
	const rows = 300_000
	cols := make([]data.Column, len(vars))
	for v := range cols {
		cols[v] = data.Column{Var: vars[v], States: make([]bn.State, rows)}
		for row := range cols[v].States {
			cols[v].States[row] = bn.State(rng.IntN(4))
		}
	}
	table := must(data.New(cols...))(t)
	if err := w.Write(table); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	cases := open(t, dir, &Options{MemoryMB: 128, Threads: 2, Temporary: temporary})
	distinct := must(cases.DistinctRows(t.Context()))(t)
	if distinct.TotalWeight() != rows || distinct.Rows() != table.Distinct().Rows() {
		t.Errorf("%d different rows of weight %v, want %d of %d", distinct.Rows(), distinct.TotalWeight(),
			table.Distinct().Rows(), rows)
	}
	if err := cases.Close(); err != nil {
		t.Error(err)
	}
	if left := must(os.ReadDir(temporary))(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
