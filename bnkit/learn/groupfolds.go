package learn

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// heldOut is, for each number of classes, the log probability of the cases of each fold
// under the posterior mean of the rest, in the partition found from the rest, summed over
// the folds.
func (g Grouping) heldOut(p grouper, n []float64) []float64 {
	var score []float64
	train, theta := make([]float64, len(n)), make([]float64, len(n))
	for _, test := range g.deal(n) {
		for i := range n {
			train[i] = n[i] - test[i]
		}
		found := p.path(train)
		if score == nil {
			score = make([]float64, len(found.logMarginal))
		}
		for m := 1; m <= len(score); m++ {
			p.predict(theta, train, found.classes(m))
			for i, x := range test {
				if x > 0 {
					score[m-1] += x * math.Log(theta[i])
				}
			}
		}
	}
	return score
}

// deal splits the counts of whole cases into folds, each case into any of them with the
// same probability, so that the folds differ in size.
func (g Grouping) deal(n []float64) [][]float64 {
	folds := make([][]float64, g.Folds)
	left := append([]float64(nil), n...)
	for f := range folds {
		folds[f] = make([]float64, len(n))
		for i := range n {
			folds[f][i] = left[i]
			if rest := g.Folds - f; rest > 1 {
				folds[f][i] = distuv.Binomial{N: left[i], P: 1 / float64(rest), Src: g.Src}.Rand()
			}
			left[i] -= folds[f][i]
		}
	}
	return folds
}
