package presolve

import "gonum.org/v1/gonum/mat"

// rankTol is the singular value, relative to the largest, below which relations depend on
// each other.
const rankTol = 1e-9

// Rank counts the independent rows of a.
func Rank(a *mat.Dense) int {
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDNone) {
		return min(a.Dims())
	}
	values := svd.Values(nil)
	count := 0
	for _, v := range values {
		if v > rankTol*values[0] {
			count++
		}
	}
	return count
}
