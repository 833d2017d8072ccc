package num_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"bnlab/internal/num"
)

func TestLgamma(t *testing.T) {
	for x, want := range map[float64]float64{1: 0, 5: math.Log(24), 0.5: math.Log(math.Pi) / 2,
		-0.5: math.Log(2 * math.Sqrt(math.Pi))} {
		if got := num.Lgamma(x); !(math.Abs(got-want) < 1e-15) {
			t.Errorf("Lgamma(%v) = %v, want %v", x, got, want)
		}
	}
}

// TestSum: the order of additions is part of the promise.
func TestSum(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{{nil, 0}, {[]float64{1, 2, 4}, 7}, {[]float64{1, 1e16, -1e16, 1}, 1}, {[]float64{1e16, -1e16, 1, 1}, 2}} {
		if got := num.Sum(c.x); got != c.want {
			t.Errorf("Sum(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}

func TestDivideRows(t *testing.T) {
	p := []float64{0.5, 0.25, 0.25, 0, 2, 6}
	num.DivideRows(p, 3)
	if !slices.Equal(p, []float64{0.5, 0.25, 0.25, 0, 0.25, 0.75}) {
		t.Error(p)
	}
}

func TestFinite(t *testing.T) {
	if !num.Finite() || !num.Finite(0, -math.MaxFloat64) {
		t.Error("numbers are not finite")
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if num.Finite(1, x) {
			t.Errorf("%v is finite", x)
		}
	}
}

func TestLogSum(t *testing.T) {
	inf := math.Inf(-1)
	for _, c := range []struct{ x, y, want float64 }{{math.Log(2), math.Log(3), math.Log(5)}, {inf, 1, 1}, {1, inf, 1},
		{inf, inf, inf}, {-2000, -2000, -2000 + math.Ln2}} {
		if got := num.LogSum(c.x, c.y); !(math.Abs(got-c.want) < 1e-15) && got != c.want {
			t.Errorf("LogSum(%v, %v) = %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// TestLogs: the logarithms are those of math.Log, bit by bit on amd64 and to an error of the last place elsewhere.
func TestLogs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := []float64{0, math.Copysign(0, -1), -1, 1, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 0x1p-1022, 0x1p-1023,
		math.MaxFloat64, math.Sqrt2 / 2, math.Nextafter(math.Sqrt2/2, 0), math.Sqrt2, math.Nextafter(1, 0)}
	for range 100_000 {
		x = append(x, rng.Float64(), 1+(rng.Float64()-0.5)*math.Pow(2, -52*rng.Float64()),
			math.Float64frombits(rng.Uint64()>>1))
	}
	got := slices.Clone(x)
	num.Logs(got, got)
	for i, v := range x {
		want := math.Log(v)
		same := got[i] == want || math.IsNaN(got[i]) && math.IsNaN(want)
		close := math.Abs(got[i]-want) <= 0x1p-51*math.Abs(want)
		if !same && (runtime.GOARCH == "amd64" || !close) {
			t.Fatalf("the logarithm of %v is %v, not %v", v, got[i], want)
		}
	}
}

func BenchmarkLogs(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, dst := make([]float64, 100), make([]float64, 100)
	for i := range x {
		x[i] = rng.Float64()
	}
	for b.Loop() {
		num.Logs(dst, x)
	}
}
