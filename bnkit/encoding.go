package bnkit

import (
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// shownBy returns the column of a frame that shows a variable: the one that it is read from, or one of
// its own name with its states. It is empty when there is none.
func (f *frame) shownBy(v bn.Variable) string {
	if v.Encoding != nil && f.has(v.Encoding.DataColumn()) {
		return f.named(v.Encoding.DataColumn())
	}
	return f.named(v.Name)
}

// columnOf returns the cells of a variable with an encoding: names of states, or numbers, and
// nothing where they are missing. The frame has them as they stand in the data, or as states
// already, as [Encode] makes them. A cell that can be read in both ways, and means two things, is
// an error that wraps [bn.ErrAmbiguous].
func (f *frame) columnOf(v bn.Variable) ([]string, error) {
	if !v.IsDiscrete() {
		return f.trimmed(f.shownBy(v))
	}
	var raw, own []bn.State // read by the rule, and by the names of states; nil when that cannot be
	var wrong error
	column := v.Encoding.DataColumn()
	if f.has(column) {
		cells, err := f.trimmed(column)
		if err != nil {
			return nil, err
		}
		raw, wrong = readCells(column, cells, v.Encoding.State)
	}
	if f.has(v.Name) {
		cells, err := f.trimmed(v.Name)
		if err != nil {
			return nil, err
		}
		var notState error
		own, notState = readCells(v.Name, cells, func(cell string) (bn.State, error) { return named(v, cell) })
		if wrong == nil {
			wrong = notState
		}
	}
	switch {
	case raw == nil && own == nil:
		return nil, say.Errorf("bnkit: %w", wrong)
	case raw == nil:
		raw = own
	case own != nil:
		for row, s := range own {
			switch {
			case s == bn.Missing || s == raw[row]:
			case raw[row] == bn.Missing && column != v.Name:
				raw[row] = s
			default:
				return nil, twoWays(v, row, raw[row], s)
			}
		}
	}
	cells := make([]string, len(raw))
	for row, s := range raw {
		if s != bn.Missing {
			cells[row] = v.States[s]
		}
	}
	return cells, nil
}

// twoWays is the error for a row in which the data mean one state and the name is that of another.
func twoWays(v bn.Variable, row int, raw, own bn.State) error {
	state := func(s bn.State) string {
		if s == bn.Missing {
			return "nothing"
		}
		return v.States[s]
	}
	column := v.Encoding.DataColumn()
	if column == v.Name {
		return say.Errorf("bnkit: %w: column %q, row %d: %q is a state of %q, and as it stands in the data it means "+
			"%s; "+
			"give the states names that no cell has", bn.ErrAmbiguous, column, row+1, state(own), v.Name, state(raw))
	}
	return say.Errorf(
		"bnkit: %w: row %d: by column %q %s is %s, and by the column of its own name %s; drop one of them",
		bn.ErrAmbiguous, row+1, column, v.Name, state(raw), state(own))
}

// trimmed returns a column as text, without white space around it.
func (f *frame) trimmed(name string) ([]string, error) {
	cells, err := f.texts(name)
	for row := range cells {
		cells[row] = strings.TrimSpace(cells[row])
	}
	return cells, err
}

// readCells reads cells as states; nil and a [*data.ValueError] when one is none.
func readCells(column string, cells []string, read func(string) (bn.State, error)) ([]bn.State, error) {
	known := make(map[string]bn.State) // few differ
	states := make([]bn.State, len(cells))
	for row, cell := range cells {
		s, ok := known[cell]
		if !ok {
			var err error
			if s, err = read(cell); err != nil {
				return nil, &data.ValueError{Row: row + 1, Name: column, Value: cell, Err: err}
			}
			known[cell] = s
		}
		states[row] = s
	}
	return states, nil
}

// named reads the name of a state.
func named(v bn.Variable, cell string) (bn.State, error) {
	s, err := v.StateIndex(cell)
	if err == nil && v.States[s] != cell { // an equal number may be a value of the data
		err = say.Errorf("%w: %q is no name of a state of %q", bn.ErrUnknownState, cell, v.Name)
	}
	if err != nil && (cell == "" || slices.Contains(data.DefaultMissing(), cell)) {
		return bn.Missing, nil
	}
	return bn.State(s), err
}
