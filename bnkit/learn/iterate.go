package learn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn/internal/violation"
	"bnlab/internal/interrupt"
	"bnlab/internal/say"
)

// iterative is a method that improves parameters step by step.
type iterative interface {
	Method
	// begin prepares one start.
	begin(p *problem, c Cases, rng *rand.Rand) (climb, error)
}

// Iterates reports whether a method improves parameters step by step. Such a method takes
// cases with missing cells, and can do without whole columns.
func Iterates(m Method) bool {
	_, ok := m.(iterative)
	return ok
}

// A climb is an iterative method from one start.
type climb interface {
	// start takes the first tables. They satisfy the hard statements and are positive where
	// these allow it, unless the caller of Fit gave others.
	start(theta []float64) error
	// evaluate writes the tables of the current point to theta and returns the
	// log-likelihood and the objective there.
	evaluate(theta []float64) (loglik, objective float64, err error)
	// move goes one iteration further. It reports false when there is no way up.
	move() (moved bool, err error)
	// keep marks the point that was evaluated last as the best of this start.
	keep()
	// result is the fit at the point that was kept, with all but its trace.
	result() (*Result, error)
}

// iterate climbs from each start and returns the best end.
func (p *problem) iterate(ctx context.Context, c Cases, m iterative, set *Settings) (*Result, error) {
	if set.HeldOut != nil {
		if err := madeFor(p.net, set.HeldOut, "the cases in HeldOut"); err != nil {
			return nil, err
		}
	}
	starts := p.starts(c, set)
	rng := rand.New(rand.NewPCG(set.Seed, set.Stream))
	var best *run
	var ends []End
	var reached []float64 // by the starts that did not fail
	var failed []error
	winner := 0
	for start := range starts {
		theta, err := p.first(c, start, set, rng)
		if err != nil {
			return nil, err
		}
		p.from = nil
		if start == 0 {
			p.from = set.From
		}
		way, err := m.begin(p, c, rng)
		if err != nil {
			return nil, err
		}
		r := &run{problem: p, climb: way, set: set, one: oneCase(c), start: start + 1, starts: starts, theta: theta}
		err = r.up(ctx)
		if err != nil && errors.Is(err, ctx.Err()) { // before it had a point
			if best == nil {
				return nil, say.Errorf("learn: %w", err)
			}
			best.status = Interrupted
			break
		}
		ends = append(ends, r.end(err))
		switch {
		case errors.Is(err, constraint.ErrUnbounded):
			return nil, say.Errorf("learn: %w", err)
		case err != nil && p.from != nil:
			failed = append(failed, say.Errorf("the start at From in Settings: %w", err))
		case err != nil:
			failed = append(failed, err)
		default:
			reached = append(reached, r.best)
			if best == nil || r.best > best.best+equal*(r.one+math.Abs(best.best)) {
				best, winner = r, start+1
			}
		}
		if ctx.Err() != nil && best != nil {
			if start+1 < starts {
				best.status = Interrupted
			}
			if n := len(r.trace); set.Progress != nil && n > 0 && (r.status == Interrupted || start+1 < starts) {
				set.Progress(Progress{Start: r.start, Starts: r.starts, Step: r.trace[n-1], Theta: r.theta,
					Interrupted: true})
			}
			break
		}
	}
	if best == nil {
		return nil, say.Errorf("learn: %w", failed[0])
	}
	interrupt.Lift(ctx, true)
	r, err := best.climb.result()
	if err != nil {
		return nil, err
	}
	r.Trace, r.Status, r.Kept, r.Hidden = best.trace, best.status, best.kept, c.Hidden()
	r.Starts, r.Planned, r.Ends, r.Best = len(ends), starts, ends, winner
	for _, end := range reached {
		if end >= best.best-agreement {
			r.Agreed++
		}
	}
	for _, err := range failed {
		r.Failed = append(r.Failed, err.Error())
	}
	return r, r.note(p, m)
}

// equal is the relative difference of two ends that rounding may make: of equal ones the first is
// taken, so that the order of rows does not choose.
const equal = 1e-12

// agreement is how far, in nats, from the best a start may end to count as having found the same.
const agreement = 0.1

