package hitrun

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// step moves to another point of a random line.
func (s *Sampler) step() {
	d, width := s.any, 8.0
	if s.rng.IntN(4) > 0 {
		d, width = s.circuits[s.rng.IntN(len(s.circuits))], math.Inf(1)
	} else {
		for i := range s.z {
			s.z[i] = s.rng.NormFloat64()
		}
		norm := floats.Norm(s.z, 2)
		clear(d.speed)
		for k, p := range d.index {
			d.value[k] = floats.Dot(s.shape.RawRowView(p), s.z) / norm
			for _, e := range s.set.columns[p] {
				d.speed[e.row] += e.coef * d.value[k]
			}
		}
	}
	if s.rng.IntN(2) == 0 {
		floats.Scale(-1, d.value)
		floats.Scale(-1, d.speed)
	}
	lo, hi, zero := d.chord(s.x, s.slack)
	switch {
	case math.IsInf(lo, 0) || math.IsInf(hi, 0):
		s.line = true
	case zero >= 0 && s.a[d.index[zero]] < 1:
		s.slicePole(d, lo, hi, zero)
	default:
		s.slice(d, lo, hi, width)
	}
}

// slice takes a step of the slice sampler on the line. Its bracket has the width given or is
// the whole line; it is placed at random around the point and shrinks towards it (R. Neal,
// Slice sampling, Annals of Statistics 31, 2003, §4).
func (s *Sampler) slice(d direction, lo, hi, width float64) {
	if !math.IsInf(width, 1) {
		from := -width * s.rng.Float64()
		lo, hi = max(lo, from), min(hi, from+width)
	}
	level := s.logDensity(d, 0, -1) - s.rng.ExpFloat64()
	for hi-lo > 1e-15*(1+hi) {
		t := lo + (hi-lo)*s.rng.Float64()
		if s.logDensity(d, t, -1) >= level {
			s.move(d, t)
			return
		}
		if t < 0 {
			lo = t
		} else {
			hi = t
		}
	}
}

// slicePole is slice for a line on which the density has a pole at the lower end, where the
// variable of one entry of d is zero, x_p with a_p < 1. It works in
// v = ((t − lo)/(hi − lo))^a_p, in which the factor of x_p is constant.
func (s *Sampler) slicePole(d direction, lo, hi float64, entry int) {
	p := d.index[entry]
	length, a := hi-lo, s.a[p]
	at := math.Pow(s.x[p]/(length*d.value[entry]), a)
	low, high := 0.0, 1.0
	level := s.logDensity(d, 0, entry) - s.rng.ExpFloat64()
	for high-low > 1e-15 {
		v := low + (high-low)*s.rng.Float64()
		t := length * math.Pow(v, 1/a) // from the lower end
		if x := t * d.value[entry]; x > 0 && s.logDensity(d, lo+t, entry) >= level {
			s.move(d, lo+t)
			s.x[p] = x
			return
		}
		if v < at {
			low = v
		} else {
			high = v
		}
	}
}

// logDensity is Σ (a_p − 1) log(x_p + t d_p) over the variables of d without those of one
// entry, or of −1; it is −∞ outside.
func (s *Sampler) logDensity(d direction, t float64, without int) float64 {
	total := 0.0
	for k, p := range d.index {
		if k == without {
			continue
		}
		x := s.x[p] + t*d.value[k]
		if !(x > 0) {
			return math.Inf(-1)
		}
		if s.a[p] != 1 {
			total += (s.a[p] - 1) * math.Log(x)
		}
	}
	return total
}

// move goes along the line; now and then it removes what rounding has added beside the set.
func (s *Sampler) move(d direction, t float64) {
	for k, p := range d.index {
		s.x[p] += t * d.value[k]
	}
	for k, r := range d.rows {
		s.slack[r] -= t * d.speed[k]
	}
	const often = 256
	if s.steps++; s.steps%often != 0 {
		return
	}
	n := len(s.x)
	from, z := mat.NewVecDense(n, nil), mat.NewVecDense(s.set.dim(), nil)
	for p, x := range s.x {
		from.SetVec(p, x-s.set.interior[p])
	}
	z.MulVec(s.set.basis.T(), from)
	from.MulVec(s.set.basis, z)
	for p := range s.x {
		if !(s.set.interior[p]+from.AtVec(p) > 0) && s.x[p] > 0 {
			return
		}
	}
	for p := range s.x {
		s.x[p] = s.set.interior[p] + from.AtVec(p)
	}
	s.measure()
}
