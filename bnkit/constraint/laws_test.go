package constraint_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// anything draws a statement of any class but the ratios.
func (sc scene) anything(t testing.TB, theta []float64) constraint.Constraint {
	switch sc.rng.IntN(10) {
	case 0:
		return sc.known()
	case 1:
		return sc.shareStates()
	case 2:
		return sc.proportional()
	case 3:
		return sc.shareSums()
	case 4:
		return sc.shareCells()
	case 5:
		return sc.shareSumsAcross()
	case 6:
		return constraint.ShareTables{Vars: []string{"U", "W"}}
	case 7:
		return sc.orderSums()
	case 8:
		return sc.linearSum(t, theta, constraint.Relation(sc.rng.IntN(3)))
	}
	return sc.limit(t, theta)
}

// TestMoreStatementsFitNoBetter: the maximal likelihood falls, or stays, with each
// statement that is added.
func TestMoreStatementsFitNoBetter(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 0))
	falls := 0
	for range 2 * instances() {
		sc := newScene(t, rng, false)
		truth, n := sc.truth(), sc.positive()
		var statements []constraint.Constraint
		best := objective(n, maximize(compile(t, sc.net), n))
		for range 6 {
			statements = append(statements, sc.anything(t, truth))
			p, err := constraint.Compile(sc.net, statements...)
			theta := make([]float64, len(n))
			if err == nil {
				err = p.Maximize(theta, n)
			}
			if errors.Is(err, constraint.ErrInfeasible) {
				statements = statements[:len(statements)-1]
				continue
			}
			if err != nil {
				t.Fatalf("%v: %v", statements, err)
			}
			feasible(t, sc.net, theta, 1e-9, statements...)
			value := objective(n, theta)
			if value > best+1e-7*total(n) {
				t.Fatalf("%v: the last statement raises the maximum from %v to %v", statements, best, value)
			}
			if value < best-1e-6*total(n) {
				falls++
			}
			best = value
		}
	}
	if falls < instances() {
		t.Errorf("the maximum falls %d times only", falls)
	}
}

// TestTrueStatementsChangeNothing: what holds at the maximum, with or without slack, may be
// stated.
func TestTrueStatementsChangeNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 0))
	for range 2 * instances() {
		sc := newScene(t, rng, false)
		n := sc.positive()
		statements := []constraint.Constraint{sc.anything(t, sc.truth())}
		p := compile(t, sc.net, statements...)
		theta := make([]float64, len(n))
		if p.Maximize(theta, n) != nil {
			continue // what has cases is forced to zero
		}
		g := sc.row("X")
		for range 3 {
			a, b := sc.some("X", 1+sc.rng.IntN(3)), sc.some("X", 1+sc.rng.IntN(3))
			pa := sc.of(t, theta, constraint.Event{Var: "X", States: a, Given: g})
			pb := sc.of(t, theta, constraint.Event{Var: "X", States: b, Given: g})
			if pa > pb {
				a, b, pa, pb = b, a, pb, pa
			}
			slack := float64(sc.rng.IntN(2)) * 0.1
			statements = append(statements,
				constraint.OrderSums{Var: "X", Given: g, Groups: [][]string{a, b}},
				constraint.AtMost{Var: "X", Given: g, States: a, P: min(1, pa*(1+slack)+1e-12)},
				constraint.AtLeast{Var: "X", Given: g, States: b, P: max(0, pb*(1-slack)-1e-12)})
		}
		q, err := constraint.Compile(sc.net, statements...)
		again := make([]float64, len(n))
		if err == nil {
			err = q.Maximize(again, n)
		}
		if err != nil {
			t.Fatalf("%v: %v", statements, err)
		}
		if fall := objective(n, theta) - objective(n, again); !(math.Abs(fall) <= 1e-7*total(n)) {
			t.Fatalf("%v: what is true already lowers the maximum by %v", statements, fall)
		}
		near(t, "theta", again, theta, 1e-4) // the objective is flat to second order
	}
}

