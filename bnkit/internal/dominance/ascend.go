package dominance

import "math"

const (
	enough  = 1e-9  // of the gap, for an answer, relative to the weight
	settled = 1e-7  // of the relative change of an entry, after which a Newton step is exact
	nearly  = 0.95  // of the way to a probability of zero
	none    = 1e-13 // of an imbalance, relative to the weight
	steps   = 20    // for each tail: far more than were seen
)

// ascend moves to the maximum.
func (w *space) ascend() Report {
	r := Report{Gap: math.Inf(1)}
	for limit := steps * (w.nodes + 5); r.Iterations < limit; r.Iterations++ {
		w.gradient()
		if w.open && w.slide() {
			continue
		}
		rise, change := w.direction()
		if !w.move(rise, change) {
			continue
		}
		w.gradient()
		gap, parted := w.part()
		if !parted {
			r.Gap = gap
			return r
		}
	}
	return r
}

// gradient writes the slope of each node: what its entries gain, and what it pays in broken orders.
func (w *space) gradient() {
	clear(w.slope)
	for i, n := range w.n {
		if n > 0 {
			c := w.cell(i)
			z := n / w.x[i]
			w.slope[w.high[c]] += z
			w.slope[w.low[c]] -= z
		}
	}
	for a := range w.network.price {
		if w.broken[a] && w.label[w.low[a]] != w.label[w.high[a]] {
			w.slope[w.low[a]] -= w.price[a]
			w.slope[w.high[a]] += w.price[a]
		}
	}
}

// direction finds the Newton step of the blocks. It returns the slope of the objective along it
// and the largest relative change of an entry with weight.
func (w *space) direction() (rise, change float64) {
	blocks := 0
	for v := range w.variable {
		w.variable[v] = -1
	}
	for _, l := range w.label[:w.nodes] {
		if !w.isEnd(l) && w.variable[l] < 0 {
			w.variable[l] = blocks
			blocks++
		}
	}
	m := &w.newton
	m.reset(blocks)
	for i, n := range w.n {
		if u, v := w.ends(i); n > 0 && u >= 0 && v >= 0 {
			m.reach(u, v)
		}
	}
	m.clear()
	for i, n := range w.n {
		if n == 0 {
			continue
		}
		h := n / w.x[i] / w.x[i]
		u, v := w.ends(i)
		if u >= 0 {
			m.row(u)[u] += h
		}
		if v >= 0 {
			m.row(v)[v] += h
		}
		if u >= 0 && v >= 0 {
			m.row(max(u, v))[min(u, v)] -= h
		}
	}
	m.factor()
	step := w.excess[:blocks]
	clear(step)
	for v, l := range w.label[:w.nodes] {
		if !w.isEnd(l) {
			step[w.variable[l]] += w.slope[v]
		}
	}
	copy(w.slopes, step)
	m.solve(step)
	for v, l := range w.label {
		w.d[v] = 0
		if !w.isEnd(l) {
			w.d[v] = step[w.variable[l]]
		}
	}
	for u, d := range step {
		rise += d * w.slopes[u]
	}
	for i, n := range w.n {
		if n > 0 {
			change = max(change, math.Abs(w.along(i))/w.x[i])
		}
	}
	return rise, change
}

// slide moves the blocks that have no weight, and so are pushed by prices only, to where they
// meet others. It reports whether there are any.
func (w *space) slide() bool {
	push, heavy := w.slopes, w.excess // by block
	clear(push)
	clear(heavy)
	for v, l := range w.label[:w.nodes] {
		push[l] += w.slope[v]
		if w.weighed(v) {
			heavy[l] = 1
		}
	}
	rise := 0.0
	for v, l := range w.label {
		w.d[v] = 0
		if !w.isEnd(l) && heavy[l] == 0 && math.Abs(push[l]) > none*w.total {
			w.d[v] = math.Copysign(1, push[l])
			rise += w.d[v] * w.slope[v]
		}
	}
	if rise == 0 {
		return false
	}
	w.move(rise, 1)
	return true
}

// ends are the variables at the upper and the lower node of an entry.
func (w *space) ends(i int) (upper, lower int) {
	c := w.cell(i)
	return w.variable[w.label[w.high[c]]], w.variable[w.label[w.low[c]]]
}

// along is the step of an entry.
func (w *space) along(i int) float64 {
	c := w.cell(i)
	return w.d[w.high[c]] - w.d[w.low[c]]
}

// move goes along the step, up to where blocks meet, and joins them there. It reports whether
// the blocks are at rest.
func (w *space) move(rise, change float64) (rest bool) {
	length := 1.0
	for i, n := range w.n {
		if d := w.along(i); n > 0 && d < 0 {
			length = min(length, -nearly*w.x[i]/d)
		}
	}
	for a := range w.price {
		length = min(length, w.meeting(a))
	}
	w.met = w.met[:0]
	for a := range w.price {
		if w.meeting(a) <= length*(1+1e-12) {
			w.met = append(w.met, a)
		}
	}
	if change > settled {
		for w.gain(length) < 0.1*length*rise {
			length, w.met = length/2, w.met[:0]
			if length < 1e-12 {
				return true
			}
		}
	}
	for v, d := range w.d {
		w.f[v] += length * d
	}
	for i := range w.x {
		w.x[i] += length * w.along(i)
	}
	for _, a := range w.met {
		w.join(w.low[a], w.high[a])
	}
	return len(w.met) == 0 && change <= settled
}

// meeting is the length of the step at which the nodes of an inequality meet.
func (w *space) meeting(a int) float64 {
	low, high := w.low[a], w.high[a]
	if w.price[a] == 0 || w.label[low] == w.label[high] {
		return math.Inf(1)
	}
	apart, closing := w.f[high]-w.f[low], w.d[low]-w.d[high]
	if w.broken[a] {
		apart, closing = -apart, -closing
	}
	if !(closing > 0) {
		return math.Inf(1)
	}
	return max(apart, 0) / closing
}

// gain is what a part of the step adds to the objective.
func (w *space) gain(length float64) float64 {
	total := 0.0
	for i, n := range w.n {
		if n > 0 {
			total += n * math.Log1p(length*w.along(i)/w.x[i])
		}
	}
	for a := range w.network.price {
		if w.broken[a] && w.label[w.low[a]] != w.label[w.high[a]] {
			total -= length * w.price[a] * (w.d[w.low[a]] - w.d[w.high[a]])
		}
	}
	return total
}
