package factor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/internal/factor"
	"bnlab/internal/numtest"
)

// TestLogs: sums, maxima and shares of logarithms are those of the numbers, with zeros, and
// stay when the tables are multiplied by numbers beyond any exponent.
func TestLogs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	shape := func(vars ...int) factor.Shape {
		s := factor.Shape{Vars: vars}
		for _, v := range vars {
			s.Cards = append(s.Cards, 1+v)
		}
		return s
	}
	first, tables := []int32{0, 1, 1}, 2
	for _, s := range [][3]factor.Shape{
		{shape(2, 3), shape(2, 1), shape(1, 3)},
		{shape(), shape(3), shape(3)},
		{shape(1, 2), shape(2, 1), shape()},
		{shape(3), shape(4, 3, 0), shape(0, 2)},
	} {
		c := factor.NewContraction(s[0], s[1], s[2])
		draw := func(s factor.Shape) []float64 {
			x := make([]float64, tables*s.Size())
			for i := range x {
				if rng.IntN(4) > 0 {
					x[i] = rng.ExpFloat64()
				}
			}
			return x
		}
		logs := func(x []float64, by float64) []float64 {
			y := make([]float64, len(x))
			for i := range x {
				y[i] = factor.Log(x[i]) + by
			}
			return y
		}
		a, b := draw(s[1]), draw(s[2])
		size := len(first) * s[0].Size()
		want, most, ratio, q := make([]float64, size), make([]float64, size), make([]float64, size),
			make([]float64, size)
		c.Sum(want, a, b, first, first)
		c.Max(most, a, b, first, first)
		for i, m := range want {
			if q[i] = rng.ExpFloat64(); m > 0 {
				ratio[i] = q[i] / m
			} else {
				q[i] = 0
			}
		}
		wantA, wantB := make([]float64, len(a)), make([]float64, len(b))
		c.Share(wantA, wantB, ratio, a, b, first, first)
		for _, by := range []float64{0, -3000, 3000} {
			la, lb, got := logs(a, by), logs(b, -2*by), make([]float64, size)
			c.MaxLogs(got, la, lb, first, first)
			for i := range got {
				numtest.Close(t, math.Exp(got[i]+by), most[i], 0, 1e-11)
			}
			c.SumLogs(got, la, lb, first, first)
			for i := range got {
				numtest.Close(t, math.Exp(got[i]+by), want[i], 0, 1e-11)
			}
			shareA, shareB := make([]float64, len(a)), make([]float64, len(b))
			c.ShareLogs(shareA, nil, q, got, la, lb, first, first)
			c.ShareLogs(nil, shareB, q, got, la, lb, first, first)
			for i := range shareA {
				numtest.Close(t, shareA[i], wantA[i], 1e-11, 1e-11)
			}
			for i := range shareB {
				numtest.Close(t, shareB[i], wantB[i], 1e-11, 1e-11)
			}
		}
	}
	for x, want := range map[float64]float64{0: math.Inf(-1), 1: 0, 0x1p-1074: -1074 * math.Ln2, 0x1p-1022: -1022 *
		math.Ln2} {
		numtest.Close(t, factor.Log(x), want, 0, 1e-15)
	}
}
