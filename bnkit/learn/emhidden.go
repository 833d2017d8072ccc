package learn

import (
	"math"
	"math/rand/v2"

	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
)

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
