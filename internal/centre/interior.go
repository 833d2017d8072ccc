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
	z, gx := at.z[:len(at.x)], g.x[:len(at.x)]
	for p, x := range at.x {
		product := x * z[p]
		isMean = isMean && product >= least*gx[p]
		total += excess(product, gx[p])
	}
	mu, gs := at.mu[:len(at.s)], g.s[:len(at.s)]
	for r, s := range at.s {
		product := s * mu[r]
		isMean = isMean && product >= least*gs[r]
		if gs[r] == 0 {
			total += product
		} else {
			total += excess(product, gs[r])
		}
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
	n, m := len(at.x), len(at.s)
	dx, z, dz, gx := d.x[:n], at.z[:n], d.z[:n], g.x[:n]
	for p, x := range at.x {
		product := (x + primal*dx[p]) * (z[p] + dual*dz[p])
		total += excess(max(product, least*gx[p]), gx[p])
	}
	ds, mu, dmu, gs := d.s[:m], at.mu[:m], d.mu[:m], g.s[:m]
	for r, s := range at.s {
		product := (s + primal*ds[r]) * (mu[r] + dual*dmu[r])
		if gs[r] == 0 {
			total += max(product, 0)
		} else {
			total += excess(max(product, least*gs[r]), gs[r])
		}
	}
	return total / float64(n+m)
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
	re, ra, rz, s := r.e[:len(y.b)], r.a[:len(y.u)], r.z[:len(at.z)], at.s[:len(y.u)]
	y.e.mul(re, at.x)
	for i, b := range y.b {
		re[i] = b - re[i]
		rows = max(rows, math.Abs(re[i]))
	}
	y.a.mul(ra, at.x)
	for i, u := range y.u {
		ra[i] = u - ra[i] - s[i]
		rows = max(rows, math.Abs(ra[i]))
	}
	price = price[:len(rz)]
	for p, z := range at.z {
		rz[p] = price[p] - z
	}
	y.e.addMulT(rz, at.lambda)
	y.a.addMulT(rz, at.mu)
	for p, x := range at.x {
		cost += x * math.Abs(rz[p])
	}
	return rows, cost
}

// follow moves w.at to the point whose products are the goal, by steps that are predicted
// and corrected as Mehrotra's are; if it stops early, to the best feasible point on the
// way. With care it goes slowly, so that no product gets far below the mean: one that does may be lost
// in rounding and block all steps. It returns the iterations and whether the gap is small enough. first is the factor
// at the point where it begins, nil if it is to be found.
func (y *system) follow(w *interior, g goal, care bool, first []float64) (it int, ok bool) {
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
		if it == 0 && first != nil {
			copy(w.newton.factor.val, first)
		} else {
			y.prepare(w.newton, at)
		}
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
	centred(r.cx, g.x, at.x, at.z, affine.x, affine.z, lift, second)
	centred(r.cs, g.s, at.s, at.mu, affine.s, affine.mu, lift, second)
	y.step(w.newton, w.d, at, r)
}

// centred writes what products of x and z lack of goals and a lift, less second times the products of dx and dz.
func centred(dst, goal, x, z, dx, dz []float64, lift, second float64) {
	goal, x, z, dx, dz = goal[:len(dst)], x[:len(dst)], z[:len(dst)], dx[:len(dst)], dz[:len(dst)]
	for i := range dst {
		dst[i] = goal[i] + lift - x[i]*z[i] - second*dx[i]*dz[i]
	}
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
