package sqldata

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// merge covers the sets of columns by few: a set that another includes is its margin, and sets
// whose union has no more than the given number of cells become that union. cards are the
// states by column. No union is wider than cells can be numbered in: columns of one state
// multiply no cells, but each has a number for missing too.
//
// A union begins with the largest set that is left, and takes up the columns that bring the
// most sets for the logarithm of the cells they cost, until no more fit.
func merge(sets [][]int, cards []int, most int) [][]int {
	open := slices.Clone(sets)
	slices.SortFunc(open, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b))
	})
	var unions [][]int
	for len(open) > 0 {
		union := open[0]
		for {
			more := best(union, open[:min(len(open), lookAhead)], cards, most)
			if more == nil {
				break
			}
			union = join(union, more)
		}
		unions = append(unions, union)
		open = slices.DeleteFunc(open, func(set []int) bool { return includes(union, set) })
	}
	return unions
}

// lookAhead bounds the sets that a union is extended by, so that merging takes less time than
// counting.
const lookAhead = 4096

// best returns the columns to extend a union by, nil when there are none.
func best(union []int, open [][]int, cards []int, most int) []int {
	size, numbers := product(union, cards, 0), product(union, cards, 1)
	return extension(union, open, func(lacking []int) bool {
		return size*product(lacking, cards, 0) <= float64(most) && numbers*product(lacking, cards, 1) <= mostNumbers
	}, func(columns []int) float64 { return math.Log(1 + product(columns, cards, 0)) })
}

// extension returns the columns that a union lacks of some set and may have, those that bring it the most sets for
// what they cost; nil when there are none.
func extension(union []int, open [][]int, may func(lacking []int) bool, cost func(columns []int) float64) []int {
	var list [][]int
	var sets []float64 // that each brings
	at := make(map[string]int)
	var name []byte
	var lacking []int
	for _, set := range open {
		lacking, name = lacking[:0], name[:0]
		for _, m := range set {
			if _, in := slices.BinarySearch(union, m); !in {
				lacking = append(lacking, m)
				name = append(strconv.AppendInt(name, int64(m), 10), ' ')
			}
		}
		if len(lacking) == 0 || !may(lacking) {
			continue
		}
		i, ok := at[string(name)]
		if !ok {
			i = len(list)
			at[string(name)] = i
			list, sets = append(list, slices.Clone(lacking)), append(sets, 0)
		}
		sets[i]++
	}
	var chosen []int
	worth := 0.0
	for i, columns := range list {
		if w := sets[i] / cost(columns); w > worth {
			chosen, worth = columns, w
		}
	}
	return chosen
}

// mostNumbers is a power of two that rounding does not take beyond those of a cell.
const mostNumbers = 1 << 62

// product is the number of cells over a set of columns, each with so many states more.
func product(set, cards []int, more int) float64 {
	n := 1.0
	for _, m := range set {
		n *= float64(cards[m] + more)
	}
	return n
}

// join returns the union of two ascending sets.
func join(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
