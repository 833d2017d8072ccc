package verdict

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// HasCases reports whether the counts could cost a statement anything: one case at least in a distribution that it
// says something of by itself, or in two of those that it compares, directly or through others. Without, it costs
// nothing whatever is true. The counts are by table entry; those of EM may leave traces of none.
func HasCases(net *bn.Network, s constraint.Constraint, counts []float64) bool {
	bounds, err := s.Bind(net)
	if err != nil {
		return true
	}
	layout := net.Layout()
	seen := func(row constraint.Row) bool {
		if net.CPT(row.Var) == nil {
			return true // weights of linear-Gaussian nodes
		}
		lo, hi := layout.Row(row.Var, row.Config)
		return slices.Max(counts[lo:hi]) > trace
	}
	group := make(map[constraint.Row]int) // rows that are compared
	groups := 0
	join := func(rows []constraint.Row) (alone bool) {
		rows = slices.Clone(rows)
		slices.SortFunc(rows, func(a, b constraint.Row) int { return (a.Var-b.Var)*len(counts) + a.Config - b.Config })
		if rows = slices.Compact(rows); len(rows) == 1 {
			return seen(rows[0])
		}
		groups++
		for _, row := range rows {
			if old, ok := group[row]; ok && old != groups {
				for r, g := range group {
					if g == old {
						group[r] = groups
					}
				}
			}
			group[row] = groups
		}
		return false
	}
	of := func(cells []int) (rows []constraint.Row) {
		for _, cell := range cells {
			v, config, _ := layout.Locate(cell)
			rows = append(rows, constraint.Row{Var: v, Config: config})
		}
		return rows
	}
	for _, b := range bounds {
		var all [][]constraint.Row
		for _, f := range b.Fixed {
			all = append(all, of([]int{f.Cell}))
		}
		for _, t := range b.Ties {
			all = append(all, of(t.Cells))
		}
		for _, l := range slices.Concat(b.Equal, b.AtMost) {
			all = append(all, of(l.Cells))
		}
		if len(b.Ratios)+len(b.Smooth)+len(b.Shares) > 0 {
			all = append(all, b.Links)
		}
		for _, rows := range all {
			if len(rows) > 0 && join(rows) {
				return true
			}
		}
	}
	with := make(map[int]int)
	for row, g := range group {
		if seen(row) {
			with[g]++
		}
		if with[g] > 1 {
			return true
		}
	}
	return len(bounds) == 0
}

// trace is what EM may leave of a count of 0.
const trace = 1e-9
