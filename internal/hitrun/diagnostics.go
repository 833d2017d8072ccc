package hitrun

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Compare returns the largest [SplitRHat] and the smallest [EffectiveDraws] of the parameters of draws that chains of
// each made one after the other, without those of a shorter one: infinite and 1 for less than two chains or four
// draws, and at least 1. The error that ended returns, which is asked before each parameter, ends a comparison of
// many draws: it goes on with some thousand, evenly spaced, which are worth no more than all of them.
func Compare(draws [][]float64, each int, ended func() error) (rhat, effective float64) {
	rhat, effective, err := compare(draws, each, ended)
	if err != nil {
		const numbers, fewest = 1_000_000, 400
		step := 1 + len(draws)/max(fewest, numbers/max(1, len(draws[0])))
		var some [][]float64
		for i := 0; i < len(draws); i += step {
			some = append(some, draws[i])
		}
		rhat, effective, _ = compare(some, (each+step-1)/step, func() error { return nil })
	}
	return rhat, effective
}

func compare(draws [][]float64, each int, ended func() error) (rhat, effective float64, err error) {
	var chains [][][]float64
	for from := 0; each > 0 && from+each <= len(draws); from += each {
		chains = append(chains, draws[from:from+each])
	}
	if len(chains) < 2 || each < 4 {
		return math.Inf(1), 1, nil
	}
	rhat, effective = 1, float64(len(draws))
	for p := range parameters(chains) {
		if err := ended(); err != nil {
			return 0, 0, err
		}
		split := halves(chains, p)
		rhat, effective = max(rhat, splitRHat(split)), min(effective, max(1, effectiveDraws(split)))
	}
	return rhat, effective, nil
}

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
		out[p] = splitRHat(halves(draws, p))
	}
	return out
}

func splitRHat(chains [][]float64) float64 {
	within, total, _ := variances(chains)
	switch {
	case total == 0:
		return 1
	case within == 0:
		return math.Inf(1)
	}
	return math.Sqrt(total / within)
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
		out[p] = effectiveDraws(halves(draws, p))
	}
	return out
}

func effectiveDraws(chains [][]float64) float64 {
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
