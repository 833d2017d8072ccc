package constraint_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A claim is what a statement says of the parameters, written out from the names in it and
// nothing else: Σ coef·x = value, or ≤ value.
type claim struct {
	coef   map[int]float64
	value  float64
	atMost bool
}

// miss is the amount by which x breaks the claim.
func (c claim) miss(x []float64) float64 {
	at := -c.value
	for _, i := range slices.Sorted(maps.Keys(c.coef)) {
		at += c.coef[i] * x[i]
	}
	if c.atMost {
		return max(at, 0)
	}
	return math.Abs(at)
}

// said is all that some statements say.
type said struct {
	linear  []claim
	ratios  [][][]int // blocks of cells in the same proportions
	formula []constraint.Formula
	cells   [][]int // of the formulas
}

// miss is the worst amount by which theta breaks what is said.
func (s said) miss(theta []float64) float64 {
	worst := 0.0
	for _, c := range s.linear {
		worst = max(worst, c.miss(theta))
	}
	for _, blocks := range s.ratios {
		for _, b := range blocks[1:] {
			for i := range b {
				for k := range i {
					// x : y = x' : y' means x·y' = x'·y
					worst = max(worst, math.Abs(theta[blocks[0][i]]*theta[b[k]]-theta[blocks[0][k]]*theta[b[i]]))
				}
			}
		}
	}
	for i, f := range s.formula {
		x := at(theta, s.cells[i])
		for _, g := range f.Equal {
			worst = max(worst, math.Abs(g.Value(x)))
		}
		for _, h := range f.AtMost {
			worst = max(worst, h.Value(x))
		}
	}
	return worst
}

func at(theta []float64, cells []int) []float64 {
	x := make([]float64, len(cells))
	for i, cell := range cells {
		x[i] = theta[cell]
	}
	return x
}

// A reader resolves names by looking through the tables.
type reader struct {
	t      testing.TB
	net    *bn.Network
	layout bn.Layout
	said   said
}

// read writes out statements.
func read(t testing.TB, net *bn.Network, statements ...constraint.Constraint) said {
	t.Helper()
	r := &reader{t: t, net: net, layout: net.Layout()}
	for _, s := range statements {
		r.read(s)
	}
	return r.said
}

// where lists the configurations of a variable that agree with given.
func (r *reader) where(name string, given bn.Given) []int {
	t, err := r.net.Table(name)
	if err != nil {
		r.t.Fatal(err)
	}
	var list []int
next:
	for config := range t.Configs().Len() {
		for i, state := range t.ConfigNames(config) {
			if want, ok := given[t.Parents[i].Name]; ok && want != state {
				continue next
			}
		}
		list = append(list, config)
	}
	return list
}

// cell is the number of one parameter.
func (r *reader) cell(name, state string, config int) int {
	v, err := r.net.Index(name)
	if err != nil {
		r.t.Fatal(err)
	}
	s := slices.Index(r.net.Variable(v).States, state)
	if s < 0 {
		r.t.Fatalf("no state %q of %q", state, name)
	}
	return r.layout.Cell(v, config, s)
}

func (r *reader) row(name string, states []string, config int) []int {
	list := make([]int, len(states))
	for i, state := range states {
		list[i] = r.cell(name, state, config)
	}
	return list
}

// all lists the cells that names stand for.
func (r *reader) all(c constraint.Cell) []int {
	var list []int
	for _, config := range r.where(c.Var, c.Given) {
		list = append(list, r.cell(c.Var, c.State, config))
	}
	return list
}

func (r *reader) say(value float64, atMost bool, terms ...any) {
	c := claim{coef: make(map[int]float64), value: value, atMost: atMost}
	for i := 0; i < len(terms); i += 2 {
		for _, cell := range terms[i+1].([]int) {
			c.coef[cell] += terms[i].(float64)
		}
	}
	r.said.linear = append(r.said.linear, c)
}

// equal says that cells are equal, each to the one after it.
func (r *reader) equal(cells []int) {
	for i := range cells[1:] {
		r.say(0, false, 1.0, cells[i:i+1], -1.0, cells[i+1:i+2])
	}
}

