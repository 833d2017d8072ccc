package logs

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"bnlab/internal/numtest"
)

// TestRisingSum compares each term with the product of its factors in 200 bits, and sums of many with the sum of these.
func TestRisingSum(t *testing.T) {
	exact := func(alpha float64, n int) float64 {
		product := big.NewFloat(1).SetPrec(200)
		for k := range n {
			factor := new(big.Float).SetPrec(200).SetFloat64(alpha)
			product.Mul(product, factor.Add(factor, big.NewFloat(float64(k))))
		}
		mantissa := new(big.Float)
		exponent := product.MantExp(mantissa)
		m, _ := mantissa.Float64()
		return math.Log(m) + float64(exponent)*math.Ln2
	}
	rng := rand.New(rand.NewPCG(1, 0))
	var all RisingSum
	want, size := 0.0, 0.0
	for _, alpha := range []float64{1e-250, 1e-99, 1e-20, 1e-9, 0.003, 0.5, 1, 2.5, 9.999, 10, 31, 1e4, 9e9, 1e12} {
		for _, n := range []int{0, 1, 2, 3, 9, 10, 11, 12, 57, 1000, 20_000} {
			term := exact(alpha, n)
			var s RisingSum
			s.Add(alpha, float64(n))
			// What alpha + n loses when alpha is large is lost in any case.
			numtest.Close(t, s.Value(), term, 1e-12+1e-15*alpha*math.Abs(math.Log(alpha)), 1e-13)
			if alpha > 1e9 {
				continue
			}
			times := 1 + rng.IntN(30)
			for range times {
				if rng.IntN(3) == 0 {
					all.Subtract(alpha, float64(n))
					want -= term
				} else {
					all.Add(alpha, float64(n))
					want += term
				}
				size += math.Abs(term)
			}
		}
	}
	numtest.Close(t, all.Value(), want, 1e-13*size, 0)
	var half RisingSum // weights need not be whole
	half.Add(0.25, 1.5)
	half.Subtract(2, 33.25)
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	numtest.Close(t, half.Value(), lgamma(1.75)-lgamma(.25)-lgamma(35.25)+lgamma(2), 1e-13, 1e-14)
	if zero := (&RisingSum{}).Value(); zero != 0 {
		t.Error(zero)
	}
}
