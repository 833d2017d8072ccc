package num

import "math"

// narrow is the length of an interval, in deviations, below which its probability is taken as its length
// times the density in its middle, which is then closer than the difference of two distribution functions.
const narrow = 1e-5

// LogNormalBetween is the logarithm of the probability that a normal variable with mean 0 is not below low and
// not above high. It is right in both tails; without a deviation it is 0 when 0 is in the interval, otherwise −∞.
func LogNormalBetween(low, high, deviation float64) float64 {
	if !(deviation > 0) {
		if low <= 0 && high >= 0 {
			return 0
		}
		return math.Inf(-1)
	}
	low, high = low/deviation, high/deviation
	if low > 0 {
		low, high = -high, -low // the side where the distribution function is small
	}
	if middle, length := low/2+high/2, high-low; length*max(1, -middle) < narrow {
		return -middle*middle/2 - math.Log(2*math.Pi)/2 + math.Log(length)
	}
	if high > 0 {
		return math.Log((math.Erf(high/math.Sqrt2) - math.Erf(low/math.Sqrt2)) / 2)
	}
	above := logTail(-high)
	return above + math.Log1p(-math.Exp(logTail(-low)-above))
}

// logTail is log P(Z > z) of a standard normal variable. From 30 on it is that of the asymptotic series
// (Abramowitz and Stegun 1964, 26.2.12), whose first term left out is below 2e-13 there.
func logTail(z float64) float64 {
	if z < 30 {
		return math.Log(math.Erfc(z/math.Sqrt2) / 2)
	}
	y := 1 / (z * z)
	return -z*z/2 - math.Log(z) - math.Log(2*math.Pi)/2 + math.Log1p(-y*(1-3*y*(1-5*y*(1-7*y))))
}
