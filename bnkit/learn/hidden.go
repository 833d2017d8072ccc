package learn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn/internal/information"
	"bnlab/bnkit/learn/internal/relabel"
	"bnlab/internal/say"
)

// Align names the states of hidden variables anew so that influences hold as well as possible: what
// a hidden variable calls its first state is an accident of the start, and a fit may have learned
// "off" as "on" (W00 footnotes 2 and 8). Over all orders of the states of the variables hidden, it
// returns net with the one for which the violation of the influences among the statements,
// [constraint.Influence.Violation], is least in all, and that violation. Of equal ones it takes
// net's own, or the first in which fewer of the last variables change. The distribution of the
// other variables stays what it is: tables of hidden variables and of their children move together.
// Net itself is not changed.
//
// Other statements limit the choice: no order is taken that breaks one by more than net does.
// With more than 5040 orders in all the variables take turns, each with all orders of its own,
// until none helps, which need not be the best of all.
//
// It returns an error for a name that is unknown, of a continuous variable or listed twice, for a
// variable of more than 8 states, and for a statement that does not fit the network.
func Align(net *bn.Network, hidden []string, statements ...constraint.Constraint) (aligned *bn.Network,
	violation float64, err error) {
	if net == nil {
		return nil, 0, errNoNetwork
	}
	if aligned, violation, err = relabel.Best(net, hidden, statements); err != nil {
		return nil, 0, say.Errorf("learn: align: %w", err)
	}
	return aligned, violation, nil
}

// Observed replaces draws of all tables, made with expected counts taken as known, by draws that know of the
// missing cells: by a normal approximation at the maximum with the inverse of the observed information as
// covariance. The information is that of the log-likelihood of the cases c plus the prior,
//
//	−∂²ℓ/∂θ_i∂θ_j = δ_ij n_i/θ_i² − (1/θ_i) ∂n_i/∂θ_j,
//
// the complete information less the missing one (Louis 1982), with the expected counts n as functions of θ
// (Oakes 1999). Their derivatives are central differences along the directions that the sums to one and the
// statements leave, inequalities that hold with equality among them. Draws are made on the scale of √θ, on which
// the complete information of a distribution is the same for all entries, and are then brought back to the
// statements, so they are tables that obey them. Distributions that are observed outright keep their draws;
// entries below 1e-9 keep their values there.
//
// It returns an error, and leaves theta alone, when there are linear-Gaussian nodes, statements that are not linear,
// more than 1,000 entries, an estimate that is no maximum, or tables that the cases do not determine (whose
// information is singular; it names them). The cases must be those of the fit, pseudocounts its prior and p its
// statements. It takes two passes over the cases for each free parameter.
func (r *Result) Observed(theta [][]float64, p *constraint.Problem, c Cases, pseudocounts []float64,
	src rand.Source) error {
	if hasGaussian(r.Net) {
		return fmt.Errorf("learn: no observed information with linear-Gaussian nodes")
	}
	o, err := information.New(r.Net, p, c, pseudocounts, tables(r.Net))
	if err != nil || len(o.Cells()) == 0 {
		return err
	}
	drawn := make([][]float64, len(theta))
	rng := rand.New(src)
	for i := range theta {
		if drawn[i], err = o.Draw(rng); err != nil {
			return err
		}
	}
	for i := range theta {
		for _, cell := range o.Cells() {
			theta[i][cell] = drawn[i][cell]
		}
	}
	return nil
}

// observedMoments are cases that tell whether continuous variables are summed out, and which rows there are to
// start from; see [infer.Plan.AddObservedMoments].
type observedMoments interface {
	AddObservedMoments(m *data.Moments) bool
}

var _ observedMoments = (*infer.Plan)(nil)

// startHidden starts from regressions on what is observed, which are in l.moments. The weights of parents that
// are never observed with the variable are random, so that together they explain about as much of it as is left:
// at weights of zero EM would stay, since then nothing observed tells of the parents. A variable that is never
// observed begins with variance 1. Intercepts of several configurations are a random standard deviation apart.
func (l *lines) startHidden(theta []float64, rng *rand.Rand) error {
	moments := l.moments
	if err := l.move(); err != nil {
		return err
	}
	l.made = nil
	for v, g := range l.nodes {
		if g == nil {
			continue
		}
		for config, variance := range g.Variance {
			var open []int
			for i := range g.Continuous {
				if zeros(moments.Factors[v][config], i+1) {
					open = append(open, i)
				}
			}
			for _, i := range open {
				g.Weights[config][i] = math.Sqrt(variance/float64(len(open))) * rng.NormFloat64()
			}
			if len(g.Variance) > 1 {
				g.Intercept[config] += math.Sqrt(variance) * rng.NormFloat64()
			}
		}
	}
	return l.hold(theta)
}

// zeros reports whether the rows of a factor have nothing but zeros in a column.
func zeros(f data.Factor, column int) bool {
	if f.R == nil {
		return true
	}
	k := int(math.Sqrt(float64(len(f.R))))
	for row := range k {
		if f.R[row*k+column] != 0 {
			return false
		}
	}
	return true
}
