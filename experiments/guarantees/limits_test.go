package guarantees

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestLine: the estimate from the true moments is the truth; under a wrong statement it is the mean of the two weights,
// by hand, as the x are alike and independent.
func TestLine(t *testing.T) {
	line, err := newLineTruth()
	if err != nil {
		t.Fatal(err)
	}
	free, err := line.best()
	if err != nil {
		t.Fatal(err)
	}
	if kl := line.divergence(free); math.Abs(kl) > 1e-12 {
		t.Errorf("without a statement %v nats from the truth", kl)
	}
	for k, want := range []struct{ weight, lost float64 }{
		{0.3, 2 * 0.2 * 0.2}, // of 0.5 and 0.1
		{0.1, 2 * 0.4 * 0.4}, // of 0.5 and −0.3
	} {
		q, err := line.best(stockClasses()[k].wrong)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(q.weights[0]-want.weight) > 1e-9 || math.Abs(q.variance-1-want.lost) > 1e-9 ||
			math.Abs(line.divergence(q)-math.Log(1+want.lost)/2) > 1e-9 {
			t.Errorf("P* %+v, want the weight %v and the variance %v", q, want.weight, 1+want.lost)
		}
	}
}

// TestLineDivergence compares the formula with the mean of log p − log q.
func TestLineDivergence(t *testing.T) {
	p := gaussian{1, []float64{0.5, -1}, 1}
	q := gaussian{0.5, []float64{0.2, -1.1}, 2}
	rng := rand.New(rand.NewPCG(1, 0))
	log := func(g gaussian, x [2]float64, y float64) float64 {
		d := y - g.intercept - g.weights[0]*x[0] - g.weights[1]*x[1]
		return -0.5*math.Log(2*math.Pi*g.variance) - d*d/(2*g.variance)
	}
	const n = 400_000
	sum := 0.0
	for range n {
		x := [2]float64{rng.NormFloat64(), rng.NormFloat64()}
		y := p.intercept + p.weights[0]*x[0] + p.weights[1]*x[1] + rng.NormFloat64()
		sum += (log(p, x, y) - log(q, x, y)) / n
	}
	if kl := p.divergence(q); math.Abs(kl-sum) > 0.003 {
		t.Errorf("%v nats, by simulation %v", kl, sum)
	}
}

// TestProcess: P* of one process is the first singular pair of the means, and the rest is noise (Eckart and Young).
func TestProcess(t *testing.T) {
	for _, truth := range []processTruth{oneShape, twoShapes, twoEqual} {
		m := mat.NewDense(len(truth), len(truth[0]), nil)
		for v, row := range truth {
			m.SetRow(v, row)
		}
		var svd mat.SVD
		if !svd.Factorize(m, mat.SVDThin) {
			t.Fatal("no singular values")
		}
		rest, cells := 0.0, float64(len(truth)*len(truth[0]))
		for _, s := range svd.Values(nil)[1:] {
			rest += s * s
		}
		q, err := truth.best(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := cells / 2 * math.Log(1+rest/cells)
		if kl := truth.divergence(q); math.Abs(kl-want) > 1e-9 || math.Abs(q.variance-1-rest/cells) > 1e-9 ||
			q.secondShape() > 1e-6 {
			t.Errorf("%v: %v nats, want %v; variance %v", truth, kl, want, q.variance)
		}
	}
}

// TestManyClosest: with two equal shapes each unit vector is as close as P*.
func TestManyClosest(t *testing.T) {
	best, err := twoEqual.best(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, angle := range []float64{0, 0.4, 1.1} {
		c, s := math.Cos(angle), math.Sin(angle)
		q := process{[][]float64{{2 * c * c, 2 * c * s}, {2 * c * s, 2 * s * s}}, best.variance}
		if a, b := twoEqual.divergence(q), twoEqual.divergence(best); math.Abs(a-b) > 1e-9 {
			t.Errorf("angle %v: %v nats, P* %v", angle, a, b)
		}
	}
}
