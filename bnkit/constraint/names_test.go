package constraint_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// The network of the tests of statements has the table entries
//
//	Y        0 1             states 0 1
//	Z        2 3             states 0 1
//	X|Y,Z    4 8 12 16 + …   states a b c d; 4 is Y=0, Z=0 and 8 is Y=0, Z=1
//	W|Y      20 23 + …       states a b e
//	V|Z      26 30 + …       states a b c d
//	U|Y      34 37 + …       states a b e
//	C|Y      none, it is continuous
func statementNet(t testing.TB, reversed bool) *bn.Network {
	t.Helper()
	states := func(list ...string) []string {
		if reversed {
			slices.Reverse(list)
		}
		return list
	}
	net, err := bn.New("[Y][Z][X|Y:Z][W|Y][V|Z][U|Y][C|Y]",
		bn.Discrete("Y", states("0", "1")...),
		bn.Discrete("Z", states("0", "1")...),
		bn.Discrete("X", states("a", "b", "c", "d")...),
		bn.Discrete("W", states("a", "b", "e")...),
		bn.Discrete("V", states("a", "b", "c", "d")...),
		bn.Discrete("U", states("a", "b", "e")...),
		bn.Continuous("C"))
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// uniform gives every row of the network its uniform distribution, and then the entries
// from the given cells on.
func uniform(net *bn.Network, entries map[int][]float64) []float64 {
	layout := net.Layout()
	theta := make([]float64, layout.Len())
	for cell := range theta {
		v, _, _ := layout.Locate(cell)
		theta[cell] = 1 / float64(net.Variable(v).Cardinality())
	}
	for from, values := range entries {
		copy(theta[from:], values)
	}
	return theta
}

// bindTest is one statement, its normal form by hand, a point at which it holds and one at
// which it is broken by a known amount; both points are uniform but for the entries.
type bindTest struct {
	name      string
	statement constraint.Constraint
	want      []constraint.Bound
	holds     map[int][]float64
	breaks    map[int][]float64
	by        float64
}

func runBindTests(t *testing.T, tests []bindTest) {
	t.Helper()
	net := statementNet(t, false)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.statement.Bind(net)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("Bind(%q)\n got %+v\nwant %+v", test.statement, got, test.want)
			}
			numtest.Close(t, worst(got, uniform(net, test.holds)), 0, 1e-15, 0)
			numtest.Close(t, worst(got, uniform(net, test.breaks)), test.by, 1e-15, 1e-12)
		})
	}
}

func worst(bounds []constraint.Bound, theta []float64) float64 {
	violation := 0.0
	for _, b := range bounds {
		violation = max(violation, b.Violation(theta))
	}
	return violation
}

// xRow is the row of X in a configuration, 0 to 3; wRow, vRow and uRow likewise.
func xRow(config int) constraint.Row { return constraint.Row{Var: 2, Config: config} }
func wRow(config int) constraint.Row { return constraint.Row{Var: 3, Config: config} }
func vRow(config int) constraint.Row { return constraint.Row{Var: 4, Config: config} }
func uRow(config int) constraint.Row { return constraint.Row{Var: 5, Config: config} }

// errorTest is a statement that cannot be bound, and what the error says.
type errorTest struct {
	name      string
	statement constraint.Constraint
	is        error
	says      []string
}

