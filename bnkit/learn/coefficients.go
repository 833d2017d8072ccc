package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
)

// A Coefficient is one number of a linear-Gaussian node and how sure it is.
type Coefficient struct {
	Config   int    // of the discrete parents
	Term     string // [constraint.Intercept], a continuous parent, or "(standard deviation)"
	Estimate float64
	// StdErr is the standard error; Low and High are the ends of the interval of 95 %. They
	// are there when HasInterval says so.
	StdErr, Low, High float64
	HasInterval       bool
	Note              string // why there is none, or that it is approximate
}

// standardDeviation is the term of the noise of a linear-Gaussian node.
const standardDeviation = "(standard deviation)"

// Notes that several terms have.
const (
	approximate = "approximate: weights are shared by regressions of other variances"
	tooFew      = "too few cases for a standard error"
	asKnown     = "takes what is missing as known: too narrow"
)

// Coefficients returns the intercept, the weights and the standard deviation of a
// linear-Gaussian node for each configuration of its discrete parents. With the statements
// w = Cβ and Z = [1, x]C a configuration that shares no weights with others has
//
//	Var(w) = s² C (Z'Z)⁻¹ C',    s² = ‖y − Zβ‖² / ν,    ν = n − rank Z,
//
// and w ± t·√Var(w) is its interval by Student's t with ν degrees of freedom: the one of
// linear regression, which is also that of the posterior under the density 1/σ². The
// interval of σ is √ν·s/χ by the quantiles of χ² with ν degrees, its standard error s/√(2ν). The
// estimate of σ itself is that of the fit, a mode, and smaller than s.
//
// A prior (see [constraint.GaussianPrior]) with precisions Λ of p coefficients makes of it
//
//	Z'Z + C'ΛC,    s² = (2b + ‖y − Zβ‖² + (w−μ)'Λ(w−μ)) / ν,    ν = 2a + n + p − rank Z,
//
// and so the interval of the posterior, that of the conjugate prior where both exist.
//
// Configurations that share weights have the information Σ_c Z_c'Z_c/s_c² together. In place
// of the rank each s_c² has the trace of its part of the projection, and Student's t has the
// degrees Σ ν_c. These intervals are approximate, since the variances differ, and say so.
//
// What the cases do not determine has no interval, nor has a variance that its floor holds.
// It takes O(m q²) steps for m linked configurations with q free parameters. It returns an
// error for an unknown or discrete variable and for statistics that are not of this network.
func (r *Result) Coefficients(name string) ([]Coefficient, error) {
	v, err := r.index(name)
	if err != nil {
		return nil, err
	}
	node := r.Net.Gaussian(v)
	if node == nil {
		return nil, fmt.Errorf("learn: %q is discrete and has no coefficients; use CPT", name)
	}
	if err := node.Validate(); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	u := &uncertainty{node: node, expected: r.Expected,
		terms: make([]Coefficient, 0, node.Configs().Len()*(len(node.Continuous)+2))}
	for config := range node.Configs().Len() {
		u.terms = append(u.terms, Coefficient{Config: config, Term: constraint.Intercept,
			Estimate: node.Intercept[config]})
		for p, w := range node.Weights[config] {
			u.terms = append(u.terms, Coefficient{Config: config, Term: node.Continuous[p].Name, Estimate: w})
		}
		u.terms = append(u.terms, Coefficient{Config: config, Term: standardDeviation,
			Estimate: math.Sqrt(node.Variance[config])})
	}
	if r.Moments == nil {
		for i := range u.terms {
			u.terms[i].Note = "not fitted to cases"
		}
		return u.terms, nil
	}
	if len(r.Moments.Factors) != r.Net.Len() || len(r.Moments.Factors[v]) != node.Configs().Len() {
		return nil, fmt.Errorf("learn: the moments of %q are not of this network", name)
	}
	u.factors = r.Moments.Factors[v]
	for _, f := range u.factors {
		if k := len(node.Continuous) + 2; len(f.R) != k*k && len(f.R) != 0 {
			return nil, fmt.Errorf("learn: the moments of %q are not of this network", name)
		}
	}
	if v < len(r.GaussianPriors) && r.GaussianPriors[v] != nil {
		u.prior, u.virtual = *r.GaussianPriors[v], true
	}
	if err := u.tie(r, v); err != nil {
		return nil, err
	}
	for _, configs := range u.linked {
		if err := u.weigh(configs); err != nil {
			return nil, err
		}
	}
	return u.terms, nil
}

// uncertainty holds what the standard errors of one node have in common.
type uncertainty struct {
	node    *bn.LinearGaussian
	factors []data.Factor // by configuration
	prior   constraint.GaussianPrior
	virtual bool // there is a prior
	// expected: the moments are expected ones.
	expected bool
	class    [][]int
	scale    [][]float64 // by configuration and coefficient: w = scale·β_class
	linked   [][]int     // configurations that have classes in common, directly or through others
	terms    []Coefficient
}

