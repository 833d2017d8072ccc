package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/bnkit/learn/internal/violation"
	"bnlab/internal/say"
)

// APN trains an adaptive probabilistic network (R95): it climbs the gradient of the
// log-likelihood of incomplete cases, whose derivative by a table entry w is the expected
// count of the entry over the entry,
//
//	∂ ln P(D) / ∂w = N̄ / w                                   (R95 Eqs. 3 and 4)
//
// so that each step costs what a step of [EM] does. The objective never falls from one
// iteration to the next. What it reaches is a local maximum, as with EM; on the way there it
// can do what EM cannot:
//
//   - tables made from few parameters ([ParametricCPD], R95 Eq. 5);
//   - the likelihood of some variables given the others (Targets, R95 §8);
//   - influences and synergies as a penalty on such tables (ViolationWeight).
//
// Continuous variables are linear-Gaussian nodes with intercepts, weights and logarithms of
// variances as parameters; the cases must then have ExpectMoments ([Cases]).
//
// # Statements
//
// Statements of every class hold at each iteration. The tables that they link move from θ
// towards M(θ), the M-step of EM under the statements ([constraint.Problem.Maximize]). That is
// a way up: Q(·|θ) = Σ N̄ log θ has at θ the gradient of the log-likelihood, and is concave,
// so the slope along M(θ) − θ is at least Q(M(θ)|θ) − Q(θ|θ) ≥ 0, and 0 only where EM stands
// still. The way stays within the statements as far as M(θ) when these are linear, since they
// then form a convex set, and the line search goes on behind M(θ) as long as they hold. Under
// curved statements and ratios the step is M(θ) itself, which does not lower the
// likelihood, and nothing in between.
//
// With a ViolationWeight w influences and synergies cost w·Violation instead, and M(θ) maximises Q less that
// ([constraint.CompileSoft]); both are concave, so the same holds. ConjugateGradient follows
// the gradient of the penalty, as W00 §4.2 does (Eq. 15), and so do tables of families and
// fits with Targets, for which there is no M-step. The penalty has kinks where rows are level,
// which is where it drives them: a step across a kink is accepted when the objective rises
// enough and the slope has fallen, and Converged means that the gradient shows no way up,
// which at a kink is not yet the maximum.
type APN struct {
	// Pseudocount is added to each expected count, as in [MAP]; here it is not negative. The
	// mode is that of the density over table entries, whatever the coordinates of the search.
	Pseudocount float64
	// Alpha is as in MAP, at least 1 here. Of a table of a family the density over the
	// entries is restricted to the tables that the family can make.
	Alpha       map[string][]float64
	Constraints []constraint.Constraint
	// ViolationWeight is w of W00 Eq. 4: the objective is the log-likelihood less w times
	// [constraint.Influence.Violation], and that of synergies ([constraint.CompileSoft]), summed over those among
	// Constraints, in nats per unit of probability. 0 means that they hold.
	ViolationWeight float64
	// Gaussian and GaussianOf are priors of linear-Gaussian nodes, as in MAP. With hidden parents
	// one is needed, or a variance may go to zero ([constraint.ErrUnbounded]).
	Gaussian   *constraint.GaussianPrior
	GaussianOf map[string]constraint.GaussianPrior
	// CPDs replace the free tables of the variables that they name.
	CPDs []ParametricCPD
	// Targets are the variables whose likelihood given all others is raised, Σ log P(targets |
	// rest). None means the likelihood of all, and so does naming all. Some case observes each.
	Targets []string
	// ConjugateGradient takes the paper's search (R95 §4, §7): Polak–Ribière directions from
	// gradients projected onto tables, in which entries at zero stay while the gradient pushes
	// them down. No entry falls below 1e-12, so that N̄/w stays what it is in the limit and an
	// entry can come back. Without it the search is L-BFGS, the limited-memory quasi-Newton
	// method of Liu and Nocedal (1989), on the logarithms of table entries: w is the softmax of β
	// within its row,
	//
	//	∂ ln P(D) / ∂β = N̄ − w · Σ_row N̄.
	//
	// A zero in the first tables stays.
	ConjugateGradient bool
}

var (
	_ iterative   = APN{}
	_ conditional = APN{}
	_ binder      = APN{}
)

func (m APN) prior() MAP {
	return MAP{Pseudocount: m.Pseudocount, Alpha: m.Alpha, Constraints: m.Constraints, Gaussian: m.Gaussian,
		GaussianOf: m.GaussianOf}
}

// String names the method with what it does beyond maximum likelihood.
func (m APN) String() string {
	text := "APN by L-BFGS"
	if m.ConjugateGradient {
		text = "APN by conjugate gradient"
	}
	if len(m.Targets) > 0 {
		text += ", likelihood of " + strings.Join(m.Targets, ", ") + " given the rest"
	}
	for _, f := range m.CPDs {
		if f != nil { // Fit tells
			text += ", " + f.String()
		}
	}
	if m.Pseudocount == 0 && len(m.Alpha) == 0 && m.Gaussian == nil && len(m.GaussianOf) == 0 {
		text += ", maximum likelihood" + under(m.Constraints)
	} else {
		text += ", " + m.prior().String()
	}
	if m.ViolationWeight > 0 {
		text += fmt.Sprintf(", violations weighted by %v", m.ViolationWeight)
	}
	return text
}

func (m APN) check() error {
	switch {
	case !(m.Pseudocount >= 0) || math.IsInf(m.Pseudocount, 1):
		return say.Errorf("learn: Pseudocount is %v; for APN it must be finite and not negative, since a density "+
			"that grows without limit towards zero has no maximum to climb to", m.Pseudocount)
	case !(m.ViolationWeight >= 0) || math.IsInf(m.ViolationWeight, 1):
		return say.Errorf("learn: ViolationWeight is %v; give a positive number, or 0 for statements that hold",
			m.ViolationWeight)
	}
	return m.prior().check()
}

func (m APN) statements() []constraint.Constraint { return m.Constraints }

// bind lets influences and synergies cost, when they have a weight.
func (m APN) bind(net *bn.Network, statements ...constraint.Constraint) (*constraint.Problem, error) {
	return EM{ViolationWeight: m.ViolationWeight}.bind(net, statements...)
}

func (m APN) conditions() []string { return m.Targets }

func (m APN) gaussian(name string) (*constraint.GaussianPrior, float64) {
	return m.prior().gaussian(name)
}

func (m APN) begin(p *problem, c Cases, rng *rand.Rand) (climb, error) {
	s, err := m.surface(p, c, rng)
	if err != nil {
		return nil, err
	}
	return newAscent(s, m), nil
}

// isSoft reports whether a statement is a penalty.
func (m APN) isSoft(s constraint.Constraint) bool {
	_, priced := statement.As[constraint.AtPrice](s)
	return priced || m.ViolationWeight > 0 && violation.IsQualitative(s)
}
