package centre

import "math"

// Stopping: what the interior-point method aims at, and what it is content with, relative
// to a total weight of 1.
const (
	aim        = 1e-13
	enough     = 1e-10
	exact      = 1e-13 // of E x = b and A x ≤ u, rows scaled to a largest coefficient of 1
	nearly     = 1e-11
	roughly    = 1e-10 // where rounding allows no better, at a degenerate face
	iterations = 80
	short      = 0.1 // a step that asks for more centring
	slowly     = 0.2 // the share of the mean that is aimed at with care
)

// A goal is the products x·z and s·μ to be reached, at a cost for each unit of x.
type goal struct{ x, s, cost []float64 }

// gap is Σ φ over the products, φ = p − g − g log(p/g) for a goal g > 0 and φ = p for
// a goal of 0: the distance of the primal from the dual objective at feasible points. It reports whether it is the sum
// of which [goal.mean] takes the mean.
func (g goal) gap(at iterate) (total float64, isMean bool) {
	isMean = true
	for p, x := range at.x {
		product := x * at.z[p]
		isMean = isMean && product >= least*g.x[p]
		total += excess(product, g.x[p])
	}
	for r, s := range at.s {
		product := s * at.mu[r]
		isMean = isMean && product >= least*g.s[r]
		total += excess(product, g.s[r])
	}
	return total, isMean
}

// least is the share of its goal that a product counts at least.
const least = 0.01

func excess(product, goal float64) float64 {
	if goal == 0 {
		return product
	}
	r := product/goal - 1
	if math.Abs(r) < 1e-3 {
		return goal * r * r * (0.5 - r/3 + r*r/4)
	}
	return goal * (r - math.Log1p(r))
}

// mean is the gap after steps along d over the number of products.
func (g goal) mean(at, d iterate, primal, dual float64) float64 {
	total := 0.0
	for p, x := range at.x {
		product := (x + primal*d.x[p]) * (at.z[p] + dual*d.z[p])
		total += excess(max(product, least*g.x[p]), g.x[p])
	}
	for r, s := range at.s {
		product := (s + primal*d.s[r]) * (at.mu[r] + dual*d.mu[r])
		total += excess(max(product, least*g.s[r]), g.s[r])
	}
	return total / float64(len(at.x)+len(at.s))
}

// An interior is the store of the interior-point method.
type interior struct {
	at, affine, d, best, rough iterate
	r                          residual
	newton                     *newton
}

func (y *system) newInterior() *interior {
	return &interior{y.newIterate(), y.newIterate(), y.newIterate(), y.newIterate(), y.newIterate(), y.newResidual(),
		y.newNewton()}
}

// residuals writes what feasibility lacks at the iterate and returns its largest entry in
// the rows, and Σ x |rz|, by which the objective may be wrong.
func (y *system) residuals(r residual, at iterate, price []float64) (rows, cost float64) {
	for i, b := range y.b {
		r.e[i] = b - y.e.dot(i, at.x)
		rows = max(rows, math.Abs(r.e[i]))
	}
	for i, u := range y.u {
		r.a[i] = u - y.a.dot(i, at.x) - at.s[i]
		rows = max(rows, math.Abs(r.a[i]))
	}
	for p, z := range at.z {
		r.z[p] = price[p] - z
	}
	y.e.addMulT(r.z, at.lambda)
	y.a.addMulT(r.z, at.mu)
	for p, x := range at.x {
		cost += x * math.Abs(r.z[p])
	}
	return rows, cost
}

