package learn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/softmax"
	"bnlab/internal/say"
)

// EM is maximum likelihood, or maximum a posteriori with pseudocounts, from cases with
// missing cells, by expectation–maximisation (N06 Algorithm 1): expected counts at the
// current parameters, then the exact maximum under the statements for those counts, until
// neither moves. A variable without a column is hidden in every case.
//
// The log-likelihood, or log posterior, never falls: with the expected complete log-likelihood
// Q(·|θ) the maximum θ⁺ under the statements has Q(θ⁺|θ) ≥ Q(θ|θ), and the log-likelihood rises
// at least as much. The same holds less a penalty for violations, so W00's extended score
// (Eq. 4) has an exact EM.
//
// Under influences on hidden variables a start whose states run the other way may end where
// tables do not depend on them at all, well below the best: let Settings.Starts be several.
//
// The expectation is exact, by elimination (package infer); a network whose hidden parts are
// too wide for that is an error that says so.
type EM struct {
	Pseudocount float64              // as in MAP
	Alpha       map[string][]float64 // as in MAP
	Constraints []constraint.Constraint
	// ViolationWeight is w of W00 Eq. 4: the objective is then the log-likelihood less w times
	// [constraint.Influence.Violation], and that of synergies ([constraint.CompileSoft]), summed over those among
	// Constraints, in nats per unit of probability; all other statements hold. 0 means that these hold too, as
	// they do from some weight on, which grows with the number of cases.
	ViolationWeight float64
	// Gaussian and GaussianOf are priors of linear-Gaussian nodes, VarianceFloor their least
	// variance, as in MAP. With hidden parents one of them is wise: a configuration that
	// withdraws to a single case has a likelihood without bound, an error when a start gets there.
	Gaussian      *constraint.GaussianPrior
	GaussianOf    map[string]constraint.GaussianPrior
	VarianceFloor float64
}

var _ iterative = EM{}

func (m EM) gaussian(name string) (*constraint.GaussianPrior, float64) {
	return m.prior().gaussian(name)
}

func (m EM) prior() MAP {
	return MAP{
		Pseudocount: m.Pseudocount, Alpha: m.Alpha, Constraints: m.Constraints,
		Gaussian: m.Gaussian, GaussianOf: m.GaussianOf, VarianceFloor: m.VarianceFloor,
	}
}

func (m EM) check() error {
	if !(m.ViolationWeight >= 0) || math.IsInf(m.ViolationWeight, 1) {
		return say.Errorf("learn: ViolationWeight is %v; give a positive number, or 0 for statements that hold",
			m.ViolationWeight)
	}
	return m.prior().check()
}

// bind lets influences and synergies cost, when they have a weight.
func (m EM) bind(net *bn.Network, statements ...constraint.Constraint) (*constraint.Problem, error) {
	if m.ViolationWeight == 0 {
		return constraint.Compile(net, statements...)
	}
	return constraint.CompileSoft(net, m.ViolationWeight, statements...)
}

// String names the method and its prior.
func (m EM) String() string {
	weight := ""
	if m.ViolationWeight > 0 {
		weight = fmt.Sprintf(", violations weighted by %v", m.ViolationWeight)
	}
	if m.Pseudocount == 0 && len(m.Alpha) == 0 && m.Gaussian == nil && len(m.GaussianOf) == 0 {
		return "EM, maximum likelihood" + atLeast(m.VarianceFloor) + under(m.Constraints) + weight
	}
	return "EM, " + m.prior().String() + weight
}

func (m EM) statements() []constraint.Constraint { return m.Constraints }

func (m EM) estimate(p *constraint.Problem, net *bn.Network, counts []float64) (*constraint.Solution, error) {
	return m.prior().estimate(p, net, counts)
}

