package dbn

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Joint returns the network in which one variable of the given name takes the place of several:
// its states are their joint states, as in "yes,no", the first member varying slowest. Of a
// network with several hidden state variables it makes the hidden Markov model with one. Its
// table is free, n bits of state being 2ⁿ states (R95 §6); it begins with the parameters at which
// both networks are the same distribution.
//
// It returns an error for an unknown or continuous member, fewer than two of them, a name that is
// taken or no name for a model string, and a *[bn.CycleError] when a member depends on another
// through a variable of the same slice that is none.
func (n *Network) Joint(name string, members ...string) (*Network, error) {
	j := joining{from: n, at: make([]int, len(n.vars)), of: make([]int, len(n.vars))}
	for i := range j.of {
		j.of[i] = -1
	}
	for _, member := range members {
		v, err := n.index(member)
		if err != nil {
			return nil, say.Errorf("dbn: %w", err)
		}
		switch {
		case !n.vars[v].IsDiscrete():
			return nil, say.Errorf("dbn: %q: %w", member, bn.ErrNotDiscrete)
		case j.of[v] >= 0:
			return nil, say.Errorf("dbn: %w: %q is named twice", bn.ErrDuplicate, member)
		}
		j.of[v] = len(j.members)
		j.members, j.cards = append(j.members, v), append(j.cards, n.vars[v].Cardinality())
	}
	if len(members) < 2 {
		return nil, fmt.Errorf("dbn: a joint variable of %d; name at least two", len(members))
	}
	if v, err := n.index(name); err == nil && j.of[v] < 0 {
		return nil, say.Errorf("dbn: %w: there is a variable %q besides the members", bn.ErrDuplicate, name)
	}
	if strings.ContainsAny(name, "[]:|") || strings.TrimSpace(name) != name || name == "" {
		return nil, say.Errorf("dbn: %q is no name for a variable of a model string", name)
	}
	s, err := j.structure(name)
	if err != nil {
		return nil, err
	}
	to, err := build(s)
	if err != nil {
		return nil, err
	}
	for slice := range 2 {
		for v := range to.vars {
			j.fill(to, slice, v)
		}
	}
	to.settle()
	return to, nil
}

// joining is how a joint variable is made.
type joining struct {
	from    *Network
	members []int
	cards   []int
	of      []int // by variable: its place among the members, −1 for none
	joint   int   // the new variable
	at      []int // by variable: its number in the new network
	back    []int // by variable of the new network: its number in the old one, −1 for the joint one
}

// structure is that of the new network. The joint variable stands where the first member does.
func (j *joining) structure(name string) (*structure, error) {
	configs, err := bn.NewConfigs(j.cards...)
	if err != nil {
		return nil, say.Errorf("dbn: the joint states: %w", err)
	}
	if configs.Len() > bn.MaxStates {
		return nil, fmt.Errorf("dbn: %d joint states; a variable has at most %d", configs.Len(), bn.MaxStates)
	}
	states := make([]string, configs.Len())
	var words []string
	for state := range states {
		words = words[:0]
		for i, x := range configs.States(nil, state) {
			words = append(words, j.from.vars[j.members[i]].States[x])
		}
		states[state] = strings.Join(words, ",")
	}
	s := &structure{}
	j.joint = -1
	for v, variable := range j.from.vars {
		switch {
		case j.of[v] < 0:
			j.at[v], j.back = len(s.vars), append(j.back, v)
			s.vars = append(s.vars, variable)
		case j.joint < 0:
			j.joint, j.back = len(s.vars), append(j.back, -1)
			s.vars = append(s.vars, bn.Discrete(name, states...))
		}
	}
	for _, v := range j.members {
		j.at[v] = j.joint
	}
	s.later, s.first = make([][]lagged, len(s.vars)), make([][]lagged, len(s.vars))
	tied := true
	for _, v := range j.members {
		tied = tied && j.from.tied(v)
		s.later[j.joint] = j.parents(s.later[j.joint], j.from.later[v], true)
	}
	if !tied {
		s.first[j.joint] = []lagged{}
		for _, v := range j.members {
			s.first[j.joint] = j.parents(s.first[j.joint], j.from.start(v), true)
		}
	}
	for v, old := range j.back {
		if old < 0 {
			continue
		}
		s.later[v] = j.parents(nil, j.from.later[old], false)
		if j.from.first[old] != nil {
			s.first[v] = j.parents([]lagged{}, j.from.first[old], false)
		}
	}
	return s, nil
}

// parents adds to list the parents of a family in terms of the new network. Those of a member
// leave out members of the same slice.
func (j *joining) parents(list, old []lagged, member bool) []lagged {
	for _, p := range old {
		if member && p.lag == 0 && j.of[p.v] >= 0 {
			continue
		}
		if q := (lagged{j.at[p.v], p.lag}); !slices.Contains(list, q) {
			list = append(list, q)
		}
	}
	return list
}

// fill sets the parameters of a family of the new network.
func (j *joining) fill(to *Network, slice, v int) {
	f := &to.families[slice][v]
	var cards []int
	for _, p := range f.discrete {
		cards = append(cards, to.vars[p.v].Cardinality())
	}
	configs, err := bn.NewConfigs(cards...)
	if err != nil {
		panic("dbn: a network with more configurations than a table can have")
	}
	known := make(map[lagged]int) // states of variables of the old network
	for config := range configs.Len() {
		for i, state := range configs.States(nil, config) {
			j.know(known, to, f.discrete[i].lagged, state)
		}
		switch {
		case j.back[v] >= 0:
			j.copyRow(to, f, config, &j.from.families[slice][j.back[v]], known)
		default:
			row := to.two.CPT(f.table).Row(config)
			for state := range row {
				j.know(known, to, lagged{v, 0}, state)
				row[state] = j.probability(slice, known)
			}
		}
	}
}

// know notes the state of a variable of the new network in terms of the old one.
func (j *joining) know(known map[lagged]int, to *Network, p lagged, state int) {
	if old := j.back[p.v]; old >= 0 {
		known[lagged{old, p.lag}] = state
		return
	}
	for i := len(j.members) - 1; i >= 0; i-- {
		known[lagged{j.members[i], p.lag}] = state % j.cards[i]
		state /= j.cards[i]
	}
}

// probability is that of the members' states.
func (j *joining) probability(slice int, known map[lagged]int) float64 {
	p := 1.0
	for _, v := range j.members {
		f := &j.from.families[slice][v]
		p *= j.from.two.CPT(f.table).Row(oldConfig(f, known))[known[lagged{v, 0}]]
	}
	return p
}

// copyRow copies one distribution of a variable that is no member.
func (j *joining) copyRow(to *Network, f *node, config int, old *node, known map[lagged]int) {
	from := oldConfig(old, known)
	if f.card > 0 {
		copy(to.two.CPT(f.table).Row(config), j.from.two.CPT(old.table).Row(from))
		return
	}
	g, h := to.two.Gaussian(f.table), j.from.two.Gaussian(old.table)
	g.Intercept[config], g.Variance[config] = h.Intercept[from], h.Variance[from]
	copy(g.Weights[config], h.Weights[from])
}

func oldConfig(f *node, known map[lagged]int) int {
	config := 0
	for _, p := range f.discrete {
		config += known[p.lagged] * p.stride
	}
	return config
}
