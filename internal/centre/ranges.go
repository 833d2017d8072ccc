package centre

import (
	"math"
)

// A bound has a value and what rounding may have made of it.
type bound struct{ v, err float64 }

func exactly(v float64) bound { return bound{v, 0x1p-53 * math.Abs(v)} }

func (b bound) times(f float64) bound { return bound{b.v * f, b.err * math.Abs(f)} }

func (b bound) minus(c bound) bound {
	if math.IsInf(b.v-c.v, 0) {
		return bound{b.v - c.v, 0}
	}
	return bound{b.v - c.v, b.err + c.err + 0x1p-53*max(math.Abs(b.v), math.Abs(c.v))}
}

// An interval holds a term or a sum.
type interval struct{ lo, hi bound }

func (i interval) plus(j interval) interval {
	return interval{i.lo.minus(j.lo.times(-1)), i.hi.minus(j.hi.times(-1))}
}

// ranges finds how large variables and slacks can be, as the bounds of each row pass from one to another, and
// returns units: powers of two near those that are small, 1 for the others. It returns nil when none is small.
// Ranges that may be no more than rounding are noted, and are none.
func (s *Solver) ranges() []float64 {
	size := s.n + len(s.u)
	lo, hi := make([]bound, size), make([]bound, size)
	for j := range hi {
		hi[j].v = math.Inf(1)
	}
	term, before := make([]interval, size), make([]interval, size+1) // by place in a row, and the sums before
	for pass, changed := 0, true; changed && pass < passes; pass++ {
		changed = false
		narrow := func(col []int, val []float64, value bound) {
			before[0] = interval{}
			for i, q := range col {
				term[i] = interval{lo[q].times(val[i]), hi[q].times(val[i])}
				if val[i] < 0 {
					term[i] = interval{term[i].hi, term[i].lo}
				}
				before[i+1] = before[i].plus(term[i])
			}
			var after interval
			for k := len(col) - 1; k >= 0; k-- {
				// c_j x_j = value − the rest, at its most and at its least.
				j, rest := col[k], before[k].plus(after)
				after = after.plus(term[k])
				least, most := value.minus(rest.hi), value.minus(rest.lo)
				least, most = least.times(1/val[k]), most.times(1/val[k])
				if val[k] < 0 {
					least, most = most, least
				}
				most.v, least.v = most.v+most.err, least.v-least.err
				if most.v >= 0 && (most.v < 0.99*hi[j].v || most.v < 1.01*hi[j].v && most.err < hi[j].err/2) {
					hi[j], changed = most, true
				}
				if least.v > lo[j].v && least.v-lo[j].v > 0.01*(hi[j].v-lo[j].v) {
					lo[j], changed = bound{min(least.v, hi[j].v), least.err}, true
				}
			}
		}
		s.standard(func(_ int, col []int, val []float64, value float64) { narrow(col, val, exactly(value)) })
		s.complements(narrow)
	}
	var unit []float64
	for j, h := range hi {
		if j < s.n {
			s.unresolved[j] = h.v > h.err && h.v <= resolved*h.err // more than the error that was added
		}
		if h.v >= small || h.v <= resolved*h.err {
			continue
		}
		if unit == nil {
			unit = make([]float64, size)
			fill(1, unit)
		}
		_, exponent := math.Frexp(h.v)
		unit[j] = math.Ldexp(1, max(exponent, -1000))
	}
	return unit
}
