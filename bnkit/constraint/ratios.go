package constraint

import (
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// ShareRatios states that groups of states of a variable have the same proportions
// inside, whatever their probabilities in all, as in "the words about computers are used
// in the same proportions in both languages, though not equally often":
//
//	P(Var=Groups[g][i] | Given) = a_g · w_i
//
// The groups are aligned: the i-th states of all groups correspond. States in no group
// are free. In N06's words it is ratio sharing within one distribution (type 5).
type ShareRatios struct {
	Var string
	// Given limits the statement to the parent configurations in which the named parents
	// have these states. Nil makes it for every configuration, each with proportions of
	// its own.
	Given bn.Given `json:",omitempty"`
	// Groups of state names, two or more, disjoint and equally long.
	Groups [][]string
}

// ShareRatiosAcross states that the states of events have the same proportions in several
// distributions, of one variable or of different ones, whatever the probabilities of the
// events, as in "heart attacks and angina are diagnosed in one proportion in both
// countries, though heart disease is more frequent in one". In N06's words it is ratio
// sharing over several distributions (type 9).
type ShareRatiosAcross struct {
	// Events whose states are listed in corresponding order, equally many in each; each in
	// a distribution of its own. One that leaves parents open is an event in each of the
	// parent configurations.
	Events []Event
}

var (
	_ Constraint = ShareRatios{}
	_ Constraint = ShareRatiosAcross{}
)

// String prints the statement, as in "P(W=a) : P(W=b) = P(W=c) : P(W=d)".
func (s ShareRatios) String() string {
	list := make([]string, len(s.Groups))
	for i, group := range s.Groups {
		list[i] = Event{Var: s.Var, States: group}.ratio()
	}
	return strings.Join(list, " = ") + when(s.Given)
}

// String prints the statement, as in "P(D=a | Y=1) : P(D=b | Y=1) = P(D=a | Y=2) : P(D=b | Y=2)".
func (s ShareRatiosAcross) String() string {
	list := make([]string, len(s.Events))
	var given bn.Given
	for i, e := range s.Events {
		list[i], given = e.ratio(), e.Given
	}
	return allEqual(list, given)
}

// Bind implements [Constraint]. It returns an error for groups that are not equally long.
func (s ShareRatios) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Groups) == 0 {
		return nil, noGroups(s.Var)
	}
	d, err := scopeOf(net, s, s.Var, s.Given)
	if err != nil {
		return nil, err
	}
	if err := atLeastTwo(s.Groups); err != nil {
		return nil, wrong(s, err)
	}
	groups, err := stateGroups(d.child, s.Groups)
	if err != nil {
		return nil, wrong(s, err)
	}
	for _, group := range s.Groups {
		if err := aligned(s.Groups[0], group); err != nil {
			return nil, wrong(s, err)
		}
	}
	return d.each(func(first int) Bound {
		blocks := make([][]int, len(groups))
		for i, group := range groups {
			blocks[i] = offset(group, first)
		}
		return Bound{Ratios: []Ratio{{blocks}}}
	}), nil
}

// Bind implements [Constraint]. Events of all states make their distributions equal, which is
// linear. It returns an error for events that are not equally long and for two in one
// distribution.
func (s ShareRatiosAcross) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Events) == 0 {
		return nil, noEvents()
	}
	blocks, rows, err := resolve(net, s, s.Events)
	if err != nil {
		return nil, err
	}
	for _, e := range s.Events {
		if err := aligned(s.Events[0].States, e.States); err != nil {
			return nil, wrong(s, err)
		}
	}
	seen := make(map[Row]bool)
	for _, row := range rows {
		if seen[row] {
			return nil, wrong(s, say.Errorf("%w: two events lie in one distribution of %q; say that with ShareRatios",
				ErrOverlap, net.Variable(row.Var).Name))
		}
		seen[row] = true
	}
	if !slices.ContainsFunc(rows, func(row Row) bool { return net.Variable(row.Var).Cardinality() > len(blocks[0]) }) {
		return []Bound{{Links: rows, Ties: alongside(blocks)}}, nil // of all states: the distributions are equal
	}
	return []Bound{{Links: rows, Ratios: []Ratio{{blocks}}}}, nil
}

// alongside ties the cells that stand at one place of their blocks.
func alongside(blocks [][]int) []Tie {
	ties := make([]Tie, len(blocks[0]))
	for i := range ties {
		for _, block := range blocks {
			ties[i].Cells = append(ties[i].Cells, block[i])
		}
	}
	return ties
}
