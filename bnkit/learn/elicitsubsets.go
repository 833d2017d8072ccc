package learn

import (
	"cmp"
	"slices"

	"bnlab/internal/rows"
)

// bits writes a subset, given by numbers in the weighing.
func (g *group) bits(statements []int) uint64 {
	var out uint64
	for i, s := range g.statements {
		if slices.Contains(statements, s) {
			out |= 1 << i
		}
	}
	return out
}

// Subsets of the statements that the fit weighs which have less than this weight beside the best are left out when a
// candidate is weighed, and so are those beyond a number.
const (
	leastLikely = 0.004
	mostLikely  = 48
)

// likely are the subsets with weight of the statements of a group that the fit weighs, but for one.
func (e *elicitation) likely(g *group, but int) []uint64 {
	type one struct {
		bits   uint64
		weight float64
	}
	list := []one{{0, 1}}
	for number, old := range e.groups {
		if !slices.ContainsFunc(old.statements, func(s int) bool { return slices.Contains(g.statements, s) }) {
			continue
		}
		byBits := make(map[uint64]float64)
		for _, s := range e.weighing.Subsets {
			if s.Group == number {
				some := slices.DeleteFunc(slices.Clone(s.Statements), func(i int) bool { return i == but })
				byBits[g.bits(some)] += s.Weight
			}
		}
		var next []one
		for _, a := range list {
			for bits, weight := range byBits {
				next = append(next, one{a.bits | bits, a.weight * weight})
			}
		}
		slices.SortFunc(next, func(a, b one) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.bits, b.bits))
		})
		if len(next) > 8 {
			next = next[:min(len(next), mostLikely)]
			next = slices.DeleteFunc(next, func(a one) bool { return a.weight < leastLikely*next[0].weight })
		}
		list = next
	}
	out := make([]uint64, len(list))
	for i, a := range list {
		out[i] = a.bits
	}
	return out
}

// reversed turns inequalities round.
func reversed(list []rows.Row) []rows.Row {
	out := make([]rows.Row, len(list))
	for i, q := range list {
		out[i] = rows.Row{Index: q.Index, Value: -q.Value, Coef: make([]float64, len(q.Index))}
		for k := range q.Index {
			out[i].Coef[k] = -q.Factor(k)
		}
	}
	return out
}

// equalRows reports whether two lists say the same in the same order.
func equalRows(a, b []rows.Row) bool {
	return slices.EqualFunc(a, b, func(x, y rows.Row) bool {
		coef := make(map[int]float64)
		for k, i := range x.Index {
			coef[i] = x.Factor(k)
		}
		for k, i := range y.Index {
			if coef[i] != y.Factor(k) {
				return false
			}
		}
		return x.Value == y.Value && len(x.Index) == len(y.Index)
	})
}
