// Package violation is by how much tables break influences and synergies, and its gradient: what methods of learn take
// off the likelihood at a price.
package violation

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/internal/say"
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
			return nil, say.Errorf("learn: %w", err)
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

// Penalties are all that can be violated at a price: influences, the inequalities of synergies, and what has a price
// of its own.
type Penalties struct {
	Ladders
	squares []constraint.Linear
	paid    []constraint.Linear // of constraint.AtPrice
	prices  []float64           // of each of them
}

// Bind finds them among the statements.
func Bind(net *bn.Network, statements []constraint.Constraint) (Penalties, error) {
	list, err := BindLadders(net, statements)
	if err != nil {
		return Penalties{}, err
	}
	p := Penalties{Ladders: list}
	for _, s := range statements {
		_, isSynergy := statement.As[constraint.Synergy](s)
		_, isPriced := statement.As[constraint.AtPrice](s)
		if !isSynergy && !isPriced {
			continue
		}
		bounds, err := s.Bind(net)
		if err != nil {
			return Penalties{}, say.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			if isSynergy {
				p.squares = append(p.squares, b.AtMost...)
				continue
			}
			p.paid = append(p.paid, b.AtMost...)
			p.prices = append(p.prices, slices.Repeat([]float64{b.Price()}, len(b.AtMost))...)
		}
	}
	return p, nil
}

// Paid are those with a price of their own.
func (p Penalties) Paid() Penalties { return Penalties{paid: p.paid, prices: p.prices} }

// None reports whether there is no kink.
func (p Penalties) None() bool { return len(p.Ladders)+len(p.squares)+len(p.paid) == 0 }

// Violation is that of the influences, and what the inequalities of synergies are broken by, summed; it leaves out what
// has a price of its own. See [constraint.CompileSoft].
func (p Penalties) Violation(theta []float64) float64 {
	total := p.Ladders.Violation(theta)
	crossed(p.squares, theta, func(_ int, _ constraint.Linear, excess float64) { total += excess })
	return total
}

// Penalise is as for ladders, with the prices of their own added.
func (p Penalties) Penalise(g, theta []float64, weight float64) float64 {
	total := p.Ladders.Penalise(g, theta, weight)
	pay := func(l constraint.Linear, price, excess float64) {
		total += price * excess
		for i, cell := range l.Cells {
			g[cell] -= price * l.Coef[i] * theta[cell]
		}
	}
	crossed(p.squares, theta, func(_ int, l constraint.Linear, excess float64) { pay(l, weight, excess) })
	crossed(p.paid, theta, func(i int, l constraint.Linear, excess float64) { pay(l, p.prices[i], excess) })
	return total
}

// crossed calls f with each inequality that is broken, by excess.
func crossed(list []constraint.Linear, theta []float64, f func(i int, l constraint.Linear, excess float64)) {
	for i, l := range list {
		excess := -l.Value
		for i, cell := range l.Cells {
			excess += l.Coef[i] * theta[cell]
		}
		if excess > level {
			f(i, l, excess)
		}
	}
}
