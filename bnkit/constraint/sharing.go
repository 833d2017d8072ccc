package constraint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// ShareStates states that some states of a variable have equal probability: the
// states of each group share one parameter. States in no group are free. In N06's
// words it is parameter sharing within one distribution (type 2, Theorem 1).
type ShareStates struct {
	Var string
	// Given limits the statement to the parent configurations in which the named
	// parents have these states. Nil makes it for every configuration, each with
	// parameters of its own.
	Given bn.Given `json:",omitempty"`
	// Groups of state names. Groups are disjoint; a group of one has no effect.
	Groups [][]string
	// Alpha, when not nil, is the constrained Dirichlet count of each group's
	// parameter as N06 counts it: a parameter in k cells with count α adds a
	// total pseudocount of α−1 to them, so that k+1 is a pseudocount of 1 in each
	// cell. It replaces the pseudocounts of MAP in those cells.
	Alpha []float64 `json:",omitzero"`
	// SuggestedBy is the hash of the counts that suggested the statement, which package sharing sets:
	// an audit on the same cases does not test it. Empty for an expert's.
	SuggestedBy string `json:",omitempty"`
}

// ShareAcross states that a variable has the same probabilities in several
// parent configurations. In N06's words it is general parameter sharing in the
// case where each parameter is equally often in every distribution (type 6).
type ShareAcross struct {
	Var string
	// Given lists the parent configurations that share, by the states of some or
	// all parents; one that leaves parents open stands for all that match. Nil
	// shares over all configurations.
	Given []bn.Given `json:",omitzero"`
	// ForEach names parents whose states keep apart: the statement is made for each
	// of their joint states by itself, with parameters of its own.
	ForEach []string `json:",omitempty"`
	// Groups of state names; the states of a group have one probability, the same
	// within and across the configurations. Nil shares every state for itself, so
	// that the distributions are equal. States in no group are free in each
	// configuration.
	Groups [][]string `json:",omitzero"`
	// Alpha is the constrained Dirichlet count of each group's parameter, over all
	// its cells in all configurations; see [ShareStates]. With nil Groups the
	// parameters are the states in their order.
	Alpha []float64 `json:",omitzero"`
	// SuggestedBy is as in [ShareStates].
	SuggestedBy string `json:",omitempty"`
}

var (
	_ Constraint = ShareStates{}
	_ Constraint = ShareAcross{}
)

// String prints the statement, as in "P(X=a) = P(X=b) given Y=1".
func (s ShareStates) String() string {
	text := equalities(s.Var, s.Groups, "; ")
	if len(s.Given) > 0 {
		text += " given " + s.Given.String()
	}
	return text
}

// String prints the statement, as in "for each Z, each of P(X=a), P(X=b) is the same
// wherever Y=1 or Y=2, whatever the other parents".
func (s ShareAcross) String() string {
	text := "the distribution of " + s.Var
	if s.Groups != nil {
		text = equalities(s.Var, s.Groups, ", ")
	}
	if len(s.Groups) > 1 {
		text = "each of " + text // which need not equal each other
	}
	text = forEach(s.ForEach) + text + " is the same"
	where := wherever(s.Given)
	if where != "" {
		text += where + ","
	}
	if where == "" && len(s.ForEach) == 0 {
		return text + " whatever its parents"
	}
	return text + " whatever the other parents"
}

// forEach prints the parents whose states a statement keeps apart.
func forEach(parents []string) string {
	if len(parents) == 0 {
		return ""
	}
	return "for each " + strings.Join(parents, " and ") + ", "
}

// wherever prints the configurations that share, and nothing when all do.
func wherever(given []bn.Given) string {
	where := make([]string, len(given))
	for i, g := range given {
		if len(g) == 0 {
			return ""
		}
		where[i] = g.String()
	}
	if len(where) == 0 {
		return ""
	}
	return " wherever " + strings.Join(where, " or ")
}

// equalities prints groups of states as "P(X=a) = P(X=b)", joined by sep.
func equalities(name string, groups [][]string, sep string) string {
	parts := make([]string, len(groups))
	for i, group := range groups {
		equal := make([]string, len(group))
		for k, state := range group {
			equal[k] = fmt.Sprintf("P(%s=%s)", name, state)
		}
		parts[i] = strings.Join(equal, " = ")
	}
	return strings.Join(parts, sep)
}

// Bind implements [Constraint].
func (s ShareStates) Bind(net *bn.Network) ([]Bound, error) {
	t, v, err := table(net, s, s.Var)
	if err != nil {
		return nil, err
	}
	configs, err := matching(t, s.Given)
	if err != nil {
		return nil, say.Errorf("constraint: %q: %w", s, err)
	}
	if len(s.Groups) == 0 {
		return nil, noGroups(s.Var)
	}
	groups, err := bindGroups(t.Child, s.Groups, s.Alpha)
	if err != nil {
		return nil, say.Errorf("constraint: %q: %w", s, err)
	}
	bounds := make([]Bound, len(configs))
	layout := net.Layout()
	for i, config := range configs {
		bounds[i] = newSharing(layout, []Row{{v, config}}, groups)
	}
	return bounds, nil
}

