package regress

import (
	"fmt"
	"math"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// A Regression is the estimate of a linear-Gaussian node.
type Regression struct {
	Node *bn.LinearGaussian
	// LogLikelihood of the cases at the estimate, natural logarithm.
	LogLikelihood float64
	Flags         []constraint.Flag // configurations that the cases leave open
	// Steps are, for each group of configurations that share weights, what was maximised
	// (the log-likelihood, plus the log prior density up to a constant) after each step.
	Steps [][]float64
}

// Regress estimates variable v of net, a linear-Gaussian node, from the factor ([data.Table.Crossproducts]) of each
// configuration of its discrete parents, under joined shares (see [constraint.BindWeights]). Within a
// configuration the shares say w = Cβ, and with Z = [1, x]C the estimate is that of least
// squares,
//
//	β = argmin ‖y − Zβ‖²,    σ² = ‖y − Zβ‖² / n,
//
// by orthogonal steps on R·C; so only Z need have full rank. Configurations that share
// weights but not the variance are solved together, by turns: β by least squares with each
// configuration weighted by 1/σ²_c, then each σ²_c. No step lowers the likelihood; the
// steps end when it grows by less than 1e-12 of itself, or after 10 000. The likelihood may
// have several local maxima: they start from equal variances and near the fit of each of the eight
// configurations with most cases, the highest end is given, and a flag says when ends differ.
//
// Where shares have limits β is the least-squares solution within them (see limited), which has the
// Karush–Kuhn–Tucker conditions, in each of these steps.
//
// With a prior the estimate is the joint mode of coefficients and variances,
//
//	σ² = (b + ½‖y − Xw‖² + ½(w−μ)'Λ(w−μ)) / (a + n/2 + p/2 + 1),
//
// p being the number of coefficients with a precision in Λ, before they are tied. The
// variance is never below floor; 0 is no floor.
//
// Where the cases leave coefficients open, those of smallest norm are given, each measured
// by the root mean square of its column of Z, and flagged; a configuration without
// cases and prior is left standard normal and flagged. It returns an error for factors
// that are not of this node, a prior or floor out of range, and one that wraps [constraint.ErrUnbounded]
// when the cases of a configuration are fitted exactly without prior and floor. It panics
// when v is not linear-Gaussian.
//
// Source: N06 §4.3, types 12 and 13. Deviation: N06 has no discrete parents and no limits there.
func Regress(net *bn.Network, v int, factors []data.Factor, shares []constraint.Weights,
	prior *constraint.GaussianPrior, floor float64) (*Regression, error) {
	node := net.Gaussian(v)
	if node == nil {
		panic(fmt.Sprintf("constraint: %q has a table, no weights", net.Variable(v).Name))
	}
	if !(floor >= 0) || math.IsInf(floor, 1) {
		return nil, say.Errorf("constraint: the variance floor %v must be finite and not negative", floor)
	}
	r, err := newRegressor(node, factors, prior, floor)
	if err != nil {
		return nil, err
	}
	r.ties = tiesOf(node, v, shares)
	r.centre()
	out := &Regression{Node: node.Clone()}
	for _, configs := range r.ties.linked {
		if err := r.fit(out, configs); err != nil {
			return nil, err
		}
	}
	if err := out.Node.Validate(); err != nil || math.IsNaN(out.LogLikelihood) || math.IsInf(out.LogLikelihood, 0) {
		return nil, say.Errorf("constraint: the values of %q or of its parents are too large or too small to compute "+
			"with; measure in another unit", node.Child.Name)
	}
	return out, nil
}

// A regressor holds what the fits of one node have in common.
type regressor struct {
	node  *bn.LinearGaussian
	k     int         // columns: the intercept, the parents, the node
	rows  [][]float64 // by configuration: the factor of the cases, then the rows of the prior
	n     []float64   // by configuration: weight of the cases
	means [][]float64 // by configuration: what was taken from its columns; nil for nothing
	more  float64     // what the prior adds to n in the denominator of a variance
	plus  float64     // what it adds to the sum of squares: 2b
	floor float64
	ties  ties
}

func newRegressor(node *bn.LinearGaussian, factors []data.Factor, prior *constraint.GaussianPrior,
	floor float64) (*regressor, error) {
	k := len(node.Continuous) + 2
	r := &regressor{node: node, k: k, floor: floor, rows: make([][]float64, len(factors)),
		n: make([]float64, len(factors))}
	var virtual []float64
	if prior != nil {
		var err error
		if virtual, err = priorRows(*prior, node); err != nil {
			return nil, err
		}
		r.more = float64(len(virtual)/k) + 2*prior.Shape + 2
		r.plus = 2 * prior.Scale
	}
	if len(factors) != node.Configs().Len() {
		return nil, say.Errorf("constraint: %d factors for %q, which has %d configurations of discrete parents",
			len(factors), node.Child.Name, node.Configs().Len())
	}
	for config, f := range factors {
		if err := check(f, k); err != nil {
			return nil, say.Errorf("constraint: the factor of %s: %w", nodeName(node, config), err)
		}
		r.n[config] = f.N
		r.rows[config] = append(f.R[:len(f.R):len(f.R)], virtual...)
	}
	return r, nil
}

func check(f data.Factor, k int) error {
	if !(f.N >= 0) || math.IsInf(f.N, 1) {
		return say.Errorf("the number of cases is %v", f.N)
	}
	if len(f.R) != k*k && (len(f.R) != 0 || f.N > 0) {
		return fmt.Errorf("it has %d numbers, %d parents need %d", len(f.R), k-2, k*k)
	}
	for _, x := range f.R {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return say.Errorf("it holds %v, which is not finite", x)
		}
	}
	return nil
}

// nodeName spells one distribution, as in "DELL given market=up".
func nodeName(g *bn.LinearGaussian, config int) string {
	if given := configName(g, config); given != "" {
		return g.Child.Name + " given " + given
	}
	return g.Child.Name
}

// report adds the likelihood of a configuration and the flag of what is open in it.
func (r *regressor) report(out *Regression, config int, s solution) {
	var open []string
	for j, class := range r.ties.class[config] {
		if !s.open[s.classes[class]] {
			continue
		}
		name := constraint.Intercept
		if j > 0 {
			name = r.node.Continuous[j-1].Name
		}
		open = append(open, name)
	}
	flag := func(text string) {
		out.Flags = constraint.Flag{Var: r.node.Child.Name}.AppendTo(out.Flags, func() (string, string) {
			return configName(r.node, config), text
		})
	}
	n, variance := r.n[config], out.Node.Variance[config]
	switch {
	case n == 0 && r.more == 0:
		flag("no cases with these parent states; what is not shared is left standard normal")
	case len(open) > 0:
		flag("the cases do not determine the weights of " + strings.Join(open, ", ") +
			"; of those that fit alike the smallest are given")
	}
	if n > 0 {
		cases := r.rows[config][:r.k*r.k]
		out.LogLikelihood -= (n*math.Log(2*math.Pi*variance) + r.squares(out.Node, config, cases)/variance) / 2
	}
}

// configName spells a configuration of the discrete parents, as in "market=up".
func configName(g *bn.LinearGaussian, config int) string {
	text := ""
	for i, s := range g.Configs().States(nil, config) {
		if i > 0 {
			text += ", "
		}
		text += g.Discrete[i].Name + "=" + g.Discrete[i].States[s]
	}
	return text
}
