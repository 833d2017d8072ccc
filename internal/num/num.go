// Package num holds small functions of real numbers that the standard library and gonum lack.
package num

import (
	"math"
	"slices"
)

// MaxTotalWeight is the largest sum of the weights of rows: its square, and the sum times a logarithm, stay finite, so
// that scores and tests do too.
const MaxTotalWeight = 1e150

// Lgamma returns ln |Γ(x)|, without the sign.
func Lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

// Sum adds from the first number to the last. The sum of gonum's floats adds in another order, and
// so differs in the last digits.
func Sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// DivideRows divides rows of r probabilities by their sums, which files give to a few digits.
func DivideRows(p []float64, r int) {
	for row := range slices.Chunk(p, r) {
		total := Sum(row)
		for s := range row {
			row[s] /= total
		}
	}
}

// Finite reports whether no number is NaN or infinite.
func Finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// LogLikelihood is Σ n log θ, with 0 log 0 = 0.
func LogLikelihood(n, theta []float64) float64 {
	total := 0.0
	for i, x := range n {
		if x > 0 {
			total += x * math.Log(theta[i])
		}
	}
	return total
}

// LogSum is ln(eˣ + eʸ).
func LogSum(x, y float64) float64 {
	if x < y {
		x, y = y, x
	}
	if math.IsInf(y, -1) {
		return x
	}
	return x + math.Log1p(math.Exp(y-x))
}