func runErrorTests(t *testing.T, tests []errorTest) {
	t.Helper()
	net := statementNet(t, false)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.statement.Bind(net)
			if err == nil {
				t.Fatal("no error")
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("%v does not wrap %v", err, test.is)
			}
			if !strings.HasPrefix(err.Error(), "constraint: ") {
				t.Errorf("%q does not name the package", err)
			}
			for _, want := range test.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

// Statements about one distribution refuse the same wrong names.
func TestWrongNames(t *testing.T) {
	ab := [][]string{{"a"}, {"b"}}
	of := map[string]func(name string, given bn.Given, states ...string) constraint.Constraint{
		"Known": func(name string, given bn.Given, states ...string) constraint.Constraint {
			p := make(map[string]float64)
			for _, s := range states {
				p[s] = 0.1
			}
			return constraint.Fixed{Var: name, Given: given, P: p}
		},
		"Proportional": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.Proportional{Var: name, Given: given, Weights: map[string]float64{states[0]: 1, "b": 2}}
		},
		"ShareStates": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.ShareStates{Var: name, Given: given, Groups: append(ab[1:], states)}
		},
		"ShareSums": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.ShareSums{Var: name, Given: given, Groups: append(ab[1:], states)}
		},
		"ShareRatios": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.ShareRatios{Var: name, Given: given, Groups: [][]string{{"c", "d"}, append(states, "b")}}
		},
		"OrderSums": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.OrderSums{Var: name, Given: given, Groups: append(ab[1:], states)}
		},
		"AtMost": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.AtMost{Var: name, Given: given, States: states, P: 0.5}
		},
		"AtLeast": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.AtLeast{Var: name, Given: given, States: states, P: 0.5}
		},
		"ShareCells": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.ShareCells{Groups: [][]constraint.Cell{{{Var: "W", State: "e"},
				{Var: name, State: states[0], Given: given}}}}
		},
		"ShareHierarchy": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.ShareHierarchy{Var: name,
				Levels: []constraint.Level{{Given: []bn.Given{given}, States: states}}}
		},
		"ShareSumsAcross": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "W", States: []string{"e"}},
				{Var: name, States: states, Given: given}}}
		},
		"ShareRatiosAcross": func(name string, given bn.Given, states ...string) constraint.Constraint {
			return constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "V", States: []string{"a", "b"}},
				{Var: name, States: append(states, "b"), Given: given}}}
		},
	}
	for name, with := range of {
		t.Run(name, func(t *testing.T) {
			if _, err := with("X", nil, "a").Bind(statementNet(t, false)); err != nil {
				t.Fatalf("with the right names: %v", err)
			}
			runErrorTests(t, []errorTest{
				{"unknown variable", with("T", nil, "a"), bn.ErrUnknownVariable, []string{`"T"`}},
				{"unknown state", with("X", nil, "z"), bn.ErrUnknownState, []string{`"z"`, "a, b, c, d"}},
				{"continuous", with("C", nil, "a"), bn.ErrNotDiscrete, []string{`"C"`}},
				{"no parent", with("X", bn.Given{"W": "a"}, "a"), bn.ErrUnknownVariable,
					[]string{"W=a", "parents: Y, Z"}},
				{"unknown state of a parent", with("X", bn.Given{"Y": "7"}, "a"), bn.ErrUnknownState, []string{`"7"`}},
			})
		})
	}
}

