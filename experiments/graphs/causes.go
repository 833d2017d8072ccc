package graphs

import (
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// simulatedCauses names networks that are drawn anew in each draw, whose tables are noisy-ORs or share rows.
const simulatedCauses = "simulated causes"

// drawCauses draws a network as [drawNetwork] does, with other tables. A variable of two states with two parents or
// more is a noisy-OR of them. In other tables no row differs between two neighbouring states of each parent of three,
// and where the first of several parents is in its lowest state the others make no difference.
func drawCauses(rng *rand.Rand) (*bn.Network, error) {
	net, err := drawGraph(rng, 4)
	if err != nil {
		return nil, err
	}
	for v := range net.Len() {
		t := net.CPT(v)
		if t.Child.Cardinality() == 2 && len(t.Parents) > 1 {
			drawNoisyOR(t, rng)
			continue
		}
		drawTable(net, v, rng)
		low := make([]int, len(t.Parents)) // where neighbouring states are alike
		for i := range low {
			low[i] = rng.IntN(2)
		}
		var states []int
		for config := range t.Configs().Len() {
			states = t.Configs().States(states, config)
			like := 0
			for i, s := range states {
				if t.Configs().Card(i) == 3 && s == low[i]+1 {
					s = low[i]
				}
				if i == 0 || like > 0 {
					like += s * t.Configs().Stride(i)
				}
			}
			copy(t.Row(config), t.Row(like))
		}
	}
	return net, net.Validate()
}

// drawNoisyOR: without causes the last state has a probability from .02 to .1, and the highest state of a parent alone
// prevents the first with one from .5 to .9; lower states fail more often, 1 − (1 − fail)·s/highest.
func drawNoisyOR(t *bn.CPT, rng *rand.Rand) {
	leak := 0.02 + 0.08*rng.Float64()
	works := make([]float64, len(t.Parents))
	for i := range works {
		works[i] = 0.5 + 0.4*rng.Float64()
	}
	var states []int
	for config := range t.Configs().Len() {
		states = t.Configs().States(states, config)
		absent := 1 - leak
		for i, s := range states {
			absent *= 1 - works[i]*float64(s)/float64(t.Configs().Card(i)-1)
		}
		row := t.Row(config)
		row[0], row[1] = absent, 1-absent
	}
}

// noisyORsOf are the tables of a network that are noisy-ORs of two parents or more: all sets have one parent. A state
// whose absence is a product of a function of each parent is what they cause; when both states are, it is the last.
func noisyORsOf(net *bn.Network) []constraint.Constraint {
	var list []constraint.Constraint
	for v := range net.Len() {
		t := net.CPT(v)
		if t.Child.Cardinality() != 2 || len(t.Parents) < 2 {
			continue
		}
		for present := 1; present >= 0; present-- {
			if isProduct(t, 1-present) {
				list = append(list, noisyORof(t, present))
				break
			}
		}
	}
	return list
}

func noisyORof(t *bn.CPT, present int) constraint.NoisyOR {
	s := constraint.NoisyOR{Child: t.Child.Name, Present: t.Child.States[present]}
	for _, p := range t.Parents {
		s.Sets = append(s.Sets, []string{p.Name})
	}
	return s
}

// isProduct reports whether the probabilities of a state are a product of functions of the single parents, to the
// digits that are printed. Each function is read off where the others are as in the row with the largest probability.
func isProduct(t *bn.CPT, state int) bool {
	configs := t.Configs()
	best := 0
	for config := range configs.Len() {
		if t.Row(config)[state] > t.Row(best)[state] {
			best = config
		}
	}
	top := t.Row(best)[state]
	at := configs.States(nil, best)
	var states []int
	for config := range configs.Len() {
		states = configs.States(states, config)
		want := top
		for i, s := range states {
			want *= t.Row(best + (s-at[i])*configs.Stride(i))[state] / top
		}
		if math.Abs(t.Row(config)[state]-want) > printed {
			return false
		}
	}
	return true
}

// turnRound makes a quarter of the noisy-ORs false where that is possible: the parents are said to cause the other
// state.
func turnRound(net *bn.Network, said []constraint.Constraint, rng *rand.Rand) ([]constraint.Constraint, error) {
	list, left := append([]constraint.Constraint(nil), said...), (len(said)+3)/4
	for _, i := range rng.Perm(len(said)) {
		s := said[i].(constraint.NoisyOR)
		v, err := net.DAG().Index(s.Child)
		if err != nil {
			return nil, err
		}
		t := net.CPT(v)
		present := 0
		if s.Present == t.Child.States[0] {
			present = 1
		}
		if left > 0 && !isProduct(t, 1-present) {
			list[i] = noisyORof(t, present)
			left--
		}
	}
	return list, nil
}