// TestOrderOfNamesDoesNotMatter: with the states of all variables and the parents of X in
// another order every name keeps its probability.
func TestOrderOfNamesDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 0))
	for k, class := range classes {
		t.Run(class.name, func(t *testing.T) {
			for range instances() / 4 {
				sc := newScene(t, rng, class.wide)
				statements := class.draw(t, sc, sc.truth())
				var vars []bn.Variable
				perm := rng.Perm(len(sc.states["U"]))
				for _, v := range sc.net.Variables() {
					states := sc.some(v.Name, len(v.States))
					if v.Name == "U" || v.Name == "W" { // equal tables need equal orders
						for i, p := range perm {
							states[i] = v.States[p]
						}
					}
					vars = append(vars, bn.Discrete(v.Name, states...))
				}
				slices.Reverse(vars)
				other := network(t, "[W|P][X|Q:P][U|P][Q][P]", vars...)
				n := sc.positive()
				p, err1 := constraint.Compile(sc.net, statements...)
				q, err2 := constraint.Compile(other, statements...)
				if (err1 == nil) != (err2 == nil) {
					t.Fatalf("%v: %v, and in another order %v", statements, err1, err2)
				}
				if err1 != nil {
					continue
				}
				theta, moved := make([]float64, len(n)), make([]float64, len(n))
				err1, err2 = p.Maximize(theta, n), q.Maximize(moved, byName(t, sc.net, other, n))
				if (err1 == nil) != (err2 == nil) {
					t.Fatalf("%v: %v, and in another order %v", statements, err1, err2)
				}
				if err1 != nil {
					continue
				}
				near(t, fmt.Sprint(k, statements), byName(t, other, sc.net, moved), theta, 1e-5)
			}
		})
	}
}

// byName moves a number for each parameter of one network to where another has it.
func byName(t testing.TB, from, to *bn.Network, x []float64) []float64 {
	out := make([]float64, len(x))
	r := &reader{t: t, net: to, layout: to.Layout()}
	for v := range from.Len() {
		table := from.CPT(v)
		for config := range table.Configs().Len() {
			given := bn.Given{}
			for i, state := range table.ConfigNames(config) {
				given[table.Parents[i].Name] = state
			}
			for s, state := range table.Child.States {
				cell := r.all(constraint.Cell{Var: table.Child.Name, State: state, Given: given})
				out[cell[0]] = x[from.Layout().Cell(v, config, s)]
			}
		}
	}
	return out
}

// TestManyGoroutines: a problem is used by several at once, with the same answers.
func TestManyGoroutines(t *testing.T) {
	rng := rand.New(rand.NewPCG(54, 0))
	sc := newScene(t, rng, false)
	truth := sc.truth()
	p := compile(t, sc.net,
		constraint.ShareTables{Vars: []string{"U", "W"}},
		constraint.ShareStates{Var: "X", Given: bn.Given{"P": "p0", "Q": "q0"}, Groups: [][]string{{"x0", "x1"}}},
		constraint.OrderSums{Var: "X", Given: bn.Given{"P": "p0", "Q": "q1"},
			Groups: [][]string{{"x0"}, {"x1"}, {"x2"}}},
		constraint.OrderSums{Var: "X", Given: bn.Given{"P": "p1", "Q": "q0"},
			Groups: [][]string{{"x0", "x1"}, {"x1", "x2"}, {"x0", "x2", "x3"}}},
		constraint.AtMost{Var: "X", Given: bn.Given{"P": "p1", "Q": "q1"}, States: []string{"x0"}, P: 0.2},
		constraint.AtMost{Var: "X", Given: bn.Given{"P": "p1", "Q": "q1"}, States: []string{"x1"}, P: 0.2},
		sc.linearSum(t, truth, constraint.Equal))
	const workers, rounds = 8, 10
	counts := make([][]float64, rounds)
	want := make([][]float64, rounds)
	for i := range counts {
		counts[i] = sc.counts()
		want[i] = make([]float64, len(truth))
		if err := p.Maximize(want[i], counts[i]); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			theta := make([]float64, len(truth))
			for i := range rounds {
				at := (i + worker) % rounds
				if err := p.Maximize(theta, counts[at]); err != nil || !slices.Equal(theta, want[at]) {
					t.Errorf("worker %d, counts %d: %v, another answer: %v", worker, at, err,
						!slices.Equal(theta, want[at]))
				}
			}
		})
	}
	wg.Wait()
}

