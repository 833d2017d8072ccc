package structure

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// penalised is Σ n ln θ − penalty · (free parameters) at the maximum under the statements.
func (f *shape) penalised(c *Counts, penalty float64) (float64, error) {
	u, err := f.maximum(c)
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
	*shape
	n       []float64
	loglik  float64 // under all statements
	without map[*constraint.Linear]bool
	now     *constraint.Problem // of the last maximum
	theta   []float64
}

// counts are those of all tables of the family's network.
func (f *shape) counts(c *Counts) []float64 {
	n := make([]float64, f.problem.Layout().Len())
	copy(n[f.first:], c.N)
	return n
}

func (f *shape) maximum(c *Counts) (*under, error) {
	u := &under{shape: f, n: f.counts(c), now: f.problem, without: make(map[*constraint.Linear]bool)}
	u.theta = make([]float64, len(u.n))
	err := f.problem.Maximize(u.theta, u.n)
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
	var err error
	if u.now, err = u.relax(u.without); err != nil {
		return err
	}
	return u.now.Maximize(u.theta, u.n)
}

// relax compiles the statements without some relations, or finds what was compiled of that.
func (f *shape) relax(without map[*constraint.Linear]bool) (*constraint.Problem, error) {
	if len(without) == 0 {
		return f.problem, nil
	}
	var key []byte
	for _, bounds := range f.bounds {
		for _, b := range bounds {
			for j := range b.AtMost {
				key = append(key, '0')
				if without[&b.AtMost[j]] {
					key[len(key)-1] = '1'
				}
			}
		}
	}
	f.Lock()
	known := f.relaxed[string(key)]
	f.Unlock()
	if known != nil {
		return known, nil
	}
	statements := make([]constraint.Constraint, len(f.bounds))
	for i, bounds := range f.bounds {
		left := relaxed{text: f.problem.Statements()[i].String(), bounds: slices.Clone(bounds)}
		for b := range left.bounds {
			kept := left.bounds[b].AtMost[:0:0]
			for j := range bounds[b].AtMost {
				if l := &bounds[b].AtMost[j]; !without[l] {
					kept = append(kept, *l)
				}
			}
			left.bounds[b].AtMost = kept
		}
		statements[i] = left
	}
	p, err := constraint.Compile(f.net, statements...)
	if err != nil {
		return nil, err
	}
	f.Lock()
	defer f.Unlock()
	if len(f.relaxed) < keptRelaxed {
		f.relaxed[string(key)] = p
	}
	return p, nil
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

// keptRelaxed bounds the problems that a shape keeps.
const keptRelaxed = 1 << 8

// heldTol is the difference of a linear function from its bound at which they count as equal, and
// the log-likelihood, in nats for a case, that an inequality must cost to count as holding the
// estimate back.
const heldTol = 1e-7

// binding is the number of independent relations that hold the estimate: all equalities, and
// inequalities that cannot be left out without raising the likelihood.
func (u *under) binding() (int, error) {
	if u.equal {
		return u.bound(), nil
	}
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
	if len(active)+len(u.without) > 0 {
		if err := u.maximize(); err != nil {
			return 0, err
		}
	}
	return u.now.Binding(u.theta), nil
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
