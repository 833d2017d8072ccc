package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// random fills the tables of a network; the variables have names of one letter, with their
// numbers of states behind, as in "A2".
func random(t testing.TB, model string, seed uint64) *bn.Network {
	t.Helper()
	dag, err := bn.ParseDAG(model)
	if err != nil {
		t.Fatal(err)
	}
	var vars []bn.Variable
	for v := range dag.Len() {
		name := dag.Name(v)
		vars = append(vars, bn.Discrete(name, []string{"0", "1", "2", "3"}[:name[1]-'0']...))
	}
	net, err := bn.NewNetwork(dag, vars)
	if err != nil {
		t.Fatal(err)
	}
	fill(net, rand.New(rand.NewPCG(seed, 1)))
	return net
}

func fill(net *bn.Network, rng *rand.Rand) {
	for v := range net.Len() {
		for config := range net.CPT(v).Configs().Len() {
			row, total := net.CPT(v).Row(config), 0.0
			for s := range row {
				row[s] = .2 + rng.Float64()
				total += row[s]
			}
			for s := range row {
				row[s] /= total
			}
		}
	}
}

// every returns a row for each joint state of some variables.
func every(t testing.TB, net *bn.Network, names ...string) *data.Table {
	t.Helper()
	var columns []data.Column
	size := 1
	for _, name := range names {
		v, err := net.Index(name)
		if err != nil {
			t.Fatal(err)
		}
		columns = append(columns, data.Column{Var: net.Variable(v)})
		size *= net.Variable(v).Cardinality()
	}
	for row := range size {
		for i := range columns {
			r := columns[i].Var.Cardinality()
			columns[i].States = append(columns[i].States, bn.State(row%r))
			row /= r
		}
	}
	table, err := data.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// identify asks about a network that was not fitted.
func identify(net *bn.Network, t *data.Table, statements ...constraint.Constraint) (*learn.Identification, error) {
	return (&learn.Result{Net: net, Statements: statements}).Identify(t)
}

func TestIdentify(t *testing.T) {
	known := func(v, given string, p float64) constraint.Constraint {
		return constraint.Fixed{Var: v, Given: bn.Given{"H2": given}, P: map[string]float64{"0": p}}
	}
	for _, tt := range []struct {
		name, model string
		seen        []string
		statements  []constraint.Constraint
		free, told  int
		flags       []string // the distributions
	}{
		{"complete", "[X2][Y2|X2]", []string{"X2", "Y2"}, nil, 3, 3, nil},
		{"hidden leaf", "[X2][H2|X2]", []string{"X2"}, nil, 3, 1, []string{"H2 | X2=0", "H2 | X2=1"}},
		{"hidden root, one child", "[H2][X2|H2]", []string{"X2"}, nil, 3, 1, []string{"H2", "X2 | H2=0", "X2 | H2=1"}},
		{"two indicators", "[H2][X2|H2][Y2|H2]", []string{"X2", "Y2"}, nil, 5, 3,
			[]string{"H2", "X2 | H2=0", "X2 | H2=1", "Y2 | H2=0", "Y2 | H2=1"}},
		{"three indicators", "[H2][X2|H2][Y2|H2][Z2|H2]", []string{"X2", "Y2", "Z2"}, nil, 7, 7, nil},
		{"hidden middle", "[X2][H2|X2][Y2|H2]", []string{"X2", "Y2"}, nil, 5, 3,
			[]string{"H2 | X2=0", "H2 | X2=1", "Y2 | H2=0", "Y2 | H2=1"}},
		{"hidden middle, known errors", "[X2][H2|X2][Y2|H2]", []string{"X2", "Y2"},
			[]constraint.Constraint{known("Y2", "0", .9), known("Y2", "1", .2)}, 3, 3, nil},
		{"hidden middle, known errors that say nothing", "[X2][H2|X2][Y2|H2]", []string{"X2", "Y2"},
			[]constraint.Constraint{known("Y2", "0", .5), known("Y2", "1", .5)}, 3, 1,
			[]string{"H2 | X2=0", "H2 | X2=1"}},
		// 2 equations leave 3, the table of X and Y is symmetric: 2
		{"two instruments alike", "[H2][X2|H2][Y2|H2]", []string{"X2", "Y2"},
			[]constraint.Constraint{constraint.ShareTables{Vars: []string{"X2", "Y2"}}}, 3, 2,
			[]string{"H2", "X2 | H2=0", "X2 | H2=1", "Y2 | H2=0", "Y2 | H2=1"}},
		// R95 §5: 3·2 + 27 + 3·2·2.
		{"3-1-3", "[A3][B3][C3][H2|A3:B3:C3][X3|H2][Y3|H2][Z3|H2]", []string{"A3", "B3", "C3", "X3", "Y3", "Z3"}, nil,
			45, 45, nil},
	} {
		net := random(t, tt.model, 7)
		p, err := constraint.Compile(net, tt.statements...)
		if err != nil {
			t.Fatal(err)
		}
		if len(tt.statements) > 0 {
			theta := make([]float64, net.Layout().Len())
			if err := p.Maximize(theta, flat(net)); err != nil {
				t.Fatal(err)
			}
			for v := range net.Len() {
				lo, hi := net.Layout().Family(v)
				copy(net.CPT(v).P, theta[lo:hi])
			}
		}
		got, err := identify(net, every(t, net, tt.seen...), tt.statements...)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var flags []string
		for _, f := range got.Flags {
			name := f.Var
			if f.Given != "" {
				name += " | " + f.Given
			}
			flags = append(flags, name)
		}
		if got.Parameters != tt.free || got.Determined != tt.told || !slices.Equal(flags, tt.flags) {
			t.Errorf("%s:\n%v\nwant %d of %d and flags of %v", tt.name, got, tt.told, tt.free, tt.flags)
		}
	}
}

// The Jacobian of the logarithms of all probabilities of what can be observed, in soft-max
// coordinates by finite differences, has the rank that Identify finds, by singular values;
// and a distribution of r states is flagged just when leaving its columns out costs the rank
// less than r − 1.
func TestIdentifyByDifferences(t *testing.T) {
	for _, tt := range []struct {
		model string
		seen  []string
	}{
		{"[A2][H2|A2][B3|H2][C2|A2:H2]", []string{"A2", "B3", "C2"}},
		{"[H3][A3|H3][B2|H3][C2|H3]", []string{"A3", "B2", "C2"}},
		{"[G2][H2|G2][A2|G2][B2|H2][C2|H2]", []string{"A2", "B2", "C2"}},
		{"[H2][A2|H2][G2|A2][B2|G2][C3|H2][D2|H2]", []string{"A2", "B2", "C3", "D2"}},
		{"[A3][H2|A3][B2|H2:A3]", []string{"A3", "B2"}},
	} {
		for seed := range uint64(4) {
			net := random(t, tt.model, seed)
			table := every(t, net, tt.seen...)
			jacobian, rows := differences(t, net, table)
			_, k := jacobian.Dims()
			got, err := identify(net, table)
			if err != nil {
				t.Fatal(err)
			}
			all := rank(jacobian, func(int) bool { return true })
			if got.Determined != all || got.Parameters != net.FreeParameters() {
				t.Errorf("%s: %d of %d, want %d of %d", tt.model, got.Determined, got.Parameters, all,
					net.FreeParameters())
			}
			flagged := make(map[string]bool)
			for _, f := range got.Flags {
				flagged[f.Var+"|"+f.Given] = true
			}
			for name, row := range rows {
				without := rank(jacobian, func(c int) bool { return c < row[0] || c >= row[1] })
				if want := all-without < row[1]-row[0]-1; want != flagged[name] {
					t.Errorf("%s: %s flagged: %v, want %v (%d columns)", tt.model, name, flagged[name], want, k)
				}
			}
		}
	}
}

// differences returns d log P(row) / dβ with θ = softmax(β) in each distribution, and the
// columns of each.
func differences(t *testing.T, net *bn.Network, table *data.Table) (*mat.Dense, map[string][2]int) {
	t.Helper()
	theta := flat(net)
	rows := make(map[string][2]int)
	for v := range net.Len() {
		for config := range net.CPT(v).Configs().Len() {
			lo, hi := net.Layout().Row(v, config)
			var given []string
			for i, s := range net.CPT(v).ConfigNames(config) {
				given = append(given, net.CPT(v).Parents[i].Name+"="+s)
			}
			rows[net.Variable(v).Name+"|"+strings.Join(given, ", ")] = [2]int{lo, hi}
		}
	}
	var plans []*infer.Plan
	for row := range table.Rows() {
		plan, err := infer.NewPlan(net, table.Select([]int{row}), nil)
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, plan)
	}
	soft := func(y, beta []float64) {
		at := make([]float64, len(beta))
		for _, r := range rows {
			total := 0.0
			for c := r[0]; c < r[1]; c++ {
				at[c] = theta[c] * math.Exp(beta[c])
				total += at[c]
			}
			for c := r[0]; c < r[1]; c++ {
				at[c] /= total
			}
		}
		for i, p := range plans {
			var err error
			if y[i], err = p.LogLikelihood(at); err != nil {
				t.Fatal(err)
			}
		}
	}
	out := mat.NewDense(len(plans), len(theta), nil)
	fd.Jacobian(out, soft, make([]float64, len(theta)), &fd.JacobianSettings{Formula: fd.Central})
	return out, rows
}

