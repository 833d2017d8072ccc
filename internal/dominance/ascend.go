package dominance

import "math"

const (
	precise = 1e-9  // of the gap, for an answer, relative to the weight
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
		if !w.s.hard && len(w.weighted) < len(w.n) && w.slide() {
			continue
		}
		rise, change := w.direction()
		if !w.move(rise, change) {
			if w.gained > w.enough {
				return r
			}
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
	for _, i := range w.weighted {
		c, z := w.cell(i), w.n[i]/w.x[i]
		w.slope[w.high[c]] += z
		w.slope[w.low[c]] -= z
	}
	w.pays = w.pays[:0]
	for _, a := range w.orders {
		if u, v := w.low[a], w.high[a]; w.broken[a] && w.label[u] != w.label[v] {
			w.slope[u] -= w.price[a]
			w.slope[v] += w.price[a]
			w.pays = append(w.pays, a)
		}
	}
}

// direction finds the Newton step of the blocks. It returns the slope of the objective along it
// and the largest relative change of an entry with weight.
func (w *space) direction() (rise, change float64) {
	blocks := w.count()
	m := &w.newton
	m.reset(blocks)
	for _, i := range w.weighted {
		if u, v := w.ends(i); u >= 0 && v >= 0 {
			m.reach(u, v)
		}
	}
	m.clear()
	for _, i := range w.weighted {
		h := w.n[i] / w.x[i] / w.x[i]
		u, v := w.ends(i)
		if u >= 0 {
			m.a[u*m.width+u] += h
		}
		if v >= 0 {
			m.a[v*m.width+v] += h
		}
		if u >= 0 && v >= 0 {
			m.a[max(u, v)*m.width+min(u, v)] -= h
		}
	}
	m.factor()
	slopes, step := w.slopes[:blocks], w.excess[:blocks]
	clear(slopes)
	for v, k := range w.variable {
		if k >= 0 {
			slopes[k] += w.slope[v]
		}
	}
	copy(step, slopes)
	m.solve(step)
	for v, k := range w.variable {
		w.d[v] = 0
		if k >= 0 {
			w.d[v] = step[k]
		}
	}
	for k, d := range step {
		rise += d * slopes[k]
	}
	w.along()
	for _, i := range w.weighted {
		change = max(change, math.Abs(w.dx[i])/w.x[i])
	}
	return rise, change
}

// count numbers the blocks that can move, in the order of their nodes.
func (w *space) count() int {
	blocks, name := 0, w.via // by label
	for v := range name {
		name[v] = -1
	}
	for v, l := range w.label {
		if !w.isEnd(l) && name[l] < 0 {
			name[l] = blocks
			blocks++
		}
		w.variable[v] = name[l]
	}
	return blocks
}

// slide moves what no weight holds, and so is pushed by prices only: blocks that entries with
// weight link with each other, if at all, but not with an end. They go to where they meet others.
// It reports whether there are any.
func (w *space) slide() bool {
	group := w.via // by node, a node of the group
	copy(group, w.label)
	for _, i := range w.weighted {
		u, v := group[w.high[w.cell(i)]], group[w.low[w.cell(i)]]
		if u == v {
			continue
		}
		if w.isEnd(v) {
			u, v = v, u // ends keep their names
		}
		for node, g := range group {
			if g == v {
				group[node] = u
			}
		}
	}
	push := w.excess // by group
	clear(push)
	for v, g := range group {
		push[g] += w.slope[v]
	}
	rise := 0.0
	for v, g := range group {
		w.d[v] = 0
		if !w.isEnd(g) && math.Abs(push[g]) > none*w.total {
			w.d[v] = math.Copysign(1, push[g])
			rise += w.d[v] * w.slope[v]
		}
	}
	if rise == 0 {
		return false
	}
	w.along()
	w.move(rise, 1)
	return true
}

// ends are the variables at the upper and the lower node of an entry.
func (w *space) ends(i int) (upper, lower int) {
	c := w.cell(i)
	return w.variable[w.high[c]], w.variable[w.low[c]]
}

// along makes the step of the entries.
func (w *space) along() {
	for _, i := range w.weighted {
		c := w.cell(i)
		w.dx[i] = w.d[w.high[c]] - w.d[w.low[c]]
	}
}

// move goes along the step, up to where blocks meet, and joins them there. It reports whether
// the blocks are at rest.
func (w *space) move(rise, change float64) (rest bool) {
	length := 1.0
	for _, i := range w.weighted {
		if d := w.dx[i]; d < 0 {
			length = min(length, -nearly*w.x[i]/d)
		}
	}
	met := w.meetings(length)
	if len(met) > 0 {
		length = met[0].at
	}
	if change > settled {
		for w.gain(length) < 0.1*length*rise {
			length, met = length/2, nil
			if length < 1e-12 {
				return true
			}
		}
	}
	if w.enough > 0 {
		w.gained += w.gain(length)
	}
	for v, d := range w.d {
		w.f[v] += length * d
	}
	for _, i := range w.weighted {
		w.x[i] += length * w.dx[i]
	}
	for _, m := range met {
		w.join(w.low[m.arc], w.high[m.arc])
	}
	return len(met) == 0 && change <= settled
}

// A meeting is where on the way the nodes of an inequality meet.
type meeting struct {
	arc int
	at  float64
}

// meetings lists the first ones up to some length.
func (w *space) meetings(length float64) []meeting {
	met := w.met[:0]
	for _, a := range w.orders {
		u, v := w.low[a], w.high[a]
		closing, apart := w.d[u]-w.d[v], w.f[v]-w.f[u]
		if w.broken[a] {
			closing, apart = -closing, -apart
		}
		if closing <= 0 || apart > length*closing || w.label[u] == w.label[v] {
			continue
		}
		at := max(apart, 0) / closing
		if at < length*(1-1e-12) {
			length, met = at, met[:0]
		}
		met = append(met, meeting{a, at})
	}
	return met
}

// gain is what a part of the step adds to the objective.
func (w *space) gain(length float64) float64 {
	total := 0.0
	for _, i := range w.weighted {
		total += w.n[i] * math.Log1p(length*w.dx[i]/w.x[i])
	}
	for _, a := range w.pays {
		total -= length * w.price[a] * (w.d[w.low[a]] - w.d[w.high[a]])
	}
	return total
}
