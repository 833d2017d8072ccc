package learn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/redraw"
	"bnlab/bnkit/learn/internal/verdict"
	"bnlab/internal/num"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// incompleteAudit is an audit of cases with missing cells, by EM.
type incompleteAudit struct {
	audit
	rows  *fittedRows
	under []*problem // without each statement, and then under all
	fits  []*Result  // the same
	cases Cases
	// whole is the approximate log probability of the cases under all statements, once it is known.
	whole      *constraint.Estimate
	isMarginal bool
}

// Defaults of audits by EM.
const (
	defaultBootstrap = 99
	auditTolerance   = 1e-9
)

// newIncompleteAudit fits the cases under all statements and without each.
func newIncompleteAudit(ctx context.Context, r *Result, set *AuditSettings) (*incompleteAudit, error) {
	switch {
	case r.rows == nil:
		return nil, errors.New("learn: Audit of expected counts needs the rows that they come from, which a file of " +
			"the model does not hold; fit again by learn.Fit")
	case len(r.CPDs) > 0:
		return nil, errors.New("learn: Audit of cases with missing cells fits tables by EM, and some of this model's " +
			"are made by CPDs; fit without them")
	case len(r.Targets) > 0:
		return nil, errors.New("learn: Audit of cases with missing cells is about the likelihood of all variables; " +
			"fit without Targets")
	}
	a := &incompleteAudit{audit: audit{r: r, set: set, src: rand.NewPCG(set.Seed, set.Stream)}, rows: r.rows}
	floor := 0.0
	if m, ok := r.rows.method.(EM); ok {
		floor = m.VarianceFloor
	}
	for i := range len(r.Statements) + 1 {
		statements := r.Statements
		if i < len(r.Statements) {
			statements = a.without(i)
		}
		p, err := compile(r.Net, EM{Constraints: statements, VarianceFloor: floor})
		if err != nil {
			return nil, err
		}
		p.workers = set.Workers
		a.under = append(a.under, p)
	}
	var err error
	a.cases, err = planned(context.Background(), r.Net, r.rows.table, EM{}, &Settings{Workers: set.Workers})
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	a.fits = make([]*Result, len(a.under))
	last := len(r.Statements)
	if a.fits[last], err = a.raise(ctx, last, a.cases, 0, true, r.Net); err != nil {
		return nil, err
	}
	for i := range last { // each fit from where the other ended
		if a.fits[i], err = a.raise(ctx, i, a.cases, 0, true, a.fits[last].Net); err != nil {
			return nil, err
		}
		better, err := a.raise(ctx, last, a.cases, 0, false, a.fits[i].Net)
		if err != nil {
			return nil, err
		}
		if better.LogLikelihood > a.fits[last].LogLikelihood {
			a.fits[last] = better
		}
	}
	for i := range last {
		if a.fits[i].LogLikelihood < a.fits[last].LogLikelihood {
			if a.fits[i], err = a.raise(ctx, i, a.cases, 0, false, a.fits[last].Net); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

func (a *incompleteAudit) tables() *constraint.Problem { return a.under[len(a.under)-1].tables }

// raise is the best fit by EM under the statements with that number from a network, and with fresh from the
// starts of the original fit too.
func (a *incompleteAudit) raise(ctx context.Context, under int, c Cases, stream uint64, fresh bool,
	from *bn.Network) (*Result, error) {
	set := a.rows.set
	set.HeldOut, set.Progress = nil, nil
	if set.Tolerance == 0 {
		set.Tolerance = auditTolerance
	}
	set.Stream += stream
	p := *a.under[under]
	m := p.method.(iterative)
	alone := set
	alone.From, alone.Starts = from, 1
	best, err := p.iterate(ctx, c, m, &alone)
	if err == nil && fresh {
		var other *Result
		if other, err = p.iterate(ctx, c, m, &set); err == nil && other.LogLikelihood > best.LogLikelihood {
			best = other
		}
	}
	if ctx.Err() != nil {
		return nil, say.Errorf("learn: %w", ctx.Err())
	}
	return best, err
}

// slack is what EM leaves of a difference of log-likelihoods.
func (a *incompleteAudit) slack(loglik float64) float64 {
	tol := a.rows.set.Tolerance
	if tol == 0 {
		tol = auditTolerance
	}
	return 100 * tol * (1 + math.Abs(loglik))
}

func (a *incompleteAudit) weigh(ctx context.Context, i int) (Verdict, evidence, error) {
	v := Verdict{Statement: a.r.Statements[i], Method: "EM"}
	if err := ctx.Err(); err != nil {
		return v, evidence{}, err
	}
	last := len(a.fits) - 1
	all, without := a.fits[last], a.fits[i]
	v.Cost = max(0, without.LogLikelihood-all.LogLikelihood)
	theta, free, err := a.thetas(all.Net, without.Net)
	if err != nil {
		return v, evidence{}, err
	}
	v.Degrees = takenWeights(all.Net, a.under[last].shares) - takenWeights(all.Net, a.under[i].shares) +
		a.under[last].tables.Binding(theta) - a.under[i].tables.Binding(theta)
	v.HasInequalities = a.under[last].tables.Inequalities() > a.under[i].tables.Inequalities() ||
		limitsWeights(all.Net, v.Statement)
	found := evidence{isFree: v.Cost <= a.slack(all.LogLikelihood),
		hasCases: verdict.HasCases(a.r.Net, v.Statement, a.r.Counts)}
	if len(a.under[i].tables.Statements()) < len(a.under[last].tables.Statements()) {
		found.cost = make([]float64, len(theta))
		for cell, n := range without.Counts {
			if n > 0 && theta[cell] > 0 && free[cell] > 0 {
				found.cost[cell] = n * math.Log(free[cell]/theta[cell])
			}
		}
	}
	v.HasPValue, v.PValue = true, 1
	if !found.isFree {
		found.p = &verdict.Simulated{IsCounted: true, Cost: v.Cost}
		if err := a.simulate(ctx, i, a.simulations(), found.p); err != nil {
			return v, found, err
		}
		v.read(found.p)
	}
	return v, found, a.cheesemanStutz(ctx, &v, i)
}

// thetas lays out the tables of two networks.
func (a *incompleteAudit) thetas(nets ...*bn.Network) (first, second []float64, err error) {
	p := a.under[len(a.under)-1]
	size := p.tables.Layout().Len()
	first, second = make([]float64, size), make([]float64, size)
	if err := p.layOut(first, nets[0]); err != nil {
		return nil, nil, err
	}
	return first, second, p.layOut(second, nets[1])
}

func (a *incompleteAudit) simulations() int {
	if a.set.Simulations == 0 {
		return defaultBootstrap
	}
	return a.set.Simulations
}

// simulate draws data from the fit under all statements until there are count, and adds what the statement costs in
// them.
func (a *incompleteAudit) simulate(ctx context.Context, i, count int, p *verdict.Simulated) error {
	first, last := p.Draws, len(a.under)-1
	costs, failed := make([]float64, count-first), make([]error, count-first)
	pool.Each(len(costs), pool.Workers(a.set.Workers), func(k int) {
		b := first + k
		if failed[k] = ctx.Err(); failed[k] != nil {
			return
		}
		var null, free, again *Result
		c, err := a.draw(b)
		if err == nil {
			null, err = a.raise(ctx, last, c, uint64(b)+1, true, a.fits[last].Net)
		}
		if err == nil {
			free, err = a.raise(ctx, i, c, uint64(b)+1, true, null.Net)
		}
		if err == nil {
			again, err = a.raise(ctx, last, c, uint64(b)+1, false, free.Net)
		}
		if err != nil {
			failed[k] = err
			return
		}
		if costs[k] = free.LogLikelihood - max(null.LogLikelihood, again.LogLikelihood); costs[k] <=
			a.slack(free.LogLikelihood) {
			costs[k] = 0
		}
	})
	for _, err := range failed {
		if err != nil {
			return err // what was drawn of an interrupted round is not used
		}
	}
	for _, cost := range costs {
		p.AddCost(cost)
	}
	return nil
}

// draw plans the simulated cases with that number.
func (a *incompleteAudit) draw(b int) (Cases, error) {
	src := rand.NewPCG(a.set.Seed^0x61756469742d656d, a.set.Stream*maxSimulations+uint64(b)+1)
	t, err := redraw.Table(a.rows.table, a.fits[len(a.fits)-1].Net, src)
	if err != nil {
		return nil, say.Errorf("learn: a simulated data set: %w", err)
	}
	return planned(context.Background(), a.r.Net, t, EM{}, &Settings{Workers: 1})
}

// cheesemanStutz sets the Bayes factor by the approximation of Cheeseman and Stutz (1996) to the marginal likelihood,
// with n the expected counts at the estimate θ̂, and M the exact marginal likelihood of counts under the prior:
//
//	log P(cases) ≈ log P(cases | θ̂) − Σ n log θ̂ + log M(n).
//
// It is a lower bound for any prior: by Jensen's inequality, as in EM,
// log P(cases | θ) ≥ log P(cases | θ̂) + Σ n log (θ/θ̂), and the right side integrates to it.
func (a *incompleteAudit) cheesemanStutz(ctx context.Context, v *Verdict, i int) error {
	last := len(a.fits) - 1
	if hasGaussian(a.r.Net) {
		return nil
	}
	if !a.isMarginal {
		e, err := a.bound(ctx, last)
		if err != nil {
			return err
		}
		a.isMarginal, a.whole = true, e
	}
	if a.whole == nil {
		return nil
	}
	e, err := a.bound(ctx, i)
	if e == nil || err != nil {
		return err
	}
	v.favour(a.whole, e)
	v.Method += ", Bayes factor by Cheeseman–Stutz"
	return nil
}

// bound is the approximate log probability of the cases; nil where there is no prior.
func (a *incompleteAudit) bound(ctx context.Context, under int) (*constraint.Estimate, error) {
	p, fit := a.under[under], a.fits[under]
	if a.set.Pseudocount != 0 { // the bound is best at the mode of the posterior
		q := *p
		q.method = EM{Constraints: p.method.statements(), Pseudocount: a.set.Pseudocount}
		var err error
		fit, err = q.iterate(ctx, a.cases, q.method.(iterative), &Settings{From: fit.Net, Starts: 1})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
	}
	theta := make([]float64, p.tables.Layout().Len())
	if err := p.layOut(theta, fit.Net); err != nil {
		return nil, err
	}
	n := make([]float64, len(theta))
	loglik, err := a.cases.Expect(n, theta)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	e, err := a.logMarginal(ctx, p.tables, n)
	if e == nil || err != nil {
		return nil, err
	}
	e.Value += loglik - num.LogLikelihood(n, theta)
	return e, nil
}

var (
	_ weigher = (*audit)(nil)
	_ weigher = (*incompleteAudit)(nil)
)
