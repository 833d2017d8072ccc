package learn

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/internal/num"
	"bnlab/internal/say"
)

// weigh writes the standard errors and intervals of linked configurations.
func (u *uncertainty) weigh(configs []int) error {
	variance, degrees := make([]float64, len(configs)), make([]float64, len(configs))
	held := make([]bool, len(configs)) // by a floor
	for i, config := range configs {
		if variance[i] = u.node.Variance[config]; !(variance[i] > 0) {
			return say.Errorf("learn: the variance of %q is 0: its coefficients have no standard errors",
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
			case u.held[class]:
				c.Note = "held at the limit of a statement"
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

// An informationMatrix is that of free parameters, by its singular value decomposition.
type informationMatrix struct {
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
func (u *uncertainty) information(configs []int, variance []float64) (*informationMatrix, error) {
	in := &informationMatrix{leverage: make([]float64, len(configs)), place: make(map[int]int)}
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
			if u.held[class] {
				continue // known, so that its column says nothing
			}
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
			return nil, say.Errorf("learn: the values of %q or its parents overflow; use another unit",
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
		return nil, say.Errorf("learn: the coefficients of %q have no standard errors: the singular values do not "+
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
func (in *informationMatrix) open(l int) bool { return !(in.values[l] > smallestSingular*in.values[0]) }

// stdErr is the standard error of a free parameter; ok is false when the rows leave it open.
func (in *informationMatrix) stdErr(class int) (x float64, ok bool) {
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
