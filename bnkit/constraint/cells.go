package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// ShareCells states that any parameters are equal: the cells of each group are one
// parameter φ, over different variables, parent configurations and tables of different
// size, as in "a smoker with a family history has a heart attack as often in polluted air
// as in clean air". Cells in no group are free. In N06's words it is general parameter
// sharing (type 6).
type ShareCells struct {
	// Groups of cells; a cell that leaves parents open stands for all that match. No
	// parameter may appear twice.
	Groups [][]Cell
}

// ShareTables states that variables have the same table, as the steps of a hidden Markov
// model, the slices of a dynamic network, or the variables of a module do: general
// parameter sharing (N06, type 6) in one line. The parents of the variables correspond by
// their order, and the states by their positions.
type ShareTables struct {
	Vars []string
}

var (
	_ Constraint = ShareCells{}
	_ Constraint = ShareTables{}
)

// String prints the statement, as in "P(X=a | Z=1) = P(Y=b); P(X=c) is the same whatever
// the parents".
func (s ShareCells) String() string {
	groups := make([]string, len(s.Groups))
	for i, group := range s.Groups {
		cells := make([]string, len(group))
		var given bn.Given
		for k, c := range group {
			cells[k], given = c.String(), c.Given
		}
		groups[i] = allEqual(cells, given)
	}
	return strings.Join(groups, "; ")
}

// String prints the statement, as in "X1, X2 and X3 have the same table".
func (s ShareTables) String() string {
	last := len(s.Vars) - 1
	if last < 1 {
		return strings.Join(s.Vars, "") + " has the same table"
	}
	return strings.Join(s.Vars[:last], ", ") + " and " + s.Vars[last] + " have the same table"
}

// Bind implements [Constraint]: a bound for each group. It returns an error for a group
// that joins no two parameters, and one that wraps [ErrOverlap] for a parameter that
// appears twice.
func (s ShareCells) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Groups) == 0 {
		return nil, errors.New("constraint: a statement has no groups of cells; name those that are equal, as in " +
			"Groups: [][]constraint.Cell{{{Var: \"load\", State: \"high\"}}}")
	}
	layout := net.Layout()
	bounds := make([]Bound, len(s.Groups))
	seen := make(map[int]bool)
	for i, group := range s.Groups {
		var tie Tie
		for _, c := range group {
			cells, err := c.cells(net, s)
			if err != nil {
				return nil, err
			}
			for _, cell := range cells {
				if seen[cell] {
					return nil, wrong(s, say.Errorf(
						"%w: %s is named twice; put cells that are all equal in one group, and each once", ErrOverlap,
						c))
				}
				seen[cell] = true
			}
			tie.Cells = append(tie.Cells, cells...)
		}
		if len(tie.Cells) < 2 {
			return nil, wrong(s, fmt.Errorf("group %d joins no two parameters; name another cell, or one that leaves "+
				"parents open", i+1))
		}
		bounds[i] = Bound{Links: rowsOf(layout, tie.Cells), Ties: []Tie{tie}}
	}
	return bounds, nil
}

// Bind implements [Constraint]: a bound for each parent configuration. It returns an
// error for tables of different shape, and when a state has one position in one table and
// another in the other, since positions would then match what names tell apart.
func (s ShareTables) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Vars) < 2 {
		return nil, say.Errorf("constraint: a statement of equal tables names %d variables (%s); name two at least",
			len(s.Vars), say.List(s.Vars))
	}
	tables := make([]*bn.CPT, len(s.Vars))
	vars := make([]int, len(s.Vars))
	for i, name := range s.Vars {
		var err error
		if tables[i], vars[i], err = table(net, s, name); err != nil {
			return nil, err
		}
		if slices.Contains(vars[:i], vars[i]) {
			return nil, wrong(s, say.Errorf("%w: %q appears twice; name each variable once", bn.ErrDuplicate, name))
		}
		if err := sameShape(tables[0], tables[i]); err != nil {
			return nil, wrong(s, err)
		}
	}
	layout := net.Layout()
	bounds := make([]Bound, tables[0].Configs().Len())
	for config := range bounds {
		b := Bound{Ties: make([]Tie, tables[0].Child.Cardinality())}
		for _, v := range vars {
			b.Links = append(b.Links, Row{v, config})
			for state := range b.Ties {
				b.Ties[state].Cells = append(b.Ties[state].Cells, layout.Cell(v, config, state))
			}
		}
		bounds[config] = b
	}
	return bounds, nil
}

// sameShape is an error unless the variables of two tables correspond by their positions.
func sameShape(a, b *bn.CPT) error {
	if len(a.Parents) != len(b.Parents) {
		return say.Errorf("%q has %d parents and %q %d; equal tables need equally many", a.Child.Name, len(a.Parents),
			b.Child.Name, len(b.Parents))
	}
	if err := sameStates(a.Child, b.Child); err != nil {
		return err
	}
	for i := range a.Parents {
		if err := sameStates(a.Parents[i], b.Parents[i]); err != nil {
			return err
		}
	}
	return nil
}

func sameStates(a, b bn.Variable) error {
	if a.Cardinality() != b.Cardinality() {
		return say.Errorf("%q has %d states and %q %d; equal tables need equally many", a.Name, a.Cardinality(), b.Name,
			b.Cardinality())
	}
	for i, state := range a.States {
		if k := slices.Index(b.States, state); k >= 0 && k != i {
			return say.Errorf("%q is state %d of %q but state %d of %q; list the states in one order, or say with "+
				"ShareCells which parameters are equal", state, i+1, a.Name, k+1, b.Name)
		}
	}
	return nil
}
