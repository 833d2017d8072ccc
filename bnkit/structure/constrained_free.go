package structure

import (
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// penalised is Σ n ln θ − penalty · (free parameters) at the maximum under the statements.
func penalised(net *bn.Network, p *constraint.Problem, n []float64, c *Counts, penalty float64) (float64, error) {
	u, err := newUnder(net, p, n)
	if err != nil {
		return 0, err
	}
	loglik, bound := u.loglik, 0
	if penalty > 0 {
		if bound, err = u.binding(); err != nil {
			return 0, err
		}
	}
	return c.Scale*loglik - penalty*(c.free()-float64(bound)), nil
}

// under is the maximum of one family under statements.
type under struct {
	net     *bn.Network
	n       []float64
	bounds  [][]constraint.Bound // by statement
	texts   []string
	loglik  float64 // under all statements
	without map[*constraint.Linear]bool
	problem *constraint.Problem // of the last maximum
	theta   []float64
}

func newUnder(net *bn.Network, p *constraint.Problem, n []float64) (*under, error) {
	u := &under{net: net, n: n, problem: p, theta: make([]float64, len(n)), without: make(map[*constraint.Linear]bool)}
	for _, st := range p.Statements() {
		bounds, err := st.Bind(net)
		if err != nil {
			return nil, err
		}
		u.bounds, u.texts = append(u.bounds, bounds), append(u.texts, st.String())
	}
	err := p.Maximize(u.theta, n)
	u.loglik = u.logLikelihood()
	return u, err
}

// A relaxed statement is what is left of one.
type relaxed struct {
	text   string
	bounds []constraint.Bound
}

func (r relaxed) String() string                               { return r.text }
func (r relaxed) Bind(*bn.Network) ([]constraint.Bound, error) { return r.bounds, nil }

// maximize finds the maximum under all relations but those left out.
func (u *under) maximize() error {
	statements := make([]constraint.Constraint, len(u.bounds))
	for i, bounds := range u.bounds {
		left := relaxed{text: u.texts[i], bounds: append([]constraint.Bound(nil), bounds...)}
		for b := range left.bounds {
			kept := left.bounds[b].AtMost[:0:0]
			for j := range bounds[b].AtMost {
				if l := &bounds[b].AtMost[j]; !u.without[l] {
					kept = append(kept, *l)
				}
			}
			left.bounds[b].AtMost = kept
		}
		statements[i] = left
	}
	var err error
	if u.problem, err = constraint.Compile(u.net, statements...); err != nil {
		return err
	}
	return u.problem.Maximize(u.theta, u.n)
}

// logLikelihood is Σ n ln θ at the last maximum.
func (u *under) logLikelihood() float64 {
	loglik := 0.0
	for cell, count := range u.n {
		if count > 0 {
			loglik += count * math.Log(u.theta[cell])
		}
	}
	return loglik
}

// heldTol is the difference of a linear function from its bound at which they count as equal, and
// the log-likelihood, in nats for a case, that an inequality must cost to count as holding the
// estimate back.
const heldTol = 1e-7

// binding is the number of independent relations that hold the estimate: all equalities, and
// inequalities that cannot be left out without raising the likelihood.
func (u *under) binding() (int, error) {
	var active []*constraint.Linear
	for _, bounds := range u.bounds {
		for _, b := range bounds {
			for j := range b.AtMost {
				l := &b.AtMost[j]
				at := -l.Value
				for i, cell := range l.Cells {
					coef := 1.0
					if l.Coef != nil {
						coef = l.Coef[i]
					}
					at += coef * u.theta[cell]
				}
				if at > -heldTol {
					active = append(active, l)
				} else {
					u.without[l] = true
				}
			}
		}
	}
	if err := u.drop(active); err != nil {
		return 0, err
	}
	if err := u.maximize(); err != nil {
		return 0, err
	}
	return u.problem.Binding(u.theta), nil
}

// drop leaves out as many of the relations as it can: all at once, or else those of one half and then of
// the other, down to single ones.
func (u *under) drop(relations []*constraint.Linear) error {
	if len(relations) == 0 {
		return nil
	}
	for _, l := range relations {
		u.without[l] = true
	}
	if err := u.maximize(); err != nil {
		return err
	}
	cases := 0.0
	for _, n := range u.n {
		cases += n
	}
	if !(u.logLikelihood() > u.loglik+heldTol*cases) {
		return nil
	}
	for _, l := range relations {
		delete(u.without, l)
	}
	if len(relations) == 1 {
		return nil
	}
	half := len(relations) / 2
	if err := u.drop(relations[:half]); err != nil {
		return err
	}
	return u.drop(relations[half:])
}
