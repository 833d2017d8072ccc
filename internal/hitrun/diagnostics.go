package hitrun

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// SplitRHat compares chains: for each parameter the root of the ratio of the variance
// pooled over all half chains to the mean variance within them,
//
//	√( ((m − 1)/m · W + B/m) / W ),   m draws in a half
//
// which is near 1 when the chains draw from the same distribution. Draws are
// [chain][draw][parameter], as many of each chain; four draws at least. A parameter that
// never changes has 1, and one that is constant within half chains only has +Inf.
//
// Source: A. Gelman et al., Bayesian Data Analysis, 3rd ed. 2013, §11.4.
func SplitRHat(draws [][][]float64) []float64 {
	out := make([]float64, parameters(draws))
	for p := range out {
		within, total, _ := variances(halves(draws, p))
		switch {
		case total == 0:
			out[p] = 1
		case within == 0:
			out[p] = math.Inf(1)
		default:
			out[p] = math.Sqrt(total / within)
		}
	}
	return out
}

// EffectiveDraws is, for each parameter, the number of independent draws whose mean has the
// variance of the mean of all K draws,
//
//	K / (1 + 2 Σ_t ρ_t)
//
// with the autocorrelations ρ_t pooled over half chains and summed in pairs as long as these
// are positive, and made to fall (C. Geyer, Practical Markov chain Monte Carlo, Statistical
// Science 7, 1992; Gelman et al. §11.5). It is at most K log10 K; a parameter that never
// changes has K. Draws are as in [SplitRHat].
func EffectiveDraws(draws [][][]float64) []float64 {
	out := make([]float64, parameters(draws))
	for p := range out {
		out[p] = effective(halves(draws, p))
	}
	return out
}

func effective(chains [][]float64) float64 {
	m := len(chains[0])
	all := float64(len(chains) * m)
	within, total, means := variances(chains)
	if total == 0 {
		return all
	}
	// rho is 1 − (W − mean autocovariance) / total.
	rho := func(lag int) float64 {
		cov := 0.0
		for c, x := range chains {
			sum := 0.0
			for i := range m - lag {
				sum += (x[i] - means[c]) * (x[i+lag] - means[c])
			}
			cov += sum / float64(m)
		}
		return 1 - (within-cov/float64(len(chains)))/total
	}
	sum, last := 0.0, math.Inf(1)
	for lag := 0; lag+1 < m; lag += 2 {
		first := 1.0
		if lag > 0 {
			first = rho(lag)
		}
		pair := min(first+rho(lag+1), last)
		if !(pair > 0) {
			break
		}
		sum, last = sum+pair, pair
	}
	return all / max(2*sum-1, 1/math.Log10(all))
}

// variances returns the mean variance within chains, the pooled variance and the means.
func variances(chains [][]float64) (within, total float64, means []float64) {
	means = make([]float64, len(chains))
	for c, x := range chains {
		var v float64
		means[c], v = stat.MeanVariance(x, nil)
		within += v / float64(len(chains))
	}
	m := float64(len(chains[0]))
	return within, (m-1)/m*within + stat.Variance(means, nil), means
}

// halves splits each chain of parameter p in two, leaving out the middle draw of an odd
// number.
func halves(draws [][][]float64, p int) [][]float64 {
	var out [][]float64
	for _, chain := range draws {
		half := len(chain) / 2
		for _, part := range [][][]float64{chain[:half], chain[len(chain)-half:]} {
			x := make([]float64, half)
			for i := range part {
				x[i] = part[i][p]
			}
			out = append(out, x)
		}
	}
	return out
}

// parameters checks the shape of draws and returns the number of parameters.
func parameters(draws [][][]float64) int {
	if len(draws) == 0 || len(draws[0]) < 4 {
		panic("hitrun: fewer than four draws")
	}
	for _, chain := range draws {
		if len(chain) != len(draws[0]) {
			panic("hitrun: chains of different lengths")
		}
	}
	return len(draws[0][0])
}
