package sharing

import (
	"context"
	"math"

	"bnlab/internal/folds"
)

// heldOut is, for each number of classes, the log probability of the cases of each fold
// under the posterior mean of the rest, in the partition found from the rest, summed over
// the folds.
func (s *search) heldOut(ctx context.Context, p grouper, n []float64) ([]float64, error) {
	var score []float64
	train, theta := make([]float64, len(n)), make([]float64, len(n))
	for _, test := range folds.Deal(n, s.Folds, s.src) {
		for i := range n {
			train[i] = n[i] - test[i]
		}
		found, err := p.path(ctx, train)
		if err != nil {
			return nil, err
		}
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
	return score, nil
}
