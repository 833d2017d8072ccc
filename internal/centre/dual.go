package centre

import "math"

// A dualNewton is the store of the dual method.
type dualNewton struct {
	newton *newton
	r      residual
	d      iterate
}

func (y *system) newDualNewton() *dualNewton {
	return &dualNewton{y.newNewton(), y.newResidual(), y.newIterate()}
}

// descend minimises by Newton's method, for positive weights g and no inequalities,
//
//	b'λ − Σ_p g_p log z_p,  z = E'λ
//
// whose gradient b − E x at x = g/z is what feasibility lacks. The step to first order in
// both, x (1 − dz/z), satisfies the equations, and is the result once dz/z is
// small.
// It returns the iterations and whether the method came to its end. (For N06 §4.3, type 6, with a λ for each
// distribution.)
func (s *Solver) descend(w *workspace) (int, bool) {
	at, d, r, g := w.at, w.dual.d, w.dual.r, w.goal.x
	at.copy(s.start)
	clear(r.z)
	clear(r.cx)
	for it := 1; it <= iterations; it++ {
		for p, z := range at.z {
			at.x[p] = g[p] / z
		}
		for i, b := range s.sys.b {
			r.e[i] = b - s.sys.e.dot(i, at.x)
		}
		s.sys.prepare(w.dual.newton, at)
		s.sys.step(w.dual.newton, d, at, r)
		largest, decrement := 0.0, 0.0
		for p, z := range at.z {
			q := d.z[p] / z
			largest = max(largest, math.Abs(q))
			decrement += g[p] * q * q
		}
		if !(decrement < math.Inf(1)) {
			return it, false
		}
		if decrement <= aim && largest < 0.1 {
			at.move(d, 1, 1)
			return it, true
		}
		length := s.search(at, d, g, decrement)
		if !(length > 0) {
			return it, false
		}
		axpy(at.lambda, length, d.lambda)
		axpy(at.z, length, d.z)
	}
	return iterations, false
}

// search halves the step along d until the dual objective falls as it should.
func (s *Solver) search(at, d iterate, g []float64, decrement float64) float64 {
	slope := inner(s.sys.b, d.lambda)
	for length := min(1, 0.99*longest(at.z, d.z)); length > 1e-10; length /= 2 {
		change := length * slope
		for p, z := range at.z {
			q := 1 + length*d.z[p]/z
			if !(q > 0) {
				change = math.Inf(1)
				break
			}
			change -= g[p] * math.Log(q)
		}
		if change <= -0.1*length*decrement {
			return length
		}
	}
	return 0
}
