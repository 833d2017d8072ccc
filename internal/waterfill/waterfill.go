package waterfill

import (
	"errors"
	"math"
	"slices"
	"sort"

	"bnlab/internal/say"
)

// ErrInfeasible: no parameters satisfy the limits and the total.
var ErrInfeasible = errors.New("waterfill: the limits and the total contradict each other")

// slack is how much a sum of limits may miss a total, relative to it: rounding in
// limits such as ten times 0.1.
const slack = 1e-12

// A Workspace holds what the solvers need besides their arguments, so that they do not
// allocate once it has grown. The zero value is ready. It serves one call at a time.
type Workspace struct {
	items  []item
	points []float64
	part   []line    // by node, for Nested
	prices []float64 // by node, for Nested
}

// Solve writes to dst the maximiser of Σ n_p log x_p subject to Σ k_p x_p = b and
// lo_p ≤ x_p ≤ hi_p, where hi may be +Inf, and returns its λ:
//
//	x_p = clip(n_p/(λ k_p), lo_p, hi_p)
//
// λ is 0 when parameters with counts cannot take the mass; those without then share
// what is left, equal before clipping. λ is +Inf when b leaves nothing for parameters
// that have counts and no lower limit. A parameter with counts is 0 only if the limits
// and b force it to be.
//
// All slices are of one length; it panics otherwise. It returns an error if an entry is
// not a number of the right sign (n ≥ 0, k > 0, lo ≥ 0, b ≥ 0, all but hi finite), and
// ErrInfeasible if a lower limit is above its upper one or Σ k lo ≤ b ≤ Σ k hi fails by
// more than 1e-12 of b. The cost is O(s log s) for s parameters.
func (w *Workspace) Solve(dst, n, k, lo, hi []float64, b float64) (lambda float64, err error) {
	if len(n) != len(dst) || len(k) != len(dst) || len(lo) != len(dst) || len(hi) != len(dst) {
		panic("waterfill: slices of different lengths")
	}
	if !(b >= 0) || math.IsInf(b, 1) {
		return 0, say.Errorf("waterfill: the total is %v", b)
	}
	largest := 0.0
	for _, count := range n {
		largest = max(largest, count)
	}
	_, scale := math.Frexp(largest) // so that sums of counts stay finite
	w.items, w.points = w.items[:0], append(w.points[:0], 0)
	least, most := 0.0, 0.0
	for p := range dst {
		if err := check(p, n[p], k[p], lo[p], hi[p]); err != nil {
			return 0, err
		}
		it := newItem(math.Ldexp(n[p], -scale), k[p], lo[p], hi[p])
		w.items = append(w.items, it)
		w.points = it.appendPoints(w.points)
		least += it.lo
		most += it.hi
	}
	if least > b*(1+slack) || most < b*(1-slack) {
		return 0, say.Errorf("%w: the sum can be from %v to %v, not %v", ErrInfeasible, least, most, b)
	}
	slices.Sort(w.points)
	z := search(w.points, b, func(from, to float64) line {
		var total line
		for _, it := range w.items {
			total.add(it.mass(from, to))
		}
		return total
	})
	for p, it := range w.items {
		dst[p] = min(max(it.mass(z, z).fixed/k[p], lo[p]), hi[p])
	}
	return math.Ldexp(max(z, 0), scale), nil
}

func check(p int, n, k, lo, hi float64) error {
	switch {
	case !(n >= 0) || math.IsInf(n, 1):
		return say.Errorf("waterfill: entry %d has the count %v", p, n)
	case !(k > 0) || math.IsInf(k, 1):
		return say.Errorf("waterfill: entry %d has the multiplicity %v", p, k)
	case !(lo >= 0) || math.IsInf(lo, 1) || math.IsNaN(hi):
		return say.Errorf("waterfill: entry %d has the limits %v and %v", p, lo, hi)
	case lo > hi:
		return say.Errorf("%w: entry %d has the limits %v and %v", ErrInfeasible, p, lo, hi)
	}
	return nil
}

// An item is a parameter or a set, seen as its mass: hi up to the price full, lo from the
// price empty on. In between a parameter's is n/z, or −k z if it has no counts.
type item struct {
	n, k, lo, hi float64
	full, empty  float64
}

// newItem is the item of a parameter with limits lo and hi.
func newItem(n, k, lo, hi float64) item {
	it := item{n: n, k: k, lo: k * lo, hi: k * hi}
	if n > 0 {
		it.full, it.empty = n/it.hi, n/it.lo
	} else {
		it.full, it.empty = -hi, -lo
	}
	return it
}

func (it item) appendPoints(points []float64) []float64 {
	for _, z := range []float64{it.full, it.empty} {
		if !math.IsInf(z, 0) {
			points = append(points, z)
		}
	}
	return points
}

// limited is the mass where a limit binds: at all prices between two neighbouring
// breakpoints, or at one price when from equals to.
func (it item) limited(from, to float64) (mass line, ok bool) {
	switch {
	case it.full >= to:
		return line{fixed: it.hi}, true
	case it.empty <= from:
		return line{fixed: it.lo}, true
	}
	return line{}, false
}

// mass is the mass of a parameter at the same prices.
func (it item) mass(from, to float64) line {
	l, ok := it.limited(from, to)
	switch {
	case ok:
		return l
	case from == to && it.n > 0:
		return line{fixed: min(max(it.n/to, it.lo), it.hi)}
	case from == to:
		return line{fixed: min(max(-it.k*to, it.lo), it.hi)}
	case it.n > 0:
		return line{free: it.n}
	}
	return line{free: it.k}
}

// A line is a mass fixed + free·g, with g = 1/z at positive prices and −z at others.
type line struct{ fixed, free float64 }

func (l *line) add(other line) {
	l.fixed += other.fixed
	l.free += other.free
}

// search returns the price at which the mass, which falls along the ascending points, is
// b: the lowest one at which it is, if that is one of the points. The points contain 0.
func search(points []float64, b float64, mass func(from, to float64) line) float64 {
	i := sort.Search(len(points), func(i int) bool { return mass(points[i], points[i]).fixed <= b })
	if i < len(points) && mass(points[i], points[i]).fixed == b {
		return points[i]
	}
	from, to := math.Inf(-1), math.Inf(1)
	if i > 0 {
		from = points[i-1]
	}
	if i < len(points) {
		to = points[i]
	}
	l := mass(from, to)
	left := b - l.fixed
	switch {
	case l.free == 0 && math.IsInf(to, 1): // b misses the range by rounding, here and next
		return from
	case l.free == 0 || !(left > 0):
		return to
	case from >= 0:
		return min(max(l.free/left, from), to)
	}
	return min(max(-left/l.free, from), to)
}
