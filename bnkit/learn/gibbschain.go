package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/relabel"
	"bnlab/internal/say"
)

func (m Gibbs) begin(p *problem, c Cases, rng *rand.Rand) (climb, error) {
	pseudo, err := m.prior().pseudocounts(p.tables, p.net)
	if err != nil {
		return nil, err
	}
	burn, _ := m.Chain()
	size := p.tables.Layout().Len()
	g := &gibbsClimb{problem: p, cases: c.(completable), rng: rng, burn: burn, pseudo: pseudo,
		theta: make([]float64, size), mean: make([]float64, size), given: make([]float64, size),
		n: make([]float64, size), alpha: make([]float64, size)}
	for cell := range g.alpha {
		g.alpha[cell] = 1
	}
	if err := p.tables.AddPrior(g.alpha, pseudo); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	g.names, err = relabel.New(p.net, c.Hidden(), m.Constraints, m.Alpha)
	return g, err
}

// gibbsClimb is one chain. Its point is the draw until burn-in has passed, then the mean.
type gibbsClimb struct {
	problem *problem
	cases   completable
	rng     *rand.Rand
	names   []relabel.Variable
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
	if err := c.cases.completions.Draw(c.cases.ctx, c.n, c.theta, c.rng); err != nil {
		return false, err
	}
	tables, layout := c.problem.tables, c.problem.tables.Layout()
	one := &constraint.Sampling{Draws: 1, Src: c.rng}
	for v := range c.problem.net.Len() {
		d, err := tables.Draw(context.Background(), c.n, c.pseudo, one, c.problem.net.Variable(v).Name)
		if err != nil {
			return false, err
		}
		lo, _ := layout.Family(v)
		copy(c.theta[lo:], d.Theta[0])
	}
	if c.sweeps++; c.sweeps <= c.burn {
		return true, nil
	}
	if _, err := tables.PosteriorMean(context.Background(), c.given, c.n, c.pseudo, one); err != nil {
		return false, err
	}
	k := c.sweeps - c.burn
	if k > 1 {
		relabel.Align(c.given, c.mean, c.names)
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
		return nil, say.Errorf("learn: %w", err)
	}
	var err error
	if r.LogLikelihood, err = c.cases.Expect(r.Counts, c.kept); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	n := slices.Clone(r.Counts)
	for cell, a := range c.alpha {
		n[cell] += a - 1
	}
	r.Flags = p.tables.Flags(c.kept, n)
	return r, nil
}
