package count

// arrange writes to w.n the counts of complete rows with the added parent in its place.
func arrange[T uint32 | float64](w *tableWorker, from []T, f Family) {
	c := w.columns
	// Strides in from of the parents and the child, and the states they have.
	w.stride, w.states = w.stride[:0], w.states[:0]
	stride, whole, n := w.split.cells, true, 1
	w.family = append(append(w.family[:0], f.Parents...), f.Child)
	for _, v := range w.family {
		w.states = append(w.states, c.states[v])
		whole = whole && c.states[v] == c.card[v]
		n *= c.states[v]
		if f.Add >= 0 && v == f.Parents[f.Add] {
			w.stride = append(w.stride, w.split.cells)
			continue
		}
		stride /= c.card[v]
		w.stride = append(w.stride, stride)
	}
	w.n = resize(w.n, n)
	if whole {
		arrangeWhole(w.n, from, w.split.cells, w.states[f.Add], w.states[f.Add+1:])
		return
	}
	at := make([]int, len(w.states))
	place := 0
	for i := range w.n {
		w.n[i] = float64(from[place])
		for k := len(at) - 1; k >= 0; k-- {
			at[k]++
			place += w.stride[k]
			if at[k] < w.states[k] {
				break
			}
			place -= at[k] * w.stride[k]
			at[k] = 0
		}
	}
}

// arrangeWhole is arrange when no member has missing cells: runs of the members after the added one
// keep their order.
func arrangeWhole[T uint32 | float64](dst []float64, from []T, cells, states int, after []int) {
	run := 1
	for _, s := range after {
		run *= s
	}
	i := 0
	for block := 0; block < cells; block += run {
		for s := range states {
			for _, x := range from[s*cells+block : s*cells+block+run] {
				dst[i] = float64(x)
				i++
			}
		}
	}
}
