package regress

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
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
// Source: N06 §4.3, types 12 and 13. Deviation: N06 has no discrete parents there.
func Regress(net *bn.Network, v int, factors []data.Factor, shares []constraint.Weights,
	prior *constraint.GaussianPrior, floor float64) (*Regression, error) {
	node := net.Gaussian(v)
	if node == nil {
		panic(fmt.Sprintf("constraint: %q has a table, no weights", net.Variable(v).Name))
	}
	if !(floor >= 0) || math.IsInf(floor, 1) {
		return nil, fmt.Errorf("constraint: the variance floor %v must be finite and not negative", floor)
	}
	r, err := newRegressor(node, factors, prior, floor)
	if err != nil {
		return nil, err
	}
	r.ties = tiesOf(node, v, shares)
	out := &Regression{Node: node.Clone()}
	for _, configs := range r.ties.linked {
		if err := r.fit(out, configs); err != nil {
			return nil, err
		}
	}
	if err := out.Node.Validate(); err != nil || math.IsNaN(out.LogLikelihood) || math.IsInf(out.LogLikelihood, 0) {
		return nil, fmt.Errorf("constraint: the values of %q or of its parents are too large or too small to compute "+
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
		return nil, fmt.Errorf("constraint: %d factors for %q, which has %d configurations of discrete parents",
			len(factors), node.Child.Name, node.Configs().Len())
	}
	for config, f := range factors {
		if err := check(f, k); err != nil {
			return nil, fmt.Errorf("constraint: the factor of %s: %w", nodeName(node, config), err)
		}
		r.n[config] = f.N
		r.rows[config] = append(f.R[:len(f.R):len(f.R)], virtual...)
	}
	return r, nil
}

func check(f data.Factor, k int) error {
	if !(f.N >= 0) || math.IsInf(f.N, 1) {
		return fmt.Errorf("the number of cases is %v", f.N)
	}
	if len(f.R) != k*k && (len(f.R) != 0 || f.N > 0) {
		return fmt.Errorf("it has %d numbers, %d parents need %d", len(f.R), k-2, k*k)
	}
	for _, x := range f.R {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("it holds %v, which is not finite", x)
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

const (
	smallestStep = 1e-12 // of the likelihood, relative
	mostSteps    = 10000
	mostStarts   = 8    // beside the one with equal variances
	distinct     = 1e-9 // maxima that differ by less, relative, are one
	// Of the norm of y: residuals below it are rounding.
	exactFit = 1e-12
)

// fit estimates configurations that share weights, or one alone. The first start has equal
// variances. Others are near the fit of one configuration by itself, where a local maximum
// lies if that configuration alone is fitted well; the highest maximum counts, the first of equal ones.
func (r *regressor) fit(out *Regression, configs []int) error {
	for _, config := range configs {
		if err := r.bounded(config); err != nil {
			return err
		}
	}
	best, err := r.ascend(out.Node, configs, nil)
	if err != nil {
		return err
	}
	lower, starts := 0, r.starts(configs)
	for _, config := range starts {
		a, err := r.ascend(out.Node, configs, []int{config})
		if err != nil {
			return err
		}
		if gain := a.value() - best.value(); math.Abs(gain) > distinct*(1+math.Abs(best.value())) {
			if lower++; gain > 0 {
				best = a
			}
		}
	}
	for i, config := range configs {
		r.ties.expand(out.Node, config, best.solution)
		out.Node.Variance[config] = best.variance[i]
		r.report(out, config, best.solution)
	}
	if lower > 0 {
		out.Flags = append(out.Flags, constraint.Flag{Var: r.node.Child.Name, Text: fmt.Sprintf("the shared weights "+
			"have several local maxima; the highest from %d starts is given", 1+len(starts))})
	}
	out.Steps = append(out.Steps, best.steps)
	return nil
}

// starts are the configurations with most cases of those that share weights.
func (r *regressor) starts(configs []int) []int {
	if len(configs) == 1 {
		return nil
	}
	var list []int
	for _, config := range configs {
		if r.n[config] > 0 {
			list = append(list, config)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(r.n[b], r.n[a]) })
	return list[:min(len(list), mostStarts)]
}

// An ascent is where one start ends.
type ascent struct {
	solution solution
	variance []float64
	steps    []float64
}

func (a ascent) value() float64 { return a.steps[len(a.steps)-1] }

// ascend alternates between coefficients and variances. It begins with equal variances, or
// with hardly any weight on all configurations but some. It overwrites the coefficients of node.
func (r *regressor) ascend(node *bn.LinearGaussian, configs, first []int) (ascent, error) {
	a := ascent{variance: make([]float64, len(configs))}
	for i, config := range configs {
		a.variance[i] = 1
		if first != nil && !slices.Contains(first, config) {
			a.variance[i] = 1e8
		}
	}
	for {
		var err error
		if a.solution, err = r.solve(configs, a.variance); err != nil {
			return a, err
		}
		for i, config := range configs {
			r.ties.expand(node, config, a.solution)
			if n := r.n[config] + r.more; n > 0 {
				a.variance[i] = max((r.squares(node, config, r.rows[config])+r.plus)/n, r.floor)
			}
		}
		a.steps = append(a.steps, r.objective(node, configs, a.variance))
		last := len(a.steps) - 1
		if len(configs) == 1 || len(a.steps) == mostSteps || last > 0 &&
			!(a.steps[last]-a.steps[last-1] > smallestStep*math.Abs(a.steps[last])) {
			return a, nil
		}
	}
}

// bounded returns an error when the likelihood of a configuration has no maximum.
func (r *regressor) bounded(config int) error {
	if r.n[config] == 0 || r.plus > 0 || r.floor > 0 {
		return nil
	}
	s, err := r.solve([]int{config}, []float64{1})
	if err != nil {
		return err
	}
	y := 0.0
	for i := r.k - 1; i < len(r.rows[config]); i += r.k {
		y = math.Hypot(y, r.rows[config][i])
	}
	if s.residual > exactFit*y {
		return nil
	}
	return fmt.Errorf("constraint: %w: the %v cases of %s lie exactly on a linear function with %d free "+
		"coefficients, so that the variance could be zero; give a prior (MAP.Gaussian) or a VarianceFloor, more "+
		"cases, or fewer parents",
		constraint.ErrUnbounded, r.n[config], nodeName(r.node, config), len(s.classes))
}

// squares is ‖rows·[w; −1]‖² at the coefficients of a configuration.
func (r *regressor) squares(node *bn.LinearGaussian, config int, rows []float64) float64 {
	total := 0.0
	for ; len(rows) > 0; rows = rows[r.k:] {
		e := node.Intercept[config]*rows[0] - rows[r.k-1]
		for p, w := range node.Weights[config] {
			e += w * rows[p+1]
		}
		total += e * e
	}
	return total
}

// objective is the log-likelihood of the configurations, plus the log prior density up to
// a constant.
func (r *regressor) objective(node *bn.LinearGaussian, configs []int, variance []float64) float64 {
	total := 0.0
	for i, config := range configs {
		squares := r.squares(node, config, r.rows[config]) + r.plus
		total -= (r.n[config]*math.Log(2*math.Pi) + (r.n[config]+r.more)*math.Log(variance[i]) + squares/variance[i]) /
			2
	}
	return total
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
	flag := constraint.Flag{Var: r.node.Child.Name, Given: configName(r.node, config)}
	n, variance := r.n[config], out.Node.Variance[config]
	switch {
	case n == 0 && r.more == 0:
		flag.Text = "no cases with these parent states; what is not shared is left standard normal"
		out.Flags = append(out.Flags, flag)
	case len(open) > 0:
		flag.Text = "the cases do not determine the weights of " + strings.Join(open, ", ") +
			"; of those that fit alike the smallest are given"
		out.Flags = append(out.Flags, flag)
	}
	if n > 0 {
		cases := r.rows[config][:r.k*r.k]
		out.LogLikelihood -= (n*math.Log(2*math.Pi*variance) + r.squares(out.Node, config, cases)/variance) / 2
	}
}

// ties say which coefficients of a node are multiples of which free parameter. The
// coefficients of a configuration are the intercept and then the weights.
type ties struct {
	class  [][]int     // by configuration and coefficient
	scale  [][]float64 // likewise
	linked [][]int     // configurations that have classes in common, directly or through others
}

// tiesOf lays out the shares that are about variable v.
func tiesOf(node *bn.LinearGaussian, v int, shares []constraint.Weights) ties {
	n, coefficients := node.Configs().Len(), len(node.Continuous)+1
	t := ties{class: make([][]int, n), scale: make([][]float64, n)}
	root := make([]int, n)
	for config := range n {
		root[config] = config
		t.class[config], t.scale[config] = make([]int, coefficients), make([]float64, coefficients)
		for j := range coefficients {
			t.class[config][j], t.scale[config][j] = config*coefficients+j, 1
		}
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, s := range shares {
		if s.Var != v {
			continue
		}
		first := s.Terms[0]
		for _, term := range s.Terms {
			t.class[term.Config][term.Parent+1] = first.Config*coefficients + first.Parent + 1
			t.scale[term.Config][term.Parent+1] = term.Scale
			a, b := find(first.Config), find(term.Config)
			root[max(a, b)] = min(a, b)
		}
	}
	place := make(map[int]int)
	for config := range n {
		r := find(config)
		at, ok := place[r]
		if !ok {
			at = len(t.linked)
			place[r] = at
			t.linked = append(t.linked, nil)
		}
		t.linked[at] = append(t.linked[at], config)
	}
	return t
}

// expand writes w = Cβ to a configuration of node.
func (t ties) expand(node *bn.LinearGaussian, config int, s solution) {
	for j, class := range t.class[config] {
		w := t.scale[config][j] * s.beta[s.classes[class]]
		if j == 0 {
			node.Intercept[config] = w
		} else {
			node.Weights[config][j-1] = w
		}
	}
}

// classes numbers the free parameters of some configurations.
func (t ties) classes(configs []int) map[int]int {
	number := make(map[int]int)
	for _, config := range configs {
		for _, class := range t.class[config] {
			if _, ok := number[class]; !ok {
				number[class] = len(number)
			}
		}
	}
	return number
}

// reduce appends to dst the rows [x·C, y] in the free parameters of number, divided by scale.
func (t ties) reduce(dst, rows []float64, config int, number map[int]int, scale float64) []float64 {
	k, q := len(t.class[config])+1, len(number)
	for ; len(rows) > 0; rows = rows[k:] {
		at := len(dst)
		dst = slices.Grow(dst, q+1)[:at+q+1]
		row := dst[at:]
		clear(row)
		for j, class := range t.class[config] {
			row[number[class]] += t.scale[config][j] * rows[j] / scale
		}
		row[q] = rows[k-1] / scale
	}
	return dst
}

// solve is least squares over the configurations, each weighted by one over its variance.
func (r *regressor) solve(configs []int, variance []float64) (solution, error) {
	number := r.ties.classes(configs)
	var rows []float64
	for i, config := range configs {
		rows = r.ties.reduce(rows, r.rows[config], config, number, math.Sqrt(variance[i]))
	}
	s, err := leastSquares(rows, len(number))
	if err != nil {
		return s, fmt.Errorf("constraint: %q: %w", r.node.Child.Name, err)
	}
	s.classes = number
	return s, nil
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
