package clg

import (
	"math"

	"bnlab/bnkit/bn"
)

// A Space holds the numbers of a plan in one configuration of the discrete variables, for some cases.
// The zero value is ready.
type Space struct {
	plan     *Plan
	cases    int
	weights  []float64
	variance []float64
	constant []float64 // by node and case; the mean once all is eliminated
	size     []float64 // likewise: the largest number that a constant came from
	cov      []float64 // by pair
	slip     []float64 // by pair, a bound of the rounding in it
	delicate bool      // some weights cancelled
	given    given     // what Solve was asked
	log      []float64 // by case
	points   int
	point    int // family
}

// exact is how far rounding may take a value from what a deterministic variable must have, relative to
// the numbers that it is computed from.
const exact = 1e-9

// none is the part of two numbers that is rounding when they cancel.
const none = 1e-14

const (
	epsilon   = 0x1p-52
	delicate  = 1e-2  // what is left of two weights whose difference has lost digits
	tolerated = 1e-12 // rounding in a variance
)

// plus is a sum, 0 where it cancels but for rounding: a weight that is none must not be taken for a tiny
// one, which would say much of a variable without variance.
func (w *Space) plus(a, b float64) float64 {
	s, size := a+b, math.Abs(a)+math.Abs(b)
	if math.Abs(s) > delicate*size {
		return s
	}
	if w.delicate = w.delicate || size > 0; math.Abs(s) > none*size {
		return s
	}
	return 0
}

// Solve eliminates the hidden variables in the given configuration of each family's discrete parents,
// by the order of the families that the plan was made of. Nodes are by variable; values are by
// variable and row, of which rows are taken.
func (w *Space) Solve(p *Plan, nodes []*bn.LinearGaussian, configs []int, values [][]float64, rows []int32) {
	w.plan, w.cases, w.delicate = p, len(rows), false
	w.given = given{nodes, configs, values, rows}
	w.weights = zeros(w.weights, p.weights)
	w.variance = zeros(w.variance, len(p.nodes))
	w.constant = zeros(w.constant, len(p.nodes)*w.cases)
	w.size = zeros(w.size, len(p.nodes)*w.cases)
	for f, fam := range p.families {
		g, config := nodes[fam.Child], configs[p.from[f]]
		w.variance[f] = g.Variance[config]
		a, size := w.of(w.constant, f), w.of(w.size, f)
		for c := range a {
			a[c], size[c] = g.Intercept[config], math.Abs(g.Intercept[config])
		}
		for i, at := range p.nodes[f].load {
			b := g.Weights[config][i]
			if at.at >= 0 {
				w.weights[at.at] += b
				continue
			}
			for c, row := range rows {
				x := b * values[at.parent][row]
				a[c] += x
				size[c] = max(size[c], math.Abs(x))
			}
		}
	}
	for i := range p.steps {
		for j := range p.steps[i].exchanges {
			w.exchange(p.steps[i].x, &p.steps[i].exchanges[j], values, rows)
		}
	}
	w.density(values, rows)
}

func zeros(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	x = x[:n]
	clear(x)
	return x
}

// of are the numbers of a node by case.
func (w *Space) of(x []float64, f int) []float64 { return x[f*w.cases : (f+1)*w.cases] }

// exchange turns the arc from x to y.
func (w *Space) exchange(x int, e *exchange, values [][]float64, rows []int32) {
	b := w.weights[e.weight]
	if b == 0 {
		return // nor does y say anything of x
	}
	ax, ay, sx, sy := w.of(w.constant, x), w.of(w.constant, e.y), w.of(w.size, x), w.of(w.size, e.y)
	for _, u := range e.add {
		w.weights[u.to] = w.plus(w.weights[u.to], b*w.weights[u.from])
	}
	for c := range ay {
		ay[c] += b * ax[c]
		sy[c] = max(sy[c], math.Abs(b)*sx[c])
	}
	v, r := w.variance[x], w.variance[e.y]
	s := r + b*v*b
	if !(s > 0) {
		return
	}
	k := b * v / s
	w.variance[x], w.variance[e.y] = v*(r/s), s
	if k == 0 {
		return
	}
	for _, u := range e.take {
		w.weights[u.to] = w.plus(w.weights[u.to], -k*w.weights[u.from])
	}
	if e.self >= 0 {
		w.weights[e.self] = w.plus(w.weights[e.self], k)
		for c := range ax {
			ax[c] -= k * ay[c]
			sx[c] = max(sx[c], math.Abs(k)*sy[c])
		}
		return
	}
	y := values[w.plan.families[e.y].Child]
	for c, row := range rows {
		ax[c] += k * (y[row] - ay[c])
		sx[c] = max(sx[c], math.Abs(k)*max(math.Abs(y[row]), sy[c]))
	}
}