// at is the term of a coefficient of a configuration; the last is the standard deviation.
func (u *uncertainty) at(config, j int) *Coefficient {
	return &u.terms[config*(len(u.node.Continuous)+2)+j]
}

// tie finds which coefficients are multiples of one under the statements.
func (u *uncertainty) tie(r *Result, v int) error {
	var known []constraint.Constraint
	for _, s := range r.Statements {
		if _, lost := incomplete(s); !lost {
			known = append(known, s)
		}
	}
	shares, _, err := constraint.BindWeights(r.Net, known...)
	if err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	configs, q := u.node.Configs().Len(), len(u.node.Continuous)+1
	u.class, u.scale = make([][]int, configs), make([][]float64, configs)
	group := make([]int, configs) // the first configuration it is linked to
	for config := range configs {
		group[config] = config
		u.class[config], u.scale[config] = make([]int, q), make([]float64, q)
		for j := range q {
			u.class[config][j], u.scale[config][j] = config*q+j, 1
		}
	}
	for _, s := range shares {
		if s.Var != v {
			continue
		}
		first := s.Terms[0]
		for _, term := range s.Terms {
			u.class[term.Config][term.Parent+1] = first.Config*q + first.Parent + 1
			u.scale[term.Config][term.Parent+1] = term.Scale
			if a, b := group[first.Config], group[term.Config]; a != b {
				for config := range group {
					if group[config] == max(a, b) {
						group[config] = min(a, b)
					}
				}
			}
		}
	}
	members := make(map[int][]int)
	for config, first := range group {
		members[first] = append(members[first], config)
	}
	for config := range configs {
		if list, ok := members[config]; ok {
			u.linked = append(u.linked, list)
		}
	}
	return nil
}

// weigh writes the standard errors and intervals of linked configurations.
func (u *uncertainty) weigh(configs []int) error {
	variance, degrees := make([]float64, len(configs)), make([]float64, len(configs))
	held := make([]bool, len(configs)) // by a floor
	for i, config := range configs {
		if variance[i] = u.node.Variance[config]; !(variance[i] > 0) {
			return fmt.Errorf("learn: the variance of %q is 0: its coefficients have no standard errors",
				u.node.Child.Name)
		}
	}
	in, err := u.information(configs, variance)
	if err != nil {
		return err
	}
	all := 0.0
	for i, config := range configs {
		cases, squares := u.residual(config)
		if degrees[i] = cases - in.leverage[i]; !(degrees[i] > 1e-6) { // else nothing is left over
			degrees[i] = 0
			continue
		}
		all += degrees[i]
		s := squares / degrees[i]
		held[i] = variance[i] > s*(1+1e-9)
		variance[i] = max(variance[i], s)
	}
	if in, err = u.information(configs, variance); err != nil {
		return err
	}
	for i, config := range configs {
		for j, class := range u.class[config] {
			c := u.at(config, j)
			stdErr, ok := in.stdErr(class)
			switch {
			case !ok:
				c.Note = "the cases do not determine it"
			case all == 0:
				c.Note = tooFew
			default:
				c.StdErr = math.Abs(u.scale[config][j]) * stdErr
				half := studentQuantile(0.975, all) * c.StdErr
				c.Low, c.High, c.HasInterval = c.Estimate-half, c.Estimate+half, true
				if len(configs) > 1 {
					c.Note = approximate
				}
			}
		}
		c := u.at(config, len(u.class[config]))
		switch {
		case degrees[i] == 0:
			c.Note = tooFew
		case held[i]:
			c.Note = "held at the variance floor"
		default:
			s := math.Sqrt(variance[i])
			c.StdErr = s / math.Sqrt(2*degrees[i])
			c.Low = s / math.Sqrt(meanSquareQuantile(0.975, degrees[i]))
			c.High = s / math.Sqrt(meanSquareQuantile(0.025, degrees[i]))
			c.HasInterval = true
			if len(configs) > 1 {
				c.Note = approximate
			}
		}
	}
	for _, config := range configs {
		for j := range len(u.node.Continuous) + 2 {
			if c := u.at(config, j); c.HasInterval && u.expected {
				c.Note = asKnown
			}
			if c := u.at(config, j); !num.Finite(c.StdErr, c.Low, c.High) {
				*c = Coefficient{Config: config, Term: c.Term, Estimate: c.Estimate, Note: "its interval is not finite"}
			}
		}
	}
	return nil
}

// manyDegrees is where quantiles are those of their limits to seven digits. The library's lose theirs
// further up, or do not end.
const manyDegrees = 1e7

