package constraint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A scene is a small random network to make statements about: X has parents P and Q; U and
// W have equal tables over P.
type scene struct {
	rng    *rand.Rand
	net    *bn.Network
	states map[string][]string
}

// newScene draws one; X has four to seven states, or twelve.
func newScene(t testing.TB, rng *rand.Rand, wide bool) scene {
	t.Helper()
	x := 4 + rng.IntN(4)
	if wide {
		x = 12
	}
	sc := scene{rng: rng, states: map[string][]string{
		"P": spell("p", 2+rng.IntN(2)), "Q": spell("q", 2),
		"X": spell("x", x), "U": spell("u", 3+rng.IntN(3)),
	}}
	sc.states["W"] = sc.states["U"]
	var vars []bn.Variable
	for _, name := range []string{"P", "Q", "X", "U", "W"} {
		vars = append(vars, bn.Discrete(name, sc.states[name]...))
	}
	sc.net = network(t, "[P][Q][X|P:Q][U|P][W|P]", vars...)
	return sc
}

func spell(letter string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s%d", letter, i)
	}
	return list
}

// some draws k different states of a variable.
func (sc scene) some(name string, k int) []string {
	list := make([]string, k)
	for i, p := range sc.rng.Perm(len(sc.states[name]))[:k] {
		list[i] = sc.states[name][p]
	}
	return list
}

// divided draws disjoint groups with sizes from lo to hi, at most count, which leave left
// states at least over.
func (sc scene) divided(name string, count, lo, hi, left int) [][]string {
	all := sc.some(name, len(sc.states[name]))
	all = all[:len(all)-left]
	var groups [][]string
	for range count {
		if size := lo + sc.rng.IntN(hi-lo+1); size <= len(all) {
			groups, all = append(groups, all[:size]), all[size:]
		}
	}
	return groups
}

func (sc scene) one(name string) string { return sc.some(name, 1)[0] }

// given draws a condition on the parents of X or U: none, some, or all of them.
func (sc scene) given(name string) bn.Given {
	g := bn.Given{}
	if sc.rng.IntN(2) == 0 {
		g["P"] = sc.one("P")
	}
	if name == "X" && sc.rng.IntN(2) == 0 {
		g["Q"] = sc.one("Q")
	}
	if len(g) == 0 {
		return nil
	}
	return g
}

// row draws a full condition.
func (sc scene) row(name string) bn.Given {
	g := bn.Given{"P": sc.one("P")}
	if name == "X" {
		g["Q"] = sc.one("Q")
	}
	return g
}

// counts draws counts: whole numbers with zeros, numbers of very unequal size, or with
// whole distributions empty.
func (sc scene) counts() []float64 {
	n := make([]float64, sc.net.Layout().Len())
	unequal, zeros, empty := sc.rng.IntN(3) == 0, sc.rng.IntN(2) == 0, sc.rng.IntN(3) == 0
	for _, cells := range simplexes(sc.net) {
		nothing := empty && sc.rng.IntN(3) == 0
		for _, cell := range cells {
			switch {
			case nothing, zeros && sc.rng.IntN(3) == 0:
			case unequal:
				n[cell] = math.Exp(math.Log(1e-3) + sc.rng.Float64()*math.Log(1e9))
			default:
				n[cell] = float64(1 + sc.rng.IntN(30))
			}
		}
	}
	return n
}

// positive draws counts without zeros.
func (sc scene) positive() []float64 {
	n := make([]float64, sc.net.Layout().Len())
	for i := range n {
		n[i] = 0.5 + 20*sc.rng.ExpFloat64()
	}
	return n
}

// truth draws distributions.
func (sc scene) truth() []float64 {
	theta := make([]float64, sc.net.Layout().Len())
	for _, cells := range simplexes(sc.net) {
		sum := 0.0
		for _, cell := range cells {
			theta[cell] = 0.1 + sc.rng.ExpFloat64()
			sum += theta[cell]
		}
		for _, cell := range cells {
			theta[cell] /= sum
		}
	}
	return theta
}

