package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/nfc"
	"bnlab/internal/say"
)

// A Cell names one parameter, P(Var=State | Given). A Given that leaves parents open
// stands for every parent configuration that matches.
type Cell struct {
	Var   string
	State string
	Given bn.Given `json:",omitempty"`
}

// An Event names the probability that a variable has one of some states in a parent
// configuration, P(Var in States | Given). A Given that leaves parents open stands for
// every parent configuration that matches, each with an event of its own.
type Event struct {
	Var    string
	States []string
	Given  bn.Given `json:",omitempty"`
}

// String prints the cell, as in "P(X=a | Y=1)".
func (c Cell) String() string { return probability(c.Var, []string{c.State}, c.Given) }

// String prints the event, as in "P(X in {a, b} | Y=1)".
func (e Event) String() string { return probability(e.Var, e.States, e.Given) }

// probability prints P(name in states | given).
func probability(name string, states []string, given bn.Given) string {
	text := "P(" + name
	if len(states) == 1 {
		text += "=" + states[0]
	} else {
		text += " in {" + strings.Join(states, ", ") + "}"
	}
	if len(given) > 0 {
		text += " | " + given.String()
	}
	return text + ")"
}

// ratio prints the proportions of some states, as in "P(X=a | Y=1) : P(X=b | Y=1)".
func (e Event) ratio() string {
	cells := make([]string, len(e.States))
	for i, state := range e.States {
		cells[i] = Cell{e.Var, state, e.Given}.String()
	}
	return strings.Join(cells, " : ")
}

// when prints the condition of a statement that compares probabilities of one
// distribution.
func when(given bn.Given) string {
	if len(given) == 0 {
		return ""
	}
	return " given " + given.String()
}

// allEqual joins expressions that are equal. One that stands alone is equal to itself in
// the configurations that it leaves open; given is its condition.
func allEqual(equal []string, given bn.Given) string {
	switch {
	case len(equal) != 1:
		return strings.Join(equal, " = ")
	case len(given) == 0:
		return equal[0] + " is the same whatever the parents"
	}
	return equal[0] + " is the same whatever the other parents"
}

// wrong wraps an error about a statement.
func wrong(s Constraint, err error) error { return say.Errorf("constraint: %q: %w", s, err) }

// variable finds the variable of a name, which may be composed otherwise; see package nfc.
func variable(net *bn.Network, name string) (int, error) {
	v, err := net.Index(name)
	if err != nil {
		if at := whichOf(net.Variables(), name); at >= 0 {
			return at, nil
		}
	}
	return v, err
}

// whichOf returns the place of the variable of a name, −1 when there is none.
func whichOf(vars []bn.Variable, name string) int {
	at, ok := nfc.Find(vars, func(v bn.Variable) string { return v.Name }, name)
	if !ok {
		return -1
	}
	return at
}

// asNamed returns a condition with the names that variables have where it has them composed otherwise.
func asNamed(vars []bn.Variable, given bn.Given) bn.Given {
	out := make(bn.Given, len(given))
	for name, state := range given {
		if at := whichOf(vars, name); at >= 0 {
			if own := vars[at].Name; own == name || given[own] == "" { // named twice it stays, and is unknown
				name = own
			}
		}
		out[name] = state
	}
	return out
}

// A scope is what a statement speaks of: a variable in some parent configurations.
type scope struct {
	child  bn.Variable
	rows   []Row
	layout bn.Layout
}

// scopeOf resolves a variable and the parent configurations that given leaves open.
func scopeOf(net *bn.Network, s Constraint, name string, given bn.Given) (scope, error) {
	t, v, err := table(net, s, name)
	if err != nil {
		return scope{}, err
	}
	configs, err := matching(t, given)
	if err != nil {
		return scope{}, wrong(s, err)
	}
	d := scope{t.Child, make([]Row, len(configs)), net.Layout()}
	for i, config := range configs {
		d.rows[i] = Row{v, config}
	}
	return d, nil
}

// first is the cell of a row's first state.
func (d scope) first(row Row) int { return d.layout.Cell(row.Var, row.Config, 0) }

// each binds a statement in every row by itself; say is told the cell of the row's first
// state.
func (d scope) each(say func(first int) Bound) []Bound {
	bounds := make([]Bound, len(d.rows))
	for i, row := range d.rows {
		bounds[i] = say(d.first(row))
		bounds[i].Links = []Row{row}
	}
	return bounds
}

