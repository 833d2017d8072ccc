package data_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
)

func discrete(name string, states ...bn.State) data.Column {
	return data.Column{Var: bn.Discrete(name, "a", "b", "c"), States: states}
}

func continuous(name string, values ...float64) data.Column {
	return data.Column{Var: bn.Continuous(name), Values: values}
}

// must returns the table of columns that are known to be good.
func must(tb testing.TB, cols ...data.Column) *data.Table {
	tb.Helper()
	t, err := data.New(cols...)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func TestNewErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		cols []data.Column
		is   error
		want string
	}{
		{"nothing", nil, nil, "at least one column"},
		{"no name", []data.Column{discrete("", 0)}, nil, "column 1 has no name"},
		{"same name", []data.Column{discrete("x", 0), continuous("x", 1)}, bn.ErrDuplicate,
			`columns 1 and 2 are both "x"`},
		{"lengths", []data.Column{discrete("x", 0), continuous("y", 1, 2)}, nil,
			`column "y" has 2 rows, column "x" has 1`},
		{"no states", []data.Column{{Var: bn.Discrete("x"), States: []bn.State{m}}}, nil,
			`discrete variable "x" has no states`},
		{"state twice", []data.Column{{Var: bn.Discrete("x", "a", "a")}}, bn.ErrDuplicate, `the state "a" twice`},
		{"no such state", []data.Column{discrete("x", 0, 3)}, data.ErrRange,
			`row 2, column "x", value "3": not the number of a state (there are 3`},
		{"infinite", []data.Column{continuous("x", 1, math.Inf(-1))}, data.ErrNumber,
			`row 2, column "x", value "-Inf"`},
		{"both", []data.Column{{Var: bn.Discrete("x", "a"), States: []bn.State{0}, Values: []float64{1}}}, nil,
			"not both"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := data.New(test.cols...)
			if err == nil || !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("New = %v, want %q that wraps %v", err, test.want, test.is)
			}
		})
	}
}

func TestTable(t *testing.T) {
	table := must(t, discrete("x", 0, 2, m), continuous("y", 1.5, math.NaN(), -2))
	if table.Rows() != 3 || len(table.Columns()) != 2 || len(table.Variables()) != 2 || table.IsComplete() {
		t.Errorf("Rows, columns, variables, complete = %d, %d, %d, %v", table.Rows(), len(table.Columns()),
			len(table.Variables()), table.IsComplete())
	}
	y, err := table.Column("y")
	if err != nil || y.Text(0) != "1.5" || y.Text(1) != "" || !y.IsMissing(1) {
		t.Errorf("Column(y) = %v, %v", y, err)
	}
	if x, _ := table.Column("x"); x.Text(1) != "c" || x.Text(2) != "" {
		t.Errorf("Column(x) = %v", x)
	}
	if _, err := table.Column("z"); !errors.Is(err, bn.ErrUnknownVariable) ||
		!strings.Contains(err.Error(), `"z" (there are: x, y)`) {
		t.Errorf("Column(z) = %v", err)
	}
	want := "3 rows, 2 columns\nx  y\na  1.5\nc  ?\n?  -2\n"
	if table.String() != want {
		t.Errorf("String = %q, want %q", table.String(), want)
	}
}

