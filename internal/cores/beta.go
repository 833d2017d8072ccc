package cores

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"
)

// smallMass is the probability below which differences of the incomplete beta function
// lose digits, or underflow.
const smallMass = 1e-6

// logBetween is the logarithm of the probability that a beta variable with exponents a and
// b lies between lo and hi, I_hi(a, b) − I_lo(a, b). (The prior of N06 §4.1.2 under one inequality of type 10
// or 11, §4.3.)
func logBetween(a, b, lo, hi float64) float64 {
	lo, hi = math.Max(lo, 0), math.Min(hi, 1)
	if lo == 0 && hi == 1 {
		return 0
	}
	p := between(a, b, lo, hi)
	if p < smallMass && (lo > 0 || a >= 1) && (hi < 1 || b >= 1) {
		return logTail(a, b, lo, hi)
	}
	return math.Log(p)
}

// between is the same probability, taken in the tail where it is more accurate.
func between(a, b, lo, hi float64) float64 {
	if lo > a/(a+b) {
		return between(b, a, 1-hi, 1-lo)
	}
	return mathext.RegIncBeta(a, b, hi) - mathext.RegIncBeta(a, b, lo)
}

// logTail integrates the density between lo and hi in logarithms, over the part where it
// is not negligible beside its largest value there.
func logTail(a, b, lo, hi float64) float64 {
	g := func(t float64) float64 { return xlogy(a-1, t) + xlogy(b-1, 1-t) }
	top := math.Min(math.Max((a-1)/math.Max(a+b-2, math.SmallestNonzeroFloat64), lo), hi)
	if math.IsNaN(top) {
		top = lo
	}
	peak := g(top)
	const negligible = 45 // e^−45 is 3e-20
	edge := func(from, to float64) float64 {
		if g(to) > peak-negligible {
			return to
		}
		for range 100 { // g falls from `from` to `to`
			if mid := from + (to-from)/2; g(mid) > peak-negligible {
				from = mid
			} else {
				to = mid
			}
		}
		return to
	}
	left, right := edge(top, lo), edge(top, hi)
	mass := quad.Fixed(func(t float64) float64 { return math.Exp(g(t) - peak) }, left, right, 200, quad.Legendre{}, 1)
	if !(mass > 0) { // it is narrower than numbers are apart: e^−s|t−top| with the slope s there
		mass = 1 / math.Abs((a-1)/top-(b-1)/(1-top))
	}
	return peak + math.Log(mass) - mathext.Lbeta(a, b)
}

func xlogy(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x * math.Log(y)
}

// betaBetween draws a beta variable between lo and hi: by inverting its distribution, or,
// where that has no digits left, by rejection in the tail.
func betaBetween(a, b, lo, hi float64, rng *rand.Rand) float64 {
	if lo > a/(a+b) {
		return 1 - betaBetween(b, a, 1-hi, 1-lo, rng)
	}
	from, to := mathext.RegIncBeta(a, b, lo), mathext.RegIncBeta(a, b, hi)
	if a >= 1 && b >= 1 && to < smallMass && hi < (a-1)/(a+b-2) {
		return betaTail(a, b, lo, hi, rng)
	}
	t := hi
	if to > 0 {
		t = mathext.InvRegIncBeta(a, b, from+rng.Float64()*(to-from))
	}
	return math.Min(math.Max(t, lo), hi)
}

// betaTail draws below the mode, where the log density is concave and rises to hi: the
// tangent at hi bounds it from above.
func betaTail(a, b, lo, hi float64, rng *rand.Rand) float64 {
	slope := (a-1)/hi - (b-1)/(1-hi)
	top := xlogy(a-1, hi) + xlogy(b-1, 1-hi)
	if math.IsInf(slope, 1) { // hi is so small that the density is t^(a−1)
		return math.Max(lo, hi*math.Pow(rng.Float64(), 1/a))
	}
	for {
		// An exponential distance from hi, cut off at lo.
		u := rng.Float64()
		t := hi + math.Log1p(u*math.Expm1(-slope*(hi-lo)))/slope
		t = math.Min(math.Max(t, lo), hi)
		if math.Log(1-rng.Float64()) <= xlogy(a-1, t)+xlogy(b-1, 1-t)-top-slope*(t-hi) {
			return t
		}
	}
}
