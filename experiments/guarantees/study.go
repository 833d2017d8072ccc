package guarantees

import (
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// A setting is a truth, the size of its data sets, and statements that hold in it.
type setting struct {
	name     string
	truth    *bn.Network
	examples int
	classes  []class
	s        int // how often the parameter of Theorem 2 is shared; 0 without one
	// The parameters of interest are the table entries lo … hi−1, or the weights of a
	// linear-Gaussian node; tied is one of them, for Theorem 2.
	lo, hi int
	// rows have an estimate only when they have cases: the distributions in which the
	// parameters of interest lie.
	rows []constraint.Row
	// inverse is E[1/N | N ≠ 0] for the number N of cases of the row of Theorem 2.
	inverse float64
}

// An outcome is what one study found for one class in one setting. Variances and biases
// are by parameter.
type outcome struct {
	kept            int       // data sets with a case in every row of interest
	ml, constrained []float64 // variances over these
	bias            []float64 // of the estimates under the statement
	// mlAll and constrainedAll are the variances over all data sets, a row without cases
	// being uniform in both.
	mlAll, constrainedAll []float64
}

// study draws data sets of a discrete setting and estimates with and without each class's right
// statement. Estimates are maximum likelihood, so the counts are all they need.
//
// The variances of Theorem 2 are those given that the distribution has a case. A data
// set in which one of the setting's rows has none is left out of them.
func study(s setting, dataSets int, src rand.Source) ([]outcome, error) {
	sampler, err := s.truth.Sampler(src)
	if err != nil {
		return nil, err
	}
	free, err := constraint.Compile(s.truth)
	if err != nil {
		return nil, err
	}
	layout := s.truth.Layout()
	theta := parameters(s.truth)[s.lo:s.hi]
	type fit struct {
		problem               *constraint.Problem
		ml, constrained       *moments
		mlAll, constrainedAll *moments
	}
	fits := make([]fit, len(s.classes))
	for i, c := range s.classes {
		p, err := constraint.Compile(s.truth, c.right)
		if err != nil {
			return nil, err
		}
		size := s.hi - s.lo
		fits[i] = fit{p, newMoments(size), newMoments(size), newMoments(size), newMoments(size)}
	}
	tally := newTally(s.truth)
	ml, constrained := make([]float64, layout.Len()), make([]float64, layout.Len())
	for range dataSets {
		tally.clear()
		for range s.examples {
			tally.add(sampler)
		}
		if err := free.Maximize(ml, tally.n); err != nil {
			return nil, err
		}
		seen := tally.seen(s.rows)
		for i, f := range fits {
			if err := f.problem.Maximize(constrained, tally.n); err != nil {
				return nil, say.Errorf("%s: %w", s.classes[i].label(), err)
			}
			f.mlAll.add(ml[s.lo:s.hi], theta)
			f.constrainedAll.add(constrained[s.lo:s.hi], theta)
			if seen {
				f.ml.add(ml[s.lo:s.hi], theta)
				f.constrained.add(constrained[s.lo:s.hi], theta)
			}
		}
	}
	out := make([]outcome, len(fits))
	for i, f := range fits {
		if f.ml.n < 2 {
			return nil, say.Errorf("%s: %d of %d data sets have cases in every distribution; draw more", s.name, f.ml.n,
				dataSets)
		}
		out[i] = outcome{f.ml.n, f.ml.variance(), f.constrained.variance(), f.constrained.bias(), f.mlAll.variance(),
			f.constrainedAll.variance()}
	}
	return out, nil
}

// parameters are the table entries of a network in the order of its layout.
func parameters(net *bn.Network) []float64 {
	layout := net.Layout()
	theta := make([]float64, layout.Len())
	for v := range net.Len() {
		lo, hi := layout.Family(v)
		copy(theta[lo:hi], net.CPT(v).P)
	}
	return theta
}
