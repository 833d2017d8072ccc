package learn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
)

// Gibbs is the posterior mean from cases with missing cells, by data augmentation (Tanner
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
// Settings.Src is needed; Settings.MaxIterations and Tolerance are not used. The trace holds
// the drawn tables until BurnIn and the mean from then on. Status Converged says that all
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
func (m Gibbs) String() string { return "Gibbs sampling, posterior mean: " + m.prior().String() }

func (m Gibbs) prior() MAP {
	return MAP{Pseudocount: m.Pseudocount, Alpha: m.Alpha, Constraints: m.Constraints}
}

func (m Gibbs) statements() []constraint.Constraint { return m.Constraints }

func (m Gibbs) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, 0 }

func (m Gibbs) check() error {
	switch {
	case m.Sweeps < 0:
		return fmt.Errorf("learn: Sweeps is %d; give the number of sweeps to average, or 0 for %d", m.Sweeps, defaultSweeps)
	case m.BurnIn < 0:
		return fmt.Errorf("learn: BurnIn is %d; give a number of sweeps, or 0 for half of Sweeps", m.BurnIn)
	}
	return m.prior().check()
}

func (m Gibbs) estimate(*constraint.Problem, *bn.Network, []float64) (*constraint.Solution, error) {
	return nil, errors.New("learn: Gibbs needs the rows of a table (Fit); use MAP for counts")
}

// sweeps fills in defaults.
func (m Gibbs) sweeps() (burn, kept int) {
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
	completions *completions
}

func (m Gibbs) fitTable(p *problem, t *data.Table, set *Settings) (*Result, error) {
	if hasGaussian(p.net) {
		return nil, errors.New("learn: Gibbs is for networks of discrete variables; discretise the others first (bnkit.Discretize)")
	}
	if set.Src == nil {
		return nil, fmt.Errorf("learn: Gibbs draws at random: %w; set Src in Settings", bn.ErrNoSource)
	}
	if err := m.drawable(p.net); err != nil {
		return nil, err
	}
	if err := whole(t); err != nil {
		return nil, err
	}
	plan, err := infer.NewPlan(p.net, t, &infer.Options{Workers: set.Workers})
	if err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	all, err := newCompletions(p.net, t)
	if err != nil {
		return nil, err
	}
	burn, kept := m.sweeps()
	chain := *set
	chain.MaxIterations = burn + kept
	chain.Tolerance = -1 // never: a mean that stands still for one sweep is not the end
	r, err := p.iterate(completable{plan, all}, m, &chain)
	if err != nil {
		return nil, err
	}
	if r.Status == IterationLimit {
		r.Status = Converged
	}
	return r, p.flagOpen(r, plan, t)
}

// drawable returns an error for a statement under which tables cannot be drawn one by one, or
// under which the mean of tables does not satisfy it.
func (m Gibbs) drawable(net *bn.Network) error {
	for _, s := range m.Constraints {
		bounds, err := s.Bind(net)
		if err != nil {
			return fmt.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			switch {
			case len(b.Ratios) > 0:
				return fmt.Errorf("learn: %q: equal ratios do not hold in the mean of tables in which they hold, so Gibbs has no estimate; use EM", s)
			case len(b.Smooth) > 0:
				return fmt.Errorf("learn: %q: there are no draws under a formula; use EM", s)
			}
			for _, row := range b.Links {
				if row.Var != b.Links[0].Var {
					return fmt.Errorf("learn: %q links tables of %q and %q, which Gibbs draws one by one; use EM", s, net.Variable(b.Links[0].Var).Name, net.Variable(row.Var).Name)
				}
			}
		}
	}
	return nil
}