func TestHeadSelectKeep(t *testing.T) {
	table := must(t, discrete("x", 0, 1, m, 2), continuous("y", 1, 2, 3, 4))
	table, err := table.WithWeights([]float64{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	show := func(u *data.Table) string {
		var b strings.Builder
		for _, c := range u.Columns() {
			fmt.Fprintf(&b, "%s%v%v", c.Var.Name, c.States, c.Values)
		}
		return fmt.Sprintf("%s%v %v %v", &b, u.Weights(), u.Rows(), u.IsComplete())
	}
	keep, err := table.Keep("y", "x")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		got  *data.Table
		want string
	}{
		{"Head(2)", table.Head(2), "x[0 1][]y[][1 2][1 2] 2 true"},
		{"Head(9)", table.Head(9), "x[0 1 65535 2][]y[][1 2 3 4][1 2 3 4] 4 false"},
		{"Head(-1)", table.Head(-1), "x[][]y[][][] 0 true"},
		{"Select(3,0,3)", table.Select([]int{3, 0, 3}), "x[2 0 2][]y[][4 1 4][4 1 4] 3 true"},
		{"Select()", table.Select(nil), "x[][]y[][][] 0 true"},
		{"Keep(y,x)", keep, "y[][1 2 3 4]x[0 1 65535 2][][1 2 3 4] 4 false"},
	} {
		if show(test.got) != test.want {
			t.Errorf("%s = %s, want %s", test.name, show(test.got), test.want)
		}
	}
	if &table.Head(2).Columns()[0].States[0] != &table.Columns()[0].States[0] {
		t.Error("Head copies")
	}
	if _, err := table.Keep("x", "x"); !errors.Is(err, bn.ErrDuplicate) {
		t.Errorf("Keep(x, x) = %v", err)
	}
	if _, err := table.Keep("z"); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("Keep(z) = %v", err)
	}
	if _, err := table.Keep(); err == nil {
		t.Error("Keep() succeeds")
	}
	defer func() {
		if r := recover(); r != "data: row 4 of a table of 4 rows" {
			t.Errorf("Select(4) panics with %v", r)
		}
	}()
	table.Select([]int{4})
}

func TestWeights(t *testing.T) {
	table := must(t, discrete("x", 0, 1))
	if table.TotalWeight() != 2 {
		t.Errorf("TotalWeight = %v, want 2", table.TotalWeight())
	}
	given := []float64{0.5, 3}
	w, err := table.WithWeights(given)
	if err != nil || w.TotalWeight() != 3.5 || table.Weights() != nil {
		t.Errorf("WithWeights = %v, %v", w, err)
	}
	given[0] = 9
	if w.Weights()[0] != 0.5 {
		t.Error("WithWeights keeps the caller's slice")
	}
	if back, err := w.WithWeights(nil); err != nil || back.Weights() != nil {
		t.Errorf("WithWeights(nil) = %v, %v", back, err)
	}
	if _, err := table.WithWeights([]float64{1}); err == nil || err.Error() != "data: 1 weights for 2 rows" {
		t.Errorf("WithWeights = %v", err)
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		_, err := table.WithWeights([]float64{1, bad})
		var e *data.ValueError
		if !errors.As(err, &e) || e.Row != 2 || !errors.Is(err, data.ErrWeight) {
			t.Errorf("WithWeights(%v) = %v", bad, err)
		}
	}
}

// TestTotalWeight: a likelihood under the largest weights is finite, and larger ones are refused.
func TestTotalWeight(t *testing.T) {
	table := must(t, discrete("x", 0, 1))
	most, err := table.WithWeights([]float64{num.MaxTotalWeight / 4, 3 * num.MaxTotalWeight / 4})
	if err != nil {
		t.Fatal(err)
	}
	total := most.TotalWeight()
	if square := total * total; math.IsInf(square, 0) || math.IsInf(total*math.Log(total), 0) {
		t.Errorf("a weight of %v has the square %v", total, square)
	}
	for _, w := range [][]float64{{1e308, 1e308}, {1e308, 0}, {num.MaxTotalWeight, num.MaxTotalWeight / 1e10}} {
		if _, err := table.WithWeights(w); !errors.Is(err, data.ErrWeight) {
			t.Errorf("WithWeights(%v) = %v", w, err)
		}
	}
}