// statements has one or more of each type of statement about tables, all of which can be
// bound to the network of the tests.
func statements() []constraint.Constraint {
	y0, y1 := bn.Given{"Y": "0"}, bn.Given{"Y": "1"}
	y0z1 := bn.Given{"Y": "0", "Z": "1"}
	return []constraint.Constraint{
		constraint.Fixed{Var: "X", Given: y0, P: map[string]float64{"b": 0.25, "a": 0.5}},
		constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}},
		constraint.Proportional{Var: "X", Given: y1, Weights: map[string]float64{"c": 0.5, "a": 2}},
		constraint.ShareSums{Var: "X", Given: y0z1, Groups: [][]string{{"a", "b"}, {"c"}}},
		constraint.ShareRatios{Var: "X", Groups: [][]string{{"a", "b"}, {"d", "c"}}},
		constraint.ShareAcross{Var: "X", Given: []bn.Given{y0}, Groups: [][]string{{"a"}, {"b", "c"}}},
		constraint.ShareAcross{Var: "X", ForEach: []string{"Y"}},
		constraint.ShareCells{Groups: [][]constraint.Cell{{{Var: "X", State: "a", Given: y0z1},
			{Var: "W", State: "e", Given: y1}}, {{Var: "V", State: "b"}}}},
		constraint.ShareTables{Vars: []string{"W", "U"}},
		constraint.ShareHierarchy{Var: "X", Levels: []constraint.Level{{States: []string{"a"}},
			{Given: []bn.Given{y0}, States: []string{"b", "c"}}}},
		constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X", States: []string{"a", "b"}, Given: y0z1},
			{Var: "W", States: []string{"e"}}}},
		constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "X", States: []string{"b", "a"}, Given: y0z1},
			{Var: "V", States: []string{"c", "d"}}}},
		constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b", "c"}, {"c", "d"}}},
		constraint.OrderSums{Var: "W", Given: y1, Groups: [][]string{{"a"}, {"b"}, {"e"}}, Factor: 1.5},
		constraint.AtMost{Var: "X", Given: y0, States: []string{"a", "c"}, P: 0.4},
		constraint.AtLeast{Var: "W", States: []string{"b"}, P: 0.1},
		constraint.LinearSum{Terms: []constraint.Term{{Cell: constraint.Cell{Var: "W", State: "a", Given: y1}},
			{Cell: constraint.Cell{Var: "W", State: "a", Given: y0}, Factor: -2}}, Relation: constraint.NoLess,
			Value: -0.1},
		constraint.LinearSum{Terms: []constraint.Term{{Cell: constraint.Cell{Var: "Y", State: "1"}, Factor: -1},
			{Cell: constraint.Cell{Var: "Z", State: "1"}, Factor: 3}}},
		constraint.Influence{Parent: "Y", Child: "X", Sign: constraint.Negative, Given: bn.Given{"Z": "1"}},
		constraint.Influence{Parent: "Z", Child: "V"},
		constraint.Influence{Parent: "Z", Child: "V", Over: []string{"0", "1"}, Margin: 0.05},
		constraint.Between{Var: "X", Given: y0, States: []string{"a", "c"}, Low: 0.1, High: 0.4},
		constraint.Formula{
			Text: "the odds of Y are the square of those of Z",
			Cells: []constraint.Cell{{Var: "Y", State: "1"}, {Var: "Y", State: "0"}, {Var: "Z", State: "1"},
				{Var: "Z", State: "0"}},
			Equal: []constraint.Function{{Value: func(x []float64) float64 { return x[0]*x[3]*x[3] - x[1]*x[2]*x[2] }}},
		},
	}
}

