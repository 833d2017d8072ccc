package apn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// A Course follows one way to climb the likelihood, by the number of times that all cases are gone through: what
// R95's search costs, however many of them an iteration or a line search takes. All ways begin at the same tables.
type Course struct {
	Network, Way string
	Alpha        float64 // of plain steps, else 0
	// By number of evaluations, as in the configuration, and draw: the best mean log-likelihood of a training
	// case so far, in nats, and the mean squared error of the outputs at those tables.
	Likelihood, Error [][]float64
	Falls             []float64 // plain steps after which the likelihood was lower
}

// Names of the ways, besides [dividedName] and [projectedName] with their step.
const (
	conjugateName = "Polak–Ribière"
	quasiName     = "L-BFGS"
	emName        = "EM"
	dividedName   = "plain, divided"
	projectedName = "plain, projected"
)

// errSpent ends an ascent that has had its evaluations.
var errSpent = errors.New("apn: all evaluations are spent")

// counted are cases that count how often they are gone through, and keep the best tables at some of the counts.
type counted struct {
	learn.Cases
	at       []int // ascending
	n        int
	best     float64
	tables   []float64
	followed func(i int, loglik float64, theta []float64)
}

func (c *counted) Expect(n, theta []float64) (float64, error) {
	if c.n == c.at[len(c.at)-1] {
		return 0, errSpent
	}
	loglik, err := c.Cases.Expect(n, theta)
	c.see(loglik, err, theta)
	return loglik, err
}

func (c *counted) LogLikelihood(theta []float64) (float64, error) {
	if c.n == c.at[len(c.at)-1] {
		return 0, errSpent
	}
	loglik, err := c.Cases.LogLikelihood(theta)
	c.see(loglik, err, theta)
	return loglik, err
}

func (c *counted) see(loglik float64, err error, theta []float64) {
	c.n++
	if err == nil && (c.tables == nil || loglik > c.best) {
		c.best, c.tables = loglik, append(c.tables[:0], theta...)
	}
	if i := slices.Index(c.at, c.n); i >= 0 {
		c.followed(i, c.best, c.tables)
	}
}

// rest fills in what comes after an ascent that has ended by itself.
func (c *counted) rest() {
	for i, at := range c.at {
		if at > c.n {
			c.followed(i, c.best, c.tables)
		}
	}
}

// A climber goes up from a network; it returns how often the likelihood fell, where that is counted.
type climber struct {
	name  string
	alpha float64
	climb func(ctx context.Context, cases *counted, start *bn.Network) (falls int, err error)
}

// climbers are those that are compared; the steps of the plain ascent are for the mean log-likelihood of a case.
func climbers(alphas []float64) []climber {
	by := func(m learn.Method) func(context.Context, *counted, *bn.Network) (int, error) {
		return func(ctx context.Context, cases *counted, start *bn.Network) (int, error) {
			_, err := learn.FitCases(ctx, start, cases, m, &learn.Settings{Workers: 1, Starts: 1, From: start,
				MaxIterations: cases.at[len(cases.at)-1], Tolerance: endTolerance})
			if errors.Is(err, errSpent) {
				err = nil
			}
			return 0, err
		}
	}
	all := []climber{
		{conjugateName, 0, by(learn.APN{ConjugateGradient: true})},
		{quasiName, 0, by(ascent)},
		{emName, 0, by(learn.EM{})},
	}
	for _, one := range []struct {
		name string
		back renormalize
	}{{dividedName, divide}, {projectedName, project}} {
		for _, alpha := range alphas {
			all = append(all, climber{fmt.Sprintf("%s, α = %v", one.name, alpha), alpha,
				func(_ context.Context, cases *counted, start *bn.Network) (int, error) {
					return plainAscent(cases, start, alpha, one.back)
				}})
		}
	}
	return all
}

// courses follows all climbers on both networks; cars is nil where it cannot be had.
func courses(ctx context.Context, job *run.Job, c Courses, cars *bn.Network) ([]*Course, error) {
	type field struct {
		name  string
		scene func(src *rand.PCG) (*scene, error)
	}
	fields := []field{{"3-1-3", func(src *rand.PCG) (*scene, error) { return firstScene(rand.New(src)) }}}
	if cars != nil {
		fields = append(fields, field{"insurance", func(src *rand.PCG) (*scene, error) {
			return carScene(cars, c.TestInputs, src)
		}})
	}
	var all []*Course
	for at, f := range fields {
		var own []*Course
		for _, k := range climbers(c.Alphas) {
			one := &Course{Network: f.name, Way: k.name, Alpha: k.alpha, Falls: make([]float64, c.Draws)}
			for _, values := range []*[][]float64{&one.Likelihood, &one.Error} {
				for range c.Evaluations {
					*values = append(*values, make([]float64, c.Draws))
				}
			}
			own = append(own, one)
		}
		err := job.Replicates(ctx, "courses, "+f.name, c.Draws, func(replicate int, _ *rand.PCG) error {
			src := job.Source(coursesStream+uint32(at), replicate)
			s, err := f.scene(src)
			if err != nil {
				return err
			}
			return s.follow(ctx, c, own, replicate, src)
		})
		if err != nil {
			return nil, err
		}
		all = append(all, own...)
	}
	return all, nil
}

// follow draws cases and a start, and lets each climber go.
func (s *scene) follow(ctx context.Context, c Courses, own []*Course, replicate int, src *rand.PCG) error {
	complete, err := data.Sample(s.truth, c.Cases, src)
	if err != nil {
		return err
	}
	cases, err := s.newSample(complete)
	if err != nil {
		return err
	}
	plan, err := infer.NewPlan(s.truth, cases.table, &infer.Options{Workers: 1})
	if err != nil {
		return err
	}
	start := s.truth.Clone()
	drawTables(start, rand.New(src))
	for k, way := range climbers(c.Alphas) {
		var failed error
		seen := -math.MaxFloat64
		var fit *bn.Network
		var mse float64
		counting := &counted{Cases: steady{plan}, at: c.Evaluations, followed: func(i int, loglik float64,
			theta []float64) {
			if loglik > seen { // else it is where it was
				fit, seen = start.Clone(), loglik
				if failed = errors.Join(failed, setEntries(fit, theta)); failed == nil {
					mse, failed = s.networkError(fit)
				}
			}
			own[k].Likelihood[i][replicate], own[k].Error[i][replicate] = loglik/float64(c.Cases), mse
		}}
		falls, err := way.climb(ctx, counting, start)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return say.Errorf("%s: %w", way.name, err)
		}
		counting.rest()
		if failed != nil {
			return failed
		}
		own[k].Falls[replicate] = float64(falls)
	}
	return nil
}
