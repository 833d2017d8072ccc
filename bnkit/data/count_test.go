package data_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

const m = bn.Missing

// weather is a table of six rows small enough to count by hand.
func weather(tb testing.TB) *data.Table {
	tb.Helper()
	t, err := data.New(
		data.Column{Var: bn.Discrete("rain", "no", "yes"), States: []bn.State{0, 0, 0, 1, 1, 0}},
		data.Column{Var: bn.Discrete("sprinkler", "off", "on"), States: []bn.State{0, 1, 1, 0, 0, 0}},
		data.Column{Var: bn.Discrete("grass", "dry", "damp", "wet"), States: []bn.State{0, 2, 1, 2, 2, 0}},
	)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func network(tb testing.TB, model string, vars ...bn.Variable) *bn.Network {
	tb.Helper()
	net, err := bn.New(model, vars...)
	if err != nil {
		tb.Fatal(err)
	}
	return net
}

func TestCountByHand(t *testing.T) {
	table := weather(t)
	net := network(t, "[grass|rain:sprinkler][rain][sprinkler|rain]", table.Variables()...)
	c, err := table.Count(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{
		2, 0, 0, // no, off
		0, 1, 1, // no, on
		0, 0, 2, // yes, off
		0, 0, 0, // yes, on
		4, 2, // rain
		2, 2, // sprinkler | no
		2, 0, // sprinkler | yes
	}
	if fmt.Sprint(c.N) != fmt.Sprint(want) || c.Rows != 6 {
		t.Errorf("Count = %v of %v rows, want %v of 6", c.N, c.Rows, want)
	}
	if got := c.Family(1); fmt.Sprint(got) != "[4 2]" {
		t.Errorf("Family(rain) = %v, want [4 2]", got)
	}
}

// The states of the table stand in another order than those of the network, and
// the column lacks one.
func TestCountMatchesStatesByName(t *testing.T) {
	table := weather(t)
	net := network(t, "[rain][grass|rain]", bn.Discrete("rain", "yes", "no", "snow"),
		bn.Discrete("grass", "wet", "damp", "dry"))
	for _, rows := range []int{1, 2000} { // the second is counted in blocks
		rep := make([]int, 0, 6*rows)
		for range rows {
			rep = append(rep, 0, 1, 2, 3, 4, 5)
		}
		c, err := table.Select(rep).Count(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{2, 4, 0, 2, 0, 0, 1, 1, 2, 0, 0, 0} {
			if c.N[i] != want*float64(rows) {
				t.Errorf("%d rows: N[%d] = %v, want %v", 6*rows, i, c.N[i], want*float64(rows))
			}
		}
	}
}

func TestCountErrors(t *testing.T) {
	table := weather(t)
	withGap, err := data.New(
		data.Column{Var: bn.Discrete("rain", "no", "yes"), States: []bn.State{0, 1, 1, m}},
		data.Column{Var: bn.Discrete("grass", "dry", "wet"), States: []bn.State{0, 1, m, 0}},
		data.Column{Var: bn.Continuous("depth"), Values: []float64{1, 2, math.NaN(), 3}},
	)
	if err != nil {
		t.Fatal(err)
	}
	rain := bn.Discrete("rain", "no", "yes")
	for _, test := range []struct {
		name  string
		table *data.Table
		net   *bn.Network
		is    error
		want  string
	}{
		{"no column", table, network(t, "[rain][snow]", rain, bn.Discrete("snow", "a", "b")), bn.ErrUnknownVariable,
			`no column "snow" (there are: rain, sprinkler, grass)`},
		{"unknown state", table, network(t, "[grass]", bn.Discrete("grass", "dry", "wet")), bn.ErrUnknownState,
			`row 3, column "grass", value "damp"`},
		{"continuous", withGap, network(t, "[depth]", bn.Discrete("depth", "low", "high")), bn.ErrNotDiscrete,
			`column "depth": variable is continuous; discretise it first`},
		{"missing", withGap, network(t, "[rain][grass|rain]", rain, bn.Discrete("grass", "dry", "wet")),
			data.ErrMissing, `row 3, column "grass", value "": missing value`},
		{"missing in another order", withGap,
			network(t, "[grass][rain|grass]", rain, bn.Discrete("grass", "dry", "wet")), data.ErrMissing,
			`row 3, column "grass"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.table.Count(test.net, nil)
			if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Count = %v, want %q that wraps %q", err, test.want, test.is)
			}
		})
	}
}

func TestCountSkipsMissing(t *testing.T) {
	rain := bn.Discrete("rain", "no", "yes")
	grass := bn.Discrete("grass", "dry", "wet")
	for _, copies := range []int{1, 3000} { // the second is counted in blocks
		var r, g []bn.State
		for range copies {
			r = append(r, 0, 1, 1, m)
			g = append(g, 0, 1, m, 0)
		}
		table, err := data.New(data.Column{Var: rain, States: r}, data.Column{Var: grass, States: g})
		if err != nil {
			t.Fatal(err)
		}
		c, err := table.Count(network(t, "[rain][grass|rain]", rain, grass),
			&data.CountOptions{SkipMissing: true})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(c.N, c.Skipped, c.Rows)
		k := copies
		if want := fmt.Sprint([]int{k, 2 * k, k, 0, 0, k}, []int{k, 2 * k}, 4*k); got != want {
			t.Errorf("%d copies: N, Skipped, Rows = %s, want %s", copies, got, want)
		}
	}
}

func TestCountIgnoresContinuousNodes(t *testing.T) {
	table, err := data.New(
		data.Column{Var: bn.Discrete("a", "x", "y"), States: []bn.State{0, 1, 1}},
		data.Column{Var: bn.Continuous("b"), Values: []float64{1, 2, 3}},
	)
	if err != nil {
		t.Fatal(err)
	}
	c, err := table.Count(network(t, "[a][b|a]", table.Variables()...), nil)
	if err != nil || fmt.Sprint(c.N) != "[1 2]" {
		t.Errorf("Count = %v, %v, want [1 2]", c, err)
	}
}

// bruteForce counts one family cell by cell through bn's index.
func bruteForce(t *data.Table, child data.Column, parents []data.Column, configs bn.Configs) (n []float64,
	skipped float64) {
	n = make([]float64, configs.Len()*child.Var.Cardinality())
	states := make([]int, len(parents))
	for row := range t.Rows() {
		w := 1.0
		if t.Weights() != nil {
			w = t.Weights()[row]
		}
		ok := !child.IsMissing(row)
		for p, c := range parents {
			ok = ok && !c.IsMissing(row)
			states[p] = int(c.States[row])
		}
		if !ok {
			skipped += w
			continue
		}
		n[configs.Index(states)*child.Var.Cardinality()+int(child.States[row])] += w
	}
	return n, skipped
}

// drawTable draws a table of discrete columns; many rows reach the block kernels.
func drawTable(t *rapid.T, maxRows int) *data.Table {
	rows := rapid.IntRange(0, maxRows).Draw(t, "rows")
	if rapid.Bool().Draw(t, "many") {
		rows += 5000
	}
	missing := rapid.SampledFrom([]float64{0, 0, 0.01, 0.5}).Draw(t, "missing")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	cols := make([]data.Column, rapid.IntRange(1, 7).Draw(t, "columns"))
	for i := range cols {
		card := rapid.SampledFrom([]int{1, 2, 2, 3, 4, 17, 300}).Draw(t, "card")
		names := make([]string, card)
		for s := range names {
			names[s] = fmt.Sprint("s", s)
		}
		gaps := rapid.Bool().Draw(t, "gaps")
		cols[i] = data.Column{Var: bn.Discrete(fmt.Sprint("v", i), names...), States: make([]bn.State, rows)}
		for row := range rows {
			cols[i].States[row] = bn.State(rng.IntN(card))
			if gaps && rng.Float64() < missing {
				cols[i].States[row] = bn.Missing
			}
		}
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "weighted") {
		w := make([]float64, rows)
		for i := range w {
			w[i] = rng.Float64()
		}
		if table, err = table.WithWeights(w); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

func TestCountFamiliesAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, 60)
		var families []data.Family
		cells := 1
		for range rapid.IntRange(1, 4).Draw(t, "families") {
			order := rapid.Permutation(table.Variables()).Draw(t, "order")
			f := data.Family{Child: order[0].Name}
			cells = order[0].Cardinality()
			for _, p := range order[1:rapid.IntRange(1, len(order)).Draw(t, "members")] {
				if cells *= p.Cardinality(); cells > 300_000 {
					break
				}
				f.Parents = append(f.Parents, p.Name)
			}
			families = append(families, f)
		}
		var first []data.FamilyCounts
		for _, workers := range []int{1, 2, 5} {
			got, err := table.CountFamilies(t.Context(), families, &data.CountOptions{SkipMissing: true,
				Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			}
			for i, f := range families {
				child, _ := table.Column(f.Child)
				var parents []data.Column
				for _, p := range f.Parents {
					c, _ := table.Column(p)
					parents = append(parents, c)
				}
				want, skipped := bruteForce(table, child, parents, got[i].Configs)
				for cell := range want {
					if got[i].N[cell] != want[cell] {
						t.Fatalf("%v, %d workers: N[%d] = %v, want %v", f, workers, cell, got[i].N[cell], want[cell])
					}
				}
				if got[i].Skipped != skipped || got[i].Skipped != first[i].Skipped {
					t.Fatalf("%v, %d workers: skipped %v, want %v", f, workers, got[i].Skipped, skipped)
				}
			}
		}
	})
}

func TestCountNetworkAgainstFamilies(t *testing.T) {
	net := alarmNet(t)
	table, err := data.Sample(net, 20_000, rand.NewPCG(3, 0))
	if err != nil {
		t.Fatal(err)
	}
	c, err := table.Count(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	for v := range net.Len() {
		cpt := net.CPT(v)
		var parents []data.Column
		var names []string
		for _, p := range cpt.Parents {
			col, _ := table.Column(p.Name)
			parents, names = append(parents, col), append(names, p.Name)
		}
		child, _ := table.Column(cpt.Child.Name)
		want, _ := bruteForce(table, child, parents, cpt.Configs())
		if fmt.Sprint(c.Family(v)) != fmt.Sprint(want) {
			t.Errorf("family of %s: %v, want %v", cpt.Child.Name, c.Family(v), want)
		}
		got, _, err := countFamily(table, cpt.Child.Name, names...)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("CountFamily(%s) = %v, %v, want %v", cpt.Child.Name, got, err, want)
		}
	}
}

func TestCountFamilyErrors(t *testing.T) {
	big := make([]string, 60000)
	for i := range big {
		big[i] = fmt.Sprint(i)
	}
	var cols []data.Column
	for i := range 4 {
		cols = append(cols, data.Column{Var: bn.Discrete(fmt.Sprint("big", i), big...), States: []bn.State{0}})
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := countFamily(table, "big0", "big1"); err == nil ||
		!strings.Contains(err.Error(), "too many to count") {
		t.Errorf("CountFamily = %v, want too many to count", err)
	}
	if _, _, err := countFamily(table, "big0", "big1", "big2", "big3"); err == nil {
		t.Error("CountFamily of 60000^4 cells succeeds")
	}
	if _, _, err := countFamily(table, "big0", "big0"); !errors.Is(err, bn.ErrDuplicate) {
		t.Errorf("CountFamily of a child that is its parent = %v, want %v", err, bn.ErrDuplicate)
	}
	if _, _, err := countFamily(table, "x"); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("CountFamily(x) = %v, want %v", err, bn.ErrUnknownVariable)
	}
}

// countFamily counts one family of a table.
func countFamily(t *data.Table, child string, parents ...string) ([]float64, bn.Configs, error) {
	c, err := t.CountFamilies(context.Background(), []data.Family{{Child: child, Parents: parents}}, nil)
	if err != nil {
		return nil, bn.Configs{}, err
	}
	return c[0].N, c[0].Configs, nil
}
