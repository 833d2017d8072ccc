package learn

import (
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// starts is the number of starts.
func (p *problem) starts(c Cases, set *Settings) int {
	switch {
	case set.Starts > 0:
		return set.Starts
	case len(c.Hidden()) > 0 && set.From == nil:
		return defaultHiddenStarts
	}
	return 1
}

// noise is the relative size of what tells flat starts apart.
const noise = 0.05

// first returns the first tables of a start: the estimate from the cases that are observed
// and imagined ones.
func (p *problem) first(c Cases, start int, set *Settings, rng *rand.Rand) ([]float64, error) {
	theta := make([]float64, p.tables.Layout().Len())
	if start == 0 && set.From != nil {
		if err := p.layOut(theta, set.From); err != nil {
			return nil, err
		}
		if p.tables.Violation(theta) <= feasible {
			return theta, nil
		}
		n := slices.Clone(theta)
		for cell := range n {
			if p.tables.Impossible(cell) {
				n[cell] = 0
			}
		}
		if err := p.tables.Maximize(theta, n); err != nil {
			return nil, say.Errorf("learn: the statements at the start: %w", err)
		}
		return theta, nil
	}
	n := make([]float64, len(theta))
	c.AddObserved(n)
	random := start > 0 || len(c.Hidden()) > 0
	imagined := 1 + c.Weight()/float64(len(n))
	for cell := range n {
		switch {
		case p.tables.Impossible(cell):
		case random && set.Flat:
			n[cell] += imagined * (1 + noise*(2*rng.Float64()-1))
		case random:
			n[cell] += imagined * rng.ExpFloat64()
		default:
			n[cell]++ // so that nothing starts at zero, where EM would leave it
		}
	}
	if err := p.tables.Maximize(theta, n); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	return theta, nil
}

// feasible is the violation below which parameters count as satisfying the statements.
const feasible = 1e-9

// layOut lays out the tables of a network with the structure of the one that is fitted.
func (p *problem) layOut(theta []float64, net *bn.Network) error {
	if err := net.Validate(); err != nil {
		return say.Errorf("learn: From in Settings: %w", err)
	}
	if net.DAG().String() != p.net.DAG().String() {
		return say.Errorf("learn: From in Settings has the structure %s, the network to fit %s", net.DAG(), p.net.DAG())
	}
	layout := p.tables.Layout()
	for v := range p.net.Len() {
		if t := p.net.CPT(v); t != nil {
			u := net.CPT(v)
			if u == nil || !slices.Equal(u.Child.States, t.Child.States) {
				return say.Errorf("learn: %q has other states in From of Settings than in the network to fit",
					t.Child.Name)
			}
			lo, hi := layout.Family(v)
			copy(theta[lo:hi], u.P)
		} else if net.Gaussian(v) == nil {
			return say.Errorf("learn: %q is discrete in From of Settings and continuous in the network to fit",
				net.Variable(v).Name)
		}
	}
	return nil
}
