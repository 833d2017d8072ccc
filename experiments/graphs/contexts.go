package graphs

import (
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// printed is by how much probabilities may differ that count as equal: published networks are rounded to fewer digits.
const printed = 1e-6

// contextsOf are the groups of rows that are equal in a network's tables, as N06 shares parameters over distributions:
// a statement for each group of two rows or more, which names the states of all parents. It holds in any family that
// has these parents and others that are no descendants.
func contextsOf(net *bn.Network) []constraint.Constraint {
	var list []constraint.Constraint
	for v := range net.Len() {
		var first []int // the first row of each group
		var members [][]int
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			at := 0
			for at < len(first) && !sameRow(t.Row(first[at]), t.Row(config)) {
				at++
			}
			if at == len(first) {
				first, members = append(first, config), append(members, nil)
			}
			members[at] = append(members[at], config)
		}
		for _, configs := range members {
			if len(configs) > 1 {
				list = append(list, tied(t, configs))
			}
		}
	}
	return list
}

func sameRow(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > printed {
			return false
		}
	}
	return true
}

// tied says that rows of a table are equal.
func tied(t *bn.CPT, configs []int) constraint.ShareAcross {
	s := constraint.ShareAcross{Var: t.Child.Name}
	for _, config := range configs {
		s.Given = append(s.Given, givenOf(t, config))
	}
	return s
}

// givenOf names the states of the parents in a row.
func givenOf(t *bn.CPT, config int) bn.Given {
	given := make(bn.Given)
	for i, state := range t.Configs().States(nil, config) {
		given[t.Parents[i].Name] = t.Parents[i].States[state]
	}
	return given
}

// mixUp makes a quarter of the statements false where that is possible: one of the rows gives its place to one that is
// not equal to them.
func mixUp(net *bn.Network, said []constraint.Constraint, rng *rand.Rand) ([]constraint.Constraint, error) {
	list, left := append([]constraint.Constraint(nil), said...), (len(said)+3)/4
	for _, i := range rng.Perm(len(said)) {
		if left == 0 {
			break
		}
		s := said[i].(constraint.ShareAcross)
		v, err := net.DAG().Index(s.Var)
		if err != nil {
			return nil, err
		}
		t := net.CPT(v)
		inside := make(map[int]bool)
		for _, g := range s.Given {
			inside[configOf(t, g)] = true
		}
		var configs, others []int
		for config := range t.Configs().Len() {
			if inside[config] {
				configs = append(configs, config)
			}
		}
		for config := range t.Configs().Len() {
			if !inside[config] && !sameRow(t.Row(config), t.Row(configs[0])) {
				others = append(others, config)
			}
		}
		if len(others) == 0 {
			continue
		}
		configs[rng.IntN(len(configs))] = others[rng.IntN(len(others))]
		list[i] = tied(t, configs)
		left--
	}
	return list, nil
}

// configOf is the row in which all parents have the given states.
func configOf(t *bn.CPT, given bn.Given) int {
	config := 0
	for i, p := range t.Parents {
		for s, name := range p.States {
			if given[p.Name] == name {
				config += s * t.Configs().Stride(i)
			}
		}
	}
	return config
}