func (m EM) begin(p *problem, c Cases, rng *rand.Rand) (climb, error) {
	if err := m.prior().checkPriors(p.net); err != nil {
		return nil, err
	}
	pseudo, err := m.prior().pseudocounts(p.tables, p.net)
	if err != nil {
		return nil, err
	}
	size := p.tables.Layout().Len()
	climb := &emClimb{problem: p, cases: c, rng: rng, pseudo: pseudo, theta: make([]float64, size),
		n: make([]float64, size)}
	if hasGaussian(p.net) {
		climb.lines, err = newLines(p, c)
	}
	return climb, err
}

// emClimb is EM from one start.
type emClimb struct {
	problem *problem
	cases   Cases
	rng     *rand.Rand
	lines   *lines // nil without linear-Gaussian nodes
	pseudo  []float64
	theta   []float64
	n       []float64 // expected counts at theta
	m       []float64 // n with pseudocounts
	made    []float64 // the expected counts that theta was made from, nil at the start
	kept    []float64 // the same of the point that is kept
	begun   []float64 // the first tables
	first   bool      // they are what is kept
}

func (c *emClimb) start(theta []float64) error {
	copy(c.theta, theta)
	c.begun = append(c.begun, theta...)
	if c.lines != nil {
		return c.lines.start(theta, c.problem.from, c.rng)
	}
	return nil
}

// expect is the log-likelihood at the current point; it adds the expected counts to n.
func (c *emClimb) expect(n []float64) (loglik float64, err error) {
	if c.lines != nil {
		return c.lines.expect(n, c.theta)
	}
	return c.cases.Expect(n, c.theta)
}

func (c *emClimb) evaluate(theta []float64) (loglik, objective float64, err error) {
	clear(c.n)
	if loglik, err = c.expect(c.n); err != nil {
		return 0, 0, err
	}
	c.m = append(c.m[:0], c.n...)
	if err := c.problem.tables.AddPrior(c.m, c.pseudo); err != nil {
		return 0, 0, err
	}
	objective = loglik - c.problem.tables.Penalty(c.theta) + priorOf(c.m, c.n, c.theta)
	objective = max(objective, -math.MaxFloat64) // a start may hold possible what the prior does not
	if c.lines != nil {
		objective += c.lines.logPrior()
	}
	copy(theta, c.theta)
	return loglik, objective, nil
}

func (c *emClimb) move() (bool, error) {
	if c.made == nil {
		c.made = make([]float64, 0, len(c.n)) // not nil without tables either
	}
	c.made = append(c.made[:0], c.n...)
	if err := c.problem.tables.Improve(c.theta, c.m, c.theta); err != nil {
		return false, err
	}
	for cell, p := range c.theta {
		c.theta[cell] = softmax.Lifted(p)
	}
	if c.lines != nil {
		return true, c.lines.move()
	}
	return true, nil
}

func (c *emClimb) keep() {
	if c.first = c.made == nil; c.first {
		c.kept = append(c.kept[:0], c.n...)
	} else {
		c.kept = append(c.kept[:0], c.made...)
	}
	if c.lines != nil {
		c.lines.keep()
	}
}

func (c *emClimb) result() (*Result, error) {
	var moments *data.Moments
	if c.lines != nil {
		moments = c.lines.kept
	}
	r, err := c.problem.fit(context.Background(), &data.Counts{Layout: c.problem.tables.Layout(), N: c.kept,
		Rows: c.cases.Weight(), Skipped: make([]float64, c.problem.net.Len())}, moments)
	if err != nil {
		return nil, err
	}
	copy(c.theta, r.Solution.Theta)
	if c.first { // no counts stand behind it
		copy(c.theta, c.begun)
		c.problem.put(r.Net, c.theta)
		r.Solution, r.Flags = nil, nil
		if c.lines != nil {
			if err := c.lines.putFirst(r.Net); err != nil {
				return nil, err
			}
		}
	}
	if c.lines == nil {
		r.LogLikelihood, err = c.cases.LogLikelihood(c.theta)
	} else {
		for v := range c.lines.nodes {
			c.lines.nodes[v] = r.Net.Gaussian(v)
		}
		r.LogLikelihood, err = c.expect(make([]float64, len(c.n)))
	}
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	r.Expected = !c.cases.IsComplete()
	return r, nil
}
