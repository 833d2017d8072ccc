package learn

import (
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn/internal/relabel"
	"bnlab/internal/say"
)

// Align names the states of hidden variables anew so that influences hold as well as possible: what
// a hidden variable calls its first state is an accident of the start, and a fit may have learned
// "off" as "on" (W00 footnotes 2 and 8). Over all orders of the states of the variables hidden, it
// returns net with the one for which the violation of the influences among the statements,
// [constraint.Influence.Violation], is least in all, and that violation. Of equal ones it takes
// net's own, or the first in which fewer of the last variables change. The distribution of the
// other variables stays what it is: tables of hidden variables and of their children move together.
// Net itself is not changed.
//
// Other statements limit the choice: no order is taken that breaks one by more than net does.
// With more than 5040 orders in all the variables take turns, each with all orders of its own,
// until none helps, which need not be the best of all.
//
// It returns an error for a name that is unknown, of a continuous variable or listed twice, for a
// variable of more than 8 states, and for a statement that does not fit the network.
func Align(net *bn.Network, hidden []string, statements ...constraint.Constraint) (aligned *bn.Network,
	violation float64, err error) {
	if net == nil {
		return nil, 0, errNoNetwork
	}
	if aligned, violation, err = relabel.Best(net, hidden, statements); err != nil {
		return nil, 0, say.Errorf("learn: align: %w", err)
	}
	return aligned, violation, nil
}

// observedMoments are cases that tell whether continuous variables are summed out, and which rows there are to
// start from; see [infer.Plan.AddObservedMoments].
type observedMoments interface {
	AddObservedMoments(m *data.Moments) bool
}

var _ observedMoments = (*infer.Plan)(nil)

// startHidden starts from regressions on what is observed, which are in l.moments. The weights of parents that
// are never observed with the variable are random, so that together they explain about as much of it as is left:
// at weights of zero EM would stay, since then nothing observed tells of the parents. A variable that is never
// observed begins with variance 1. Intercepts of several configurations are a random standard deviation apart.
func (l *lines) startHidden(theta []float64, rng *rand.Rand) error {
	moments := l.moments
	if err := l.move(); err != nil {
		return err
	}
	l.made = nil
	for v, g := range l.nodes {
		if g == nil {
			continue
		}
		for config, variance := range g.Variance {
			var open []int
			for i := range g.Continuous {
				if zeros(moments.Factors[v][config], i+1) {
					open = append(open, i)
				}
			}
			for _, i := range open {
				g.Weights[config][i] = math.Sqrt(variance/float64(len(open))) * rng.NormFloat64()
			}
			if len(g.Variance) > 1 {
				g.Intercept[config] += math.Sqrt(variance) * rng.NormFloat64()
			}
		}
	}
	return l.hold(theta)
}

// zeros reports whether the rows of a factor have nothing but zeros in a column.
func zeros(f data.Factor, column int) bool {
	if f.R == nil {
		return true
	}
	k := int(math.Sqrt(float64(len(f.R))))
	for row := range k {
		if f.R[row*k+column] != 0 {
			return false
		}
	}
	return true
}