// cells resolves a cell to the parameters that it stands for.
func (c Cell) cells(net *bn.Network, s Constraint) ([]int, error) {
	d, err := scopeOf(net, s, c.Var, c.Given)
	if err != nil {
		return nil, err
	}
	state, err := d.child.StateIndex(c.State)
	if err != nil {
		return nil, wrong(s, err)
	}
	cells := make([]int, len(d.rows))
	for i, row := range d.rows {
		cells[i] = d.first(row) + state
	}
	return cells, nil
}

// single resolves cells that name one parameter each, none of them twice.
func single(net *bn.Network, s Constraint, list []Cell) ([]int, error) {
	cells := make([]int, len(list))
	for i, c := range list {
		found, err := c.cells(net, s)
		if err != nil {
			return nil, err
		}
		if len(found) != 1 {
			return nil, wrong(s, say.Errorf("%s stands for %d parameters; give the states of all parents of %q", c,
				len(found), c.Var))
		}
		if slices.Contains(cells[:i], found[0]) {
			return nil, wrong(s, say.Errorf("%w: %s appears twice; name it once", ErrOverlap, c))
		}
		cells[i] = found[0]
	}
	return cells, nil
}

// resolve gives the events of a list, one for each parent configuration that an entry
// leaves open: their parameters, and their rows.
func resolve(net *bn.Network, s Constraint, events []Event) (cells [][]int, rows []Row, err error) {
	for _, e := range events {
		d, err := scopeOf(net, s, e.Var, e.Given)
		if err != nil {
			return nil, nil, err
		}
		states, err := stateSet(d.child, e.States)
		if err != nil {
			return nil, nil, wrong(s, err)
		}
		for _, row := range d.rows {
			cells, rows = append(cells, offset(states, d.first(row))), append(rows, row)
		}
	}
	if len(cells) < 2 {
		return nil, nil, wrong(s, errors.New("it has one event; name two that are compared, or one that leaves "+
			"parents open"))
	}
	return cells, rows, nil
}

// stateSet resolves the names of some states, none of them twice.
func stateSet(child bn.Variable, names []string) ([]int, error) {
	if len(names) == 0 {
		return nil, say.Errorf("it names no states of %q; name one at least", child.Name)
	}
	groups, err := stateGroups(child, [][]string{names})
	if err != nil {
		return nil, err
	}
	return groups[0], nil
}

// stateGroups resolves disjoint groups of state names.
func stateGroups(child bn.Variable, names [][]string) ([][]int, error) {
	used := make([]bool, child.Cardinality())
	groups := make([][]int, len(names))
	for i, list := range names {
		if len(list) == 0 {
			return nil, say.Errorf("group %d is empty; name its states of %q, or leave it out", i+1, child.Name)
		}
		for _, name := range list {
			state, err := child.StateIndex(name)
			if err != nil {
				return nil, err
			}
			if used[state] {
				return nil, say.Errorf("%w: state %q of %q appears twice; groups must be disjoint", ErrOverlap, name,
					child.Name)
			}
			used[state] = true
			groups[i] = append(groups[i], state)
		}
	}
	return groups, nil
}

// atLeastTwo is an error for a list that compares nothing.
func atLeastTwo(groups [][]string) error {
	if len(groups) < 2 {
		return errors.New("it has one group; name two that are compared")
	}
	return nil
}

// aligned is an error unless lists of states have one length, two states at least.
func aligned(first, other []string) error {
	if len(first) != len(other) {
		return fmt.Errorf("lists of %d and %d states; list as many states in the same order in each", len(first),
			len(other))
	}
	if len(first) < 2 {
		return errors.New("one state has no proportions; list two at least")
	}
	return nil
}

// rowsOf lists the rows in which cells lie, in the order of first appearance.
func rowsOf(layout bn.Layout, lists ...[]int) []Row {
	var rows []Row
	seen := make(map[Row]bool)
	for _, cells := range lists {
		for _, cell := range cells {
			v, config, _ := layout.Locate(cell)
			if row := (Row{v, config}); !seen[row] {
				seen[row] = true
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// offset adds by to each number.
func offset(list []int, by int) []int {
	out := make([]int, len(list))
	for i, x := range list {
		out[i] = x + by
	}
	return out
}

// positive reports whether x is a factor to calculate with: positive, and so far from
// the ends of float64 that products and quotients of two are finite. NaN is not.
func positive(x float64) bool { return x >= 1e-100 && x <= 1e100 }
