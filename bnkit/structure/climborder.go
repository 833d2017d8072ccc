package structure

import (
	"math"
	"slices"
)

// variableOrder returns the place of each of n variables in the k-th order that breaks ties; see
// HillClimb.
func variableOrder(n, k int) []int {
	at := all(n)
	if turns := k / 2; turns > 0 {
		key := make([]float64, n)
		for v := range key {
			_, key[v] = math.Modf(float64(v) * float64(turns) * math.Phi)
		}
		order := all(n)
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case key[a] < key[b]:
				return -1
			case key[a] > key[b]:
				return 1
			}
			return 0
		})
		for place, v := range order {
			at[v] = place
		}
	}
	if k%2 == 1 {
		for v := range at {
			at[v] = n - 1 - at[v]
		}
	}
	return at
}
