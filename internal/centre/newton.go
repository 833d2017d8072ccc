package centre

import "math"

// A newton holds what a step is solved with.
type newton struct {
	factor factor
	weight []float64
	rhs    []float64 // in the space of the factor
	work   []float64 // one for each variable
	slack  []float64 // one for each inequality
	basics []float64 // one for each equation
}

func (y *system) newNewton() *newton {
	return &newton{y.gram.newFactor(), make([]float64, y.n+len(y.u)), make([]float64, y.gram.n), make([]float64, y.n),
		make([]float64, len(y.u)), make([]float64, len(y.b))}
}

// prepare factors the equations of Newton's method at the iterate.
func (y *system) prepare(w *newton, at iterate) {
	x, s, z, mu := at.x, at.s, at.z, at.mu
	if y.basis == nil {
		x, s, z, mu = z, mu, x, s
	}
	divide(w.weight[:y.n], z, x)
	divide(w.weight[y.n:], mu, s)
	y.gram.factor(w.factor, w.weight)
}

// A residual is what a step is to make up for.
type residual struct {
	e, a   []float64 // E dx, A dx + ds
	z      []float64 // dz − E'dλ − A'dμ
	cx, cs []float64 // z dx + x dz, μ ds + s dμ
}

func (y *system) newResidual() residual {
	return residual{make([]float64, len(y.b)), make([]float64, len(y.u)), make([]float64, y.n), make([]float64, y.n),
		make([]float64, len(y.u))}
}

// step writes to d the direction with the differences of r. The iterate is that which
// was prepared.
func (y *system) step(w *newton, d iterate, at iterate, r residual) {
	if y.basis == nil {
		y.stepByRows(w, d, at, r)
	} else {
		y.stepByFree(w, d, at, r)
	}
}

// stepByRows solves, with D = diag(x/z) and r the differences,
//
//	E D (E'dλ + A'dμ) = E (cx/z − D rz) − re
//	A D (E'dλ + A'dμ) + s/μ dμ = A (cx/z − D rz) + cs/μ − ra
//
// and once more for what rounding has left, without which the rows would drift from their
// values near the end.
func (y *system) stepByRows(w *newton, d iterate, at iterate, r residual) {
	for p, x := range at.x {
		w.work[p] = (r.cx[p] - x*r.z[p]) / at.z[p]
	}
	m := len(y.b)
	for i := range m {
		w.rhs[i] = y.e.dot(i, w.work) - r.e[i]
	}
	for i := range y.u {
		w.rhs[m+i] = y.a.dot(i, w.work) + r.cs[i]/at.mu[i] - r.a[i]
	}
	y.gram.solve(w.factor, w.rhs)
	clear(d.lambda)
	clear(d.mu)
	for refine := 0; ; refine++ {
		axpy(d.lambda, 1, w.rhs[:m])
		axpy(d.mu, 1, w.rhs[m:])
		copy(d.z, r.z)
		y.e.addMulT(d.z, d.lambda)
		y.a.addMulT(d.z, d.mu)
		for p, x := range at.x {
			d.x[p] = (r.cx[p] - x*d.z[p]) / at.z[p]
		}
		for i, s := range at.s {
			d.s[i] = (r.cs[i] - s*d.mu[i]) / at.mu[i]
		}
		if refine == 1 {
			return
		}
		for i, e := range r.e {
			w.rhs[i] = y.e.dot(i, d.x) - e
		}
		for i, a := range r.a {
			w.rhs[m+i] = y.a.dot(i, d.x) + d.s[i] - a
		}
		y.gram.solve(w.factor, w.rhs)
	}
}

// stepByFree writes dx = dx0 + Z dy with E dx0 = re and E Z = 0, and solves, with
// H = diag(z/x), W = diag(μ/s) and r the differences,
//
//	Z'(H + A'W A) Z dy = Z'(cx/x − rz − A'(cs/s − W ra) − (H + A'W A) dx0)
//
// λ follows from the basic variables.
func (y *system) stepByFree(w *newton, d iterate, at iterate, r residual) {
	n, m := len(at.x), len(at.s)
	x, z, dx, dz, rz, cx, work := at.x, at.z[:n], d.x[:n], d.z[:n], r.z[:n], r.cx[:n], w.work[:n]
	s, mu, ds, dmu, ra, cs, slack := at.s, at.mu[:m], d.s[:m], d.mu[:m], r.a[:m], r.cs[:m], w.slack[:m]
	basics := w.basics[:len(y.red.basic)]
	y.red.inverse.mul(basics, r.e)
	clear(dx)
	for k, p := range y.red.basic {
		dx[p] = basics[k]
	}
	for p, v := range x {
		work[p] = (cx[p]-z[p]*dx[p])/v - rz[p]
	}
	y.a.mul(slack, dx)
	for i, v := range s {
		slack[i] = (mu[i]*(ra[i]-slack[i]) - cs[i]) / v
	}
	y.a.addMulT(work, slack)
	clear(w.rhs)
	y.basis.addMulT(w.rhs, work)
	y.gram.solve(w.factor, w.rhs)
	y.basis.mul(work, w.rhs)
	for p, v := range work {
		dx[p] += v
	}
	y.a.mul(ds, dx)
	for i, v := range s {
		ds[i] = ra[i] - ds[i]
		dmu[i] = (cs[i] - mu[i]*ds[i]) / v
	}
	for p, v := range x {
		work[p] = (cx[p]-z[p]*dx[p])/v - rz[p]
	}
	for i, f := range dmu {
		slack[i] = -f
	}
	y.a.addMulT(work, slack)
	for k, p := range y.red.basic {
		basics[k] = work[p]
	}
	clear(d.lambda)
	y.red.inverse.addMulT(d.lambda, basics)
	copy(dz, rz)
	y.e.addMulT(d.z, d.lambda)
	y.a.addMulT(d.z, d.mu)
}

func divide(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / b[i]
	}
}

// longest is the largest step along d that keeps v ≥ 0. It divides only where the step may be the shortest so far.
func longest(v, d []float64) float64 {
	step, within := math.Inf(1), math.Inf(1) // within is step, and what rounding may hide
	d = d[:len(v)]
	for i, x := range v {
		if down := -d[i]; !(x > down*within) && down > 0 {
			if step = min(step, x/down); step < within {
				within = step * (1 + 1e-14)
			}
		}
	}
	return step
}