func TestSentences(t *testing.T) {
	want := []string{
		"P(X=a | Y=0) = 0.5; P(X=b | Y=0) = 0.25",
		"P(X=a) = P(X=b); P(X=c) = P(X=d)",
		"P(X=a) : P(X=c) = 2 : 0.5 given Y=1",
		"P(X in {a, b}) = P(X=c) given Y=0, Z=1",
		"P(X=a) : P(X=b) = P(X=d) : P(X=c)",
		"each of P(X=a), P(X=b) = P(X=c) is the same wherever Y=0, whatever the other parents",
		"for each Y, the distribution of X is the same whatever the other parents",
		"P(X=a | Y=0, Z=1) = P(W=e | Y=1); P(V=b) is the same whatever the parents",
		"W and U have the same table",
		"P(X=a) is the same whatever its parents; each of P(X=b), P(X=c) is the same wherever Y=0, whatever the " +
			"other parents",
		"P(X in {a, b} | Y=0, Z=1) = P(W=e)",
		"P(X=b | Y=0, Z=1) : P(X=a | Y=0, Z=1) = P(V=c) : P(V=d)",
		"P(X=a) ≤ P(X in {b, c}) ≤ P(X in {c, d})",
		"P(W=a) ≤ 1.5·P(W=b); P(W=b) ≤ 1.5·P(W=e) given Y=1",
		"P(X in {a, c} | Y=0) ≤ 0.4",
		"P(W=b) ≥ 0.1",
		"P(W=a | Y=1) - 2·P(W=a | Y=0) ≥ -0.1",
		"-P(Y=1) + 3·P(Z=1) = 0",
		"higher states of Y make lower states of X more likely wherever Z=1",
		"higher states of Z make higher states of V more likely",
		"higher states of Z among 0 and 1 make higher states of V more likely, by 0.05 at least",
		"0.1 ≤ P(X in {a, c} | Y=0) ≤ 0.4",
		"the odds of Y are the square of those of Z",
	}
	for i, s := range statements() {
		if s.String() != want[i] {
			t.Errorf("statement %d prints %q, want %q", i, s, want[i])
		}
	}
	ab, y0, everywhere := []string{"a", "b"}, bn.Given{"Y": "0"}, []bn.Given{{"Y": "0"}, {}}
	for want, s := range map[string]constraint.Constraint{
		"the distribution of X is the same whatever its parents": constraint.ShareAcross{
			Var: "X", Given: everywhere},
		"each weight for D is the same whatever the discrete parents": constraint.ShareWeightsAcross{
			Var: "D", Given: everywhere},
		"for each Y, each of P(X=a), P(X=b) is the same whatever the other parents": constraint.ShareAcross{
			Var: "X", ForEach: []string{"Y"}, Groups: [][]string{{"a"}, {"b"}}},
		"P(X in {a, b}) is the same whatever the parents": constraint.ShareSumsAcross{
			Events: []constraint.Event{{Var: "X", States: ab}}},
		"P(X in {a, b} | Y=0) is the same whatever the other parents": constraint.ShareSumsAcross{
			Events: []constraint.Event{{Var: "X", States: ab, Given: y0}}},
		"P(X=a) : P(X=b) is the same whatever the parents": constraint.ShareRatiosAcross{
			Events: []constraint.Event{{Var: "X", States: ab}}},
		"P(X=a | Y=0) : P(X=b | Y=0) is the same whatever the other parents": constraint.ShareRatiosAcross{
			Events: []constraint.Event{{Var: "X", States: ab, Given: y0}}},
		"P(X=a | Y=0) is the same whatever the other parents; P(X=b) = P(X=c)": constraint.ShareCells{
			Groups: [][]constraint.Cell{{{"X", "a", y0}}, {{"X", "b", nil}, {"X", "c", nil}}}},
		"for each Y, each of the weights of A and B for D is the " +
			"same whatever the other discrete parents": constraint.ShareWeightsAcross{
			Var: "D", ForEach: []string{"Y"}, Parents: []string{"A", "B"}},
	} {
		if s.String() != want {
			t.Errorf("%#v prints %q, want %q", s, s, want)
		}
	}
}

// A statement says the same of the same probabilities when the states of every variable
// stand in another order.
func TestOrderOfStates(t *testing.T) {
	net, reversed := statementNet(t, false), statementNet(t, true)
	layout := net.Layout()
	rng := rand.New(rand.NewPCG(1, 0))
	theta, mirrored := make([]float64, layout.Len()), make([]float64, layout.Len())
	for _, s := range statements() {
		bounds, err := s.Bind(net)
		if err != nil {
			t.Fatal(err)
		}
		there := s
		if influence, ok := s.(constraint.Influence); ok && influence.Over != nil { // names states in their order
			influence.Over = slices.Clone(influence.Over)
			slices.Reverse(influence.Over)
			there = influence
		}
		others, err := there.Bind(reversed)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			for cell := range theta {
				theta[cell] = rng.Float64()
			}
			for v := range net.Len() { // sums upwards and downwards are alike in distributions only
				if table := net.CPT(v); table != nil {
					for config := range table.Configs().Len() {
						lo, hi := layout.Row(v, config)
						floats.Scale(1/floats.Sum(theta[lo:hi]), theta[lo:hi])
					}
				}
			}
			for cell := range theta {
				v, config, state := layout.Locate(cell)
				table := net.CPT(v)
				mirrored[layout.Cell(v, table.Configs().Len()-1-config, table.Child.Cardinality()-1-state)] =
					theta[cell]
			}
			if got, want := worst(others, mirrored), worst(bounds, theta); math.Abs(got-want) > 1e-14 {
				t.Errorf("%q: violation %v in reverse order, %v before", s, got, want)
			}
		}
	}
}

