// Package folds deals counts of cases into the folds of a cross-validation.
package folds

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Deal splits the counts of whole cases into folds, each case into any of them with the
// same probability, so that the folds differ in size.
func Deal(n []float64, folds int, src rand.Source) [][]float64 {
	dealt := make([][]float64, folds)
	left := append([]float64(nil), n...)
	for f := range dealt {
		dealt[f] = make([]float64, len(n))
		for i := range n {
			dealt[f][i] = left[i]
			if rest := folds - f; rest > 1 {
				dealt[f][i] = distuv.Binomial{N: left[i], P: 1 / float64(rest), Src: src}.Rand()
			}
			left[i] -= dealt[f][i]
		}
	}
	return dealt
}

// Complement returns the rows 0..n−1 that are not in rows, ascending: the
// training rows of a fold. Rows out of range are ignored.
func Complement(n int, rows []int) []int {
	in := make([]bool, max(n, 0))
	for _, row := range rows {
		if row >= 0 && row < n {
			in[row] = true
		}
	}
	var rest []int
	for row, is := range in {
		if !is {
			rest = append(rest, row)
		}
	}
	return rest
}