func (m Gibbs) begin(p *problem, c Cases, rng *rand.Rand) (climb, error) {
	pseudo, err := m.prior().pseudocounts(p.tables, p.net)
	if err != nil {
		return nil, err
	}
	burn, _ := m.sweeps()
	size := p.tables.Layout().Len()
	g := &gibbsClimb{problem: p, cases: c.(completable), rng: rng, burn: burn, pseudo: pseudo,
		theta: make([]float64, size), mean: make([]float64, size), given: make([]float64, size), n: make([]float64, size), alpha: make([]float64, size)}
	for cell := range g.alpha {
		g.alpha[cell] = 1
	}
	if err := p.tables.AddPrior(g.alpha, pseudo); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	g.names, err = m.renamings(p.net, c.Hidden())
	return g, err
}

// gibbsClimb is one chain. Its point is the draw until burn-in has passed, then the mean.
type gibbsClimb struct {
	problem *problem
	cases   completable
	rng     *rand.Rand
	names   []renaming
	burn    int
	sweeps  int       // made
	pseudo  []float64 // as AddPrior takes them
	alpha   []float64 // Dirichlet counts
	theta   []float64 // the draw
	n       []float64 // completed counts
	given   []float64 // E[tables | n]
	mean    []float64 // of given, over the sweeps after burn-in
	kept    []float64
}

func (c *gibbsClimb) start(theta []float64) error {
	copy(c.theta, theta)
	return nil
}

// point is the estimate so far.
func (c *gibbsClimb) point() []float64 {
	if c.sweeps > c.burn {
		return c.mean
	}
	return c.theta
}

// evaluate returns as objective the log-likelihood and the logarithm of the prior's density,
// up to its constant.
func (c *gibbsClimb) evaluate(theta []float64) (loglik, objective float64, err error) {
	copy(theta, c.point())
	if loglik, err = c.cases.LogLikelihood(theta); err != nil {
		return 0, 0, err
	}
	objective = loglik
	for cell, a := range c.alpha {
		if a != 1 && theta[cell] > 0 {
			objective += (a - 1) * math.Log(theta[cell])
		}
	}
	return loglik, objective, nil
}

// move is one sweep.
func (c *gibbsClimb) move() (bool, error) {
	clear(c.n)
	c.cases.AddObserved(c.n)
	if err := c.cases.completions.draw(c.n, c.theta, c.rng); err != nil {
		return false, err
	}
	tables, layout := c.problem.tables, c.problem.tables.Layout()
	one := &constraint.Sampling{Draws: 1, Src: c.rng}
	for v := range c.problem.net.Len() {
		d, err := tables.Draw(c.problem.net.Variable(v).Name, c.n, c.pseudo, one)
		if err != nil {
			return false, err
		}
		lo, _ := layout.Family(v)
		copy(c.theta[lo:], d.Theta[0])
	}
	if c.sweeps++; c.sweeps <= c.burn {
		return true, nil
	}
	if _, err := tables.PosteriorMean(c.given, c.n, c.pseudo, one); err != nil {
		return false, err
	}
	k := c.sweeps - c.burn
	if k > 1 {
		align(c.given, c.mean, c.names)
	}
	for cell, x := range c.given {
		c.mean[cell] += (x - c.mean[cell]) / float64(k)
	}
	return true, nil
}

func (c *gibbsClimb) keep() { c.kept = append(c.kept[:0], c.point()...) }

func (c *gibbsClimb) result() (*Result, error) {
	p := c.problem
	r := &Result{
		Net: p.net.Clone(), Method: p.method.String(), Statements: p.method.statements(),
		Cases: c.cases.Weight(), Counts: make([]float64, len(c.kept)), Skipped: make([]float64, p.net.Len()),
		Expected: !c.cases.IsComplete(),
	}
	p.put(r.Net, c.kept)
	if err := r.Net.Validate(); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	var err error
	if r.LogLikelihood, err = c.cases.Expect(r.Counts, c.kept); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	n := slices.Clone(r.Counts)
	for cell, a := range c.alpha {
		n[cell] += a - 1
	}
	r.Flags = p.tables.Flags(c.kept, n)
	return r, nil
}
