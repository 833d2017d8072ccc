package constraint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// classes are random statements that can all be met, of each class of N06 §4.3 and of
// several together. theta are distributions to take numbers from.
var classes = []struct {
	name string
	wide bool // twelve states
	draw func(t testing.TB, sc scene, theta []float64) []constraint.Constraint
}{
	{"1 known", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{sc.known()}
	}},
	{"2 equal states", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{sc.shareStates()}
	}},
	{"3 proportional", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{sc.proportional()}
	}},
	{"4 equal sums", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{sc.shareSums()}
	}},
	{"4 equal sums that overlap", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		a, b := sc.some("X", 4), sc.some("X", 4)
		return []constraint.Constraint{
			constraint.ShareSums{Var: "X", Groups: [][]string{a[:2], a[2:]}},
			constraint.ShareSums{Var: "X", Groups: [][]string{b[:2], b[2:]}},
		}
	}},
	{"5 ratios", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		r := 2
		if len(sc.states["X"]) > 5 && sc.rng.IntN(2) == 0 {
			r = 3
		}
		return []constraint.Constraint{constraint.ShareRatios{Var: "X", Given: sc.given("X"),
			Groups: sc.divided("X", 3, r, r, 0)}}
	}},
	{"6 equal rows", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		s := constraint.ShareAcross{Var: "X"}
		switch sc.rng.IntN(3) {
		case 0:
			s.ForEach = []string{"P"}
		case 1:
			s.Given = []bn.Given{{"P": "p0"}, {"P": "p1", "Q": "q1"}}
		}
		if sc.rng.IntN(2) == 0 {
			s.Groups = sc.divided("X", 3, 1, 2, 0)
		}
		return []constraint.Constraint{s}
	}},
	{"6 cells, as often as it comes", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{sc.shareCells()}
	}},
	{"6 equal tables", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{constraint.ShareTables{Vars: []string{"W", "U"}}}
	}},
	{"6 equal tables and a cell in another", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{
			constraint.ShareTables{Vars: []string{"W", "U"}},
			constraint.ShareCells{Groups: [][]constraint.Cell{{{Var: "W", State: "u0", Given: bn.Given{"P": "p0"}},
				{Var: "X", State: "x2", Given: sc.given("X")}}}},
		}
	}},
	{"7 hierarchy", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		g := sc.divided("X", 3, 1, 2, 1)
		s := constraint.ShareHierarchy{Var: "X", Levels: []constraint.Level{{States: g[0]}}}
		for i, states := range g[1:] {
			s.Levels = append(s.Levels, constraint.Level{Given: []bn.Given{{"P": fmt.Sprintf("p%d", i)}},
				States: states})
		}
		return []constraint.Constraint{s}
	}},
	{"8 equal sums across", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{sc.shareSumsAcross()}
	}},
	{"8 equal sums across, of rows with the same groups", false,
		func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
			g := sc.divided("X", 2, 1, 2, 1)
			var out []constraint.Constraint
			for _, states := range g {
				out = append(out, constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X", States: states}}})
			}
			return out
		}},
	{"9 ratios across", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		r := 2 + sc.rng.IntN(2)
		return []constraint.Constraint{constraint.ShareRatiosAcross{Events: []constraint.Event{
			{Var: "X", States: sc.some("X", r), Given: sc.given("X")},
			{Var: "U", States: sc.some("U", r), Given: sc.given("U")},
		}}}
	}},
	{"9 ratios across, with more said of masses and shapes", false,
		func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
			x, u := sc.some("X", 3), sc.some("U", 3)
			out := []constraint.Constraint{constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "X",
				States: x},
				{Var: "U", States: u, Given: bn.Given{"P": "p1"}}}}}
			if sc.rng.IntN(2) == 0 {
				out = append(out, constraint.ShareStates{Var: "X", Given: bn.Given{"P": "p0", "Q": "q0"},
					Groups: [][]string{x[:2]}})
			} else {
				out = append(out, constraint.OrderSums{Var: "X", Given: bn.Given{"P": "p0", "Q": "q0"},
					Groups: [][]string{x[:1], x[1:2], x[2:]}})
			}
			if sc.rng.IntN(2) == 0 {
				out = append(out, constraint.AtMost{Var: "X", States: x, P: 0.3 + 0.6*sc.rng.Float64()})
			}
			if sc.rng.IntN(2) == 0 {
				out = append(out, constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X", States: x,
					Given: bn.Given{"Q": "q1"}}}})
			}
			return out
		}},
	{"5 ratios, with equal states inside", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		g := sc.divided("X", 2, 2, 2, 0)
		return []constraint.Constraint{
			constraint.ShareRatios{Var: "X", Groups: g},
			constraint.ShareStates{Var: "X", Given: sc.row("X"), Groups: g[:1]},
			constraint.OrderSums{Var: "X", Groups: g, Factor: 0.8},
		}
	}},
	{"10 ordered sums", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{sc.orderSums()}
	}},
	{"10 partial orders", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		var out []constraint.Constraint
		all := sc.some("X", len(sc.states["X"]))
		for range 3 {
			i := 1 + sc.rng.IntN(len(all)-1)
			out = append(out, constraint.OrderSums{Var: "X", Groups: [][]string{{all[sc.rng.IntN(i)]}, {all[i]}}})
		}
		return out
	}},
	{"10 several orders that overlap", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{sc.orderSums(), sc.orderSums()}
	}},
	{"11 one limit", false, func(t testing.TB, sc scene, theta []float64) []constraint.Constraint {
		return []constraint.Constraint{sc.limit(t, theta)}
	}},
	{"11 limits, nested", false, func(t testing.TB, sc scene, theta []float64) []constraint.Constraint {
		g, all := sc.row("X"), sc.some("X", len(sc.states["X"]))
		var out []constraint.Constraint
		for _, states := range [][]string{all[:1], all[1:2], all[:2], all[2:4], all[:len(all)-1]} {
			p := sc.of(t, theta, constraint.Event{Var: "X", States: states, Given: g})
			out = append(out,
				constraint.AtMost{Var: "X", Given: g, States: states, P: min(1, 1.2*p)},
				constraint.AtLeast{Var: "X", Given: g, States: states, P: 0.9 * p})
		}
		return out
	}},
	{"11 limits that overlap", false, func(t testing.TB, sc scene, theta []float64) []constraint.Constraint {
		var out []constraint.Constraint
		for range 6 {
			out = append(out, sc.limit(t, theta))
		}
		return out
	}},
	{"linear sums", false, func(t testing.TB, sc scene, theta []float64) []constraint.Constraint {
		var out []constraint.Constraint
		for i := range 4 {
			out = append(out, sc.linearSum(t, theta, constraint.Relation(i%3)))
		}
		return out
	}},
	{"1, 3, 4, 10 and 11 in a distribution", true,
		func(t testing.TB, sc scene, theta []float64) []constraint.Constraint {
			return sc.mixture()
		}},
	{"2, 6 and 8 as they come", false, func(_ testing.TB, sc scene, _ []float64) []constraint.Constraint {
		return []constraint.Constraint{sc.shareStates(), sc.shareCells(), sc.shareSumsAcross(), sc.orderSums()}
	}},
}

