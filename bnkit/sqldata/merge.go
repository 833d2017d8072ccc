package sqldata

import (
	"cmp"
	"slices"
)

// merge covers the sets of columns by few: a set that another includes is its margin, and sets
// whose union has no more than the given number of cells become that union. cards are the
// states by column. The largest sets go first and each joins, of the unions that share a column
// with it and of the last one, the one that grows least.
func merge(sets [][]int, cards []int, most int) [][]int {
	sets = slices.Clone(sets)
	slices.SortFunc(sets, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b))
	})
	var unions [][]int
	with := make(map[int][]int) // by column, the unions that have it, ascending
	for _, set := range sets {
		if slices.ContainsFunc(with[set[0]], func(u int) bool { return includes(unions[u], set) }) {
			continue
		}
		at, grown := -1, 0.0
		consider := func(u int) {
			union := join(unions[u], set)
			growth := product(union, cards) / product(unions[u], cards)
			if product(union, cards) <= float64(most) && (at < 0 || growth < grown) {
				at, grown = u, growth
			}
		}
		for _, m := range set {
			for _, u := range with[m] {
				consider(u)
			}
		}
		if at < 0 && len(unions) > 0 {
			consider(len(unions) - 1)
		}
		if at < 0 {
			at = len(unions)
			unions = append(unions, nil)
		}
		for _, m := range set {
			if !slices.Contains(unions[at], m) {
				with[m] = append(with[m], at)
			}
		}
		unions[at] = join(unions[at], set)
	}
	return unions
}

// product is the number of cells over a set of columns.
func product(set, cards []int) float64 {
	n := 1.0
	for _, m := range set {
		n *= float64(cards[m])
	}
	return n
}

// join returns the union of two ascending sets.
func join(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
