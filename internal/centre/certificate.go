package centre

import (
	"math"

	"bnlab/internal/say"
)

func (s *Solver) forcedZeros(n []float64) error {
	var names []int
	for p, zero := range s.forced {
		if zero && n[p] > 0 {
			names = append(names, p)
		}
	}
	if names == nil {
		return nil
	}
	return say.Errorf("centre: %w: variables %v", ErrForcedZero, names)
}

// multipliers spreads those of the system over all rows. Inequalities that are equations
// may have got negative ones, variables that are forced to zero a negative z, and rounding does
// the same elsewhere: as much as needed is added of the proof and of the centre's
// multipliers, which are positive there.
func (s *Solver) multipliers(w *workspace) {
	clear(w.lambda)
	clear(w.mu)
	s.spread(w, 1, w.at)
	s.price(w)
	if s.proof.zero != nil {
		f := 0.0
		for i, tight := range s.proof.tight {
			if tight {
				f = max(f, -w.mu[i]/s.proof.mu[i])
			}
		}
		for p, forced := range s.proof.zero {
			if forced {
				f = max(f, -w.z[p]/s.proofPrice[p])
			}
		}
		f *= 1 + 1e-9 // against rounding
		axpy(w.lambda, f, s.proof.lambda)
		axpy(w.mu, f, s.proof.mu)
		s.price(w)
	}
	for f := 1e-16; f < enough && !s.dualFeasible(w); f *= 4 {
		s.spread(w, f, s.start)
		s.price(w)
	}
}

// dualFeasible reports whether no z is negative, and positive where there is weight, and
// no multiplier of an inequality negative.
func (s *Solver) dualFeasible(w *workspace) bool {
	for _, v := range w.mu {
		if !(v >= 0) {
			return false
		}
	}
	for k, p := range s.keep {
		if !(w.z[p] >= 0) || (w.goal.x[k] > 0 && w.z[p] == 0) {
			return false
		}
	}
	return true
}

// spread adds f times the multipliers of the system to those of all rows.
func (s *Solver) spread(w *workspace, f float64, at iterate) {
	for k, v := range at.lambda {
		if r := s.equal[k]; r >= 0 {
			w.lambda[r] += f * v
		} else {
			w.mu[^r] += f * v
		}
	}
	for k, r := range s.most {
		w.mu[r] += f * at.mu[k]
	}
}

// price makes z = c + E'λ + A'μ.
func (s *Solver) price(w *workspace) {
	clear(w.z)
	for k, p := range s.keep {
		w.z[p] = w.goal.cost[k]
	}
	s.e.addMulT(w.z, w.lambda)
	s.a.addMulT(w.z, w.mu)
}

// gap is the dual objective at the multipliers less the objective at x, with E x = b − e
// and A x = u − a:
//
//	Σ φ(x_p z_p) + Σ μ_a a + Σ λ_e e
//
// without the large numbers that cancel; φ is that of goal.
func (s *Solver) gap(w *workspace, x []float64) float64 {
	total := 0.0
	for k, p := range s.keep {
		if !(w.z[p] >= 0) || (w.goal.x[k] > 0 && !(x[p]*w.z[p] > 0)) {
			return math.Inf(1)
		}
		total += excess(x[p]*w.z[p], w.goal.x[k])
	}
	total += inner(w.mu, w.a) + inner(w.lambda, w.e)
	return max(total, 0)
}