// shareCells makes cells of X and U equal that leave a state of each row over.
func (sc scene) shareCells() constraint.Constraint {
	x, u := sc.some("X", len(sc.states["X"]))[1:], sc.some("U", len(sc.states["U"]))[1:]
	s := constraint.ShareCells{Groups: make([][]constraint.Cell, 2)}
	for i, state := range x {
		g := sc.rng.IntN(2)
		if i < 2 {
			g = i
		}
		s.Groups[g] = append(s.Groups[g], constraint.Cell{Var: "X", State: state, Given: sc.given("X")})
	}
	for i, state := range u {
		s.Groups[i%2] = append(s.Groups[i%2], constraint.Cell{Var: "U", State: state, Given: sc.given("U")})
	}
	return s
}

// shareSumsAcross makes sums in two tables equal that leave a state of each row over.
func (sc scene) shareSumsAcross() constraint.Constraint {
	s := constraint.ShareSumsAcross{Events: []constraint.Event{
		{Var: "X", States: sc.some("X", 1+sc.rng.IntN(len(sc.states["X"])-1)), Given: sc.given("X")},
		{Var: "U", States: sc.some("U", 1+sc.rng.IntN(len(sc.states["U"])-1)), Given: sc.given("U")},
	}}
	if sc.rng.IntN(2) == 0 {
		s.Events = append(s.Events, constraint.Event{Var: "W", States: sc.some("W", 1), Given: sc.row("W")})
	}
	return s
}

