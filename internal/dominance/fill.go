package dominance

// fill gives tails without weight on either side what the others leave: between the largest tail
// that is below them in the order of rows and states, and the smallest above, the values that make
// Σ log x over their entries largest. Each row can be taken by itself: its bounds rise with the
// rows, and the objective has increasing differences, so that the best tails rise too (Topkis
// 1978).
func (w *space) fill() {
	lo, hi := w.slope, w.d // spare now
	for v := range w.nodes {
		lo[v], hi[v] = 0, 1
		if w.weighed(v) {
			lo[v], hi[v] = w.f[v], w.f[v]
		}
	}
	for _, k := range w.s.upwards {
		for a := k * (w.states - 1); a < (k+1)*(w.states-1); a++ {
			if v := w.high[a]; !w.weighed(v) {
				lo[v] = max(lo[v], lo[w.low[a]])
			}
		}
	}
	for i := len(w.s.upwards) - 1; i >= 0; i-- {
		k := w.s.upwards[i]
		for a := k * (w.states - 1); a < (k+1)*(w.states-1); a++ {
			if v := w.low[a]; !w.weighed(v) {
				hi[v] = min(hi[v], hi[w.high[a]])
			}
		}
	}
	for r := range w.rows {
		w.fillRow(r, lo, hi)
	}
}

// fillRow pulls a string taut from the top of a row to its bottom, between the bounds: no
// other way between them has more even slopes.
func (w *space) fillRow(r int, lo, hi []float64) {
	for m := 2; m < w.states; m++ { // tails of one row bound each other too
		hi[w.node(r, m)] = min(hi[w.node(r, m)], hi[w.node(r, m-1)])
	}
	for m := w.states - 2; m > 0; m-- {
		lo[w.node(r, m)] = max(lo[w.node(r, m)], lo[w.node(r, m+1)])
	}
	w.taut(r, 0, w.states, lo, hi)
}

// taut draws the string between two tails that are settled: straight, or through the bound
// that the straight line misses most, where the string must bend.
func (w *space) taut(r, from, to int, lo, hi []float64) {
	worst, bend, at := 0.0, -1, 0.0
	first, last := w.f[w.node(r, from)], w.f[w.node(r, to)]
	for m := from + 1; m < to; m++ {
		v := w.node(r, m)
		w.f[v] = first + (last-first)*float64(m-from)/float64(to-from)
		if miss := lo[v] - w.f[v]; miss > worst {
			worst, bend, at = miss, m, lo[v]
		}
		if miss := w.f[v] - hi[v]; miss > worst {
			worst, bend, at = miss, m, hi[v]
		}
	}
	if bend < 0 {
		return
	}
	w.f[w.node(r, bend)] = at
	w.taut(r, from, bend, lo, hi)
	w.taut(r, bend, to, lo, hi)
}

// write gives x its entries: those without weight are differences of tails, faint weights
// get their share of all, and every row adds up to 1.
func (w *space) write(x, n []float64) {
	for r := range w.rows {
		sum := 0.0
		for i := r * w.states; i < (r+1)*w.states; i++ {
			x[i] = w.x[i]
			if w.n[i] == 0 {
				c := w.cell(i)
				x[i] = max(w.f[w.high[c]]-w.f[w.low[c]], 0)
				x[i] = max(x[i], n[i]/w.scale/w.total)
			}
			sum += x[i]
		}
		for i := r * w.states; i < (r+1)*w.states; i++ {
			x[i] /= sum
		}
	}
}
