package centre

import "math"

// A face is what holds at every feasible point: variables that are zero and inequalities
// that are equations, with the multipliers that prove it: E'λ + A'μ ≥ 0 with μ ≥ 0 and
// b'λ + u'μ = 0, positive exactly there. When nothing is feasible b'λ + u'μ < 0.
type face struct {
	feasible   bool
	zero       []bool // by variables
	tight      []bool // by inequalities
	lambda, mu []float64
}

// embed finds the face of the system by an interior-point method on
//
//	E x = bτ,  A x + s = uτ,  z = E'λ + A'μ,  κ = −b'λ − u'μ,  all but λ ≥ 0
//
// whose path ends where of each pair x and z, s and μ, τ and κ exactly one is zero
// (Goldman and Tucker; Xu, Hung and Ye 1996). It returns false when the pairs
// do not come apart.
func (y *system) embed() (face, bool) {
	at, p, q, d := y.newIterate(), y.newIterate(), y.newIterate(), y.newIterate()
	r, homogeneous := y.newResidual(), y.newResidual()
	w := y.newNewton()
	fill(1, at.x, at.s, at.z, at.mu)
	copy(homogeneous.e, y.b)
	copy(homogeneous.a, y.u)
	tau, kappa := 1.0, 1.0
	pairs := float64(y.n + len(y.u) + 1)
	for range iterations {
		total := tau * kappa
		for i, x := range at.x {
			total += x * at.z[i]
		}
		for i, s := range at.s {
			total += s * at.mu[i]
		}
		mean := total / pairs
		if !(mean > 1e-13) {
			break
		}
		for i, b := range y.b {
			r.e[i] = b*tau - y.e.dot(i, at.x)
		}
		for i, u := range y.u {
			r.a[i] = u*tau - y.a.dot(i, at.x) - at.s[i]
		}
		for i, z := range at.z {
			r.z[i] = -z
		}
		y.e.addMulT(r.z, at.lambda)
		y.a.addMulT(r.z, at.mu)
		rk := -inner(y.b, at.lambda) - inner(y.u, at.mu) - kappa
		y.prepare(w, at)
		y.step(w, q, at, homogeneous)
		slope := kappa - tau*(inner(y.b, q.lambda)+inner(y.u, q.mu))

		// Affine first, then with the centring that its length suggests and its products.
		direction := func(sigma, second float64, dtau, dkappa float64) (float64, float64) {
			part := residual{scaled(r.e, 1-sigma), scaled(r.a, 1-sigma), scaled(r.z, 1-sigma), make([]float64, y.n),
				make([]float64, len(y.u))}
			for i, x := range at.x {
				part.cx[i] = sigma*mean - x*at.z[i] - second*d.x[i]*d.z[i]
			}
			for i, s := range at.s {
				part.cs[i] = sigma*mean - s*at.mu[i] - second*d.s[i]*d.mu[i]
			}
			ct := sigma*mean - tau*kappa - second*dtau*dkappa
			y.step(w, p, at, part)
			dt := (ct - tau*(1-sigma)*rk + tau*(inner(y.b, p.lambda)+inner(y.u, p.mu))) / slope
			d.copy(p)
			d.move(q, dt, dt)
			return dt, (ct - kappa*dt) / tau
		}
		step := func(dtau, dkappa float64) float64 {
			primal, dual := lengths(at, d)
			return min(1, 0.9*primal, 0.9*dual, 0.9*longest([]float64{tau, kappa}, []float64{dtau, dkappa}))
		}
		dtau, dkappa := direction(0, 0, 0, 0)
		rest := 1 - step(dtau, dkappa)
		dtau, dkappa = direction(max(rest*rest*rest, 1e-3), 1, dtau, dkappa)
		length := step(dtau, dkappa)
		if !(length > 1e-8) {
			break
		}
		at.move(d, length, length)
		tau, kappa = tau+length*dtau, kappa+length*dkappa
	}
	f := face{feasible: tau > kappa, zero: make([]bool, y.n), tight: make([]bool, len(y.u)), lambda: at.lambda,
		mu: at.mu}
	apart := math.Max(tau, kappa) > 1e3*math.Min(tau, kappa)
	for i, x := range at.x {
		f.zero[i] = x < at.z[i]
		apart = apart && max(x, at.z[i]) > 1e3*min(x, at.z[i])
	}
	for i, s := range at.s {
		f.tight[i] = s < at.mu[i]
		apart = apart && max(s, at.mu[i]) > 1e3*min(s, at.mu[i])
	}
	return f, apart
}

func inner(a, b []float64) float64 {
	total := 0.0
	for i, v := range a {
		total += v * b[i]
	}
	return total
}

func scaled(v []float64, f float64) []float64 {
	out := make([]float64, len(v))
	axpy(out, f, v)
	return out
}
