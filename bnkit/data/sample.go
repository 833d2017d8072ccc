package data

import (
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/bn"
)

// Sample draws n complete cases from a network by forward sampling, one column
// for each variable in the order of the network. The same source gives the same
// table, and the first rows of a larger sample are the smaller one. It returns
// an error when n is negative, src is nil ([bn.ErrNoSource]) or a distribution
// of the network is not valid.
func Sample(net *bn.Network, n int, src rand.Source) (*Table, error) {
	if n < 0 {
		return nil, fmt.Errorf("data: a sample of %d rows", n)
	}
	s, err := bn.NewSampler(net, src)
	if err != nil {
		return nil, fmt.Errorf("data: sample: %w", err)
	}
	cols := make([]Column, net.Len())
	for v := range cols {
		cols[v].Var = net.Variable(v)
		if cols[v].Var.IsDiscrete() {
			cols[v].States = make([]bn.State, n)
		} else {
			cols[v].Values = make([]float64, n)
		}
	}
	states, values := make([]bn.State, net.Len()), make([]float64, net.Len())
	for row := range n {
		s.Draw(states, values)
		for v := range cols {
			if cols[v].States != nil {
				cols[v].States[row] = states[v]
			} else {
				cols[v].Values[row] = values[v]
			}
		}
	}
	return New(cols...)
}
