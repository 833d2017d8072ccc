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
// projected onto tables and
//
//	β = max(0, z·(g − g_last) / z_last·g_last),
//
// beginning anew when another set of entries is at zero, or when d is no way up. Other
// coordinates than table entries are scaled by their curvature, since they have units.
//
// Misprint: R95 §4 renormalises tables after a step along the gradient. Division by the sum
// moves along g − w Σ g, which can lead down; projection does not.
type conjugate struct {
	*surface
	weight  float64   // of the cases: the size of table gradients
	z, g    []float64 // projected gradient; the same, unscaled
	last    []float64 // direction; nil at first
	held    []bool    // entries held at zero
	product float64   // z·g at the last point
	value   float64   // objective there
}

func newConjugate(s *surface) *conjugate {
	return &conjugate{
		surface: s, weight: max(s.cases.Weight(), 1),
		z: make([]float64, s.free), g: make([]float64, s.free), held: make([]bool, s.free),
	}
}

func (q *conjugate) forget() bool {
	had := q.last != nil
	q.last = nil
	return had
}

func (q *conjugate) direction(d []float64, p *apnPoint) (first, longest float64) {
	before := append([]float64(nil), q.g...)
	changed := q.project(p)
	product, beta := floats.Dot(q.z, q.g), 0.0
	if q.last != nil && !changed && q.product > 0 {
		beta = max(0, (product-floats.Dot(q.z, before))/q.product)
	}
	copy(d, q.z)
	first = 1 / q.weight
	if q.last != nil {
		floats.AddScaled(d, beta, q.last)
		if !(floats.Dot(d, q.g) > 0) {
			copy(d, q.z)
		}
	}
	slope := floats.Dot(d, q.g)
	if gain := p.objective - q.value; q.last != nil && gain > 0 && slope > 0 {
		first = 2 * gain / slope // as large a rise as the last (Nocedal and Wright 2006, Eq. 3.60)
	}
	q.last, q.product, q.value = append(q.last[:0], d...), product, p.objective
	return first, q.reach(d, p)
}

// project fills z and g, and reports whether the held entries are others than before.
func (q *conjugate) project(p *apnPoint) (changed bool) {
	lo := 0
	for i, b := range q.blocks {
		hi := q.ends[i]
		if hi > q.free {
			break
		}
		copy(q.g[lo:hi], p.grad[lo:hi])
		if table, ok := b.(entries); ok {
			for ; lo < hi; lo += table.states {
				row := lo + table.states
				if projectRow(q.g[lo:row], q.held[lo:row], p.x[lo:row], table.least) {
					changed = true
				}
				copy(q.z[lo:row], q.g[lo:row])
			}
		} else {
			b.scale(q.z[lo:hi], q.g[lo:hi], p.x[lo:hi], p)
			floats.Scale(q.weight, q.z[lo:hi])
		}
		lo = hi
	}
	return changed
}

// projectRow replaces the gradient g of a row w by the nearest direction that keeps the sum
// and lowers no entry at the least value. The entries that it holds there are marked; it
// reports whether others were before. Those with the smallest gradients are held: taking one
// away raises the mean of the rest, so entries once held stay held.
func projectRow(g []float64, held []bool, w []float64, least float64) (changed bool) {
	mean, free := math.Inf(-1), make([]bool, len(g))
	for s := range free {
		free[s] = true
	}
	for more := true; more; {
		more = false
		total, n := 0.0, 0
		for s, x := range g {
			if free[s] {
				total += x
				n++
			}
		}
		mean = total / float64(n)
		for s, x := range g {
			if free[s] && w[s] <= 2*least && x < mean {
				free[s], more = false, true
			}
		}
	}
	for s := range g {
		if free[s] {
			g[s] -= mean
		} else {
			g[s] = 0
		}
		changed = changed || held[s] == free[s]
		held[s] = !free[s]
	}
	return changed
}

// reach is how far along d no table entry falls below its least value:
//
//	min over falling entries of (w − least) / −d.
func (q *conjugate) reach(d []float64, p *apnPoint) float64 {
	longest, lo := math.Inf(1), 0
	for i, b := range q.blocks {
		if q.ends[i] > q.free {
			break
		}
		if table, ok := b.(entries); ok {
			for k := lo; k < q.ends[i]; k++ {
				if d[k] < 0 {
					longest = min(longest, (p.x[k]-table.least)/-d[k])
				}
			}
		}
		lo = q.ends[i]
	}
	return longest
}