// mixture speaks of a row of X, of twelve states: a known one, two in proportion, two that
// weigh as much as another, two pairs in order, and a limit that overlaps the order.
func (sc scene) mixture() []constraint.Constraint {
	x, g := sc.some("X", len(sc.states["X"])), sc.row("X")
	out := []constraint.Constraint{constraint.Fixed{Var: "X", Given: g,
		P: map[string]float64{x[0]: 0.2 * sc.rng.Float64()}}}
	if sc.rng.IntN(2) == 0 {
		out = append(out, constraint.Proportional{Var: "X", Given: g,
			Weights: map[string]float64{x[1]: 1, x[2]: 0.5 + 2*sc.rng.Float64()}})
	}
	if sc.rng.IntN(2) == 0 {
		out = append(out, constraint.ShareSums{Var: "X", Given: g, Groups: [][]string{x[1:3], x[3:4]}})
	}
	return append(out,
		constraint.OrderSums{Var: "X", Given: g, Groups: [][]string{x[4:6], x[6:8]}, Factor: 0.4 + sc.rng.Float64()},
		constraint.AtMost{Var: "X", Given: g, States: x[6:10], P: 0.1 + 0.5*sc.rng.Float64()})
}

// instances is how many random cases of a class are tried.
func instances() int {
	if !numtest.Full() {
		return 4
	}
	return 30
}

// TestOptimumIsCertified proves random answers of every class by a dual bound that knows
// nothing of how they came about.
func TestOptimumIsCertified(t *testing.T) {
	for k, class := range classes {
		t.Run(class.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(31, uint64(k)))
			for solved, instance := 0, 0; solved < instances(); instance++ {
				if instance == 20*instances() {
					t.Fatalf("%d of %d instances can be met", solved, instance)
				}
				sc := newScene(t, rng, class.wide)
				theta := sc.truth()
				statements := class.draw(t, sc, theta)
				s := read(t, sc.net, statements...)
				n := sc.counts()
				p, err := constraint.Compile(sc.net, statements...)
				if err == nil {
					err = p.Maximize(theta, n)
				}
				if err != nil {
					if r := room(t, sc.net, s); !(r < 1e-7) {
						t.Errorf("%d: %v, though every probability may be %v\n%v", instance, err, r, statements)
					}
					continue
				}
				solved++
				feasible(t, sc.net, theta, 1e-9, statements...)
				optimal(t, sc.net, s, n, theta)
				if s.ratios == nil && solved%4 == 1 {
					tells(t, sc, p, s, n, theta)
				}
				sol, err := p.Solve(n)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(sol.Theta, theta) {
					t.Errorf("%d: Solve and Maximize differ", instance)
				}
				for _, part := range sol.Parts {
					if !part.Global {
						t.Errorf("%d: %v", instance, part)
					}
					if !(part.Gap <= 1e-6*math.Max(1, total(n))) {
						t.Errorf("%d: gap %v", instance, part.Gap)
					}
				}
				if t.Failed() {
					t.Fatalf("instance %d: %v\nn = %v\ntheta = %v\n%v", instance, statements, n, theta, sol.Parts)
				}
			}
		})
	}
}