// TestCountsOfAnySize: whatever the counts, the answer is feasible or an error; counts that
// are all alike and of any size have the answer of ones.
func TestCountsOfAnySize(t *testing.T) {
	rng := rand.New(rand.NewPCG(55, 0))
	sizes := []float64{0, 1e-300, 1e-100, 1e-9, 1, 1e9, 1e100, 1e140}
	for _, class := range classes {
		t.Run(class.name, func(t *testing.T) {
			for range instances() / 4 {
				sc := newScene(t, rng, class.wide)
				statements := class.draw(t, sc, sc.truth())
				p, err := constraint.Compile(sc.net, statements...)
				if err != nil {
					continue
				}
				n := make([]float64, sc.net.Layout().Len())
				for i := range n {
					n[i] = sizes[rng.IntN(len(sizes))]
				}
				theta := make([]float64, len(n))
				switch err := p.Maximize(theta, n); {
				case err == nil:
					feasible(t, sc.net, theta, 1e-9, statements...)
				case !errors.Is(err, constraint.ErrInfeasible):
					t.Errorf("%v, counts %v: %v", statements, n, err)
				}
				for i := range n {
					n[i] = 1
				}
				want := make([]float64, len(n))
				if p.Maximize(want, n) != nil {
					continue
				}
				for _, size := range sizes[1:] {
					for i := range n {
						n[i] = size
					}
					if err := p.Maximize(theta, n); err != nil {
						t.Fatalf("%v, counts %v each: %v", statements, size, err)
					}
					near(t, fmt.Sprint(statements, size), theta, want, 1e-5)
				}
				if t.Failed() {
					t.FailNow()
				}
			}
		})
	}
}

// Orders do not depend on the size of counts either.
func TestOrdersOfHugeCounts(t *testing.T) {
	p := compile(t, network(t, "[X]", abcd), constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}, {"c"}}})
	for _, size := range []float64{1e-300, 1e-160, 1, 1e160, 1e300} {
		theta := make([]float64, 4)
		if err := p.Maximize(theta, []float64{3 * size, 2 * size, 1 * size, 2 * size}); err != nil {
			t.Fatalf("size %v: %v", size, err)
		}
		near(t, "theta", theta, []float64{.25, .25, .25, .25}, 1e-14)
	}
}

