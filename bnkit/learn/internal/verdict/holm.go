package verdict

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts the p-values of so many tests for their number, by the step-down method of Holm (1979): all those
// adjusted that are at most α are significant together, with a probability of at most α that any of the true hypotheses
// is among them. A p-value that is NaN is left so; its test counts.
func Holm(p []float64) []float64 {
	order := make([]int, 0, len(p))
	adjusted := slices.Clone(p)
	for i, x := range p {
		if !math.IsNaN(x) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted
}
