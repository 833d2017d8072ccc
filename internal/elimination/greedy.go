package elimination

import (
	"math"
	"slices"
)

// Smallest returns the variable of vars whose elimination from tables with these scopes makes
// the smallest product: the variable, the members of the product in the order in which they
// appear, and its number of cells. Among equals the first of vars is taken. Without vars it is −1.
func Smallest(scopes [][]int, card func(v int) int, vars []int) (best int, members []int, cells float64) {
	best, cells = -1, math.Inf(1)
	for _, v := range vars {
		var all []int
		size := 1.0
		for _, scope := range scopes {
			if !slices.Contains(scope, v) {
				continue
			}
			for _, u := range scope {
				if !slices.Contains(all, u) {
					all = append(all, u)
					size *= float64(card(u))
				}
			}
		}
		if best < 0 || size < cells {
			best, members, cells = v, all, size
		}
	}
	return best, members, cells
}
