package bnkit

import (
	"errors"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// A tiedEntry entry moves together with the entries that statements make multiples of it. The answer is then a ratio
// of polynomials whose degree is at most the number of rows that move, and not monotone in general; so it is asked
// of the network at each point.
type tiedEntry struct {
	net      *bn.Network
	evidence infer.Evidence
	target   string
	state    int
	cells    []int   // that move together, in several rows or one
	at       int     // the entry that is x
	largest  float64 // x that leaves nothing to the others of a row
	answer   float64 // as the tables are
}

// derivative is that of the answer by the entry, by the chain rule. The derivative D by an entry alone, its row in
// proportion, is (g − Σ θg)/(1 − θ) with g that by the entry with all others as they are.
func (t *tiedEntry) derivative(s *infer.Sensitivity, theta []float64) float64 {
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
func (t *tiedEntry) in(lo, hi int) int {
	n := 0
	for _, cell := range t.cells {
		if lo <= cell && cell < hi {
			n++
		}
	}
	return n
}

// rows calls f for each row that moves, with its entries.
func (t *tiedEntry) rows(f func(lo, hi int)) {
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
func (t *tiedEntry) ask(x float64) (float64, error) {
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