// A run is one climb with its trace.
type run struct {
	problem       *problem
	climb         climb
	set           *Settings
	one           float64 // the weight of one case; see oneCase
	start, starts int
	theta         []float64
	trace         []Step
	best          float64 // objective, or log-likelihood of the held-out cases, that was kept
	kept          int     // its iteration
	status        Status
	qualitative   violation.Penalties
}

// up climbs until something, such as ctx, ends it.
func (r *run) up(ctx context.Context) error {
	limit, tol, patience := r.set.MaxIterations, r.set.Tolerance, r.set.Patience
	if limit == 0 {
		limit = defaultIterations
	}
	if tol == 0 {
		tol = defaultTolerance
	}
	if patience == 0 {
		patience = defaultPatience
	}
	var err error
	if r.qualitative, err = violation.Bind(r.problem.net, r.problem.method.statements()); err != nil {
		return err
	}
	if err := r.climb.start(r.theta); err != nil {
		return err
	}
	r.best = math.Inf(-1)
	last := math.Inf(-1)
	for iteration := 0; ; iteration++ {
		step, err := r.evaluate(iteration)
		if err != nil {
			return r.cut(ctx, err)
		}
		if r.set.HeldOut == nil || step.HeldOut > r.best {
			r.best, r.kept = step.Objective, iteration
			if r.set.HeldOut != nil {
				r.best = step.HeldOut
			}
			r.climb.keep()
		}
		interrupt.Lift(ctx, false)
		switch {
		case math.Abs(step.Objective-last) <= tol*(r.one+math.Abs(step.Objective)):
			return nil
		case ctx.Err() != nil:
			r.status = Interrupted
			return nil
		case r.set.HeldOut != nil && iteration-r.kept >= patience:
			r.status = HeldOutFalls
			return nil
		case iteration == limit:
			r.status = IterationLimit
			return nil
		}
		last = step.Objective
		moved, err := r.climb.move()
		if err != nil {
			return r.cut(ctx, err)
		}
		if !moved {
			return nil
		}
	}
}

// cut is the error that ends the climb: none where ctx ended a pass over the cases after a point was kept.
func (r *run) cut(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended == nil || !errors.Is(err, ended) || len(r.trace) == 0 {
		return err
	}
	r.status = Interrupted
	return nil
}

// end is where the run ended, with an error or without.
func (r *run) end(err error) End {
	e := End{Status: r.status, Iterations: max(0, len(r.trace)-1)}
	if err != nil {
		e.Failed = err.Error()
	} else {
		e.Step = r.trace[r.kept]
	}
	return e
}

// evaluate records the current point.
func (r *run) evaluate(iteration int) (Step, error) {
	step := Step{Iteration: iteration}
	var err error
	if step.LogLikelihood, step.Objective, err = r.climb.evaluate(r.theta); err != nil {
		return step, err
	}
	step.Violation = r.qualitative.Violation(r.theta)
	if r.set.HeldOut != nil {
		if step.HeldOut, err = r.heldOut(); err != nil {
			return step, say.Errorf("held-out cases: %w", err)
		}
	}
	r.trace = append(r.trace, step)
	if r.set.Progress != nil {
		r.set.Progress(Progress{Start: r.start, Starts: r.starts, Step: step, Theta: r.theta})
	}
	return step, nil
}

// heldOut is the log-likelihood of the held-out cases, −[math.MaxFloat64] when one of them is
// impossible.
func (r *run) heldOut() (float64, error) {
	var loglik float64
	var err error
	if hasGaussian(r.problem.net) {
		c, ok := r.set.HeldOut.(continuousCases)
		way, has := r.climb.(interface{ gaussians() []*bn.LinearGaussian })
		if !ok || !has {
			return 0, errors.New("they have no continuous variables, the network has")
		}
		loglik, err = c.ExpectMoments(nil, nil, r.theta, way.gaussians())
	} else {
		loglik, err = r.set.HeldOut.LogLikelihood(r.theta)
	}
	if errors.Is(err, infer.ErrImpossibleEvidence) {
		return -math.MaxFloat64, nil
	}
	return loglik, err
}

func (a *ascent) gaussians() []*bn.LinearGaussian { return a.now.nodes }

// put writes tables into a network of the same structure.
func (p *problem) put(net *bn.Network, theta []float64) {
	layout := p.tables.Layout()
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			lo, hi := layout.Family(v)
			copy(t.P, theta[lo:hi])
		}
	}
}