// density adds up the log-densities of what is observed, each given those before.
func (w *Space) density(values [][]float64, rows []int32) {
	w.log = zeros(w.log, w.cases)
	w.points, w.point = 0, -1
	for _, f := range w.plan.observed {
		s, mean, size := w.variance[f], w.of(w.constant, f), w.of(w.size, f)
		y := values[w.plan.families[f].Child]
		if !(s > 0) {
			w.points++
			w.point = f
		}
		constant := -0.5 * (math.Log(2*math.Pi) + math.Log(s))
		for c, row := range rows {
			r := y[row] - mean[c]
			switch {
			case s > 0:
				if x := w.log[c] + constant - r*(r/s)/2; x >= -math.MaxFloat64 {
					w.log[c] = x
				} else {
					w.log[c] = math.Inf(-1)
				}
			case !(math.Abs(r) <= exact*max(size[c], math.Abs(y[row]))):
				w.log[c] = math.Inf(-1)
			}
		}
	}
}

// LogDensities are the log-densities of the observed children by case, given what else is observed; −∞
// where that contradicts a variable without variance. Those of variables that have no variance given the
// others are not in it; see Points.
func (w *Space) LogDensities() []float64 { return w.log }

// Points is the number of observed children that have no variance given the others, and so no
// density, and the last of these variables; −1 for none.
func (w *Space) Points() (n, variable int) {
	if w.points == 0 {
		return 0, -1
	}
	return w.points, w.plan.families[w.point].Child
}

// Regression returns that of a hidden variable which was eliminated among the last on those that were after it, in the
// only case: for the next plan. It is there until Back.
func (w *Space) Regression(v int) (intercept float64, parents []int, weights []float64, variance float64) {
	f := w.plan.family[v]
	for i := range w.plan.steps {
		if s := &w.plan.steps[i]; s.x == f {
			for _, u := range s.parents {
				parents = append(parents, w.plan.families[u.parent].Child)
				weights = append(weights, w.weights[u.at])
			}
		}
	}
	return w.of(w.constant, f)[0], parents, weights, w.variance[f]
}

// Back finds means and covariances of the hidden variables given the observed ones: from the last
// eliminated to the first. LogDensities stay.
func (w *Space) Back() {
	for i := len(w.plan.steps) - 1; i >= 0; i-- {
		s := &w.plan.steps[i]
		mean := w.of(w.constant, s.x)
		size := w.of(w.size, s.x)
		for _, u := range s.parents {
			b := w.weights[u.at]
			sizes := w.of(w.size, u.parent)
			for c, x := range w.of(w.constant, u.parent) {
				mean[c] += b * x
				size[c] = max(size[c], math.Abs(b)*sizes[c])
			}
		}
	}
	w.cov, w.slip = zeros(w.cov, len(w.plan.pairs)), zeros(w.slip, len(w.plan.pairs))
	lost := w.delicate
	for at, p := range w.plan.pairs {
		sum, slip := 0.0, 0.0
		if p.i == p.j {
			sum = w.variance[p.i]
		}
		for _, t := range p.terms {
			b, c := w.weights[t.weight], w.cov[t.pair]
			sum += b * c
			slip += math.Abs(b) * (w.slip[t.pair] + epsilon*math.Abs(c))
		}
		if p.i == p.j {
			sum = max(sum, 0)
			lost = lost || slip > tolerated*sum || w.offset(p.i, math.Sqrt(sum))
		}
		w.cov[at], w.slip[at] = sum, slip
	}
	if lost && len(w.plan.families) <= mostRoots {
		w.roots()
	}
}

// offset reports whether a mean of a variable is a small difference of large numbers.
func (w *Space) offset(f int, sd float64) bool {
	mean := w.of(w.constant, f)
	for c, size := range w.of(w.size, f) {
		if size*epsilon > tolerated*max(sd, math.Abs(mean[c])) {
			return true
		}
	}
	return false
}

// Means are those of a hidden variable by case, after Back.
func (w *Space) Means(v int) []float64 { return w.of(w.constant, w.plan.family[v]) }

// Covariance is that of two hidden variables that the plan knows, the same in all cases, after Back.
func (w *Space) Covariance(u, v int) float64 {
	at, ok := w.plan.index[[2]int{w.plan.family[u], w.plan.family[v]}]
	if !ok {
		panic("clg: the covariance of two variables that was not planned")
	}
	return w.cov[at]
}
