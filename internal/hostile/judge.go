package main

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"bnlab/internal/fullrank"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

const (
	met       = 1e-9 // by how much a point may miss a statement and count as one that satisfies it
	metCurved = 1e-7 // and a solution of curved ones, which internal/auglag promises no better
	interior  = 1e-6 // the least entry of a point that refutes a contradiction
	better    = 1e-7 // nats a case, by which a point refutes a maximum; the library promises 1e-8
)

// sums are the rows of tables, which sum to one.
func (c *claims) sums() []relation {
	var list []relation
	for _, r := range c.rows() {
		s := relation{map[int]float64{}, 1}
		for i := r[0]; i < r[1]; i++ {
			s.coef[i] = 1
		}
		list = append(list, s)
	}
	return list
}

// miss is the largest amount by which theta misses a claim, is negative, or sums to something else than one.
func (c *claims) miss(theta []float64) float64 {
	worst := 0.0
	for _, r := range append(c.sums(), c.equal...) {
		worst = max(worst, math.Abs(dot(r.coef, theta)-r.value))
	}
	for _, r := range c.atMost {
		worst = max(worst, dot(r.coef, theta)-r.value)
	}
	for _, p := range c.products {
		worst = max(worst, math.Abs(p.miss(theta)))
	}
	for _, x := range theta {
		if !(x >= 0) {
			worst = max(worst, -x)
		}
		if math.IsNaN(x) {
			return x
		}
	}
	return worst
}

func (p product) miss(x []float64) float64 { return x[p.a]*x[p.b] - p.factor*x[p.c]*x[p.d] }

// confirm looks for parameters that satisfy what the library calls a contradiction, with the least of them as large as
// it may be: statements that leave nothing but zeros contradict each other too.
func (c *claims) confirm(contradiction error) (string, error) {
	least := c.layout.Len()
	point, err := c.solve(map[int]float64{least: 1}, true)
	switch {
	case err == lp.ErrInfeasible:
		return "contradictions confirmed", nil
	case err != nil:
		return "contradictions on which the linear program gives up", nil
	}
	room := slices.Min(point)
	if miss := c.miss(point); room >= interior && miss <= met {
		return "", say.Errorf("parameters of %.3g at least satisfy what is refused: %v\n%w", room, point, contradiction)
	}
	if room < 1e-9 {
		return "contradictions confirmed", nil
	}
	return "contradictions but for a hair", nil
}

// certify bounds how much higher the log-likelihood could be: it is concave, so that
//
//	f(x) − f(θ) ≤ Σ n/θ·(x − θ),
//
// and the right side is largest at a corner, which the linear program finds. A maximum has a bound of zero. Where the
// bound is not small the points on the way to the corner tell whether it was one.
func (c *claims) certify(n, theta []float64) (string, error) {
	gain := map[int]float64{}
	for i, k := range n {
		if k > 0 {
			gain[i] = k / theta[i]
		}
	}
	cases := num.Sum(n)
	corner, err := c.solve(gain, false)
	if err == lp.ErrInfeasible && c.miss(theta) > 1e-12 {
		return "maxima on a hair's breadth", nil
	}
	if err != nil {
		return "maxima on which the linear program gives up", nil
	}
	if dot(gain, corner)-cases <= better*cases {
		return "maxima certified", nil
	}
	if c.miss(corner) > met {
		return "maxima on which the linear program is inaccurate", nil
	}
	if rise := rises(n, theta, corner); rise > better*cases {
		return "", say.Errorf("a point on the way to %v has a log-likelihood %v higher than the answer %v", corner,
			rise, theta)
	}
	return "maxima that the way to a corner does not beat", nil
}

// rises is the largest rise of the log-likelihood between two points.
func rises(n, from, to []float64) float64 {
	at, best := num.LogLikelihood(n, from), 0.0
	x := make([]float64, len(n))
	for step := 0.5; step > 1e-12; step /= 2 { // at the corner itself zeros may be less than that
		for i := range x {
			x[i] = from[i] + step*(to[i]-from[i])
		}
		best = max(best, num.LogLikelihood(n, x)-at)
	}
	return best
}

// solve maximises a linear function over what the linear claims allow. With least every entry is that variable, which
// has the number behind the cells, and something that is not negative.
func (c *claims) solve(gain map[int]float64, least bool) ([]float64, error) {
	cells := c.layout.Len()
	first := cells // of the slacks
	if least {
		first++
	}
	columns := first + len(c.atMost)
	var rows [][]float64
	add := func(r relation, slack int) {
		row := make([]float64, columns+1)
		for i, f := range r.coef {
			row[i] += f
			if least {
				row[cells] += f
			}
		}
		if slack >= 0 {
			row[first+slack] = 1
		}
		row[columns] = r.value
		rows = append(rows, row)
	}
	for _, r := range append(c.sums(), c.equal...) {
		add(r, -1)
	}
	for i, r := range c.atMost {
		add(r, i)
	}
	rows, ok := fullrank.Rows(rows)
	if !ok {
		return nil, lp.ErrInfeasible
	}
	a, b := mat.NewDense(len(rows), columns, nil), make([]float64, len(rows))
	for i, row := range rows {
		a.SetRow(i, row[:columns])
		b[i] = row[columns]
	}
	cost := make([]float64, columns)
	scale := 0.0
	for _, g := range gain {
		scale = max(scale, math.Abs(g))
	}
	for i, g := range gain {
		cost[i] = -g / max(scale, 1e-300)
	}
	_, x, err := lp.Simplex(cost, a, b, 1e-11, nil)
	if err != nil {
		return nil, err
	}
	theta := slices.Clone(x[:cells])
	if least {
		for i := range theta {
			theta[i] += x[cells]
		}
	}
	return theta, nil
}
