package monotone

import "math"

// heldTol is the difference of tails at which they count as equal, and the log-likelihood, in nats for a case, that an
// inequality must cost to count as holding the estimate back.
const heldTol = 1e-7

// A space is what one call works with. Entries are those of the parts, one after the other.
type space struct {
	n, x, y    []float64
	lower      []float64 // tails
	loss, gain []float64 // by part, nats: of the order, and of what is left out of it
	undo       []float64 // the gains before a trial
	kept       []int     // by part, the inequalities that are not left out
	left       []bool    // by number of an inequality
	active     []int     // inequalities by place
	tol        float64
}

func newSpace(t *Table, entries, inequalities int) *space {
	parts := len(t.parts)
	return &space{n: make([]float64, entries), x: make([]float64, entries), y: make([]float64, entries),
		lower: make([]float64, entries), loss: make([]float64, parts), gain: make([]float64, parts),
		undo: make([]float64, parts), kept: make([]int, parts), left: make([]bool, inequalities)}
}

// Maximum returns what the order of rows costs in log-likelihood, in nats: the difference between the maximum without
// it and that under it; and when wanted the number of inequalities that hold the estimate, those that can be left out
// in the order of the bounds without gaining anything, given those that were left out before, not counting. n are the
// counts of the table. Errors are those of the solver.
func (t *Table) Maximum(n []float64, wanted bool) (loss float64, held int, err error) {
	w := t.spaces.Take()
	defer t.spaces.Give(w)
	cases, disorder := 0.0, false
	for i := range t.parts {
		p := &t.parts[i]
		own := w.n[p.start : p.start+len(p.rows)*t.states]
		for at, row := range p.rows {
			copy(own[at*t.states:], n[row*t.states:(row+1)*t.states])
		}
		w.loss[i] = 0
		if t.ordered(p, own, w.lower) {
			continue
		}
		x := w.x[p.start : p.start+len(own)]
		if _, err := p.solver.Solve(x, own, nil); err != nil {
			return 0, 0, err
		}
		w.loss[i] = t.cost(own, x)
		loss += w.loss[i]
		disorder = true
	}
	if !disorder || !wanted {
		return loss, 0, nil
	}
	for _, v := range n {
		cases += v
	}
	if w.tol = heldTol * cases; loss <= w.tol {
		return loss, 0, nil
	}
	held, err = t.held(w)
	return loss, held, err
}

// ordered reports whether the maxima of the rows of a part by themselves are in order, or can be where rows are empty.
func (t *Table) ordered(p *part, n, lower []float64) bool {
	k := t.states
	lower = lower[:len(n)]
	for row := 0; row < len(n); row += k {
		total := 0.0
		for _, v := range n[row : row+k] {
			total += v
		}
		lower[row] = total // the tail from state 0 stands for the weight
		tail := 0.0
		for m := k - 1; m > 0; m-- {
			if tail += n[row+m]; total > 0 {
				lower[row+m] = tail / total
			} else {
				lower[row+m] = 0
			}
		}
	}
	for _, i := range p.upward {
		a := p.arcs[i]
		low, high := lower[a.Low*k:(a.Low+1)*k], lower[a.High*k:(a.High+1)*k]
		for m := 1; m < k; m++ {
			if low[m] <= high[m] {
				continue
			}
			if high[0] > 0 {
				return false
			}
			high[m] = low[m]
		}
	}
	return true
}

// cost is by how much the likelihood of x falls short of that of the relative frequencies.
func (t *Table) cost(n, x []float64) float64 {
	loss := 0.0
	for row := 0; row < len(n); row += t.states {
		total := 0.0
		for _, v := range n[row : row+t.states] {
			total += v
		}
		for i, v := range n[row : row+t.states] {
			if v > 0 {
				loss += v * math.Log(v/(total*x[row+i]))
			}
		}
	}
	return loss
}

// held counts the inequalities that hold the maximum.
func (t *Table) held(w *space) (int, error) {
	w.active = w.active[:0]
	clear(w.gain)
	clear(w.kept)
	k := t.states
	for at, q := range t.inequalities {
		w.left[q.number] = true
		if w.loss[q.part] == 0 {
			continue // its part is in order
		}
		x := w.x[t.parts[q.part].start:]
		difference := 0.0
		for m := q.m; m < k; m++ {
			difference += x[q.low*k+m] - x[q.high*k+m]
		}
		if difference > -heldTol {
			w.left[q.number] = false
			w.kept[q.part]++
			w.active = append(w.active, at)
		}
	}
	if err := t.drop(w, w.active); err != nil {
		return 0, err
	}
	held := 0
	for _, kept := range w.kept {
		held += kept
	}
	return held, nil
}

// drop leaves out as many of the inequalities as it can: all at once, or else those of one half and then of the other,
// down to single ones. That is the same as one after the other.
func (t *Table) drop(w *space, list []int) error {
	if len(list) == 0 {
		return nil
	}
	copy(w.undo, w.gain)
	for _, at := range list {
		q := t.inequalities[at]
		w.left[q.number] = true
		w.kept[q.part]--
	}
	total, err := t.gained(w, list)
	if err != nil || total <= w.tol {
		return err
	}
	copy(w.gain, w.undo)
	for _, at := range list {
		q := t.inequalities[at]
		w.left[q.number] = false
		w.kept[q.part]++
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

// gained finds what parts gain from what is left out of them, the inequalities in the list having been added to that,
// and returns the sum, or part of it when that is too much already.
func (t *Table) gained(w *space, list []int) (total float64, err error) {
	const unknown = -1
	for _, at := range list {
		i := t.inequalities[at].part
		if w.gain[i] = unknown; w.kept[i] == 0 {
			w.gain[i] = w.loss[i]
		}
	}
	for _, gain := range w.gain {
		total += max(gain, 0)
	}
	for i, gain := range w.gain {
		if total > w.tol {
			break
		}
		if gain != unknown {
			continue
		}
		p := &t.parts[i]
		size := len(p.rows) * t.states
		n, x, y := w.n[p.start:p.start+size], w.x[p.start:p.start+size], w.y[p.start:p.start+size]
		if err := p.solver.Relax(y, n, x, w.left[p.first:p.first+len(p.arcs)*(t.states-1)]); err != nil {
			return 0, err
		}
		w.gain[i] = max(w.loss[i]-t.cost(n, y), 0)
		total += w.gain[i]
	}
	return total, nil
}
