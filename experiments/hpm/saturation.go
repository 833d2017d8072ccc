package hpm

import "math"

// saturated is the score that StHPM is expected to have on a trial that it was not fitted to, when
// n trials of each of the two orders were, all with Gaussian noise of variance σ²:
//
//	E = V T {−½ log 2πσ² − ½ log(1 − 1/n) − ½ (n + 1)/(n − 1)}.
//
// It holds to leading order, since the model is saturated: two processes of T values
// are as many as there are means of two orders at T images, so that the fit is those means, the
// maximum-likelihood variance is σ²(1 − 1/n) on average, and the squared error of
// a new trial σ²(1 + 1/n). σ² is its only unknown.
func saturated(voxels, images int, n, variance float64) float64 {
	return float64(voxels*images) * (-math.Log(2*math.Pi*variance) - math.Log1p(-1/n) - (n+1)/(n-1)) / 2
}

// trained is n of [saturated] for the number of trials in N06 Table 2, which counts the
// pair that is held out.
func trained(trials int) float64 { return float64(trials-2) / 2 }

// fitVariance returns σ² of [saturated] such that it meets scores by trials best, by least squares, which
// is closed since log σ² enters linearly, and by how much it then misses them: the root mean square in nats and the
// largest miss relative to the score.
func fitVariance(voxels, images int, trials []int, scores []float64) (variance, rms, worst float64) {
	mean := 0.0
	for i, n := range trials {
		mean += (saturated(voxels, images, trained(n), 1) - scores[i]) / float64(len(trials))
	}
	variance = math.Exp(2 * mean / float64(voxels*images))
	for i, n := range trials {
		miss := saturated(voxels, images, trained(n), variance) - scores[i]
		rms += miss * miss / float64(len(trials))
		worst = max(worst, math.Abs(miss/scores[i]))
	}
	return variance, math.Sqrt(rms), worst
}
