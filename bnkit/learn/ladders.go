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

// isQualitative reports whether a statement can be a penalty.
func isQualitative(s constraint.Constraint) bool {
	_, influence := statement.As[constraint.Influence](s)
	_, synergy := statement.As[constraint.Synergy](s)
	return influence || synergy
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

// penalties are all that can be violated at a price: influences, and the inequalities of synergies.
type penalties struct {
	ladders
	squares []constraint.Linear
}

// bindPenalties finds them among the statements.
func bindPenalties(net *bn.Network, statements []constraint.Constraint) (penalties, error) {
	list, err := bindLadders(net, statements)
	if err != nil {
		return penalties{}, err
	}
	p := penalties{ladders: list}
	for _, s := range statements {
		if _, ok := statement.As[constraint.Synergy](s); !ok {
			continue
		}
		bounds, err := s.Bind(net)
		if err != nil {
			return penalties{}, fmt.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			p.squares = append(p.squares, b.AtMost...)
		}
	}
	return p, nil
}

// none reports whether there is no kink.
func (p penalties) none() bool { return len(p.ladders) == 0 && len(p.squares) == 0 }

// violation is that of the influences, and what the inequalities of synergies are broken by, summed. See
// [constraint.CompileSoft].
func (p penalties) violation(theta []float64) float64 {
	total := p.ladders.violation(theta)
	p.crossed(theta, func(_ constraint.Linear, excess float64) { total += excess })
	return total
}

// penalise is as for ladders.
func (p penalties) penalise(g, theta []float64, weight float64) float64 {
	total := p.ladders.penalise(g, theta, weight)
	p.crossed(theta, func(l constraint.Linear, excess float64) {
		total += weight * excess
		for i, cell := range l.Cells {
			g[cell] -= weight * l.Coef[i] * theta[cell]
		}
	})
	return total
}

// crossed calls f with each inequality of a synergy that is broken, by excess.
func (p penalties) crossed(theta []float64, f func(l constraint.Linear, excess float64)) {
	for _, l := range p.squares {
		excess := -l.Value
		for i, cell := range l.Cells {
			excess += l.Coef[i] * theta[cell]
		}
		if excess > level {
			f(l, excess)
		}
	}
}
