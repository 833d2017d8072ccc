package dominance

import "math"

// snap is the difference below which tails of a starting point count as equal.
const snap = 1e-12

// byRow writes the maxima of the rows by themselves, even ones without weight, and reports
// whether they are in order.
func (w *space) byRow() bool {
	for i, v := range w.n {
		w.x[i] = 1 / float64(w.states)
		if sum := w.inRow[i/w.states]; sum > 0 {
			w.x[i] = v / sum
		}
	}
	w.tails()
	for a := range w.network.price {
		if w.f[w.low[a]] > w.f[w.high[a]] {
			return false
		}
	}
	return true
}

// tails makes f of x.
func (w *space) tails() {
	for r := range w.rows {
		tail := 0.0
		for m := w.states - 1; m > 0; m-- {
			tail += w.x[r*w.states+m]
			w.f[w.node(r, m)] = tail
		}
	}
}

// entries makes x of f.
func (w *space) entries() {
	for i := range w.x {
		c := w.cell(i)
		w.x[i] = w.f[w.high[c]] - w.f[w.low[c]]
	}
}

// levels writes the isotonic regression of each tail by itself (Feelders and van der Gaag 2006):
// the maximum for two states, and otherwise a feasible point near it that is positive where there
// is weight.
func (w *space) levels() error {
	l := &w.level
	for m := 1; m < w.states; m++ {
		for r := range w.rows {
			l.w[r], l.y[r] = w.inRow[r], 0
			if l.w[r] > 0 {
				for _, v := range w.n[r*w.states+m : (r+1)*w.states] {
					l.y[r] += v / l.w[r]
				}
			}
		}
		if err := w.s.order.Solve(l.f, l.y, l.w); err != nil {
			return err
		}
		for r, f := range l.f {
			w.f[w.node(r, m)] = min(max(f, 0), 1)
		}
	}
	w.entries()
	return nil
}

// even makes all rows equal, as their sum.
func (w *space) even() {
	for i := range w.x {
		w.x[i] = 0
		for r := range w.rows {
			w.x[i] += w.n[r*w.states+i%w.states] / w.total
		}
	}
	w.tails()
}

// startAt begins at a point, with what hard orders lack made up for. It reports whether there
// is a probability for all weight.
func (w *space) startAt(x []float64) bool {
	for i, v := range x {
		if !(v >= 0 && v <= 1+snap) {
			return false
		}
		w.x[i] = v
	}
	w.tails()
	for _, k := range w.s.upwards {
		a := k * (w.states - 1)
		for m := range w.states - 1 {
			w.f[w.high[a+m]] = max(w.f[w.high[a+m]], w.f[w.low[a+m]])
		}
	}
	for i, v := range w.f {
		w.f[i] = min(v, 1)
	}
	w.joinTies(snap)
	for i := range w.x {
		c := w.cell(i)
		if d := w.f[w.high[c]] - w.f[w.low[c]]; !(math.Abs(d-w.x[i]) <= 2*snap) {
			w.x[i] = d
		}
		if w.n[i] > 0 && !(w.x[i] > 0) {
			return false
		}
	}
	return true
}

// joinTies makes blocks of nodes that an inequality links, where they differ by no more than tol.
func (w *space) joinTies(tol float64) {
	for v := range w.label {
		w.label[v] = v
	}
	for _, a := range w.orders {
		w.broken[a] = false
		low, high := w.low[a], w.high[a]
		switch d := w.f[low] - w.f[high]; {
		case math.Abs(d) <= tol:
			w.join(low, high)
		case d > 0:
			w.broken[a] = !math.IsInf(w.price[a], 1)
		}
	}
}

// join makes one block of two, at the value of the second; of an end, if one has it.
func (w *space) join(u, v int) {
	a, b := w.label[u], w.label[v]
	if a == b {
		return
	}
	if w.isEnd(a) {
		a, b = b, a
	}
	value := w.f[b]
	for i, l := range w.label {
		if l == a {
			w.label[i], w.f[i] = b, value
		}
	}
}

// isEnd reports whether a block is that of an end. Their blocks keep their names.
func (w *space) isEnd(block int) bool { return block >= w.nodes }