// of is the probability of an event in theta.
func (sc scene) of(t testing.TB, theta []float64, e constraint.Event) float64 {
	r := &reader{t: t, net: sc.net, layout: sc.net.Layout()}
	return total(at(theta, r.events([]constraint.Event{e})[0]))
}

func (sc scene) known() constraint.Constraint {
	states := sc.some("X", 1+sc.rng.IntN(len(sc.states["X"])-1))
	p := make(map[string]float64)
	left := 1.0
	for _, state := range states {
		p[state] = left * sc.rng.Float64()
		left -= p[state]
	}
	return constraint.Fixed{Var: "X", Given: sc.given("X"), P: p}
}

func (sc scene) shareStates() constraint.Constraint {
	return constraint.ShareStates{Var: "X", Given: sc.given("X"), Groups: sc.divided("X", 3, 1, 3, 0)}
}

func (sc scene) proportional() constraint.Constraint {
	w := make(map[string]float64)
	for _, state := range sc.some("X", 2+sc.rng.IntN(len(sc.states["X"])-1)) {
		w[state] = 0.1 + 3*sc.rng.Float64()
	}
	return constraint.Proportional{Var: "X", Given: sc.given("X"), Weights: w}
}

// shareSums draws two equal sums, or more, with or without states left over.
func (sc scene) shareSums() constraint.Constraint {
	groups := append(sc.divided("X", 2, 1, 2, 0), sc.states["X"])
	if sc.rng.IntN(2) == 0 { // all states in two groups
		all, cut := sc.some("X", len(sc.states["X"])), 1+sc.rng.IntN(len(sc.states["X"])-1)
		groups = [][]string{all[:cut], all[cut:], nil}
	}
	return constraint.ShareSums{Var: "X", Given: sc.given("X"), Groups: groups[:len(groups)-1]}
}

func (sc scene) orderSums() constraint.Constraint {
	s := constraint.OrderSums{Var: "X", Given: sc.given("X")}
	if sc.rng.IntN(2) == 0 {
		s.Factor = 0.3 + 2*sc.rng.Float64()
	}
	if sc.rng.IntN(2) == 0 {
		s.Groups = sc.divided("X", 4, 1, 2, 0)
		if len(s.Groups) > 1 {
			return s
		}
	}
	for range 2 {
		s.Groups = append(s.Groups, sc.some("X", 1+sc.rng.IntN(len(sc.states["X"])-1)))
	}
	return s
}

// limit bounds a sum near its value in theta, so that theta satisfies it.
func (sc scene) limit(t testing.TB, theta []float64) constraint.Constraint {
	g, states := sc.row("X"), sc.some("X", 1+sc.rng.IntN(len(sc.states["X"])-1))
	p := sc.of(t, theta, constraint.Event{Var: "X", States: states, Given: g})
	if sc.rng.IntN(2) == 0 {
		return constraint.AtMost{Var: "X", Given: g, States: states, P: min(1, p*(1.01+sc.rng.Float64()))}
	}
	return constraint.AtLeast{Var: "X", Given: g, States: states, P: p * (0.99 - sc.rng.Float64()/2)}
}

// linearSum relates random cells of several tables with a value that theta has, or is a
// little inside of.
func (sc scene) linearSum(t testing.TB, theta []float64, relation constraint.Relation) constraint.Constraint {
	s := constraint.LinearSum{Relation: relation}
	for range 2 + sc.rng.IntN(3) {
		name := []string{"X", "U", "W"}[sc.rng.IntN(3)]
		c := constraint.Cell{Var: name, State: sc.one(name), Given: sc.row(name)}
		if slices.ContainsFunc(s.Terms, func(t constraint.Term) bool { return t.Cell.String() == c.String() }) {
			continue
		}
		factor := sc.rng.NormFloat64()
		s.Terms = append(s.Terms, constraint.Term{Cell: c, Factor: factor})
		s.Value += factor * sc.of(t, theta, constraint.Event{Var: name, States: []string{c.State}, Given: c.Given})
	}
	switch relation {
	case constraint.NoMore:
		s.Value += 0.1 * sc.rng.Float64()
	case constraint.NoLess:
		s.Value -= 0.1 * sc.rng.Float64()
	}
	return s
}
