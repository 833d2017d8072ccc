package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bnlab/internal/num"
)

// A row where dividing by the sum after a step along the gradient leads down: w = (.97, .01,
// .01, .01) with the counts (2.91, .02, .02, .02), so N/w = (3, 2, 2, 2). Divided by its sum
// the step moves along N/w − w Σ N/w, and 3·(3 − .97·9) + 3·2·(2 − .01·9) < 0; projected it
// moves along (N/w − mean), and up.
func TestProjectionLeadsUp(t *testing.T) {
	w, n := []float64{.97, .01, .01, .01}, []float64{2.91, .02, .02, .02}
	g := make([]float64, 4)
	floats.DivTo(g, n, w)
	along := func(d []float64) float64 {
		x := make([]float64, 4)
		floats.AddScaledTo(x, w, 1e-4, d)
		floats.Scale(1/floats.Sum(x), x)
		return num.LogLikelihood(n, x) - num.LogLikelihood(n, w)
	}
	if rise := along(g); !(rise < 0) {
		t.Errorf("divided by its sum the gradient leads up, by %v", rise)
	}
	z := make([]float64, 4)
	projectRow(z, g, make([]bool, 4), w, 2.97)
	if sum := floats.Sum(z); math.Abs(sum) > 1e-15 {
		t.Errorf("direction %v sums to %v", z, sum)
	}
	if rise := along(z); !(rise > 0) {
		t.Errorf("direction %v leads down, by %v", z, rise)
	}
}

// On random rows the direction keeps the sum, lowers nothing at zero, and is the way that
// rises most steeply for its length: no random direction of the same kind does better.
func TestProjectRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 300 {
		k := 2 + rng.IntN(4)
		w, g, z, held := make([]float64, k), make([]float64, k), make([]float64, k), make([]bool, k)
		for i := range w {
			if w[i] = leastEntry; i == 0 || rng.IntN(3) > 0 {
				w[i] = .05 + rng.Float64()
			}
			g[i] = 10 * rng.ExpFloat64()
		}
		floats.Scale(1/floats.Sum(w), w)
		cases := 10.
		projectRow(z, g, held, w, cases)
		slope := floats.Dot(z, g)
		if math.Abs(floats.Sum(z)) > 1e-12 || slope < 0 {
			t.Fatalf("row %v, gradient %v: direction %v", w, g, z)
		}
		length, zero := 0.0, true // Σ z²/s over entries inside the table
		for i := range z {
			switch {
			case held[i] && z[i] != 0, w[i] <= 2*leastEntry && z[i] < 0:
				t.Errorf("row %v, gradient %v: direction %v, held %v", w, g, z, held)
			case w[i] > 1e-3:
				length += z[i] * z[i] / w[i]
			case z[i] != 0:
				zero = false
			}
		}
		if !zero || slope == 0 {
			continue // small entries are measured otherwise
		}
		for range 20 {
			d := make([]float64, k)
			sum, total := 0.0, 0.0
			for i := range d {
				if w[i] > 1e-3 {
					d[i] = rng.NormFloat64()
					sum += d[i]
					total += w[i]
				}
			}
			size := 0.0
			for i := range d {
				if w[i] > 1e-3 {
					d[i] -= sum * w[i] / total
					size += d[i] * d[i] / w[i]
				}
			}
			floats.Scale(math.Sqrt(length/size), d)
			if rise := floats.Dot(d, g); rise > slope*(1+1e-9) {
				t.Errorf("row %v, gradient %v: %v rises by %v, direction %v by %v", w, g, d, rise, z, slope)
			}
		}
	}
}
