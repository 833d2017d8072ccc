package bnkit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/internal/presolve"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// A tied entry moves together with the entries that statements make multiples of it. The answer is then a ratio
// of polynomials whose degree is at most the number of rows that move, and not monotone in general; so it is asked
// of the network at each point.
type tied struct {
	net      *bn.Network
	evidence infer.Evidence
	target   string
	state    int
	cells    []int   // that move together, in several rows or one
	at       int     // the entry that is x
	largest  float64 // x that leaves nothing to the others of a row
	answer   float64 // as the tables are
}

// ties replaces the entries that statements tie by one for each set of them.
func (m *Model) ties(ctx context.Context, entries []swing, s *infer.Sensitivity, evidence infer.Evidence, target,
	state string, threshold float64) ([]swing, error) {
	if len(m.Statements) == 0 {
		return entries, nil
	}
	p, err := m.compile(m.Statements)
	if err != nil {
		return nil, err
	}
	layout := m.Net.Layout()
	theta := make([]float64, layout.Len())
	for v := range m.Net.Len() {
		if t := m.Net.CPT(v); t != nil {
			lo, _ := layout.Family(v)
			copy(theta[lo:], t.P)
		}
	}
	multiples := presolve.NewMultiples(len(theta))
	for _, statement := range p.Statements() {
		bounds, err := statement.Bind(m.Net)
		if err != nil {
			return nil, err
		}
		for _, b := range bounds {
			for _, t := range b.Ties {
				for _, cell := range t.Cells[1:] {
					multiples.Join(cell, t.Cells[0], 1) // the estimate has the scales
				}
			}
		}
	}
	sets := make(map[int][]int)
	for cell := range theta {
		root := multiples.Root(cell)
		sets[root] = append(sets[root], cell)
	}
	v, err := m.Net.Index(target)
	if err != nil {
		return nil, err
	}
	y, err := m.Net.Variable(v).StateIndex(state)
	if err != nil {
		return nil, err
	}
	var out []swing
	done := make(map[int]bool)
	for _, w := range entries {
		root := multiples.Root(w.cell)
		if len(sets[root]) == 1 || w.value == 0 {
			out = append(out, w)
			continue
		}
		if done[root] {
			continue
		}
		done[root] = true
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("before all tied entries were moved: %w", err)
		}
		w.along = &tied{net: m.Net, evidence: evidence, target: target, state: y, cells: sets[root], at: w.cell,
			answer: s.P}
		w.derivative = w.along.derivative(s, theta)
		if err := w.turn(threshold); err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}

// derivative is that of the answer by the entry, by the chain rule. The derivative D by an entry alone, its row in
// proportion, is (g − Σ θg)/(1 − θ) with g that by the entry with all others as they are.
func (t *tied) derivative(s *infer.Sensitivity, theta []float64) float64 {
	sum, most := 0.0, 0.0
	t.rows(func(lo, hi int) {
		mass := 0.0
		for cell := lo; cell < hi; cell++ {
			if slices.Contains(t.cells, cell) {
				mass += theta[cell]
			}
		}
		most = max(most, mass)
		for cell := lo; cell < hi; cell++ {
			g := s.Derivative(cell) * (1 - theta[cell])
			switch {
			case slices.Contains(t.cells, cell):
				sum += g * theta[cell] / theta[t.at]
			case mass < 1:
				sum -= g * theta[cell] * mass / (1 - mass) / theta[t.at]
			default:
				sum -= g / float64(hi-lo-t.in(lo, hi)) / theta[t.at]
			}
		}
	})
	t.largest = theta[t.at] / most
	return sum
}

// in is how many of the entries lie between two.
func (t *tied) in(lo, hi int) int {
	n := 0
	for _, cell := range t.cells {
		if lo <= cell && cell < hi {
			n++
		}
	}
	return n
}

// rows calls f for each row that moves, with its entries.
func (t *tied) rows(f func(lo, hi int)) {
	layout := t.net.Layout()
	last := -1
	for _, cell := range t.cells {
		v, config, _ := layout.Locate(cell)
		if lo, hi := layout.Row(v, config); lo != last {
			f(lo, hi)
			last = lo
		}
	}
}

// ask returns the answer with the entry at x, NaN where the evidence is impossible then.
func (t *tied) ask(x float64) (float64, error) {
	net := t.net.Clone()
	layout := net.Layout()
	v, config, state := layout.Locate(t.at)
	k := x / t.net.CPT(v).Row(config)[state]
	t.rows(func(lo, hi int) {
		v, config, _ := layout.Locate(lo)
		row := net.CPT(v).Row(config)
		mass := 0.0
		for i, p := range row {
			if slices.Contains(t.cells, lo+i) {
				mass += p
			}
		}
		left := max(0, 1-k*mass)
		for i, p := range row {
			switch {
			case slices.Contains(t.cells, lo+i):
				row[i] = min(1, k*p)
			case mass < 1:
				row[i] = p / (1 - mass) * left
			default:
				row[i] = left / float64(hi-lo-t.in(lo, hi))
			}
		}
	})
	engine, err := infer.New(net, &infer.Options{Workers: 1})
	if err != nil {
		return 0, err
	}
	post, err := engine.Posterior(t.evidence, t.target)
	if errors.Is(err, infer.ErrImpossibleEvidence) {
		return math.NaN(), nil
	}
	if err != nil {
		return 0, err
	}
	return post.P[0][t.state], nil
}

// tiedPoints is how many steps a range has.
const tiedPoints = 32

// turn finds the smallest change of the entry to the threshold, NaN for none.
func (w *swing) turn(threshold float64) error {
	w.change = math.NaN()
	t := w.along
	for _, end := range []float64{0, t.largest} {
		x, p := w.value, t.answer
		for i := 1; i <= tiedPoints; i++ {
			next := w.value + (end-w.value)*float64(i)/tiedPoints
			q, err := t.ask(next)
			if err != nil {
				return err
			}
			if math.IsNaN(q) {
				break
			}
			if (p-threshold)*(q-threshold) > 0 {
				x, p = next, q
				continue
			}
			for range 60 {
				middle := (x + next) / 2
				y, err := t.ask(middle)
				if err != nil {
					return err
				}
				if (p-threshold)*(y-threshold) > 0 {
					x = middle
				} else {
					next = middle
				}
			}
			if change := next - w.value; !(math.Abs(change) >= math.Abs(w.change)) {
				w.change = change
			}
			break
		}
	}
	return nil
}

// moveTied is move for tied entries: the least and the greatest answer at evenly spaced points.
func (w *swing) moveTied(from, to float64) error {
	t := w.along
	w.from, w.to, w.low, w.high = from, min(to, t.largest), t.answer, t.answer
	for i := range tiedPoints + 1 {
		p, err := t.ask(w.from + (w.to-w.from)*float64(i)/tiedPoints)
		if err != nil {
			return err
		}
		if !math.IsNaN(p) {
			w.low, w.high = min(w.low, p), max(w.high, p)
		}
	}
	return nil
}
