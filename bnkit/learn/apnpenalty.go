package learn

import (
	"fmt"

	"bnlab/bnkit/bn"
)

// softInfluences are the influences that are wanted and not required, as tables of the rows
// that they compare.
type softInfluences struct {
	weight float64
	tables []rungs
}

// rungs are rows of the table of one child, by where they begin in the layout: in each
// ladder every row is to give higher states than the ones before it.
type rungs struct {
	states int
	rows   [][]int
}

// penalties finds the rows of the influences that have a weight.
func (m APN) penalties(net *bn.Network) (softInfluences, error) {
	soft, layout := softInfluences{weight: m.ViolationWeight}, net.Layout()
	for _, s := range m.Constraints {
		if !m.isSoft(s) {
			continue
		}
		bounds, err := s.Bind(net)
		if err != nil {
			return soft, fmt.Errorf("learn: %w", err)
		}
		var t rungs
		for _, b := range bounds {
			rows := make([]int, len(b.Links))
			for i, row := range b.Links {
				lo, hi := layout.Row(row.Var, row.Config)
				rows[i], t.states = lo, hi-lo
			}
			t.rows = append(t.rows, rows)
		}
		soft.tables = append(soft.tables, t)
	}
	return soft, nil
}

// add subtracts θ times the gradient of the penalty from g and returns the penalty:
//
//	w · Σ [P(child ≥ m | lower row) − P(child ≥ m | higher row)]₊
//
// over all pairs of rows of a ladder, neighbours or not, and all states m but the first. See
// [constraint.Influence.Violation] and Gradient, of which this is the form without names.
// (W00, Eqs. 9, 13 and 14.)
func (soft softInfluences) add(g, theta []float64) float64 {
	total := 0.0
	for _, t := range soft.tables {
		for _, ladder := range t.rows {
			for i, high := range ladder {
				for _, low := range ladder[:i] {
					total += soft.pair(g, theta, low, high, t.states)
				}
			}
		}
	}
	return soft.weight * total
}

// level is the difference up to which rows count as level, with no gradient: rounding.
const level = 1e-14

// pair is add for two rows.
func (soft softInfluences) pair(g, theta []float64, low, high, states int) float64 {
	total, excess := 0.0, 0.0
	for m := states - 1; m > 0; m-- {
		excess += theta[low+m] - theta[high+m]
		if !(excess > level) {
			continue
		}
		total += excess
		for s := m; s < states; s++ {
			g[low+s] -= soft.weight * theta[low+s]
			g[high+s] += soft.weight * theta[high+s]
		}
	}
	return total
}
