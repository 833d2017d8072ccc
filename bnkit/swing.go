package bnkit

import (
	"context"
	"math"

	"bnlab/internal/presolve"
	"bnlab/internal/say"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// A swing is how far an answer moves with one entry.
type swing struct {
	cell, v, config, state int
	value, derivative      float64
	from, to, low, high    float64
	change                 float64
	along                  *tiedEntry // nil for an entry that moves alone
}

// swings lists the entries that the answer depends on, with the changes to the threshold.
func swings(net *bn.Network, s *infer.Sensitivity, threshold float64) []swing {
	var out []swing
	layout := net.Layout()
	for cell := range layout.Len() {
		v, config, state := layout.Locate(cell)
		if !s.DependsOn(cell) {
			continue // the ratio is the same for all values
		}
		w := swing{cell: cell, v: v, config: config, state: state, value: net.CPT(v).Row(config)[state],
			derivative: s.Derivative(cell), change: math.NaN()}
		// (α·x + β)/(γ·x + δ) = threshold, with γ·x + δ = 1 and α·x + β = P at the entry as it is
		alpha, _, gamma, _ := s.Coefficients(cell)
		change := (threshold - s.P) / (alpha - threshold*gamma)
		const rounding = 1e-12
		if x := w.value + change; x >= -rounding*w.value && x <= 1+rounding {
			if x = min(max(x, 0), 1); !math.IsNaN(s.At(cell, x)) {
				w.change = min(max(change, -w.value), 1-w.value)
			}
		}
		out = append(out, w)
	}
	return out
}

// move sets the range of the entry and finds that of the answer, which is monotone in the entry.
func (w *swing) move(s *infer.Sensitivity, from, to float64) error {
	if w.along != nil {
		return w.moveTied(from, to)
	}
	w.from, w.to, w.low, w.high = from, to, s.P, s.P
	for _, x := range []float64{from, to} {
		if p := s.At(w.cell, x); !math.IsNaN(p) {
			w.low, w.high = min(w.low, p), max(w.high, p)
		}
	}
	return nil
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
			return nil, say.Errorf("before all tied entries were moved: %w", err)
		}
		w.along = &tiedEntry{net: m.Net, evidence: evidence, target: target, state: y, cells: sets[root], at: w.cell,
			answer: s.P}
		w.derivative = w.along.derivative(s, theta)
		if err := w.turn(threshold); err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
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
