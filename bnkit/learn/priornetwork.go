package learn

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// PriorNetwork returns the Dirichlet counts by which a network is prior knowledge that weighs as much as so many
// cases, its equivalent sample size (Heckerman, Geiger and Chickering 1995): for each table entry of net
//
//	α = size · P(child, parents),
//
// P being the joint probability in the prior network. That has the variables of net with the same states in the
// same order, and may have other arcs and more variables. The result is the Alpha of [PosteriorMean] and [MAP].
//
// It returns an error for a size that is not positive and finite, a variable that the prior network
// lacks or has with other states, and a joint state that it excludes, which cases could not
// bring back.
func PriorNetwork(net, prior *bn.Network, size float64) (map[string][]float64, error) {
	switch {
	case net == nil || prior == nil:
		return nil, errNoNetwork
	case !(size > 0) || math.IsInf(size, 1):
		return nil, fmt.Errorf("learn: the equivalent sample size %v must be positive and finite", size)
	}
	engine, err := infer.New(prior, nil)
	if err != nil {
		return nil, fmt.Errorf("learn: the prior network: %w", err)
	}
	alpha := make(map[string][]float64)
	for v := range net.Len() {
		t := net.CPT(v)
		if t == nil {
			continue
		}
		var names []string
		for _, variable := range append(t.Parents[:len(t.Parents):len(t.Parents)], t.Child) {
			if err := sameStates(variable, prior); err != nil {
				return nil, err
			}
			names = append(names, variable.Name)
		}
		joint, err := engine.Joint(nil, names...)
		if err != nil {
			return nil, fmt.Errorf("learn: the prior network: %w", err)
		}
		counts := make([]float64, len(joint.P))
		for at, p := range joint.P {
			if !(p > 0) {
				return nil, fmt.Errorf("learn: the prior network excludes %v of %v, whatever the cases; fit it by "+
					"BDeu, which leaves no zeros", joint.States(at), names)
			}
			counts[at] = size * p
		}
		alpha[t.Child.Name] = counts
	}
	return alpha, nil
}

// sameStates returns an error for a variable that a network lacks, or has otherwise.
func sameStates(v bn.Variable, net *bn.Network) error {
	at, err := net.Index(v.Name)
	if err != nil {
		return fmt.Errorf("learn: the prior network: %w", err)
	}
	if other := net.Variable(at); !slices.Equal(v.States, other.States) {
		return fmt.Errorf("learn: %q has the states %v, and %v in the prior network; give both the same in one order",
			v.Name, v.States, other.States)
	}
	return nil
}
