package main

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bnlab/internal/num"
	"bnlab/internal/say"
)

// contest looks for parameters that satisfy statements which are not linear and which the library refuses.
func (c *claims) contest(contradiction error) (string, error) {
	for range 10 {
		x := c.distributions()
		if c.retract(x) && slices.Min(x) >= interior && c.miss(x) <= met {
			return "", say.Errorf("%v satisfies what is refused: %w", x, contradiction)
		}
	}
	return "curved contradictions that no search refutes", nil
}

// beat looks for parameters with a higher log-likelihood: from near the answer, which is a maximum there, and from
// anywhere when it is said to be the maximum of all.
func (c *claims) beat(n, theta []float64, global bool) (string, error) {
	at, cases := num.LogLikelihood(n, theta), num.Sum(n)
	for start := range 4 {
		x := c.distributions()
		if start < 2 || !global {
			for i := range x {
				x[i] = 0.999*theta[i] + 0.001*x[i]
			}
		}
		if !c.retract(x) {
			continue
		}
		c.climb(n, x)
		if rise := num.LogLikelihood(n, x) - at; rise > 1e-6*cases && c.miss(x) <= met {
			return "", say.Errorf("%v has a log-likelihood %v higher than the answer %v", x, rise, theta)
		}
	}
	if global {
		return "curved maxima not beaten", nil
	}
	return "curved maxima not beaten nearby", nil
}

// gradients are the derivatives of claims at x, as rows, with what they are missed by: of all equalities, and of the
// inequalities that chosen accepts.
func (c *claims) gradients(x []float64, chosen func(at int, by float64) bool) (rows [][]float64, miss []float64) {
	add := func(coef map[int]float64, by float64) {
		row := make([]float64, len(x))
		for i, f := range coef {
			row[i] = f
		}
		rows, miss = append(rows, row), append(miss, by)
	}
	for _, r := range append(c.sums(), c.equal...) {
		add(r.coef, dot(r.coef, x)-r.value)
	}
	for _, p := range c.products {
		add(map[int]float64{p.a: x[p.b], p.b: x[p.a], p.c: -p.factor * x[p.d], p.d: -p.factor * x[p.c]}, p.miss(x))
	}
	for at, r := range c.atMost {
		if by := dot(r.coef, x) - r.value; chosen(at, by) {
			add(r.coef, by)
		}
	}
	return rows, miss
}

// retract moves x to a point that satisfies all claims, by Gauss-Newton steps that change what is small little.
func (c *claims) retract(x []float64) bool {
	for range 60 {
		rows, miss := c.gradients(x, func(_ int, by float64) bool { return by > 0 })
		if worst := maxAbs(miss); worst < 1e-13 {
			return c.miss(x) <= met
		}
		step, ok := across(rows, miss, x)
		if !ok {
			return false
		}
		length := 1.0
		for i, d := range step {
			if x[i] > 0 && d > 0.9*x[i] {
				length = min(length, 0.9*x[i]/d)
			}
		}
		for i, d := range step {
			x[i] -= length * d
		}
	}
	return c.miss(x) <= met
}

// climb takes steps along the gradient of the log-likelihood, projected on what the claims leave, and back to them.
func (c *claims) climb(n, x []float64) {
	at := num.LogLikelihood(n, x)
	for range 80 {
		slope := c.uphill(n, x)
		most := 0.0
		for i, d := range slope {
			if x[i] > 0 {
				most = max(most, math.Abs(d)/x[i])
			}
		}
		if most < 1e-12 {
			return
		}
		moved := false
		for length := 0.5 / most; length > 1e-9/most && !moved; length /= 4 {
			y := make([]float64, len(x))
			for i := range y {
				y[i] = x[i] + length*slope[i]
			}
			if !c.retract(y) {
				continue
			}
			if f := num.LogLikelihood(n, y); f > at+1e-12*math.Abs(at) {
				copy(x, y)
				at, moved = f, true
			}
		}
		if !moved {
			return
		}
	}
}

// uphill is the gradient of the log-likelihood in units of x, where it is n, without what leads out of the claims.
func (c *claims) uphill(n, x []float64) []float64 {
	against := map[int]bool{} // limits that are reached, and that the gradient leads beyond
	for {
		slope := make([]float64, len(x))
		for i, k := range n {
			slope[i] = k * x[i]
		}
		rows, _ := c.gradients(x, func(at int, _ float64) bool { return against[at] })
		along := make([]float64, len(rows))
		for k, row := range rows {
			for i, f := range row {
				along[k] += f * slope[i]
			}
		}
		back, ok := across(rows, along, x)
		if !ok {
			return make([]float64, len(x))
		}
		for i := range slope {
			slope[i] -= back[i]
		}
		before := len(against)
		for at, r := range c.atMost {
			if dot(r.coef, x)-r.value > -1e-9 && dot(r.coef, slope) > 1e-9 {
				against[at] = true
			}
		}
		if len(against) == before {
			return slope
		}
	}
}

// across is the step d = X²Rᵀ(R X² Rᵀ)⁻¹ m, the smallest in units of x with R d = m.
func across(rows [][]float64, m, x []float64) ([]float64, bool) {
	k := len(rows)
	gram := mat.NewSymDense(k, nil)
	largest := 0.0
	for i := range k {
		for j := range i + 1 {
			sum := 0.0
			for l, f := range rows[i] {
				sum += f * rows[j][l] * x[l] * x[l]
			}
			gram.SetSym(i, j, sum)
			largest = max(largest, math.Abs(sum))
		}
	}
	for i := range k {
		gram.SetSym(i, i, gram.At(i, i)+1e-13*largest)
	}
	var chol mat.Cholesky
	if !chol.Factorize(gram) {
		return nil, false
	}
	var y mat.VecDense
	if err := chol.SolveVecTo(&y, mat.NewVecDense(k, m)); err != nil && math.IsNaN(mat.Sum(&y)) {
		return nil, false
	}
	d := make([]float64, len(x))
	for i := range k {
		for l, f := range rows[i] {
			d[l] += f * x[l] * x[l] * y.AtVec(i)
		}
	}
	return d, true
}

func maxAbs(x []float64) float64 {
	worst := 0.0
	for _, v := range x {
		worst = max(worst, math.Abs(v))
	}
	return worst
}
