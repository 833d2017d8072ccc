package weigh

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"bnlab/internal/numtest"
)

// TestFutureByEnumeration: the gain of n cases is the sum over all sequences of them, each by its predictive
// probability.
func TestFutureByEnumeration(t *testing.T) {
	visits := []float64{0.3, 0.7}
	rows := [][]float64{{1.5, 3, 0.5}, {2, 4}}
	f := NewFuture(visits, rows)
	expected := func(a []float64) (all, sum float64) { // of x log x over the mean
		for _, x := range a {
			all += x
		}
		for _, x := range a {
			sum += x / all * math.Log(x/all)
		}
		return all, sum
	}
	var after func(rows [][]float64, n int) float64
	after = func(rows [][]float64, n int) float64 {
		total := 0.0
		for r, a := range rows {
			all, sum := expected(a)
			if n == 0 {
				total += visits[r] * sum
				continue
			}
			for k := range a {
				p := visits[r] * a[k] / all
				a[k]++
				total += p * after(rows, n-1)
				a[k]--
			}
		}
		return total
	}
	for n := range 6 {
		numtest.Close(t, f.Gain(n), after(rows, n)-after(rows, 0), 1e-13, 1e-10)
	}
	for _, n := range []int{1, 3, 5, 40} {
		numtest.Close(t, f.Worth(f.Gain(n)), float64(n), 1e-9, 0)
	}
	between := f.Worth((f.Gain(3) + f.Gain(4)) / 2)
	numtest.Close(t, between, 3.5, 1e-9, 0)
	if x := f.Worth(10); !math.IsInf(x, 1) {
		t.Errorf("more than all cases can tell is worth %v of them", x)
	}
}

// TestFutureOfMany: beyond mostExact the gain is within 1e-4 of the beta-binomial sums.
func TestFutureOfMany(t *testing.T) {
	a, b := 2.5, 0.7
	f := NewFuture([]float64{1}, [][]float64{{a, b}})
	phi := func(x float64) float64 { return x * math.Log(x) }
	now := phi(a/(a+b)) + phi(b/(a+b))
	for _, m := range []int{200, 300, 1000, 3000} {
		total := 0.0
		for n := range m + 1 {
			x, y := float64(n), float64(m-n)
			log := mathext.Lbeta(a+x, b+y) - mathext.Lbeta(a, b)
			g, _ := math.Lgamma(float64(m + 1))
			h, _ := math.Lgamma(x + 1)
			i, _ := math.Lgamma(y + 1)
			p := (a + x) / (a + b + float64(m))
			total += math.Exp(log+g-h-i) * (phi(p) + phi(1-p))
		}
		numtest.Close(t, f.Gain(m), total-now, 0, 1e-4)
	}
}