// rank counts the singular values above 1e-7 of the largest: differences are exact to about
// 1e-9.
func rank(a *mat.Dense, keep func(column int) bool) int {
	r, c := a.Dims()
	kept := mat.NewDense(r, c, nil)
	for j := range c {
		if keep(j) {
			kept.SetCol(j, mat.Col(nil, j, a))
		}
	}
	var svd mat.SVD
	svd.Factorize(kept, mat.SVDNone)
	n := 0
	for _, s := range svd.Values(nil) {
		if s > 1e-7*svd.Values(nil)[0] {
			n++
		}
	}
	return n
}

// Complete cases tell all that they have cases of, under every kind of equality: the free
// parameters are those that the rank of the statements leaves, counted another way.
func TestIdentifyCompleteCases(t *testing.T) {
	net := random(t, "[A2][B3|A2][C4|A2:B3]", 5)
	all := every(t, net, "A2", "B3", "C4")
	half := constraint.Function{Value: func(x []float64) float64 { return x[0]*x[0] - x[1]*x[2] }}
	cell := func(s string) constraint.Cell {
		return constraint.Cell{Var: "B3", State: s, Given: bn.Given{"A2": "0"}}
	}
	for _, statements := range [][]constraint.Constraint{
		nil,
		{constraint.Fixed{Var: "B3", P: map[string]float64{"0": .3}}},
		{constraint.ShareStates{Var: "C4", Groups: [][]string{{"0", "3"}}}},
		{constraint.Proportional{Var: "C4", Weights: map[string]float64{"0": 2, "1": 1}}},
		{constraint.ShareSums{Var: "C4", Groups: [][]string{{"0", "1"}, {"2", "3"}}}},
		{constraint.ShareRatios{Var: "C4", Groups: [][]string{{"0", "1"}, {"2", "3"}}}},
		{constraint.ShareAcross{Var: "C4", Given: []bn.Given{{"A2": "0"}}}},
		{constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "C4", States: []string{"0", "1"},
			Given: bn.Given{"A2": "0", "B3": "0"}},
			{Var: "C4", States: []string{"2", "3"}, Given: bn.Given{"A2": "1", "B3": "0"}}}}},
		{constraint.Formula{Text: "geometric", Cells: []constraint.Cell{cell("1"), cell("0"), cell("2")},
			Equal: []constraint.Function{half}}},
	} {
		r, err := learn.Fit(t.Context(), net, all, learn.ML{Constraints: statements}, nil)
		if err != nil {
			t.Errorf("%v: %v", statements, err)
			continue
		}
		want, err := r.FreeParameters()
		if err != nil {
			t.Fatal(err)
		}
		got, err := identify(r.Net, all, statements...)
		if err != nil {
			t.Fatal(err)
		}
		if got.Parameters != want || got.Determined != want || len(got.Flags) > 0 {
			t.Errorf("%v: %v, want all of %d", statements, got, want)
		}
	}
	// Inequalities take no part, binding or not.
	if got, err := identify(net, all,
		constraint.OrderSums{Var: "C4", Groups: [][]string{{"0"}, {"1"}}}); err != nil ||
		got.Parameters != net.FreeParameters() {
		t.Errorf("%v (%v), want all of %d", got, err, net.FreeParameters())
	}
	// Two cases tell two coins apart, and what has no cases is not flagged again.
	coins := random(t, "[X2][Y2]", 1)
	two, err := data.New(data.Column{Var: coins.Variable(0), States: []bn.State{0, 1}},
		data.Column{Var: coins.Variable(1), States: []bn.State{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := identify(coins, two); err != nil || got.Determined != 2 {
		t.Errorf("%v (%v), want 2 of 2", got, err)
	}
	got, err := identify(net, all.Select([]int{0, 2, 4}))
	if err != nil || len(got.Flags) > 0 || got.Determined >= got.Parameters {
		t.Errorf("%v (%v), want no flags and not all told", got, err)
	}
}

// A class that has died out: its probability is zero and out of the question, and the
// other two are identified. A probability of 1e-20 is out of nothing: columns are scaled.
func TestIdentifyAtTheBoundary(t *testing.T) {
	net := random(t, "[H3][X2|H3][Y2|H3][Z2|H3]", 2)
	table := every(t, net, "X2", "Y2", "Z2")
	copy(net.CPT(0).P, []float64{.4, .6, 0})
	got, err := identify(net, table)
	if err != nil || got.Determined != 7 || len(got.Flags) > 0 {
		t.Errorf("%v (%v), want 7 and no flag", got, err)
	}
	two := random(t, "[H2][X2|H2][Y2|H2][Z2|H2]", 3)
	copy(two.CPT(1).P, []float64{1e-20, 1, .7, .3})
	if got, err = identify(two, table); err != nil || got.Determined != 7 {
		t.Errorf("%v (%v), want 7", got, err)
	}
}

func TestIdentifyErrors(t *testing.T) {
	net := random(t, "[X2][Y2|X2]", 1)
	if _, err := identify(net, every(t, net, "X2"),
		constraint.Fixed{Var: "Q", P: map[string]float64{"0": 1}}); err == nil {
		t.Error("an unknown variable: no error")
	}
	if _, err := identify(nil, every(t, net, "X2")); err == nil || !strings.Contains(err.Error(), "no network") {
		t.Errorf("no network: %v", err)
	}
	if _, err := identify(net, nil); err == nil || !strings.Contains(err.Error(), "no table") {
		t.Errorf("no table: %v", err)
	}
	copy(net.CPT(0).P, []float64{1, 0})
	if _, err := identify(net, every(t, net, "X2")); err == nil || !strings.Contains(err.Error(), "case 2") {
		t.Errorf("an impossible case: %v", err)
	}
	mixed, err := bn.New("[X]", bn.Continuous("X"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := identify(mixed, every(t, net, "X2")); err == nil {
		t.Error("a continuous variable: no error")
	}
}

func BenchmarkIdentify(b *testing.B) {
	for _, states := range []int{4, 8, 16, 24} {
		var vars []bn.Variable
		names := make([]string, states)
		for s := range names {
			names[s] = fmt.Sprint(s)
		}
		model := "[H]"
		vars = append(vars, bn.Discrete("H", "0", "1", "2"))
		for i := range 12 {
			name := fmt.Sprint("X", i)
			vars, model = append(vars, bn.Discrete(name, names...)), model+"["+name+"|H]"
		}
		net, err := bn.New(model, vars...)
		if err != nil {
			b.Fatal(err)
		}
		fill(net, rand.New(rand.NewPCG(1, 0)))
		all, err := data.Sample(net, 2000, rand.NewPCG(1, 1))
		if err != nil {
			b.Fatal(err)
		}
		var seen []string
		for _, v := range vars[1:] {
			seen = append(seen, v.Name)
		}
		table, err := all.Keep(seen...)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("entries=%d/cases=2000", net.Layout().Len()), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := identify(net, table); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A fit with a hidden variable carries the flags, and none twice.
func TestFitFlagsWhatIsOpen(t *testing.T) {
	net, seen := classes(t, 2, 2, 200) // 9 free parameters; a 3×3 table of rank two has 7
	r, err := learn.Fit(t.Context(), net, seen, learn.Gibbs{Sweeps: 20}, &learn.Settings{Seed: 1,
		Starts: 1})
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for _, f := range r.Flags {
		if !f.ZeroProbability {
			count[f.Var+"|"+f.Given]++
		}
	}
	for _, name := range []string{"H|", "X1|H=a", "X1|H=b", "X2|H=a", "X2|H=b"} {
		if count[name] != 1 {
			t.Errorf("%d flags of %s, want 1: %v", count[name], name, r.Flags)
		}
	}
}
