package learn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn/internal/completion"
	"bnlab/internal/interrupt"
	"bnlab/internal/say"
)

// Gibbs estimates the posterior mean from cases with missing cells, by data augmentation (Tanner
// and Wong 1987; R95 §3 names it as a third way beside EM and gradients). A sweep draws
//
//	the hidden cells of each case, jointly, given the tables,
//	the tables, given the completed cases, from their Dirichlet density under the statements,
//
// and the estimate is the mean over sweeps of E[tables | completed cases], which is less
// noisy than that of the drawn tables (Gelfand and Smith 1990). Where constraint.Problem has
// no closed form of it, a draw stands for it.
//
// The posterior of a variable that no case observes is the same under every renaming of its
// states, so its plain mean says nothing. Each sweep's tables are renamed to lie nearest to
// the mean of those before, in squares (Celeux 1998), unless a statement or an entry of Alpha
// speaks of the variable or a child of it and so tells its states apart. Modes that are more
// than names are not mixed: each start is a chain of its own, and the one whose mean has the
// highest posterior density is kept.
//
// Settings.MaxIterations and Tolerance are not used. The trace holds
// the drawn tables until BurnIn and the mean from then on. Status Sampled says that all
// sweeps were made, not that they were enough: compare seeds.
//
// Weights have to be whole numbers. Statements that link tables of different variables, equal
// ratios, and formulas are errors: EM takes them.
type Gibbs struct {
	// Pseudocount is as in [MAP]: a Dirichlet count of Pseudocount + 1 for each cell. The
	// mean adds all of that to a count, the mode (MAP, EM) only Pseudocount.
	Pseudocount float64
	Alpha       map[string][]float64 // as in MAP
	Constraints []constraint.Constraint
	// Sweeps is the number of sweeps that are averaged; 0 means 1000.
	Sweeps int
	// BurnIn is the number of sweeps before them; 0 means half of Sweeps.
	BurnIn int
}

var (
	_ iterative = Gibbs{}
	_ tabular   = Gibbs{}
)

const defaultSweeps = 1000

// String names the method and its prior.
func (m Gibbs) String() string {
	return "posterior mean by Gibbs sampling, " + m.prior().priors() + under(m.Constraints)
}

func (m Gibbs) prior() MAP {
	return MAP{Pseudocount: m.Pseudocount, Alpha: m.Alpha, Constraints: m.Constraints}
}

func (m Gibbs) statements() []constraint.Constraint { return m.Constraints }

func (m Gibbs) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, 0 }

func (m Gibbs) check() error {
	switch {
	case m.Sweeps < 0:
		return fmt.Errorf("learn: Sweeps is %d; give the number of sweeps to average, or 0 for %d", m.Sweeps,
			defaultSweeps)
	case m.BurnIn < 0:
		return fmt.Errorf("learn: BurnIn is %d; give a number of sweeps, or 0 for half of Sweeps", m.BurnIn)
	}
	return m.prior().check()
}

// Chain returns how many sweeps come before those that are averaged, and how many these are, with the defaults filled
// in.
func (m Gibbs) Chain() (burn, kept int) {
	burn, kept = m.BurnIn, m.Sweeps
	if kept == 0 {
		kept = defaultSweeps
	}
	if burn == 0 {
		burn = kept / 2
	}
	return burn, kept
}

// completable are cases whose hidden cells can be drawn.
type completable struct {
	*infer.Plan
	completions *completion.Cases
	ctx         context.Context // ends draws
}

func (m Gibbs) fitTable(ctx context.Context, p *problem, t *data.Table, set *Settings) (*Result, error) {
	if hasGaussian(p.net) {
		return nil, errors.New("learn: Gibbs is for networks of discrete variables; discretise the others first " +
			"(bnkit.Discretize)")
	}
	if t.Regimes() != nil {
		return nil, errors.New("learn: Gibbs does not take cases that were intervened on; fit by EM")
	}
	if err := m.drawable(p.net); err != nil {
		return nil, err
	}
	if err := whole(t); err != nil {
		return nil, err
	}
	ctx = interrupt.Of(ctx)
	plan, err := infer.NewPlan(p.net, t, &infer.Options{Workers: set.Workers, Ended: ctx.Err})
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	all, err := completion.New(p.net, t)
	if err != nil {
		return nil, err
	}
	burn, kept := m.Chain()
	chain := *set
	chain.MaxIterations = burn + kept
	chain.Tolerance = -1 // never: a mean that stands still for one sweep is not the end
	r, err := p.iterate(ctx, completable{plan, all, ctx}, m, &chain)
	if err != nil {
		return nil, err
	}
	if r.Status == IterationLimit {
		r.Status = Sampled
	}
	for i := range r.Ends {
		if r.Ends[i].Status == IterationLimit {
			r.Ends[i].Status = Sampled
		}
	}
	return r, p.flagOpen(r, plan, t)
}

// drawable returns an error for a statement under which tables cannot be drawn one by one, or
// under which the mean of tables does not satisfy it.
func (m Gibbs) drawable(net *bn.Network) error {
	for _, s := range m.Constraints {
		bounds, err := s.Bind(net)
		if err != nil {
			return say.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			switch {
			case len(b.Ratios) > 0:
				return say.Errorf("learn: %q: equal ratios do not hold in the mean of tables in which they hold, so "+
					"Gibbs has no estimate; use EM", s)
			case len(b.Smooth) > 0:
				return say.Errorf("learn: %q: there are no draws under a formula; use EM", s)
			}
			for _, row := range b.Links {
				if row.Var != b.Links[0].Var {
					return say.Errorf("learn: %q links tables of %q and %q, which Gibbs draws one by one; use EM", s,
						net.Variable(b.Links[0].Var).Name, net.Variable(row.Var).Name)
				}
			}
		}
	}
	return nil
}

// whole returns an error for a weight that is no number of cases.
func whole(t *data.Table) error {
	for row, w := range t.Weights() {
		if w != math.Trunc(w) || w > completion.MostEntries {
			return say.Errorf("learn: row %d has weight %v; Gibbs completes whole cases, so give whole weights of at "+
				"most %d, or use EM", row+1, w, completion.MostEntries)
		}
	}
	return nil
}