// tells checks the bound at a point that is not the maximum: it must be no less than what
// the maximum is above it.
func tells(t testing.TB, sc scene, p *constraint.Problem, s said, n, best []float64) {
	t.Helper()
	other := make([]float64, len(n))
	if p.Maximize(other, sc.positive()) != nil {
		return
	}
	for i := range other {
		other[i] = 0.99*best[i] + 0.01*other[i]
	}
	bound, rise := 0.0, 0.0
	for _, part := range program(t, sc.net, s, n, other).parts() {
		bound += part.gap()
	}
	for i := range n {
		if n[i] > 0 {
			rise += n[i] * math.Log(best[i]/other[i])
		}
	}
	if !(bound >= rise-1e-9*total(n)) {
		t.Errorf("the bound is %v where the maximum is %v higher", bound, rise)
	}
}

// TestMonotoneIsCertified proves the maximum where the distribution function of X falls
// with each of three parents, in every context.
func TestMonotoneIsCertified(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 0))
	for range 3 {
		net, n := rising(t, rng, 3)
		for range 5 {
			n[6+rng.IntN(40)] = 0
		}
		r := &reader{t: t, net: net, layout: net.Layout()}
		for p := range 3 {
			for context := range 4 { // of the other two
				low, high := bn.Given{}, bn.Given{}
				low[fmt.Sprintf("P%d", p)], high[fmt.Sprintf("P%d", p)] = "no", "yes"
				for k, other := range []int{(p + 1) % 3, (p + 2) % 3} {
					state := []string{"no", "yes"}[context>>k&1]
					low[fmt.Sprintf("P%d", other)], high[fmt.Sprintf("P%d", other)] = state, state
				}
				for k := 1; k < 5; k++ {
					below := func(g bn.Given) []int {
						return r.events([]constraint.Event{{Var: "X", States: spell("x", k), Given: g}})[0]
					}
					r.say(0, true, 1.0, below(high), -1.0, below(low))
				}
			}
		}
		theta := make([]float64, len(n))
		if err := compile(t, net, monotone()).Maximize(theta, n); err != nil {
			t.Fatal(err)
		}
		if miss := r.said.miss(theta); miss > 1e-9 {
			t.Errorf("an inequality is missed by %v", miss)
		}
		feasible(t, net, theta, 1e-9)
		optimal(t, net, r.said, n, theta)
	}
}

// Two of eleven entries have counts, and the solution lies in a corner where an inequality
// leaves them almost nothing.
func TestNarrowCorner(t *testing.T) {
	abc := []string{"a", "b", "c"}
	net := network(t, "[X][U][W][V]", bn.Discrete("X", "a", "b"), bn.Discrete("U", abc...), bn.Discrete("W", abc...),
		bn.Discrete("V", abc...))
	term := func(v, s string, factor float64) constraint.Term {
		return constraint.Term{Cell: constraint.Cell{Var: v, State: s}, Factor: factor}
	}
	statements := []constraint.Constraint{
		constraint.LinearSum{Terms: []constraint.Term{term("U", "c", 0.4), term("V", "c", 0.2)}, Value: 0.3},
		constraint.LinearSum{Terms: []constraint.Term{term("U", "a", 2), term("X", "a", -0.3), term("U", "b", -1)},
			Relation: constraint.NoMore},
		constraint.LinearSum{Terms: []constraint.Term{term("V", "a", 1.58), term("W", "c", 3), term("W", "b", 0.87)},
			Relation: constraint.NoLess, Value: 2.2},
		constraint.LinearSum{Terms: []constraint.Term{term("W", "b", 0.36)}, Value: 0.26},
	}
	n := []float64{0, 0, 0, 0, 0, 968, 0, 0, 0, 0, 10}
	theta := make([]float64, len(n))
	if err := compile(t, net, statements...).Maximize(theta, n); err != nil {
		t.Fatal(err)
	}
	feasible(t, net, theta, 1e-9, statements...)
	optimal(t, net, read(t, net, statements...), n, theta)
}
