package learn

import (
	"errors"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/bnkit/learn/internal/violation"
	"bnlab/internal/say"
)

const leastLeft = 1e-12 // that a step leaves

func (m AlternatingEM) prior() MAP { return MAP{Pseudocount: m.Pseudocount} }

func (m AlternatingEM) statements() []constraint.Constraint { return m.Constraints }

func (m AlternatingEM) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, 0 }

// bind leaves the tables free: influences are for the second step.
func (m AlternatingEM) bind(net *bn.Network, statements ...constraint.Constraint) (*constraint.Problem, error) {
	for _, s := range statements {
		if _, ok := statement.As[constraint.Influence](s); !ok {
			return nil, say.Errorf("AlternatingEM takes influences only, and %q is none; use EM, which holds "+
				"statements of all kinds", s)
		}
		if _, err := s.Bind(net); err != nil {
			return nil, err
		}
	}
	return constraint.Compile(net)
}

func (m AlternatingEM) begin(p *problem, c Cases, _ *rand.Rand) (climb, error) {
	if hasGaussian(p.net) {
		return nil, errors.New("learn: AlternatingEM is for networks of discrete variables; use EM, or discretise " +
			"the others first (bnkit.Discretize)")
	}
	pseudo, err := m.prior().pseudocounts(p.tables, p.net)
	if err != nil {
		return nil, err
	}
	ladders, err := violation.BindLadders(p.net, m.Constraints)
	if err != nil {
		return nil, err
	}
	a := &alternation{problem: p, method: m, cases: c, ladders: ladders, pseudo: pseudo}
	for _, list := range []*[]float64{&a.theta, &a.before, &a.kept, &a.n, &a.m, &a.v} {
		*list = make([]float64, p.tables.Layout().Len())
	}
	return a, nil
}

// alternation is AlternatingEM from one start.
type alternation struct {
	problem *problem
	method  AlternatingEM
	cases   Cases
	ladders violation.Ladders
	pseudo  []float64
	theta   []float64
	before  []float64 // theta before the update of EM
	kept    []float64
	n, m    []float64 // expected counts at theta, without and with pseudocounts
	v       []float64 // the gradient of the violation
}

func (a *alternation) start(theta []float64) error {
	copy(a.theta, theta)
	return nil
}

func (a *alternation) evaluate(theta []float64) (loglik, objective float64, err error) {
	clear(a.n)
	if loglik, err = a.cases.Expect(a.n, a.theta); err != nil {
		return 0, 0, err
	}
	copy(a.m, a.n)
	if err := a.problem.tables.AddPrior(a.m, a.pseudo); err != nil {
		return 0, 0, err
	}
	objective = loglik - a.method.weight()*a.ladders.Violation(a.theta)
	for cell, x := range a.theta {
		if a.pseudo[cell] != 0 && x > 0 {
			objective += a.pseudo[cell] * math.Log(x)
		}
	}
	copy(theta, a.theta)
	return loglik, objective, nil
}

func (a *alternation) move() (bool, error) {
	copy(a.before, a.theta)
	if err := a.problem.tables.Maximize(a.theta, a.m); err != nil {
		return false, err
	}
	largest := a.slope()
	if largest == 0 {
		return true, nil
	}
	moved := 0.0
	for cell, x := range a.theta {
		moved = max(moved, math.Abs(x-a.before[cell]))
	}
	step := a.method.stepSize() * moved / largest
	if a.method.WeightAfterRescale {
		step *= a.method.weight()
	}
	a.against(step)
	return true, nil
}

// slope writes to v the gradient of the violation at theta, projected onto sums of one, and
// returns its largest entry. (W00 Eq. 14.)
func (a *alternation) slope() (largest float64) {
	clear(a.v)
	a.ladders.Broken(a.theta, func(low, high, m, states int, _ float64) {
		for s := m; s < states; s++ {
			a.v[low+s]++
			a.v[high+s]--
		}
	})
	a.rows(func(lo, hi int) {
		mean := 0.0
		for _, g := range a.v[lo:hi] {
			mean += g / float64(hi-lo)
		}
		for cell := lo; cell < hi; cell++ {
			a.v[cell] -= mean
			largest = max(largest, math.Abs(a.v[cell]))
		}
	})
	if largest < 1e-12 { // rounding in the means
		largest = 0
	}
	return largest
}

// against takes the step from theta against v.
func (a *alternation) against(step float64) {
	a.rows(func(lo, hi int) {
		sum := 0.0
		for cell := lo; cell < hi; cell++ {
			if x := a.theta[cell]; a.v[cell] != 0 {
				a.theta[cell] = min(max(x-step*a.v[cell], min(x, leastLeft)), 1)
			}
			sum += a.theta[cell]
		}
		for cell := lo; cell < hi; cell++ {
			a.theta[cell] /= sum
		}
	})
}

// rows calls f with the entries of each distribution.
func (a *alternation) rows(f func(lo, hi int)) {
	layout := a.problem.tables.Layout()
	for v := range a.problem.net.Len() {
		for config := range a.problem.net.CPT(v).Configs().Len() {
			f(layout.Row(v, config))
		}
	}
}

func (a *alternation) keep() { copy(a.kept, a.theta) }

func (a *alternation) result() (*Result, error) {
	copy(a.theta, a.kept)
	clear(a.n)
	loglik, err := a.cases.Expect(a.n, a.theta)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	copy(a.m, a.n)
	if err := a.problem.tables.AddPrior(a.m, a.pseudo); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	net := a.problem.net.Clone()
	a.problem.put(net, a.theta)
	return &Result{
		Net: net, Method: a.method.String(), Statements: a.method.Constraints,
		LogLikelihood: loglik, Cases: a.cases.Weight(), Counts: a.n,
		Skipped: make([]float64, net.Len()), Flags: a.problem.tables.Flags(a.theta, a.m),
		Expected: !a.cases.IsComplete(),
	}, nil
}
