package verdict

import "gonum.org/v1/gonum/stat/distuv"

// few is the number of simulated ratios above 0 below which no distribution is fitted to them.
const few = 5

// Tail is the p-value of an observed cost, in nats, from those of simulated data sets in which the statement holds, 0
// for none: (1 + those as large) / (1 + all) (Davison and Hinkley 1997, Eq. 4.11). That is never below 1 / (1 + all),
// so that of a cost beyond all of them is the probability under a gamma distribution with the mean and the variance of
// those above 0, where it is smaller; of fewer than five of them under half a chi-square with so many degrees.
func Tail(simulated []float64, cost float64, degrees int) float64 {
	as, above, sum := 0, 0.0, 0.0
	for _, x := range simulated {
		if x >= cost {
			as++
		}
		if x > 0 {
			above++
			sum += x
		}
	}
	p := float64(1+as) / float64(1+len(simulated))
	if as > 0 {
		return p
	}
	gamma := distuv.Gamma{Alpha: float64(max(1, degrees)) / 2, Beta: 1}
	if above >= few {
		mean, variance := sum/above, 0.0
		for _, x := range simulated {
			if x > 0 {
				variance += (x - mean) * (x - mean) / (above - 1)
			}
		}
		if variance > 0 {
			gamma = distuv.Gamma{Alpha: mean * mean / variance, Beta: mean / variance}
		}
	}
	return min(p, (1+above)/float64(1+len(simulated))*gamma.Survival(cost))
}
