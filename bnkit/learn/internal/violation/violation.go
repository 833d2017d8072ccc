// Package violation is by how much tables break influences and synergies, and its gradient: what methods of learn take
// off the likelihood at a price.
package violation

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/statement"
)

// Ladders are the rows that influences compare, a table of them for each influence.
type Ladders []rungs

// rungs are rows of the table of one child, by where they begin in the layout: in each
// ladder every row is to give higher states than the ones before it.
type rungs struct {
	states int
	margin float64 // of neighbours
	rows   [][]int
}

// BindLadders finds the rows of the influences among the statements.
func BindLadders(net *bn.Network, statements []constraint.Constraint) (Ladders, error) {
	var list Ladders
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

// IsQualitative reports whether a statement can be a penalty.
func IsQualitative(s constraint.Constraint) bool {
	_, influence := statement.As[constraint.Influence](s)
	_, synergy := statement.As[constraint.Synergy](s)
	return influence || synergy
}

// Violation is
//
//	Σ [P(child ≥ m | lower row) − P(child ≥ m | higher row) + margins between them]₊
//
// over all pairs of rows of a ladder, neighbours or not, and all states m but the first. See
// [constraint.Influence.Violation], of which this is the form without names. (W00 Eq. 9.)
func (l Ladders) Violation(theta []float64) float64 {
	total := 0.0
	l.Broken(theta, func(_, _, _, _ int, excess float64) { total += excess })
	return total
}

// Penalise subtracts θ times the gradient of the weighted violation from g and returns the
// weighted violation. (W00 Eqs. 13 and 14.)
func (l Ladders) Penalise(g, theta []float64, weight float64) float64 {
	total := 0.0
	l.Broken(theta, func(low, high, m, states int, excess float64) {
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

// Broken calls f with each pair of rows, and each m, for which the states m and higher are
// less likely in the row that is higher up than they may be, by excess.
func (l Ladders) Broken(theta []float64, f func(low, high, m, states int, excess float64)) {
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

// Penalties are all that can be violated at a price: influences, and the inequalities of synergies.
type Penalties struct {
	Ladders
	squares []constraint.Linear
}

// Bind finds them among the statements.
func Bind(net *bn.Network, statements []constraint.Constraint) (Penalties, error) {
	list, err := BindLadders(net, statements)
	if err != nil {
		return Penalties{}, err
	}
	p := Penalties{Ladders: list}
	for _, s := range statements {
		if _, ok := statement.As[constraint.Synergy](s); !ok {
			continue
		}
		bounds, err := s.Bind(net)
		if err != nil {
			return Penalties{}, fmt.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			p.squares = append(p.squares, b.AtMost...)
		}
	}
	return p, nil
}

// None reports whether there is no kink.
func (p Penalties) None() bool { return len(p.Ladders) == 0 && len(p.squares) == 0 }

// Violation is that of the influences, and what the inequalities of synergies are broken by, summed. See
// [constraint.CompileSoft].
func (p Penalties) Violation(theta []float64) float64 {
	total := p.Ladders.Violation(theta)
	p.crossed(theta, func(_ constraint.Linear, excess float64) { total += excess })
	return total
}

// Penalise is as for ladders.
func (p Penalties) Penalise(g, theta []float64, weight float64) float64 {
	total := p.Ladders.Penalise(g, theta, weight)
	p.crossed(theta, func(l constraint.Linear, excess float64) {
		total += weight * excess
		for i, cell := range l.Cells {
			g[cell] -= weight * l.Coef[i] * theta[cell]
		}
	})
	return total
}

// crossed calls f with each inequality of a synergy that is broken, by excess.
func (p Penalties) crossed(theta []float64, f func(l constraint.Linear, excess float64)) {
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
