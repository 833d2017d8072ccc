package monotone

// drop leaves out as many of the inequalities as it can: all at once, or else those of one half and then of the other,
// down to single ones. That is the same as one after the other.
func (t *Table) drop(w *space, list []held) error {
	if len(list) == 0 {
		return nil
	}
	w.undo = grown(w.undo, len(w.pieces))
	for i := range w.pieces {
		w.undo[i] = w.pieces[i].gain
	}
	for _, q := range list {
		w.pieces[q.piece].leave(w, q.number, true)
	}
	total, err := t.gained(w, list)
	if err != nil || total <= w.tol {
		return err
	}
	for i := range w.pieces {
		w.pieces[i].gain = w.undo[i]
	}
	for _, q := range list {
		w.pieces[q.piece].leave(w, q.number, false)
	}
	if len(list) == 1 {
		return nil
	}
	half := len(list) / 2
	if err := t.drop(w, list[:half]); err != nil {
		return err
	}
	return t.drop(w, list[half:])
}

// leave leaves an inequality out, or takes it back.
func (p *piece) leave(w *space, number int, out bool) {
	w.left[p.left+number] = out
	if out {
		p.kept--
	} else {
		p.kept++
	}
}

// gained finds what pieces gain from what is left out of them, the inequalities in the list having been added to that,
// and returns the sum, or part of it when that is too much already.
func (t *Table) gained(w *space, list []held) (total float64, err error) {
	const unknown = -1
	for _, q := range list {
		p := &w.pieces[q.piece]
		if p.gain = unknown; p.kept == 0 {
			p.gain = p.loss
		}
	}
	for i := range w.pieces {
		total += max(w.pieces[i].gain, 0)
	}
	for i := range w.pieces {
		p := &w.pieces[i]
		if total > w.tol {
			break
		}
		if p.gain != unknown {
			continue
		}
		size := p.size * t.states
		n, x := w.n[p.entries:p.entries+size], w.x[p.entries:p.entries+size]
		out := w.left[p.left : p.left+len(p.arcs)*(t.states-1)]
		if p.gain, err = p.solver.Relax(n, x, out, w.tol); err != nil {
			return 0, err
		}
		total += p.gain
	}
	return total, nil
}
