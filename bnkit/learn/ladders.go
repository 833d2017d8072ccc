package learn

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/statement"
)

// ladders are the rows that influences compare, a table of them for each influence.
type ladders []rungs

// rungs are rows of the table of one child, by where they begin in the layout: in each
// ladder every row is to give higher states than the ones before it.
type rungs struct {
	states int
	margin float64 // of neighbours
	rows   [][]int
}

// bindLadders finds the rows of the influences among the statements.
func bindLadders(net *bn.Network, statements []constraint.Constraint) (ladders, error) {
	var list ladders
	layout := net.Layout()
	for _, s := range statements {
		influence, ok := statement.As[constraint.Influence](s)
		if !ok {
			continue
		}
		bounds, err := s.Bind(net)
		if err != nil {
			return nil, fmt.Errorf("learn: %w", err)
		}
		t := rungs{margin: influence.Margin}
		for _, b := range bounds {
			rows := make([]int, len(b.Links))
			for i, row := range b.Links {
				lo, hi := layout.Row(row.Var, row.Config)
				rows[i], t.states = lo, hi-lo
			}
			t.rows = append(t.rows, rows)
		}
		list = append(list, t)
	}
	return list, nil
}

func isInfluence(s constraint.Constraint) bool {
	_, ok := statement.As[constraint.Influence](s)
	return ok
}

// violation is
//
//	Σ [P(child ≥ m | lower row) − P(child ≥ m | higher row) + margins between them]₊
//
// over all pairs of rows of a ladder, neighbours or not, and all states m but the first. See
// [constraint.Influence.Violation], of which this is the form without names. (W00, Eq. 9.)
func (l ladders) violation(theta []float64) float64 {
	total := 0.0
	l.broken(theta, func(_, _, _, _ int, excess float64) { total += excess })
	return total
}

// penalise subtracts θ times the gradient of the weighted violation from g and returns the
// weighted violation. (W00, Eqs. 13 and 14.)
func (l ladders) penalise(g, theta []float64, weight float64) float64 {
	total := 0.0
	l.broken(theta, func(low, high, m, states int, excess float64) {
		total += excess
		for s := m; s < states; s++ {
			g[low+s] -= weight * theta[low+s]
			g[high+s] += weight * theta[high+s]
		}
	})
	return weight * total
}

// level is the difference up to which rows count as level: rounding.
const level = 1e-14

// broken calls f with each pair of rows, and each m, for which the states m and higher are
// less likely in the row that is higher up than they may be, by excess.
func (l ladders) broken(theta []float64, f func(low, high, m, states int, excess float64)) {
	for _, t := range l {
		for _, ladder := range t.rows {
			for i, high := range ladder {
				for j, low := range ladder[:i] {
					excess := float64(i-j) * t.margin
					for m := t.states - 1; m > 0; m-- {
						if excess += theta[low+m] - theta[high+m]; excess > level {
							f(low, high, m, t.states, excess)
						}
					}
				}
			}
		}
	}
}