// TestWhatContradicts: the error names the statements that cannot hold together, and no
// others.
func TestWhatContradicts(t *testing.T) {
	net := network(t, "[P][X|P][Y]", fair, abcd, bn.Discrete("Y", "a", "b", "c"))
	p, q := bn.Given{"P": "p"}, bn.Given{"P": "q"}
	cell := func(v, s string, g bn.Given) constraint.Cell {
		return constraint.Cell{Var: v, State: s, Given: g}
	}
	// What has nothing to do with the matter.
	others := []constraint.Constraint{
		constraint.ShareStates{Var: "Y", Groups: [][]string{{"a", "b"}}},
		constraint.AtMost{Var: "X", Given: q, States: []string{"a"}, P: 0.9},
		constraint.AtMost{Var: "X", Given: p, States: []string{"d"}, P: 0.95},
	}
	tests := []struct {
		name string
		s    []constraint.Constraint
		// n, when not nil, are counts of X and P for which there is no answer.
		n []float64
	}{
		{"known values over 1", []constraint.Constraint{
			constraint.Fixed{Var: "X", Given: p, P: map[string]float64{"a": 0.7}},
			constraint.Fixed{Var: "X", Given: p, P: map[string]float64{"b": 0.5}}}, nil},
		{"two known values", []constraint.Constraint{
			constraint.Fixed{Var: "X", Given: p, P: map[string]float64{"a": 0.7}},
			constraint.Fixed{Var: "X", P: map[string]float64{"a": 0.6}}}, nil},
		{"lower limits over 1", []constraint.Constraint{
			constraint.AtLeast{Var: "X", Given: p, States: []string{"a"}, P: 0.4},
			constraint.AtLeast{Var: "X", Given: p, States: []string{"b"}, P: 0.4},
			constraint.AtLeast{Var: "X", Given: p, States: []string{"c"}, P: 0.4}}, nil},
		{"upper limits under 1", []constraint.Constraint{
			constraint.AtMost{Var: "X", Given: p, States: []string{"a", "b"}, P: 0.4},
			constraint.AtMost{Var: "X", Given: p, States: []string{"c", "d"}, P: 0.4}}, nil},
		{"proportions in a circle", []constraint.Constraint{
			constraint.Proportional{Var: "X", Given: p, Weights: map[string]float64{"a": 1, "b": 2}},
			constraint.Proportional{Var: "X", Given: p, Weights: map[string]float64{"b": 1, "c": 2}},
			constraint.Proportional{Var: "X", Given: p, Weights: map[string]float64{"c": 1, "a": 2}}}, nil},
		{"a limit against a known value", []constraint.Constraint{
			constraint.Fixed{Var: "X", Given: p, P: map[string]float64{"a": 0.7}},
			constraint.AtMost{Var: "X", Given: p, States: []string{"a", "b"}, P: 0.6}}, nil},
		{"equal sums against limits", []constraint.Constraint{
			constraint.ShareSums{Var: "X", Given: p, Groups: [][]string{{"a"}, {"b", "c"}}},
			constraint.AtMost{Var: "X", Given: p, States: []string{"a"}, P: 0.2},
			constraint.AtLeast{Var: "X", Given: p, States: []string{"b", "c"}, P: 0.3}}, nil},
		{"a limit from both sides", []constraint.Constraint{
			constraint.AtMost{Var: "X", Given: p, States: []string{"a", "b"}, P: 0.2},
			constraint.AtLeast{Var: "X", Given: p, States: []string{"b", "a"}, P: 0.3}}, nil},
		{"an order against limits", []constraint.Constraint{
			constraint.OrderSums{Var: "X", Given: p, Groups: [][]string{{"a"}, {"b"}, {"c"}}},
			constraint.AtLeast{Var: "X", Given: p, States: []string{"a"}, P: 0.35}}, nil},
		{"equal cells against known values in two tables", []constraint.Constraint{
			constraint.ShareCells{Groups: [][]constraint.Cell{{cell("X", "a", p), cell("Y", "c", nil)}}},
			constraint.Fixed{Var: "X", Given: p, P: map[string]float64{"a": 0.7}},
			constraint.AtMost{Var: "Y", States: []string{"c"}, P: 0.6}}, nil},
		{"a linear sum", []constraint.Constraint{
			constraint.LinearSum{Terms: []constraint.Term{{Cell: cell("X", "a", p)},
				{Cell: cell("X", "a", q), Factor: -1}}, Relation: constraint.NoLess, Value: 0.5},
			constraint.ShareAcross{Var: "X", Groups: [][]string{{"a"}}}}, nil},
		{"sums across", []constraint.Constraint{
			constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X", States: []string{"a", "b"}, Given: p},
				{Var: "X", States: []string{"a"}, Given: q}}},
			constraint.AtLeast{Var: "X", Given: p, States: []string{"a"}, P: 0.5},
			constraint.AtMost{Var: "X", Given: q, States: []string{"a"}, P: 0.4}}, nil},
		{"cases of what is known to be impossible", []constraint.Constraint{
			constraint.Fixed{Var: "X", Given: p, P: map[string]float64{"a": 0}}},
			[]float64{1, 1, 3, 1, 1, 1, 1, 1, 1, 1}},
		{"cases of what a limit forbids", []constraint.Constraint{
			constraint.AtMost{Var: "X", Given: p, States: []string{"a", "b"}, P: 0}},
			[]float64{1, 1, 0, 1, 1, 1, 1, 1, 1, 1}},
		{"cases beside a limit of 1", []constraint.Constraint{
			constraint.AtLeast{Var: "X", Given: p, States: []string{"a", "b"}, P: 1}},
			[]float64{1, 1, 1, 1, 0, 1, 1, 1, 1, 1}},
		{"cases beside limits of 1 in all", []constraint.Constraint{
			constraint.AtLeast{Var: "X", Given: p, States: []string{"a"}, P: 0.5},
			constraint.AtLeast{Var: "X", Given: p, States: []string{"b"}, P: 0.25},
			constraint.AtLeast{Var: "X", Given: p, States: []string{"c"}, P: 0.25}},
			[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"cases of what an order forbids", []constraint.Constraint{
			constraint.OrderSums{Var: "X", Given: p, Groups: [][]string{{"a", "b"}, {"a"}}}},
			[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"cases of what known values leave nothing for", []constraint.Constraint{
			constraint.Fixed{Var: "X", Given: p, P: map[string]float64{"a": 0.75}},
			constraint.Fixed{Var: "X", Given: p, P: map[string]float64{"b": 0.25}}},
			[]float64{1, 1, 1, 1, 1, 0, 1, 1, 1, 1}},
		{"cases of what is left of equal cells", []constraint.Constraint{
			// a = b = 1/2 in one row, so that c and d have nothing.
			constraint.ShareCells{Groups: [][]constraint.Cell{{cell("X", "a", p), cell("X", "b", p),
				cell("Y", "a", nil)}}},
			constraint.Fixed{Var: "Y", P: map[string]float64{"a": 0.5}}}, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"cases that a limit in another distribution leaves nothing for", []constraint.Constraint{
			constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X", States: []string{"a", "b"}, Given: p},
				{Var: "X", States: []string{"a", "b", "c"}, Given: q}}},
			constraint.AtLeast{Var: "X", Given: p, States: []string{"a", "b"}, P: 1}},
			[]float64{1, 1, 1, 1, 0, 0, 1, 1, 1, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, order := range []string{"others first", "others last"} {
				statements := slices.Concat(others, test.s)
				if order == "others last" {
					statements = slices.Concat(test.s, others)
				}
				problem, err := constraint.Compile(net, statements...)
				if test.n != nil {
					if err != nil {
						t.Fatalf("%s: %v before there are counts", order, err)
					}
					n := append(slices.Clone(test.n), 1, 1, 1)
					err = problem.Maximize(make([]float64, len(n)), n)
				}
				if !errors.Is(err, constraint.ErrInfeasible) {
					t.Fatalf("%s: the error is %v", order, err)
				}
				if single := len(test.s) == 1; single == strings.Contains(err.Error(), "one of them") || single &&
					strings.Contains(err.Error(), "leave ") {
					t.Errorf("%s: %v\nin the wrong number for %d statements", order, err, len(test.s))
				}
				for _, s := range test.s {
					if !strings.Contains(err.Error(), fmt.Sprintf("%q", s)) {
						t.Errorf("%s: %v\ndoes not name %q", order, err, s)
					}
				}
				for _, s := range others {
					if strings.Contains(err.Error(), fmt.Sprintf("%q", s)) {
						t.Errorf("%s: %v\nnames %q", order, err, s)
					}
				}
				// No member can be missed.
				for i := range test.s {
					rest := slices.Delete(slices.Clone(test.s), i, i+1)
					problem, err := constraint.Compile(net, rest...)
					if err == nil && test.n != nil {
						n := append(slices.Clone(test.n), 1, 1, 1)
						err = problem.Maximize(make([]float64, len(n)), n)
					}
					if err != nil {
						t.Errorf("without %q: %v", test.s[i], err)
					}
				}
			}
		})
	}
}
