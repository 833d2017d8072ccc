package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// ShareHierarchy states on which level of a hierarchy of parent configurations each state
// has one probability, as in "international words are equally frequent in all languages,
// Latin words in the Latin ones, and Slavic words in the Slavic ones". For each level and
// each of its states
//
//	P(Var=state | configuration) = φ   for every configuration of the level.
//
// A state that no level owns in a configuration is free there. In N06's words it is
// hierarchical parameter sharing (type 7).
type ShareHierarchy struct {
	Var    string
	Levels []Level
}

// A Level is a set of parent configurations and the states that have one probability
// each over all of them.
type Level struct {
	// Given lists the parent configurations by the states of some or all parents; one that
	// leaves parents open stands for all that match. Nil means every configuration.
	Given []bn.Given `json:",omitzero"`
	// States that belong to the level.
	States []string
}

var _ Constraint = ShareHierarchy{}

// String prints the statement, as in "P(word=radio) is the same whatever its parents;
// P(word=casa) is the same wherever language=es or language=it, whatever the other parents".
func (s ShareHierarchy) String() string {
	levels := make([]string, len(s.Levels))
	for i, l := range s.Levels {
		groups := make([][]string, len(l.States))
		for k, state := range l.States {
			groups[k] = []string{state}
		}
		levels[i] = ShareAcross{Var: s.Var, Given: l.Given, Groups: groups}.String()
	}
	return strings.Join(levels, "; ")
}

// Bind implements [Constraint]: a bound for each state of each level. It returns an error that wraps
// [ErrOverlap] for two levels of which neither contains the other though they meet, and for a state that both
// of two levels own that meet.
func (s ShareHierarchy) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Levels) == 0 {
		return nil, say.Errorf("constraint: a hierarchy of %q has no levels; name them, as in Levels: "+
			"[]constraint.Level{{States: []string{\"low\"}}}", s.Var)
	}
	t, v, err := table(net, s, s.Var)
	if err != nil {
		return nil, err
	}
	layout := net.Layout()
	levels := make([]level, len(s.Levels))
	var bounds []Bound
	for i, l := range s.Levels {
		if levels[i], err = l.bind(t); err != nil {
			return nil, wrong(s, say.Errorf("level %d: %w", i+1, err))
		}
		for k, above := range levels[:i] {
			if err := above.nests(levels[i], t.Child); err != nil {
				return nil, wrong(s, say.Errorf("levels %d and %d: %w", k+1, i+1, err))
			}
		}
		if len(levels[i].configs) < 2 {
			continue // one distribution: the states are its own
		}
		for _, state := range levels[i].states {
			cells := make([]int, len(levels[i].configs))
			for k, config := range levels[i].configs {
				cells[k] = layout.Cell(v, config, state)
			}
			bounds = append(bounds, Bound{Links: rowsOf(layout, cells), Ties: []Tie{{Cells: cells}}})
		}
	}
	if len(bounds) == 0 {
		return nil, wrong(s, say.Errorf("no level joins two distributions of %q, whose parents are %s; name more "+
			"configurations in Given, or leave Given nil for all", s.Var, names(t.Parents)))
	}
	return bounds, nil
}

// A level by numbers: its configurations in rising order, and its states.
type level struct{ configs, states []int }

func (l Level) bind(t *bn.CPT) (level, error) {
	states, err := stateSet(t.Child, l.States)
	if err != nil {
		return level{}, err
	}
	given := l.Given
	if given == nil {
		given = []bn.Given{nil}
	}
	var configs []int
	for _, g := range given {
		found, err := matching(t, g)
		if err != nil {
			return level{}, err
		}
		configs = append(configs, found...)
	}
	if len(configs) == 0 {
		return level{}, errors.New("it has no parent configurations; name some in Given, or leave Given nil for all")
	}
	slices.Sort(configs)
	return level{slices.Compact(configs), states}, nil
}

// nests is an error unless the levels have no configuration in common, or one contains
// the other and no state belongs to both.
func (l level) nests(m level, child bn.Variable) error {
	common := 0
	for _, config := range m.configs {
		if _, ok := slices.BinarySearch(l.configs, config); ok {
			common++
		}
	}
	if common == 0 {
		return nil
	}
	if common < min(len(l.configs), len(m.configs)) {
		return fmt.Errorf("%w: they have %d of %d and %d parent configurations in common; of two levels that meet "+
			"one must contain the other", ErrOverlap, common, len(l.configs), len(m.configs))
	}
	for _, state := range m.states {
		if slices.Contains(l.states, state) {
			return say.Errorf("%w: both own the state %q of %q where they meet; leave it to one", ErrOverlap,
				child.States[state], child.Name)
		}
	}
	return nil
}
