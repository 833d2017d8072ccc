package guarantees

import (
	"context"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/experiments/run"
)

// A course is how the divergence of an estimate from the truth falls with the number of
// examples.
type course struct {
	class class // number 0: without a statement
	wrong bool
	best  float64     // KL(P, P*), nats
	kl    [][]float64 // KL(P, estimate), nats, by size and sample

	statements []constraint.Constraint
}

// A path is a truth and the courses that learn from it.
type path struct {
	truth   *bn.Network
	courses []*course
}

// newPath has a course without a statement, of the name free, and two for each class.
func newPath(truth *bn.Network, free string, classes []class) (*path, error) {
	p := &path{truth: truth}
	add := func(c course, statements ...constraint.Constraint) error {
		e, err := newEstimator(truth, statements...)
		if err != nil {
			return err
		}
		if c.best, err = e.divergence(trueCounts(truth)); err != nil {
			return err
		}
		c.statements = statements
		p.courses = append(p.courses, &c)
		return nil
	}
	if err := add(course{class: class{name: free}}); err != nil {
		return nil, err
	}
	for _, c := range classes {
		if err := add(course{class: c}, c.right); err != nil {
			return nil, err
		}
		if err := add(course{class: c, wrong: true}, c.wrong); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// follow draws one sample and estimates all courses from its prefixes.
func (p *path) follow(c Config, sample int, src rand.Source) error {
	sampler, err := p.truth.Sampler(src)
	if err != nil {
		return err
	}
	estimators := make([]*estimator, len(p.courses))
	for i, course := range p.courses {
		if estimators[i], err = newEstimator(p.truth, course.statements...); err != nil {
			return err
		}
	}
	tally := newTally(p.truth)
	effective := make([]float64, len(tally.n))
	drawn := 0
	for size, n := range c.Examples {
		for ; drawn < n; drawn++ {
			tally.add(sampler)
		}
		for i, x := range tally.n {
			effective[i] = x + c.Virtual
		}
		for i, course := range p.courses {
			if course.kl[size][sample], err = estimators[i].divergence(effective); err != nil {
				return err
			}
		}
	}
	return nil
}

// converge follows all paths over many samples.
func converge(ctx context.Context, job *run.Job, c Config, paths []*path) error {
	for _, p := range paths {
		for _, course := range p.courses {
			course.kl = make([][]float64, len(c.Examples))
			for size := range course.kl {
				course.kl[size] = make([]float64, c.Samples)
			}
		}
	}
	return job.Replicates(ctx, "follow growing samples", c.Samples, func(sample int, _ *rand.PCG) error {
		src := job.Source(streamSamples, sample)
		for _, p := range paths {
			if err := p.follow(c, sample, src); err != nil {
				return err
			}
		}
		return nil
	})
}
