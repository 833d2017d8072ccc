package logs

import (
	"math"

	"bnlab/internal/num"
)

// A RisingSum is a sum of logarithms of rising factorials, lnΓ(α+n) − lnΓ(α), for many α that differ, so that no table
// would pay. Those of few cases are multiplied, and one logarithm is taken of many; of more cases Stirling's series has
// the rest. The zero value is 0.
type RisingSum struct {
	sum            float64
	above, beneath float64 // products whose logarithms are still to be added and subtracted, less 1 at the start
	begun          bool
}

const (
	// stirlingFrom is from where six terms of Stirling's series leave less than 1e-15.
	stirlingFrom = 10
	// Numbers between which ten factors cannot leave the range of a float64.
	leastAlpha, mostAlpha = 1e-100, 1e10
	leastProduct          = 1e-100
	mostProduct           = 1e100
)

// Add adds the term of α > 0 and n ≥ 0.
func (s *RisingSum) Add(alpha, n float64) {
	value, product := rising(alpha, n)
	s.begin()
	s.sum += value
	if s.above *= product; !(s.above > leastProduct && s.above < mostProduct) {
		s.sum += math.Log(s.above)
		s.above = 1
	}
}

// Subtract subtracts it.
func (s *RisingSum) Subtract(alpha, n float64) {
	value, product := rising(alpha, n)
	s.begin()
	s.sum -= value
	if s.beneath *= product; !(s.beneath > leastProduct && s.beneath < mostProduct) {
		s.sum -= math.Log(s.beneath)
		s.beneath = 1
	}
}

func (s *RisingSum) begin() {
	if !s.begun {
		s.above, s.beneath, s.begun = 1, 1, true
	}
}

// Value is the sum.
func (s *RisingSum) Value() float64 {
	s.begin()
	return s.sum + math.Log(s.above/s.beneath)
}

// rising is the logarithm of a rising factorial as a number and the logarithm of another, which is at least
// leastAlpha^1 times a factor of order 1, and at most mostAlpha^10.
func rising(alpha, n float64) (value, product float64) {
	if !(alpha > leastAlpha && alpha < mostAlpha) || n < stirlingFrom && n != math.Trunc(n) {
		return num.Lgamma(alpha+n) - num.Lgamma(alpha), 1
	}
	product = 1
	if n <= stirlingFrom {
		for k := 0.0; k < n; k++ {
			product *= alpha + k
		}
		return 0, product
	}
	base := alpha
	if base < stirlingFrom {
		for k := range stirlingFrom {
			product *= alpha + float64(k)
		}
		base += stirlingFrom
	}
	return stirling(alpha+n) - stirling(base), product
}

// stirling is lnΓ(x) less ½ ln 2π, for x from stirlingFrom on (Abramowitz and Stegun 1964, 6.1.40).
func stirling(x float64) float64 {
	y := 1 / x
	z := y * y
	rest := y * (1./12 + z*(-1./360+z*(1./1260+z*(-1./1680+z*(1./1188-z*(691./360360))))))
	return (x-0.5)*math.Log(x) - x + rest
}