// follow moves w.at to the point whose products are the goal, by steps that are predicted
// and corrected as Mehrotra's are; if it stops early, to the best feasible point on the
// way. With care it goes slowly, so that no product gets far below the mean: one that does may be lost
// in rounding and block all steps. It returns the iterations and whether the gap is small enough.
func (y *system) follow(w *interior, g goal, care bool) (it int, ok bool) {
	at, r := w.at, w.r
	bestGap, roughGap := math.Inf(1), math.Inf(1)
	pairs := float64(len(at.x) + len(at.s))
	lowest := aim / 10 / pairs // that a product is lifted above its goal
	for ; ; it++ {
		rows, cost := y.residuals(r, at, g.cost)
		total, isMean := g.gap(at)
		gap := total + cost
		stalled := bestGap <= enough && !(gap < bestGap/2)
		if rows <= nearly && gap < bestGap {
			bestGap = gap
			w.best.copy(at)
		}
		if rows <= roughly && gap < roughGap {
			roughGap = gap
			w.rough.copy(at)
		}
		if rows <= exact && gap <= aim {
			return it, true
		}
		if stalled || it == iterations || !(gap < math.Inf(1)) {
			break
		}
		y.prepare(w.newton, at)
		for p, x := range at.x {
			r.cx[p] = g.x[p] - x*at.z[p]
		}
		for i, s := range at.s {
			r.cs[i] = g.s[i] - s*at.mu[i]
		}
		y.step(w.newton, w.affine, at, r)
		primal, dual := lengths(at, w.affine)
		primal, dual = min(1, primal), min(1, dual)
		rest := g.mean(at, w.affine, primal, dual)
		now := total / pairs
		if !isMean || !(rest < math.Inf(1)) { // a direction that is no number has no mean either
			now = g.mean(at, w.affine, 0, 0)
		}
		lift := lowest
		switch {
		case care:
			lift = max(lowest, slowly*now)
		case rest < now:
			lift = max(lowest, now*math.Pow(rest/now, 3))
		}
		// The predictor's products mislead where the path bends; then less is attempted.
		for _, try := range [...]struct{ lift, second float64 }{{lift, 1}, {lift, 0}, {now / 2, 0}} {
			y.correct(w, g, try.lift, try.second)
			primal, dual = lengths(at, w.d)
			after := g.mean(at, w.d, min(1, primal), min(1, dual))
			if min(primal, dual) >= short && (rows > nearly || after < 0.8*now) {
				break
			}
		}
		keep := 0.9
		if !care {
			keep = min(max(keep, 1-now*pairs), 1-1e-6)
		}
		primal, dual = min(1, keep*primal), min(1, keep*dual)
		if !(primal > 1e-10 && dual > 1e-10) {
			break
		}
		at.move(w.d, primal, dual)
	}
	if bestGap > enough && roughGap <= enough {
		bestGap = roughGap
		w.best.copy(w.rough)
	}
	if bestGap < math.Inf(1) {
		at.copy(w.best)
	}
	return it, bestGap <= enough
}

// correct finds the direction to products lift above the goal, less second times those of
// the predictor.
func (y *system) correct(w *interior, g goal, lift, second float64) {
	at, r, affine := w.at, w.r, w.affine
	for p, x := range at.x {
		r.cx[p] = g.x[p] + lift - x*at.z[p] - second*affine.x[p]*affine.z[p]
	}
	for i, s := range at.s {
		r.cs[i] = g.s[i] + lift - s*at.mu[i] - second*affine.s[i]*affine.mu[i]
	}
	y.step(w.newton, w.d, at, r)
}

// lengths are the longest steps of the point and of its multipliers.
func lengths(at, d iterate) (primal, dual float64) {
	return min(longest(at.x, d.x), longest(at.s, d.s)), min(longest(at.z, d.z), longest(at.mu, d.mu))
}

func (i iterate) move(d iterate, primal, dual float64) {
	axpy(i.x, primal, d.x)
	axpy(i.s, primal, d.s)
	axpy(i.lambda, dual, d.lambda)
	axpy(i.mu, dual, d.mu)
	axpy(i.z, dual, d.z)
}

func axpy(dst []float64, f float64, d []float64) {
	for i, v := range d {
		dst[i] += f * v
	}
}