// Bind implements [Constraint].
func (s ShareAcross) Bind(net *bn.Network) ([]Bound, error) {
	t, v, err := table(net, s, s.Var)
	if err != nil {
		return nil, err
	}
	given := s.Given
	if given == nil {
		given = []bn.Given{nil}
	}
	apart, err := s.apart(t)
	if err != nil {
		return nil, say.Errorf("constraint: %q: %w", s, err)
	}
	var parts [][]Row
	part := make(map[int]int) // by the joint state of ForEach
	seen := make([]bool, t.Configs().Len())
	for _, g := range given {
		configs, err := matching(t, g)
		if err != nil {
			return nil, say.Errorf("constraint: %q: %w", s, err)
		}
		for _, config := range configs {
			if seen[config] {
				continue
			}
			seen[config] = true
			key := apart(config)
			at, ok := part[key]
			if !ok {
				at = len(parts)
				part[key] = at
				parts = append(parts, nil)
			}
			parts[at] = append(parts[at], Row{v, config})
		}
	}
	if !slices.ContainsFunc(parts, func(rows []Row) bool { return len(rows) > 1 }) {
		return nil, say.Errorf("constraint: %q: it joins no two distributions of %q, whose parents are %s; name more "+
			"configurations in Given, fewer parents in ForEach, or leave Given nil for all", s, s.Var, names(t.Parents))
	}
	list := s.Groups
	if list != nil && len(list) == 0 {
		return nil, noGroups(s.Var)
	}
	if list == nil {
		for _, state := range t.Child.States {
			list = append(list, []string{state})
		}
	}
	groups, err := bindGroups(t.Child, list, s.Alpha)
	if err != nil {
		return nil, say.Errorf("constraint: %q: %w", s, err)
	}
	bounds := make([]Bound, len(parts))
	layout := net.Layout()
	for i, rows := range parts {
		bounds[i] = newSharing(layout, rows, groups)
	}
	return bounds, nil
}

// apart returns the function that numbers the joint state of the ForEach parents in a
// configuration.
func (s ShareAcross) apart(t *bn.CPT) (func(config int) int, error) {
	var at []int
	for _, name := range s.ForEach {
		i := whichOf(t.Parents, name)
		if i < 0 {
			return nil, say.Errorf("%w: ForEach names %q, which is no parent of %q (parents: %s)",
				bn.ErrUnknownVariable, name, s.Var, names(t.Parents))
		}
		if slices.Contains(at, i) {
			return nil, say.Errorf("%w: ForEach names %q twice", bn.ErrDuplicate, name)
		}
		at = append(at, i)
	}
	states := make([]int, len(t.Parents))
	return func(config int) int {
		t.Configs().States(states, config)
		key := 0
		for _, i := range at {
			key += states[i] * t.Configs().Stride(i)
		}
		return key
	}, nil
}

// names lists variables for an error.
func names(vars []bn.Variable) string {
	if len(vars) == 0 {
		return "none"
	}
	list := make([]string, len(vars))
	for i, v := range vars {
		list[i] = v.Name
	}
	return say.List(list)
}

// noGroups is the error of a statement that does not print, having nothing to say.
func noGroups(name string) error {
	return say.Errorf("constraint: a statement about %q has no groups of states; name those that are alike, as in "+
		"Groups: [][]string{{\"low\", \"middle\"}}", name)
}

// bindGroups resolves groups of state names to numbers.
func bindGroups(child bn.Variable, names [][]string, alpha []float64) ([]group, error) {
	if alpha != nil && len(alpha) != len(names) {
		return nil, fmt.Errorf("%d Dirichlet counts for %d groups; give one for each, or leave Alpha nil", len(alpha),
			len(names))
	}
	states, err := stateGroups(child, names)
	if err != nil {
		return nil, err
	}
	groups := make([]group, len(names))
	for i := range groups {
		groups[i].states = states[i]
		if alpha != nil {
			if !(alpha[i] > 0) || math.IsInf(alpha[i], 1) {
				return nil, say.Errorf("the Dirichlet count %v of group %d is not positive and finite", alpha[i], i+1)
			}
			groups[i].alpha = alpha[i]
		}
	}
	return groups, nil
}

// A group is one shared parameter by the states that carry it in each row.
type group struct {
	states []int
	alpha  float64 // 0 without a prior of its own
}

// newSharing binds both statements: in all rows, the cells of a group share one parameter.
func newSharing(layout bn.Layout, rows []Row, groups []group) Bound {
	b := Bound{Links: rows, Ties: make([]Tie, len(groups))}
	for i, g := range groups {
		for _, row := range rows {
			for _, state := range g.states {
				b.Ties[i].Cells = append(b.Ties[i].Cells, layout.Cell(row.Var, row.Config, state))
			}
		}
		b.Ties[i].Alpha = g.alpha
	}
	return b
}
