package hpm

import "math"

// equivalent is the number of trials at which a learner has a score, given its scores at rising numbers of
// trials: the least one, between the points by straight lines over the logarithm of trials. beyond is +1 when
// the score is not reached, and −1 when the first number of trials exceeds it; trials is then the last or the
// first.
func equivalent(trials []int, scores []float64, score float64) (n float64, beyond int) {
	for i, have := range scores {
		if have < score {
			continue
		}
		at := float64(trials[i])
		switch {
		case i > 0:
			share := (score - scores[i-1]) / (have - scores[i-1])
			before := float64(trials[i-1])
			return before * math.Pow(at/before, share), 0
		case have > score:
			return at, -1
		}
		return at, 0
	}
	return float64(trials[len(trials)-1]), 1
}
