package metric

import "fmt"

// AdjustedRandIndex returns the agreement of two partitions of the same objects, corrected for
// chance. a and b give the class of each object as any number. With n_ij objects in class i of a
// and class j of b, the margins n_i and n_j, and C(n) = n(n−1)/2 pairs of n,
//
//	ARI = (Σ C(n_ij) − E) / ((Σ C(n_i) + Σ C(n_j))/2 − E),   E = Σ C(n_i) Σ C(n_j) / C(n).
//
// It is 1 for equal partitions and 0 on average for random ones; it may be negative. It panics when
// the lengths differ. Source: Hubert and Arabie, Comparing partitions, Journal of Classification 2
// (1985), 193–218.
func AdjustedRandIndex(a, b []int) float64 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("metric: partitions of %d and %d things", len(a), len(b)))
	}
	cells := make(map[[2]int]int)
	inA, inB := make(map[int]int), make(map[int]int)
	for i := range a {
		cells[[2]int{a[i], b[i]}]++
		inA[a[i]]++
		inB[b[i]]++
	}
	together, pairsA, pairsB := pairs(cells), pairs(inA), pairs(inB)
	all := float64(len(a)) * float64(len(a)-1) / 2
	if mean := (pairsA + pairsB) / 2; mean > 0 && mean < all {
		expected := pairsA / all * pairsB
		return (together - expected) / (mean - expected)
	}
	return 1 // both of single things or both of one class, so equal
}

// pairs adds up the pairs within classes of the given sizes. The sum is of whole numbers,
// so the order does not matter.
func pairs[K comparable](sizes map[K]int) float64 {
	total := 0.0
	for _, n := range sizes {
		total += float64(n) * float64(n-1) / 2
	}
	return total
}
