package centre

import "math"

// A newton holds what a step is solved with.
type newton struct {
	factor factor
	weight []float64
	rhs    []float64 // in the space of the factor
	work   []float64 // one for each variable
	slack  []float64 // one for each inequality
}

func (y *system) newNewton() *newton {
	return &newton{y.gram.newFactor(), make([]float64, y.n+len(y.u)), make([]float64, y.gram.n), make([]float64, y.n),
		make([]float64, len(y.u))}
}

// prepare factors the equations of Newton's method at the iterate.
func (y *system) prepare(w *newton, at iterate) {
	byRows := y.basis == nil
	for p, x := range at.x {
		w.weight[p] = at.z[p] / x
		if byRows {
			w.weight[p] = x / at.z[p]
		}
	}
	for r, s := range at.s {
		w.weight[y.n+r] = at.mu[r] / s
		if byRows {
			w.weight[y.n+r] = s / at.mu[r]
		}
	}
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
	clear(d.x)
	for k, p := range y.red.basic {
		d.x[p] = y.red.inverse.dot(k, r.e)
	}
	for p, x := range at.x {
		w.work[p] = (r.cx[p]-at.z[p]*d.x[p])/x - r.z[p]
	}
	for i, s := range at.s {
		w.slack[i] = (at.mu[i]*(r.a[i]-y.a.dot(i, d.x)) - r.cs[i]) / s
	}
	y.a.addMulT(w.work, w.slack)
	clear(w.rhs)
	for p, f := range w.work {
		y.basis.addRow(w.rhs, p, f)
	}
	y.gram.solve(w.factor, w.rhs)
	for p := range d.x {
		d.x[p] += y.basis.dot(p, w.rhs)
	}
	for i, s := range at.s {
		d.s[i] = r.a[i] - y.a.dot(i, d.x)
		d.mu[i] = (r.cs[i] - at.mu[i]*d.s[i]) / s
	}
	for p, x := range at.x {
		d.z[p] = (r.cx[p] - at.z[p]*d.x[p]) / x
		w.work[p] = d.z[p] - r.z[p]
	}
	for i, f := range d.mu {
		y.a.addRow(w.work, i, -f)
	}
	clear(d.lambda)
	for k, p := range y.red.basic {
		y.red.inverse.addRow(d.lambda, k, w.work[p])
	}
	copy(d.z, r.z)
	y.e.addMulT(d.z, d.lambda)
	y.a.addMulT(d.z, d.mu)
}

// longest is the largest step along d that keeps v ≥ 0.
func longest(v, d []float64) float64 {
	step := math.Inf(1)
	for i, x := range v {
		if d[i] < 0 {
			step = min(step, -x/d[i])
		}
	}
	return step
}
