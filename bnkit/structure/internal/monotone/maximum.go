package monotone

import (
	"math"
	"slices"
)

// heldTol is the difference of tails at which they count as equal, and the log-likelihood, in nats for a case, that an
// inequality must cost to count as holding the estimate back.
const heldTol = 1e-7

// A space is what one call works with.
type space struct {
	n, x   []float64 // entries of the pieces, one after the other
	left   []bool    // inequalities likewise
	lower  []float64 // tails
	pieces []piece
	undo   []float64 // gains before a trial
	active []held
	tol    float64
	forest
}

// A piece is a part in one context in which the rows by themselves are out of order.
type piece struct {
	*part
	at            int // of the part in the table
	context       int // the row that its rows are counted from
	entries, left int // where those begin in the space
	loss, gain    float64
	kept          int // inequalities that are not left out
	certain       bool
}

// A held inequality may hold the maximum of a piece.
type held struct {
	piece int
	*inequality
	base int // row of the whole table
}

// Maximum returns what the order of rows costs in log-likelihood, in nats: the difference between the maximum without
// it and that under it; and when wanted the number of inequalities that hold the estimate, those that can be left out
// in the order of the bounds without gaining anything, given those that were left out before, not counting. n are the
// counts of the whole table, of which row own[i] + contexts[j] is row i in a context. Errors are those of the solver.
func (t *Table) Maximum(n []float64, own, contexts []int, wanted bool) (loss float64, held int, err error) {
	w := t.spaces.Take()
	defer t.spaces.Give(w)
	w.pieces = w.pieces[:0]
	k, entries, left := t.states, 0, 0
	for _, context := range contexts {
		for i := range t.parts {
			p := &t.parts[i]
			size := p.size * k
			w.n, w.lower = grown(w.n, entries+size), grown(w.lower, size)
			counts := w.n[entries : entries+size]
			for at, row := range p.rows {
				first := (own[row] + context) * k
				copy(counts[at*k:], n[first:first+k])
			}
			if t.ordered(p, counts, w.lower) {
				continue
			}
			w.x = grown(w.x, entries+size)
			x := w.x[entries : entries+size]
			if _, err := p.solver.Solve(x, counts, nil); err != nil {
				return 0, 0, err
			}
			c := t.cost(counts, x)
			loss += c
			w.pieces = append(w.pieces, piece{part: p, at: i, context: context, entries: entries, left: left, loss: c})
			entries += size
			left += len(p.arcs) * (k - 1)
		}
	}
	if len(w.pieces) == 0 || !wanted {
		return loss, 0, nil
	}
	cases := 0.0
	for _, v := range n {
		cases += v
	}
	if w.tol = heldTol * cases; loss <= w.tol {
		return loss, 0, nil
	}
	held, err = t.held(w, own, left)
	return loss, held, err
}

// grown is a slice of some length at least, with what was in it.
func grown(s []float64, length int) []float64 {
	if len(s) < length {
		s = append(s, make([]float64, 2*length-len(s))...)
	}
	return s
}

// ordered reports whether the maxima of the rows of a part by themselves are in order, or can be where rows are empty.
func (t *Table) ordered(p *part, n, lower []float64) bool {
	k := t.states
	for row := 0; row < len(n); row += k {
		total := 0.0
		for _, v := range n[row : row+k] {
			total += v
		}
		lower[row] = total // the tail from state 0 stands for the weight
		tail := 0.0
		for m := k - 1; m > 0; m-- {
			tail += n[row+m]
			if lower[row+m] = 0; total > 0 {
				lower[row+m] = tail / total
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
func (t *Table) held(w *space, own []int, inequalities int) (int, error) {
	count, open := 0, false
	for i := range w.pieces {
		p := &w.pieces[i]
		var sure int
		if sure, p.certain = t.certify(w, p); p.certain {
			count += sure
		} else {
			open = true
		}
	}
	if !open {
		return count, nil
	}
	if len(w.left) < inequalities {
		w.left = make([]bool, 2*inequalities)
	}
	w.active = w.active[:0]
	k := t.states
	for i := range w.pieces {
		p := &w.pieces[i]
		if p.certain {
			continue
		}
		x := w.x[p.entries:]
		for j := range t.inequalities {
			q := &t.inequalities[j]
			if q.part != p.at {
				continue
			}
			difference := 0.0
			for m := q.m; m < k; m++ {
				difference += x[q.low*k+m] - x[q.high*k+m]
			}
			if w.left[p.left+q.number] = difference <= -heldTol; difference > -heldTol {
				p.kept++
				w.active = append(w.active, held{i, q, own[q.base] + p.context})
			}
		}
	}
	// As the bounds of the whole table stand: by statement, in each by rows.
	slices.SortStableFunc(w.active, func(a, b held) int {
		if a.statement != b.statement {
			return a.statement - b.statement
		}
		return a.base - b.base
	})
	if err := t.drop(w, w.active); err != nil {
		return 0, err
	}
	for _, p := range w.pieces {
		count += p.kept
	}
	return count, nil
}
