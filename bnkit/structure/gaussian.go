package structure

import (
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
)

// A gaussianScore is a [Score] that rates the family of a continuous child too, from the moments of the child and
// its continuous parents in each configuration of the discrete ones. It returns an error that wraps errImpossible
// for a family that no cases can be a maximum of: it scores −∞.
type gaussianScore interface {
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
	child   bn.Variable
	parents []bn.Variable // of both kinds, in the order of the source's variables
	configs int           // of the discrete parents
	cells   []cell        // configurations that occur, ascending
	prior   []float64     // means over all cases of the continuous parents and the child
	rows    float64       // weight of the cases counted
	scale   float64       // of the log-likelihood; see Counts
}

// continuous is the number of continuous parents.
func (r *regression) continuous() int { return len(r.prior) - 1 }

// free is the number of free parameters: in each configuration an intercept, the weights and a variance.
func (r *regression) free() float64 { return float64(r.configs) * float64(r.continuous()+2) }

// logLikelihood is that of the cases at the least squares of each configuration,
//
//	−½ Σ_config N (ln 2π + ln(RSS/N) + 1).
func (r *regression) logLikelihood() (float64, error) {
	total := 0.0
	for _, c := range r.cells {
		left, err := r.residual(c)
		if err != nil {
			return 0, err
		}
		total -= c.n / 2 * (math.Log(2*math.Pi*left/c.n) + 1)
	}
	return total, nil
}

// residual is the sum of squares that the regression leaves in one configuration.
func (r *regression) residual(c cell) (float64, error) {
	k := len(c.mean)
	if c.n <= float64(k) {
		return 0, fmt.Errorf("%w: %g cases%s are too few for %d coefficients and a variance", errImpossible, c.n,
			r.where(c), k)
	}
	left := c.residual()
	if !(left > collinear*c.s[k*k-1]) || math.Sqrt(left/c.n) <= flat*math.Abs(c.mean[k-1]) {
		return 0, fmt.Errorf("%w: the cases%s lie exactly on a linear function of the parents, so that the variance "+
			"could be zero", errImpossible, r.where(c))
	}
	return left, nil
}

// where spells a configuration, as in " given market=up".
func (r *regression) where(c cell) string {
	text, config := "", c.config
	for i := len(r.parents) - 1; i >= 0; i-- {
		p := r.parents[i]
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

// residual is what the regression of the last column on the others leaves of its sum of squares, by a Cholesky
// factor of the products. Columns that those before them determine are passed over.
func (c cell) residual() float64 {
	k := len(c.mean)
	if k == 1 {
		return c.s[0]
	}
	var small [64]float64
	l := small[:]
	if k*k > len(l) {
		l = make([]float64, k*k)
	}
	left := 0.0
	for i := range k {
		row := l[i*k : i*k+k]
		left = c.s[i*k+i]
		for j := range i {
			x := c.s[i*k+j]
			other := l[j*k : j*k+j]
			for t, y := range other {
				x -= row[t] * y
			}
			if d := l[j*k+j]; d > 0 {
				x /= d
			} else {
				x = 0
			}
			row[j] = x
			left -= x * x
		}
		row[i] = 0
		if left > collinear*c.s[i*k+i] {
			row[i] = math.Sqrt(left)
		}
	}
	return left
}

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