// checkBound reports what no bound may have, whatever the statement.
func checkBound(t *testing.T, net *bn.Network, s constraint.Constraint, b constraint.Bound) {
	t.Helper()
	layout := net.Layout()
	inUse := make(map[constraint.Row]bool)
	once := func(what string, lists ...[]int) {
		seen := make(map[int]bool)
		for _, cells := range lists {
			if len(cells) == 0 {
				t.Errorf("%q: %s is empty", s, what)
			}
			for _, cell := range cells {
				if seen[cell] {
					t.Errorf("%q: %s has the cell %d twice", s, what, cell)
				}
				seen[cell] = true
				v, config, _ := layout.Locate(cell)
				inUse[constraint.Row{Var: v, Config: config}] = true
			}
		}
	}
	for _, f := range b.Fixed {
		once("a value", []int{f.Cell})
	}
	for _, tie := range b.Ties {
		once("a tie", tie.Cells)
	}
	for _, l := range slices.Concat(b.Equal, b.AtMost) {
		once("a linear function", l.Cells)
		for _, c := range l.Coef {
			if !(math.Abs(c) > 0) || math.IsInf(c, 0) {
				t.Errorf("%q: coefficient %v", s, c)
			}
		}
	}
	for _, r := range b.Ratios {
		once("a ratio", r.Blocks...)
	}
	for _, f := range b.Smooth {
		once("a formula", f.Cells)
	}
	for _, row := range b.Links {
		if !inUse[row] {
			t.Errorf("%q links %v, of which it says nothing", s, row)
		}
		delete(inUse, row)
	}
	if len(inUse) > 0 {
		t.Errorf("%q does not link %v", s, inUse)
	}
	if v := b.Violation(uniform(net, nil)); !(v >= 0) {
		t.Errorf("%q: violation %v", s, v)
	}
}

func TestLinksAreTheRowsInUse(t *testing.T) {
	net := statementNet(t, false)
	for _, s := range statements() {
		bounds, err := s.Bind(net)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range bounds {
			checkBound(t, net, s, b)
		}
	}
}

