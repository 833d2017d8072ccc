package learn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
)

// EM is maximum likelihood, or maximum a posteriori with pseudocounts, from cases with
// missing cells, by expectation–maximisation (N06, Algorithm 1): expected counts at the
// current parameters, then the exact maximum under the statements for those counts, until
// neither moves. The log-likelihood, or log posterior, never falls. A variable without a
// column is hidden in every case.
//
// The expectation is exact, by elimination (package infer); a network whose hidden parts are
// too wide for that is an error that says so.
type EM struct {
	Pseudocount float64              // as in MAP
	Alpha       map[string][]float64 // as in MAP
	Constraints []constraint.Constraint
}

var _ Method = EM{}

func (m EM) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, 0 }

func (m EM) prior() MAP {
	return MAP{Pseudocount: m.Pseudocount, Alpha: m.Alpha, Constraints: m.Constraints}
}

func (m EM) check() error { return m.prior().check() }

// String names the method and its prior.
func (m EM) String() string {
	if m.Pseudocount == 0 && len(m.Alpha) == 0 {
		return "EM, maximum likelihood" + under(m.Constraints)
	}
	return "EM, " + m.prior().String()
}

func (m EM) statements() []constraint.Constraint { return m.Constraints }

func (m EM) estimate(p *constraint.Problem, net *bn.Network, counts []float64) (*constraint.Solution, error) {
	return m.prior().estimate(p, net, counts)
}

// Defaults of Settings for EM.
const (
	defaultIterations = 1000
	defaultTolerance  = 1e-8
)

// em runs EM from each start and keeps the best.
func (p *problem) em(t *data.Table, m EM, set *Settings) (*Result, error) {
	if hasGaussian(p.net) {
		return nil, errors.New("learn: EM is for networks of discrete variables; discretise the others first (bnkit.Discretize)")
	}
	cases, err := infer.NewPlan(p.net, t, &infer.Options{Workers: set.Workers})
	if err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	hidden := cases.Hidden()
	pseudo, err := m.prior().pseudocounts(p.tables, p.net)
	if err != nil {
		return nil, err
	}
	starts := max(set.Starts, 1)
	if len(hidden) > 0 && set.Src == nil {
		return nil, fmt.Errorf("learn: %q is missing in every case, so EM has to start from random parameters; set Src in Settings (and Starts, to try several)", hidden[0])
	}
	if starts > 1 && set.Src == nil {
		return nil, errors.New("learn: several starts need a source of randomness; set Src in Settings")
	}
	var rng *rand.Rand
	if set.Src != nil {
		rng = rand.New(set.Src)
	}
	var best *emRun
	for start := range starts {
		run := &emRun{problem: p.tables, cases: cases, pseudo: pseudo, theta: make([]float64, len(pseudo))}
		first := make([]float64, len(pseudo))
		cases.AddObserved(first)
		for i := range first {
			switch {
			case p.tables.Impossible(i):
			case start > 0 || len(hidden) > 0:
				first[i] += rng.ExpFloat64() * (1 + cases.Weight()/float64(len(first)))
			default:
				first[i]++ // so that nothing starts at zero, where EM would leave it
			}
		}
		if err := p.tables.Maximize(run.theta, first); err != nil {
			return nil, fmt.Errorf("learn: %w", err)
		}
		if err := run.climb(set); err != nil {
			return nil, err
		}
		if best == nil || run.objective > best.objective {
			best = run
		}
	}
	r, err := p.fit(&data.Counts{Layout: p.tables.Layout(), N: best.counts, Rows: cases.Weight(), Skipped: make([]float64, p.net.Len())}, nil)
	if err != nil {
		return nil, err
	}
	// The estimate is the maximum for the last expected counts: one step further.
	if r.LogLikelihood, err = cases.Expect(make([]float64, len(best.theta)), r.Solution.Theta); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	r.Trace = append(best.trace, Step{Iteration: len(best.trace) + 1, LogLikelihood: r.LogLikelihood})
	r.Expected = !cases.IsComplete()
	r.Converged = best.converged
	return r, nil
}

// emRun is EM from one start.
type emRun struct {
	problem   *constraint.Problem
	cases     *infer.Plan
	pseudo    []float64
	theta     []float64
	counts    []float64 // expected, at theta before the last step
	objective float64
	trace     []Step
	converged bool
}

func (r *emRun) climb(set *Settings) error {
	limit, tol := set.MaxIterations, set.Tolerance
	if limit == 0 {
		limit = defaultIterations
	}
	if tol == 0 {
		tol = defaultTolerance
	}
	n := make([]float64, len(r.theta))
	last := math.Inf(-1)
	for iteration := 1; ; iteration++ {
		clear(n)
		loglik, err := r.cases.Expect(n, r.theta)
		if err != nil {
			return fmt.Errorf("learn: %w", err)
		}
		r.counts = append(r.counts[:0], n...)
		if err := r.problem.AddPrior(n, r.pseudo); err != nil {
			return fmt.Errorf("learn: %w", err)
		}
		r.objective = loglik
		for i, count := range n {
			if extra := count - r.counts[i]; extra != 0 && r.theta[i] > 0 {
				r.objective += extra * math.Log(r.theta[i])
			}
		}
		r.trace = append(r.trace, Step{Iteration: iteration, LogLikelihood: loglik})
		if r.objective-last <= tol*(1+math.Abs(r.objective)) {
			r.converged = true
			return nil
		}
		if iteration == limit {
			return nil
		}
		last = r.objective
		if err := r.problem.Maximize(r.theta, n); err != nil {
			return fmt.Errorf("learn: %w", err)
		}
	}
}
