package relabel

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/internal/say"
)

// Best names the states of the hidden variables as the influences among the statements demand, as well as it can, and
// returns the network with its violation of them: what learn.Align says.
func Best(net *bn.Network, hidden []string, statements []constraint.Constraint) (*bn.Network, float64, error) {
	a := &alignment{net: net, orders: make([][]int, net.Len())}
	if err := a.read(hidden, statements); err != nil {
		return nil, 0, err
	}
	if err := a.search(); err != nil {
		return nil, 0, err
	}
	return a.best, a.least, nil
}

const (
	alignOrders = 5040 // that are tried together
	alignStates = 8    // of one variable
	// alignGain is the difference of violations, and of what other statements lack, that is more
	// than rounding.
	alignGain = 1e-9
)

// An alignment is a search over orders of states.
type alignment struct {
	net        *bn.Network
	hidden     []int
	influences []constraint.Influence
	others     *constraint.Problem
	allowed    float64 // violation of the others
	orders     [][]int // by variable: the new place of each state, nil for its own
	best       *bn.Network
	least      float64
}

func (a *alignment) read(hidden []string, statements []constraint.Constraint) error {
	for _, name := range hidden {
		v, err := a.net.Index(name)
		switch {
		case err != nil:
			return err
		case a.net.CPT(v) == nil:
			return say.Errorf("%q is continuous and has no states: %w", name, bn.ErrNotDiscrete)
		case slices.Contains(a.hidden, v):
			return say.Errorf("%q is listed twice", name)
		case a.net.Variable(v).Cardinality() > alignStates:
			return say.Errorf("%q has %d states, the orders of which are too many; Align takes %d at most", name,
				a.net.Variable(v).Cardinality(), alignStates)
		}
		a.hidden = append(a.hidden, v)
	}
	var others []constraint.Constraint
	for i, s := range statement.Bare(statements) {
		if influence, ok := statement.As[constraint.Influence](s); ok {
			a.influences = append(a.influences, influence)
		} else {
			others = append(others, statements[i])
		}
	}
	var err error
	if a.others, err = constraint.Compile(a.net, others...); err != nil {
		return err
	}
	a.best = a.net.Clone()
	a.allowed = a.others.Violation(tableEntries(a.best))
	a.least, err = a.violation(a.best)
	return err
}

// tableEntries are those of the discrete variables, by the layout.
func tableEntries(net *bn.Network) []float64 {
	theta := make([]float64, net.Layout().Len())
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			lo, hi := net.Layout().Family(v)
			copy(theta[lo:hi], t.P)
		}
	}
	return theta
}

func (a *alignment) violation(net *bn.Network) (float64, error) {
	total := 0.0
	for _, s := range a.influences {
		v, err := s.Violation(net)
		if err != nil {
			return 0, err
		}
		total += v
	}
	return total, nil
}

// search tries all orders together, or in turns.
func (a *alignment) search() error {
	all := 1
	for _, v := range a.hidden {
		for k := 2; k <= a.net.Variable(v).Cardinality(); k++ {
			all = min(all*k, alignOrders+1)
		}
	}
	if all <= alignOrders {
		_, err := a.try(a.hidden)
		return err
	}
	for {
		helped := false
		for _, v := range a.hidden {
			better, err := a.try([]int{v})
			if err != nil {
				return err
			}
			helped = helped || better
		}
		if !helped {
			return nil
		}
	}
}

// try goes through the orders of some variables and keeps the best. It reports whether it is
// better than before.
func (a *alignment) try(variables []int) (better bool, err error) {
	kept := slices.Clone(a.orders)
	var visit func(i int) error
	visit = func(i int) error {
		if i < len(variables) {
			v := variables[i]
			order := make([]int, a.net.Variable(v).Cardinality())
			for s := range order {
				order[s] = s
			}
			a.orders[v] = order
			return permute(order, 0, func() error { return visit(i + 1) })
		}
		net := a.renamed()
		violation, err := a.violation(net)
		if err != nil {
			return err
		}
		if violation < a.least-alignGain && a.others.Violation(tableEntries(net)) <= a.allowed+alignGain {
			a.best, a.least, better = net, violation, true
			for _, v := range variables {
				kept[v] = slices.Clone(a.orders[v])
			}
		}
		return nil
	}
	err = visit(0)
	a.orders = kept
	return better, err
}

// permute calls f with each order of list[from:], the order that it has first.
func permute(list []int, from int, f func() error) error {
	if from >= len(list)-1 {
		return f()
	}
	for i := from; i < len(list); i++ {
		list[from], list[i] = list[i], list[from]
		if err := permute(list, from+1, f); err != nil {
			return err
		}
		list[from], list[i] = list[i], list[from]
	}
	return nil
}

// renamed is net with the states in their new places.
func (a *alignment) renamed() *bn.Network {
	out := a.net.Clone()
	place := func(v, state int) int {
		if a.orders[v] == nil {
			return state
		}
		return a.orders[v][state]
	}
	for v := range out.Len() {
		if from, to := a.net.CPT(v), out.CPT(v); from != nil {
			moved := a.configs(v, from.Configs(), place)
			for config := range from.Configs().Len() {
				for state, p := range from.Row(config) {
					to.Row(moved[config])[place(v, state)] = p
				}
			}
			continue
		}
		from, to := a.net.Gaussian(v), out.Gaussian(v)
		for config, at := range a.configs(v, from.Configs(), place) {
			to.Intercept[at], to.Variance[at] = from.Intercept[config], from.Variance[config]
			copy(to.Weights[at], from.Weights[config])
		}
	}
	return out
}

// configs are the new numbers of the parent configurations of a variable.
func (a *alignment) configs(v int, c bn.Configs, place func(v, state int) int) []int {
	var parents []int // discrete
	for _, p := range a.net.DAG().Parents(v) {
		if a.net.CPT(p) != nil {
			parents = append(parents, p)
		}
	}
	moved := make([]int, c.Len())
	states := make([]int, len(parents))
	for config := range moved {
		c.States(states, config)
		for i, p := range parents {
			states[i] = place(p, states[i])
		}
		moved[config] = c.Index(states)
	}
	return moved
}