// studentQuantile is that of the t-distribution.
func studentQuantile(p, degrees float64) float64 {
	if degrees > manyDegrees {
		return distuv.UnitNormal.Quantile(p)
	}
	return distuv.StudentsT{Sigma: 1, Nu: degrees}.Quantile(p)
}

// meanSquareQuantile is that of a chi-square variable over its degrees. (Of many it is that of Wilson
// and Hilferty 1931.)
func meanSquareQuantile(p, degrees float64) float64 {
	if degrees > manyDegrees {
		return math.Pow(1-2/(9*degrees)+distuv.UnitNormal.Quantile(p)*math.Sqrt(2/(9*degrees)), 3)
	}
	return distuv.ChiSquared{K: degrees}.Quantile(p) / degrees
}

// precision is that of the j-th coefficient under the prior.
func (u *uncertainty) precision(j int) float64 {
	if j == 0 {
		return u.prior.InterceptPrecision
	}
	return u.prior.Precision
}

// residual is the weight of the cases and of the prior, 2a + n + p, and their sum of squares
// at the estimate.
func (u *uncertainty) residual(config int) (cases, squares float64) {
	f, k := u.factors[config], len(u.node.Continuous)+2
	cases = f.N
	for row := f.R; len(row) > 0; row = row[k:] {
		e := -row[k-1]
		for j := range k - 1 {
			e += row[j] * u.at(config, j).Estimate
		}
		squares += e * e
	}
	if !u.virtual {
		return cases, squares
	}
	cases += 2 * u.prior.Shape
	squares += 2 * u.prior.Scale
	for j := range k - 1 {
		if precision := u.precision(j); precision > 0 {
			d := u.at(config, j).Estimate - u.prior.Mean[u.at(config, j).Term]
			cases++
			squares += precision * d * d
		}
	}
	return cases, squares
}

// An information matrix of free parameters, by its singular value decomposition.
type information struct {
	leverage []float64   // trace of the projection, by configuration
	place    map[int]int // of a class
	norm     []float64   // of the columns, which were brought to norm 1
	values   []float64
	v        mat.Dense
}

// Singular values below this part of the largest are zero, as where the node is fitted.
const smallestSingular = 1e-12

// information gathers the rows [1, x]C of the cases and of the prior, each divided by its
// standard deviation.
func (u *uncertainty) information(configs []int, variance []float64) (*information, error) {
	in := &information{leverage: make([]float64, len(configs)), place: make(map[int]int)}
	for _, config := range configs {
		for _, class := range u.class[config] {
			if _, ok := in.place[class]; !ok {
				in.place[class] = len(in.place)
			}
		}
	}
	k, q := len(u.node.Continuous)+2, len(in.place)
	rows := 2*k - 1 // of a configuration: its factor, then the prior
	a := mat.NewDense(rows*len(configs), q, nil)
	for i, config := range configs {
		sd := math.Sqrt(variance[i])
		for j, class := range u.class[config] {
			at, scale := in.place[class], u.scale[config][j]/sd
			for row := range len(u.factors[config].R) / k {
				a.Set(i*rows+row, at, a.At(i*rows+row, at)+scale*u.factors[config].R[row*k+j])
			}
			if u.virtual {
				a.Set(i*rows+k+j, at, scale*math.Sqrt(u.precision(j)))
			}
		}
	}
	in.norm = make([]float64, q)
	for j := range q {
		if in.norm[j] = mat.Norm(a.ColView(j), 2); !num.Finite(in.norm[j]) {
			return nil, fmt.Errorf("learn: the values of %q or its parents overflow; use another unit",
				u.node.Child.Name)
		}
		for row := range a.RawMatrix().Rows {
			if in.norm[j] > 0 {
				a.Set(row, j, a.At(row, j)/in.norm[j])
			}
		}
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return nil, fmt.Errorf("learn: the coefficients of %q have no standard errors: the singular values do not "+
			"converge", u.node.Child.Name)
	}
	var left mat.Dense
	svd.UTo(&left)
	svd.VTo(&in.v)
	in.values = svd.Values(nil)
	for l := range in.values {
		if !in.open(l) {
			for row := range a.RawMatrix().Rows {
				in.leverage[row/rows] += left.At(row, l) * left.At(row, l)
			}
		}
	}
	return in, nil
}

// open reports whether the rows say nothing of a direction.
func (in *information) open(l int) bool { return !(in.values[l] > smallestSingular*in.values[0]) }

// stdErr is the standard error of a free parameter; ok is false when the rows leave it open.
func (in *information) stdErr(class int) (x float64, ok bool) {
	at := in.place[class]
	if in.norm[at] == 0 {
		return 0, false
	}
	for l := range in.values {
		part := in.v.At(at, l)
		switch {
		case !in.open(l):
			x = math.Hypot(x, part/in.values[l])
		case math.Abs(part) > 1e-6: // it is moved, and not by rounding
			return 0, false
		}
	}
	return x / in.norm[at], true
}
