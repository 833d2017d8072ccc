package apn

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// A Score is how one learner does on one network, by replicate. NLL is the mean negative log-likelihood
// of a case in nats, Seconds the wall time of all starts, which is the one thing in this
// experiment that differs from run to run; Iterations are those of the best start.
type Score struct {
	Network, Learner    string
	Train, Test         []float64 // NLL
	Seconds, Iterations []float64
}

// An Ascent compares where EM and gradient ascents end that begin at the same random tables.
type Ascent struct {
	Network string
	Ends    []End // by replicate and start
}

// An End is that of the ascents from one start: log-likelihoods, and what another method adds
// that begins there, with entries of at least [floor].
type End struct {
	Replicate, Start    int // from 1
	EM, LBFGS, CG       float64
	AfterEM             float64 // by L-BFGS
	AfterLBFGS, AfterCG float64 // by EM
	Limited             bool    // EM was at its last iteration, so it had not ended
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
		{"APN, conjugate gradient", learn.APN{ConjugateGradient: true}, c.Starts},
		{"Gibbs", learn.Gibbs{Sweeps: c.Sweeps}, 1},
		{"EM, constrained", learn.EM{Constraints: s.statements}, c.Starts},
		{"APN, L-BFGS, constrained", learn.APN{Constraints: s.statements}, c.Starts},
		{"APN, conjugate gradient, constrained", learn.APN{ConjugateGradient: true,
			Constraints: s.statements},
			c.Starts},
	}
	if s.rising {
		return append(all, way{"APN, L-BFGS, violations weighted",
			learn.APN{Constraints: s.statements, ViolationWeight: 2}, c.Starts})
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
		ends := &Ascent{Network: s.name, Ends: make([]End, c.Draws*c.Starts)}
		err := job.Replicates(ctx, "learners, "+s.name, c.Draws, func(replicate int, _ *rand.PCG) error {
			train, test, err := s.draw(c, job.Source(learnersStream, replicate))
			if err != nil {
				return err
			}
			if err := s.score(ctx, job, own, train, test, c, replicate); err != nil {
				return err
			}
			return s.climb(ctx, ends.Ends[replicate*c.Starts:][:c.Starts], train, c, replicate,
				job.Source(learnersStream+2, replicate))
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
	return cases.Head(c.Train), cases.Select(cases.Complement(firstRows(c.Train))), nil
}

// score fits with every learner.
func (s study) score(ctx context.Context, job *run.Job, scores []*Score, train, test *data.Table, c Learners,
	replicate int) error {
	seed, at := run.State(job.Source(learnersStream+1, replicate))
	for k, w := range s.ways(c) {
		one, begin := scores[k], time.Now()
		fit, err := s.fit(ctx, train, w.method, &learn.Settings{Workers: 1, Starts: w.starts, Seed: seed, Stream: at,
			MaxIterations: maxIterations, Tolerance: tolerance})
		if err != nil {
			return say.Errorf("%s, %s: %w", s.name, w.name, err)
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
func (s study) fit(ctx context.Context, train *data.Table, m learn.Method,
	set *learn.Settings) (*learn.Result, error) {
	if _, ok := m.(learn.Gibbs); ok { // needs the rows
		return learn.Fit(ctx, s.structure, train, m, set)
	}
	plan, err := infer.NewPlan(s.structure, train, &infer.Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	return learn.FitCases(ctx, s.structure, steady{plan}, m, set)
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

// climb compares EM and gradient ascents from the same random tables, one for each end.
func (s study) climb(ctx context.Context, ends []End, train *data.Table, c Learners, replicate int,
	src rand.Source) error {
	plan, err := infer.NewPlan(s.structure, train, &infer.Options{Workers: 1})
	if err != nil {
		return err
	}
	up := func(m learn.Method, from *bn.Network) *learn.Result {
		if err != nil {
			return nil
		}
		var fit *learn.Result
		fit, err = learn.FitCases(ctx, s.structure, steady{plan}, m, &learn.Settings{Workers: 1, Starts: 1, From: from,
			MaxIterations: c.EndIterations, Tolerance: endTolerance})
		return fit
	}
	rng, start := rand.New(src), s.structure.Clone()
	for i := range ends {
		drawTables(start, rng)
		end := End{Replicate: replicate + 1, Start: i + 1}
		for _, one := range []struct {
			first, second learn.Method
			at, gain      *float64
		}{
			{learn.EM{}, learn.APN{}, &end.EM, &end.AfterEM},
			{learn.APN{}, learn.EM{}, &end.LBFGS, &end.AfterLBFGS},
			{learn.APN{ConjugateGradient: true}, learn.EM{}, &end.CG, &end.AfterCG},
		} {
			first := up(one.first, start)
			if err != nil {
				return err
			}
			on := up(one.second, floored(first.Net))
			if err != nil {
				return err
			}
			*one.at, *one.gain = first.LogLikelihood, on.LogLikelihood-first.LogLikelihood
			if _, ok := one.first.(learn.EM); ok {
				end.Limited = first.Status == learn.IterationLimit
			}
		}
		ends[i] = end
	}
	return nil
}