// FuzzBind binds statements of random names, groups and numbers.
func FuzzBind(f *testing.F) {
	for seed := range uint64(19) {
		f.Add(seed, seed)
	}
	numbers := []float64{0, 1, 0.5, 0.3, 2, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e-320, math.MaxFloat64}
	f.Fuzz(func(t *testing.T, kind, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 0))
		pick := func(list ...string) string { return list[rng.IntN(len(list))] }
		number := func() float64 { return numbers[rng.IntN(len(numbers))] }
		name := func() string { return pick("X", "X", "X", "W", "V", "U", "Y", "C", "") }
		strs := func() []string {
			list := make([]string, rng.IntN(4))
			for i := range list {
				list[i] = pick("a", "a", "b", "c", "d", "e", "")
			}
			return list
		}
		groups := func() [][]string {
			list := make([][]string, rng.IntN(4))
			for i := range list {
				list[i] = strs()
			}
			return list
		}
		given := func() bn.Given {
			g := make(bn.Given)
			for range rng.IntN(3) {
				g[pick("Y", "Y", "Z", "W")] = pick("0", "0", "1", "2")
			}
			return g
		}
		givens := func() []bn.Given {
			if rng.IntN(2) == 0 {
				return nil
			}
			list := make([]bn.Given, rng.IntN(3))
			for i := range list {
				list[i] = given()
			}
			return list
		}
		cells := func() []constraint.Cell {
			list := make([]constraint.Cell, rng.IntN(4))
			for i := range list {
				list[i] = constraint.Cell{Var: name(), State: pick("a", "b", "e"), Given: given()}
			}
			return list
		}
		events := func() []constraint.Event {
			list := make([]constraint.Event, rng.IntN(4))
			for i := range list {
				list[i] = constraint.Event{Var: name(), States: strs(), Given: given()}
			}
			return list
		}
		byName := func() map[string]float64 {
			m := make(map[string]float64)
			for _, s := range strs() {
				m[s] = number()
			}
			return m
		}
		var s constraint.Constraint
		switch kind % 16 {
		case 0:
			s = constraint.Fixed{Var: name(), Given: given(), P: byName()}
		case 1:
			s = constraint.ShareStates{Var: name(), Given: given(), Groups: groups()}
		case 2:
			s = constraint.Proportional{Var: name(), Given: given(), Weights: byName()}
		case 3:
			s = constraint.ShareSums{Var: name(), Given: given(), Groups: groups()}
		case 4:
			s = constraint.ShareRatios{Var: name(), Given: given(), Groups: groups()}
		case 5:
			s = constraint.ShareAcross{Var: name(), Given: givens(), ForEach: strs(), Groups: groups()}
		case 6:
			s = constraint.ShareCells{Groups: [][]constraint.Cell{cells(), cells()}}
		case 7:
			s = constraint.ShareTables{Vars: []string{name(), name(), name()}}
		case 8:
			s = constraint.ShareHierarchy{Var: name(), Levels: []constraint.Level{{Given: givens(), States: strs()},
				{Given: givens(), States: strs()}}}
		case 9:
			s = constraint.ShareSumsAcross{Events: events()}
		case 10:
			s = constraint.ShareRatiosAcross{Events: events()}
		case 11:
			s = constraint.OrderSums{Var: name(), Given: given(), Groups: groups(), Factor: number()}
		case 12:
			s = constraint.AtMost{Var: name(), Given: given(), States: strs(), P: number()}
		case 13:
			s = constraint.AtLeast{Var: name(), Given: given(), States: strs(), P: number()}
		case 14:
			var terms []constraint.Term
			for _, c := range cells() {
				terms = append(terms, constraint.Term{Cell: c, Factor: number()})
			}
			s = constraint.LinearSum{Terms: terms, Relation: constraint.Relation(rng.IntN(5) - 1), Value: number()}
		case 15:
			s = constraint.Formula{Text: pick("", "x = 0"), Cells: cells(),
				Equal: []constraint.Function{{Value: func(x []float64) float64 { return x[0] }}}}
		}
		_ = s.String()
		net := statementNet(t, false)
		bounds, err := s.Bind(net)
		if err != nil {
			return
		}
		for _, b := range bounds {
			checkBound(t, net, s, b)
		}
	})
}

// BenchmarkBind resolves what an expert on the vocabulary of 16 languages would state.
func BenchmarkBind(b *testing.B) {
	names := func(prefix string, n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = prefix + strconv.Itoa(i)
		}
		return list
	}
	words, languages := names("word", 2000), names("language", 16)
	net, err := bn.New("[language][word|language]", bn.Discrete("language", languages...),
		bn.Discrete("word", words...))
	if err != nil {
		b.Fatal(err)
	}
	var latin []bn.Given
	for _, name := range languages[:8] {
		latin = append(latin, bn.Given{"language": name})
	}
	for _, bench := range []struct {
		name      string
		statement constraint.Constraint
	}{
		{"hierarchy", constraint.ShareHierarchy{Var: "word", Levels: []constraint.Level{{States: words[:500]},
			{Given: latin, States: words[500:1500]}}}},
		{"sums", constraint.ShareSums{Var: "word", Groups: [][]string{words[:1000], words[1000:]}}},
		{"ratios across", constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "word",
			States: words[:1000]}}}},
		{"one sum", constraint.AtMost{Var: "word", Given: latin[0], States: words[:10], P: 0.5}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bench.statement.Bind(net); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