func (r *reader) read(s constraint.Constraint) {
	switch s := s.(type) {
	case constraint.Fixed:
		for _, config := range r.where(s.Var, s.Given) {
			for _, state := range slices.Sorted(maps.Keys(s.P)) {
				r.say(s.P[state], false, 1.0, r.row(s.Var, []string{state}, config))
			}
		}
	case constraint.ShareStates:
		for _, config := range r.where(s.Var, s.Given) {
			for _, group := range s.Groups {
				r.equal(r.row(s.Var, group, config))
			}
		}
	case constraint.Proportional:
		states := slices.Sorted(maps.Keys(s.Weights))
		for _, config := range r.where(s.Var, s.Given) {
			for i := range states[1:] {
				r.say(0, false, s.Weights[states[i+1]], r.row(s.Var, states[i:i+1], config), -s.Weights[states[i]],
					r.row(s.Var, states[i+1:i+2], config))
			}
		}
	case constraint.ShareSums:
		for _, config := range r.where(s.Var, s.Given) {
			for i := range s.Groups[1:] {
				r.say(0, false, 1.0, r.row(s.Var, s.Groups[i], config), -1.0, r.row(s.Var, s.Groups[i+1], config))
			}
		}
	case constraint.OrderSums:
		factor := s.Factor
		if factor == 0 {
			factor = 1
		}
		for _, config := range r.where(s.Var, s.Given) {
			for i := range s.Groups[1:] {
				r.say(0, true, 1.0, r.row(s.Var, s.Groups[i], config), -factor, r.row(s.Var, s.Groups[i+1], config))
			}
		}
	case constraint.AtMost:
		for _, config := range r.where(s.Var, s.Given) {
			r.say(s.P, true, 1.0, r.row(s.Var, s.States, config))
		}
	case constraint.AtLeast:
		for _, config := range r.where(s.Var, s.Given) {
			r.say(-s.P, true, -1.0, r.row(s.Var, s.States, config))
		}
	case constraint.ShareAcross:
		r.across(s)
	case constraint.ShareHierarchy:
		for _, level := range s.Levels {
			for _, state := range level.States {
				r.across(constraint.ShareAcross{Var: s.Var, Given: level.Given, Groups: [][]string{{state}}})
			}
		}
	case constraint.ShareCells:
		for _, group := range s.Groups {
			var cells []int
			for _, c := range group {
				cells = append(cells, r.all(c)...)
			}
			r.equal(cells)
		}
	case constraint.ShareTables:
		first, _ := r.net.Table(s.Vars[0])
		for config := range first.Configs().Len() {
			for k := range first.Child.States {
				cells := make([]int, len(s.Vars))
				for i, name := range s.Vars {
					t, _ := r.net.Table(name)
					cells[i] = r.cell(name, t.Child.States[k], config)
				}
				r.equal(cells)
			}
		}
	case constraint.ShareSumsAcross:
		events := r.events(s.Events)
		for i := range events[1:] {
			r.say(0, false, 1.0, events[i], -1.0, events[i+1])
		}
	case constraint.ShareRatiosAcross:
		r.said.ratios = append(r.said.ratios, r.events(s.Events))
	case constraint.ShareRatios:
		for _, config := range r.where(s.Var, s.Given) {
			var blocks [][]int
			for _, group := range s.Groups {
				blocks = append(blocks, r.row(s.Var, group, config))
			}
			r.said.ratios = append(r.said.ratios, blocks)
		}
	case constraint.LinearSum:
		var terms []any
		for _, term := range s.Terms {
			factor := term.Factor
			if factor == 0 {
				factor = 1
			}
			if s.Relation == constraint.NoLess {
				factor = -factor
			}
			terms = append(terms, factor, r.all(term.Cell))
		}
		switch s.Relation {
		case constraint.Equal:
			r.say(s.Value, false, terms...)
		case constraint.NoMore:
			r.say(s.Value, true, terms...)
		case constraint.NoLess:
			r.say(-s.Value, true, terms...)
		}
	case constraint.Formula:
		var cells []int
		for _, c := range s.Cells {
			cells = append(cells, r.all(c)...)
		}
		r.said.formula = append(r.said.formula, s)
		r.said.cells = append(r.said.cells, cells)
	default:
		r.t.Fatalf("no meaning is written for %T", s)
	}
}

// across says equality over configurations, by the joint states of the parents that keep
// apart.
func (r *reader) across(s constraint.ShareAcross) {
	given := s.Given
	if given == nil {
		given = []bn.Given{nil}
	}
	t, _ := r.net.Table(s.Var)
	parts := make(map[string][]int)
	for config := range t.Configs().Len() {
		if !slices.ContainsFunc(given, func(g bn.Given) bool { return slices.Contains(r.where(s.Var, g), config) }) {
			continue
		}
		key := ""
		for i, state := range t.ConfigNames(config) {
			if slices.Contains(s.ForEach, t.Parents[i].Name) {
				key += fmt.Sprintf("%q", state)
			}
		}
		parts[key] = append(parts[key], config)
	}
	groups := s.Groups
	if groups == nil {
		for _, state := range t.Child.States {
			groups = append(groups, []string{state})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		for _, group := range groups {
			var cells []int
			for _, config := range parts[key] {
				cells = append(cells, r.row(s.Var, group, config)...)
			}
			r.equal(cells)
		}
	}
}

func (r *reader) events(events []constraint.Event) [][]int {
	var list [][]int
	for _, e := range events {
		for _, config := range r.where(e.Var, e.Given) {
			list = append(list, r.row(e.Var, e.States, config))
		}
	}
	return list
}

// simplexes lists the cells of each distribution.
func simplexes(net *bn.Network) [][]int {
	var rows [][]int
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			for config := range t.Configs().Len() {
				lo, hi := net.Layout().Row(v, config)
				var cells []int
				for cell := lo; cell < hi; cell++ {
					cells = append(cells, cell)
				}
				rows = append(rows, cells)
			}
		}
	}
	return rows
}

// feasible fails unless theta is a set of distributions that satisfies the statements to
// tol, judged by what they say and not by the library.
func feasible(t testing.TB, net *bn.Network, theta []float64, tol float64, statements ...constraint.Constraint) {
	t.Helper()
	for _, cells := range simplexes(net) {
		sum := 0.0
		for _, cell := range cells {
			if !(theta[cell] >= 0 && theta[cell] <= 1+1e-12) {
				t.Errorf("cell %d is %v, no probability", cell, theta[cell])
			}
			sum += theta[cell]
		}
		if !(math.Abs(sum-1) <= max(tol, 1e-12)) {
			t.Errorf("the distribution of cells %d… sums to 1%+.2g", cells[0], sum-1)
		}
	}
	for _, s := range statements {
		if miss := read(t, net, s).miss(theta); !(miss <= tol) {
			t.Errorf("%q is missed by %v", s, miss)
		}
	}
}
