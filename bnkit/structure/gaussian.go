package structure

import (
	"errors"
	"math"

	"bnlab/bnkit/structure/internal/count"
	"bnlab/internal/say"
)

// A gaussianScore is a [Score] that rates the family of a continuous child too, from what is left of the child's sum
// of squares in each configuration of the discrete parents.
type gaussianScore interface {
	// adjust returns the cell whose products are factored, given the means over all cases, and the part of a column's
	// sum of squares below which what other columns leave of it counts as nothing. It does not change c.
	adjust(c cell, mean []float64) (cell, float64)
	// gaussian returns an error that wraps errImpossible for a family that scores −∞.
	gaussian(r *regression) (float64, error)
}

var (
	_ gaussianScore = LogLikelihood{}
	_ gaussianScore = BIC{}
	_ gaussianScore = AIC{}
)

// errImpossible is the reason for which a family of a continuous child scores −∞.
var errImpossible = errors.New("the family cannot be scored")

// A regression is the family of a continuous child: a linear regression on the continuous parents in each
// configuration of the discrete ones.
type regression struct {
	m       *moments
	family  count.Family
	configs int      // of the discrete parents
	slopes  int      // continuous parents
	fits    []fitted // of the configurations that occur, ascending
	rows    float64  // weight of the cases counted
	scale   float64  // of the log-likelihood; see Counts
	// cells returns the moments of the members, the child last.
	cells func() ([]cell, error)
}

// fitted is the regression in one configuration.
type fitted struct {
	config  int
	n       float64
	mean    float64 // of the child
	spread  float64 // its sum of squares
	left    float64 // what the parents leave of it
	parents float64 // log determinant of the parents' products
}

// free is the number of free parameters: in each configuration an intercept, the weights and a variance.
func (r *regression) free() float64 { return float64(r.configs) * float64(r.slopes+2) }

// logLikelihood is that of the cases at the least squares of each configuration,
//
//	−½ Σ_config N (ln 2π + ln(RSS/N) + 1).
func (r *regression) logLikelihood() (float64, error) {
	total := 0.0
	for _, f := range r.fits {
		switch {
		case f.n <= float64(r.slopes+1):
			return 0, say.Errorf("%w: %g cases%s are too few for %d coefficients and a variance", errImpossible, f.n,
				r.where(f.config), r.slopes+1)
		case !(f.left > collinear*f.spread), math.Sqrt(f.left/f.n) <= flat*math.Abs(f.mean):
			return 0, say.Errorf("%w: the cases%s lie exactly on a linear function of the parents, so that the "+
				"variance could be zero", errImpossible, r.where(f.config))
		}
		total -= f.n / 2 * (math.Log(2*math.Pi*f.left/f.n) + 1)
	}
	return total, nil
}

// where spells a configuration, as in " given market=up".
func (r *regression) where(config int) string {
	text := ""
	for i := len(r.family.Parents) - 1; i >= 0; i-- {
		p := r.m.vars[r.family.Parents[i]]
		if !p.IsDiscrete() {
			continue
		}
		state := p.Name + "=" + p.States[config%p.Cardinality()]
		config /= p.Cardinality()
		if text != "" {
			state += ", "
		}
		text = state + text
	}
	if text == "" {
		return ""
	}
	return " given " + text
}

func (LogLikelihood) adjust(c cell, _ []float64) (cell, float64) { return c, collinear }
func (AIC) adjust(c cell, _ []float64) (cell, float64)           { return c, collinear }
func (BIC) adjust(c cell, _ []float64) (cell, float64)           { return c, collinear }

func (LogLikelihood) gaussian(r *regression) (float64, error) { return r.penalised(0) }

func (AIC) gaussian(r *regression) (float64, error) { return r.penalised(1) }

func (BIC) gaussian(r *regression) (float64, error) {
	return r.penalised(math.Log(max(r.scale*r.rows, 1)) / 2)
}

// penalised is the log-likelihood less a penalty for each free parameter.
func (r *regression) penalised(penalty float64) (float64, error) {
	loglik, err := r.logLikelihood()
	return r.scale*loglik - penalty*r.free(), err
}

// collinear is the part of a column's sum of squares below which what other columns leave of it counts as rounding:
// products in 64 bits tell no smaller part apart for certain.
const collinear = 1e-10

// collinear returns the columns of a set of which the last is a linear function of the others, nil for none. rows
// is how many cases are different at most: fewer cases than columns determine some of these by themselves.
func (c cell) collinear(rows float64) []int {
	k := len(c.mean)
	l := make([]float64, k*k)
	for i := range k {
		if !(float64(i) < rows-1) {
			return nil
		}
		left := c.s[i*k+i]
		for j := range i {
			x := c.s[i*k+j]
			for t := range j {
				x -= l[i*k+t] * l[j*k+t]
			}
			l[i*k+j] = x / l[j*k+j]
			left -= l[i*k+j] * l[i*k+j]
		}
		if left > collinear*c.s[i*k+i] {
			l[i*k+i] = math.Sqrt(left)
			continue
		}
		weights := make([]float64, i) // of the columns before, in units of their standard deviations
		var members []int
		for j := i - 1; j >= 0; j-- {
			weights[j] = l[i*k+j]
			for t := j + 1; t < i; t++ {
				weights[j] -= l[t*k+j] * weights[t]
			}
			weights[j] /= l[j*k+j]
		}
		for j, w := range weights {
			if math.Abs(w)*math.Sqrt(c.s[j*k+j]) > 1e-4*math.Sqrt(c.s[i*k+i]) {
				members = append(members, j)
			}
		}
		return append(members, i)
	}
	return nil
}
