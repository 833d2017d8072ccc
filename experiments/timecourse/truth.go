package timecourse

import (
	"context"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// The tables of the truths are drawn by Markov chains; every thinning-th draw of a long
// run is taken, so that the truths are as good as independent. longest is the run's length.
const (
	longest  = 1000
	thinning = 20
	mostSets = longest / thinning
)

// truths draws n networks, at most [mostSets], that satisfy the influences: every table of
// a variable with parents from the uniform distribution over all tables that do. Variables
// without parents, which are the conditions of an experiment, have equal probabilities. src
// makes the stream of each table. The first truths of a larger number are the same.
//
// Deviation: W00 §5.2 has one "plausible" network of each structure, specified by hand and
// not published.
func (s structure) truths(ctx context.Context, n int, src func(table int) rand.Source) ([]*bn.Network, error) {
	p, err := constraint.Compile(s.net, slices.Concat(s.statements(), s.also)...)
	if err != nil {
		return nil, err
	}
	list := make([]*bn.Network, n)
	for i := range list {
		list[i] = s.net.Clone()
	}
	none := make([]float64, p.Layout().Len())
	for v := range s.net.Len() {
		if len(s.net.DAG().Parents(v)) == 0 {
			continue // uniform as they are
		}
		draws, err := p.Draw(ctx, none, none, &constraint.Sampling{Draws: longest, Src: src(v)},
			s.net.Variable(v).Name)
		if err != nil {
			return nil, err
		}
		for i, net := range list {
			copy(net.CPT(v).P, draws.Theta[i*thinning])
		}
	}
	return list, nil
}

// random is a network of the structure with every row drawn from the uniform distribution
// over all rows: where learning starts.
func (s structure) random(rng *rand.Rand) *bn.Network {
	net := s.net.Clone()
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row, sum := t.Row(config), 0.0
			for state := range row {
				row[state] = rng.ExpFloat64()
				sum += row[state]
			}
			for state := range row {
				row[state] /= sum
			}
		}
	}
	return net
}

// parameters lays out the tables of a network of the structure.
func parameters(net *bn.Network) []float64 {
	layout := net.Layout()
	theta := make([]float64, layout.Len())
	for v := range net.Len() {
		lo, hi := layout.Family(v)
		copy(theta[lo:hi], net.CPT(v).P)
	}
	return theta
}

// put writes tables into a network of the structure.
func put(net *bn.Network, theta []float64) {
	layout := net.Layout()
	for v := range net.Len() {
		lo, hi := layout.Family(v)
		copy(net.CPT(v).P, theta[lo:hi])
	}
}
