package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// leastEntry is the least table entry in a conjugate-gradient search. It is in the place of
// zero: small enough not to show, and N̄/w is still right to all digits. What is below twice
// that counts as being there, because of rounding.
const leastEntry = 1e-12

// conjugate finds Polak–Ribière directions d = z + β d_last (R95 §7), where z is the gradient
// g projected onto tables and
//
//	β = max(0, z·(g − g_last) / z_last·g_last),
//
// beginning anew when another set of entries is at zero, or when d is no way up.
//
// Misprint: R95 §4 renormalises tables after a step along the gradient. Division by the sum
// moves along g − w Σ g, which can lead down; projection does not.
//
// Deviation: distances are measured by curvature (see projectRow), not alike in all entries.
// The curvature of entries goes with 1/w, so that in plain distances a few small entries keep
// all steps short.
type conjugate struct {
	*surface
	z, g    []float64 // projected gradient; gradient
	last    []float64 // direction; nil at first
	turned  bool      // direction has a part of the one before it
	held    []bool    // entries held at zero
	product float64   // z·g at the last point
}

func newConjugate(s *surface) *conjugate {
	return &conjugate{surface: s, z: make([]float64, s.free), g: make([]float64, s.free), held: make([]bool, s.free)}
}

func (q *conjugate) forget() bool {
	had := q.turned
	q.last, q.turned = nil, false
	return had
}

func (q *conjugate) direction(d []float64, p *apnPoint) (longest float64) {
	before := append([]float64(nil), q.g...)
	copy(q.g, p.grad)
	changed := q.project(p)
	product := floats.Dot(q.z, q.g)
	copy(d, q.z)
	q.turned = false
	if q.last != nil && !changed && q.product > 0 {
		beta := max(0, (product-floats.Dot(q.z, before))/q.product)
		floats.AddScaled(d, beta, q.last)
		if q.turned = beta > 0; !(floats.Dot(d, q.g) > 0) {
			copy(d, q.z)
			q.turned = false
		}
	}
	q.last, q.product = append(q.last[:0], d...), product
	return q.reach(d, p)
}

// project fills z, and reports whether the held entries are others than before.
func (q *conjugate) project(p *apnPoint) (changed bool) {
	lo := 0
	for i, b := range q.blocks {
		hi := q.ends[i]
		if hi > q.free {
			break
		}
		if table, ok := b.(entries); ok {
			for m := p.m[table.lo:table.hi]; lo < hi; lo, m = lo+table.states, m[table.states:] {
				row := lo + table.states
				cases := floats.Sum(m[:table.states]) + p.one
				if projectRow(q.z[lo:row], q.g[lo:row], q.held[lo:row], p.x[lo:row], cases) {
					changed = true
				}
			}
		} else {
			b.scale(q.z[lo:hi], q.g[lo:hi], p.x[lo:hi], p)
		}
		lo = hi
	}
	return changed
}

// leaving is how far an entry at zero rises at first.
const leaving = 1e-3

// projectRow writes to z the direction of steepest ascent of a row w with gradient g that
// keeps the sum of the row and lowers no entry at zero,
//
//	z = s (g − Σ s g / Σ s),
//
// in the metric Σ z²/s, with s = w/cases from the curvature that the expected counts, and one
// case more, would have as counts. Entries that z raises have a larger s where they are small, so that
// they rise by up to 0.001 and can leave zero. Entries at zero with less than the mean gradient
// are held there. It marks them and reports whether others were held before.
func projectRow(z, g []float64, held []bool, w []float64, cases float64) (changed bool) {
	mean := func() float64 {
		sum, total := 0.0, 0.0
		for i, s := range z {
			sum += s * g[i]
			total += s
		}
		return sum / total
	}
	for i := range z {
		z[i] = w[i]
	}
	level := mean()
	for i := range z {
		if g[i] > level {
			z[i] = max(w[i], leaving*min(1, cases/g[i]))
		}
	}
	// More weight on high gradients has raised the mean: some are below it now.
	for more := true; more; {
		more = false
		level = mean()
		for i := range z {
			if z[i] > w[i] && g[i] < level {
				z[i], more = w[i], true
			}
		}
	}
	for i := range z {
		hold := w[i] <= 2*leastEntry && g[i] < level
		changed = changed || held[i] != hold
		if held[i] = hold; hold {
			z[i] = 0
		}
	}
	level = mean()
	for i := range z {
		z[i] *= (g[i] - level) / cases
	}
	return changed
}

// reach is how far along d no table entry falls below its least value,
//
//	min over falling entries of (w − least) / −d,
//
// and, since the objective falls steeply towards zero there, none in which something is
// expected by more than nine tenths.
func (q *conjugate) reach(d []float64, p *apnPoint) float64 {
	longest, lo := math.Inf(1), 0
	for i, b := range q.blocks {
		if q.ends[i] > q.free {
			break
		}
		if table, ok := b.(entries); ok {
			for k, m := range p.m[table.lo:table.hi] {
				if w, fall := p.x[lo+k], -d[lo+k]; fall > 0 {
					far := w - table.least
					if m > 0 {
						far = min(far, 0.9*w)
					}
					longest = min(longest, far/fall)
				}
			}
		}
		lo = q.ends[i]
	}
	return longest
}