func TestAs(t *testing.T) {
	table := must(t, discrete("x", 0, 2, m), continuous("y", 1, 2, 3))
	for _, test := range []struct {
		v    bn.Variable
		want string
	}{
		{bn.Discrete("x", "a", "b", "c"), "[0 2 65535] <nil>"},
		{bn.Discrete("x", "c", "d", "a"), "[2 0 65535] <nil>"}, // b does not occur
		{bn.Discrete("x", "a", "b"), `[] data: row 2, column "x", value "c": unknown state (states: a, b)`},
		{bn.Discrete("y", "a"), `[] data: column "y": variable is continuous; discretise it first`},
		{bn.Discrete("z", "a"), `[] data: unknown variable: no column "z" (there are: x, y)`},
	} {
		if states, err := table.As(test.v); err != nil && states != nil || fmt.Sprint(states, " ", err) != test.want {
			t.Errorf("As(%v) = %v %v, want %s", test.v, states, err, test.want)
		}
	}
}

// The number of a state is found by its value.
func TestAsEqualNumbers(t *testing.T) {
	table := must(t, data.Column{Var: bn.Discrete("x", "0", "1", "2"), States: []bn.State{1, 0, m, 1}})
	states, err := table.As(bn.Discrete("x", "1.0", "0.0"))
	if err != nil || fmt.Sprint(states) != "[0 1 65535 0]" {
		t.Errorf("%v, error %v", states, err)
	}
}

func TestSample(t *testing.T) {
	net := network(t, "[a][b|a][c|a:b]", bn.Discrete("a", "x", "y"), bn.Discrete("b", "u", "v", "w"),
		bn.Continuous("c"))
	if err := net.SetTable("a", "x y\n0.2 0.8"); err != nil {
		t.Fatal(err)
	}
	big, err := data.Sample(net, 20_000, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	small, err := data.Sample(net, 100, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	if big.Head(100).Hash() != small.Hash() {
		t.Error("a small sample is not the beginning of a large one")
	}
	n, _, err := countFamily(big, "a")
	if err != nil || math.Abs(n[1]/20_000-0.8) > 0.0113 { // four standard errors
		t.Errorf("P(y) = %v, want 0.8", n[1]/20_000)
	}
	if _, err := data.Sample(net, 1, nil); !errors.Is(err, bn.ErrNoSource) {
		t.Errorf("Sample without a source = %v", err)
	}
	if _, err := data.Sample(net, -1, rand.NewPCG(1, 0)); err == nil {
		t.Error("Sample(-1) succeeds")
	}
	if none, err := data.Sample(net, 0, rand.NewPCG(1, 0)); err != nil || none.Rows() != 0 {
		t.Errorf("Sample(0) = %v, %v", none, err)
	}
}

// The hash changes with everything that a network learned from the table could
// depend on, and with nothing else.
func TestHash(t *testing.T) {
	base := func() []data.Column { return []data.Column{discrete("x", 0, 1, m), continuous("y", 1, 0, math.NaN())} }
	want := must(t, base()...).Hash()
	if want != must(t, base()...).Hash() || len(want) != 64 {
		t.Fatalf("Hash = %q", want)
	}
	zero := math.Copysign(0, -1)
	if got := must(t, discrete("x", 0, 1, m), continuous("y", 1, zero, -math.NaN())).Hash(); got != want {
		t.Error("−0 or another NaN changes the hash")
	}
	seen := map[string]string{want: "base"}
	weighted, _ := must(t, base()...).WithWeights([]float64{1, 1, 1})
	for name, table := range map[string]*data.Table{
		"state": must(t, discrete("x", 0, 2, m), base()[1]),
		"value": must(t, base()[0], continuous("y", 1, 2, math.NaN())),
		"name":  must(t, discrete("xx", 0, 1, m), base()[1]),
		"order": must(t, base()[1], base()[0]),
		"states": must(t, data.Column{Var: bn.Discrete("x", "a", "b", "c", "d"), States: []bn.State{0, 1, m}},
			base()[1]),
		"rename":  must(t, data.Column{Var: bn.Discrete("x", "a", "b", "d"), States: []bn.State{0, 1, m}}, base()[1]),
		"rows":    must(t, base()...).Head(2),
		"weights": weighted,
	} {
		if other, ok := seen[table.Hash()]; ok {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[table.Hash()] = name
	}
}
