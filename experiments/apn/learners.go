package apn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
)

// A Score is how one learner does on one network, by replicate. NLL is the mean negative log-likelihood
// of a case in nats, Seconds the wall time of all starts, which is the one thing in this
// experiment that differs from run to run; Iterations are those of the best start.
type Score struct {
	Network, Learner    string
	Train, Test         []float64 // NLL
	Seconds, Iterations []float64
}

// An Ascent compares the ends of EM and of gradient ascent from the same random tables.
type Ascent struct {
	Network string
	// EM and APN are the log-likelihoods at the ends, by replicate and start; Gain is what
	// gradient ascent adds that begins where EM ended.
	EM, APN, Gain [][]float64
}

// A way is a learner with its name.
type way struct {
	name   string
	method learn.Method
	starts int
}

// ways are the learners of a study. Gibbs sampling has one start, since it leaves local maxima by
// itself; under influences it is left out, where each of its draws takes a random walk of its own.
func (s study) ways(c Learners) []way {
	all := []way{
		{"EM", learn.EM{}, c.Starts},
		{"APN, L-BFGS", learn.APN{}, c.Starts},
		{"APN, conjugate gradient", learn.APN{Search: learn.ConjugateGradient}, c.Starts},
		{"Gibbs", learn.Gibbs{Sweeps: c.Sweeps}, 1},
		{"EM, constrained", learn.EM{Constraints: s.statements}, c.Starts},
		{"APN, L-BFGS, constrained", learn.APN{Constraints: s.statements}, c.Starts},
		{"APN, conjugate gradient, constrained", learn.APN{Search: learn.ConjugateGradient, Constraints: s.statements}, c.Starts},
	}
	if s.rising {
		return append(all, way{"APN, L-BFGS, violations weighted", learn.APN{Constraints: s.statements, ViolationWeight: 2}, c.Starts})
	}
	return append(all, way{"Gibbs, constrained", learn.Gibbs{Sweeps: c.Sweeps, Constraints: s.statements}, 1})
}

// compare runs all learners on all networks.
func compare(ctx context.Context, job *run.Job, c Learners, cars *bn.Network) ([]*Score, []*Ascent, error) {
	all, err := studies(cars)
	if err != nil {
		return nil, nil, err
	}
	var scores []*Score
	var ascents []*Ascent
	for _, s := range all {
		var own []*Score
		for _, w := range s.ways(c) {
			one := &Score{Network: s.name, Learner: w.name}
			for _, values := range []*[]float64{&one.Train, &one.Test, &one.Seconds, &one.Iterations} {
				*values = make([]float64, c.Draws)
			}
			own = append(own, one)
		}
		ends := &Ascent{Network: s.name, EM: make([][]float64, c.Draws), APN: make([][]float64, c.Draws), Gain: make([][]float64, c.Draws)}
		err := job.Replicates(ctx, "learners, "+s.name, c.Draws, func(replicate int, _ *rand.PCG) error {
			train, test, err := s.draw(c, job.Source(learnersStream, replicate))
			if err != nil {
				return err
			}
			if err := s.score(own, train, test, c, replicate, func() rand.Source { return job.Source(learnersStream+1, replicate) }); err != nil {
				return err
			}
			return s.climb(ends, train, c, replicate, job.Source(learnersStream+2, replicate))
		})
		if err != nil {
			return nil, nil, err
		}
		scores, ascents = append(scores, own...), append(ascents, ends)
	}
	return scores, ascents, nil
}

// draw draws training and test cases.
func (s study) draw(c Learners, src rand.Source) (train, test *data.Table, err error) {
	truth, err := s.truth(rand.New(src))
	if err != nil {
		return nil, nil, err
	}
	complete, err := data.Sample(truth, c.Train+c.Test, src)
	if err != nil {
		return nil, nil, err
	}
	cases, err := complete.Keep(s.observed()...)
	if err != nil {
		return nil, nil, err
	}
	return cases.Head(c.Train), cases.Select(data.Complement(c.Train+c.Test, firstRows(c.Train))), nil
}

// score fits with every learner.
func (s study) score(scores []*Score, train, test *data.Table, c Learners, replicate int, src func() rand.Source) error {
	for k, w := range s.ways(c) {
		one, begin := scores[k], time.Now()
		fit, err := s.fit(train, w.method, &learn.Settings{Workers: 1, Starts: w.starts, Src: src(), MaxIterations: maxIterations, Tolerance: tolerance})
		if err != nil {
			return fmt.Errorf("%s, %s: %w", s.name, w.name, err)
		}
		one.Seconds[replicate] = time.Since(begin).Seconds()
		one.Iterations[replicate] = float64(fit.Trace[len(fit.Trace)-1].Iteration)
		one.Train[replicate] = -fit.LogLikelihood / float64(c.Train)
		if one.Test[replicate], err = testNLL(fit.Net, test); err != nil {
			return err
		}
	}
	return nil
}

// fit is learn.Fit, but for entries that underflow.
func (s study) fit(train *data.Table, m learn.Method, set *learn.Settings) (*learn.Result, error) {
	if _, ok := m.(learn.Gibbs); ok { // needs the rows
		return learn.Fit(s.structure, train, m, set)
	}
	plan, err := infer.NewPlan(s.structure, train, &infer.Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	return learn.FitCases(s.structure, steady{plan}, m, set)
}

// steady are cases for which a positive entry of a table is at least [leastEntry]. EM and
// line searches bring some entries down to 1e-310 and such, where quotients of probabilities
// overflow and counts are too small for a probability.
type steady struct{ learn.Cases }

// leastEntry is far below what 500 cases can tell from zero.
const leastEntry = 1e-50

func (c steady) Expect(n, theta []float64) (float64, error) {
	return c.Cases.Expect(n, raised(theta))
}

func (c steady) LogLikelihood(theta []float64) (float64, error) {
	return c.Cases.LogLikelihood(raised(theta))
}

// raised returns theta with its least positive entries raised.
func raised(theta []float64) []float64 {
	p := slices.Clone(theta)
	for i, x := range p {
		if x > 0 {
			p[i] = max(x, leastEntry)
		}
	}
	return p
}

// endTolerance is that of ascents whose ends are compared: nothing moves any more.
const endTolerance = 1e-10

// climb compares EM and gradient ascent from the same random tables.
func (s study) climb(ends *Ascent, train *data.Table, c Learners, replicate int, src rand.Source) error {
	plan, err := infer.NewPlan(s.structure, train, &infer.Options{Workers: 1})
	if err != nil {
		return err
	}
	up := func(m learn.Method, from *bn.Network) (*learn.Result, error) {
		return learn.FitCases(s.structure, steady{plan}, m, &learn.Settings{Workers: 1, Starts: 1, From: from, MaxIterations: c.EndIterations, Tolerance: endTolerance})
	}
	rng, start := rand.New(src), s.structure.Clone()
	for range c.Starts {
		drawTables(start, rng)
		em, err := up(learn.EM{}, start)
		if err != nil {
			return err
		}
		apn, err := up(learn.APN{}, start)
		if err != nil {
			return err
		}
		on, err := up(learn.APN{}, floored(em.Net))
		if err != nil {
			return err
		}
		ends.EM[replicate] = append(ends.EM[replicate], em.LogLikelihood)
		ends.APN[replicate] = append(ends.APN[replicate], apn.LogLikelihood)
		ends.Gain[replicate] = append(ends.Gain[replicate], on.LogLikelihood-em.LogLikelihood)
	}
	return nil
}
