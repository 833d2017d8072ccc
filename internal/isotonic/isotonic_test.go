package isotonic

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"bnlab/internal/numtest"
)

func TestChainByHand(t *testing.T) {
	for _, c := range []struct {
		name       string
		y, w, want []float64
	}{
		{"in order", []float64{1, 2, 4}, []float64{1, 1, 1}, []float64{1, 2, 4}},
		{"all pooled", []float64{3, 2, 1}, []float64{1, 1, 1}, []float64{2, 2, 2}},
		{"weights", []float64{4, 0}, []float64{3, 1}, []float64{3, 3}},
		{"pooling goes back", []float64{1, 3, 2, 0}, []float64{1, 1, 1, 1}, []float64{1, 5. / 3, 5. / 3, 5. / 3}},
		{"weightless between", []float64{1, 9, 9, 3}, []float64{1, 0, 0, 1}, []float64{1, 2, 2, 3}},
		{"weightless at the ends", []float64{9, 1, 3, -9}, []float64{0, 1, 1, 0}, []float64{1, 1, 3, 3}},
		{"weightless in a block", []float64{4, 9, 2}, []float64{1, 0, 1}, []float64{3, 3, 3}},
		{"no weights", []float64{1, 5}, []float64{0, 0}, []float64{3, 3}},
		{"empty", nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := make([]float64, len(c.y))
			var ws Workspace
			if err := ws.Chain(got, c.y, c.w); err != nil {
				t.Fatal(err)
			}
			o, err := NewOrder(len(c.y), chain(len(c.y)))
			if err != nil {
				t.Fatal(err)
			}
			again := slices.Clone(c.y)
			if err := o.Solve(again, again, c.w); err != nil {
				t.Fatal(err)
			}
			for p := range got {
				numtest.Close(t, got[p], c.want[p], 0, 1e-15)
				numtest.Close(t, again[p], c.want[p], 0, 1e-15)
			}
		})
	}
}

func chain(n int) (arcs [][2]int) {
	for p := 1; p < n; p++ {
		arcs = append(arcs, [2]int{p - 1, p})
	}
	return arcs
}

// cube has an arc for each bit that is added.
func cube(d int) (arcs [][2]int) {
	for p := range 1 << d {
		for b := range d {
			if p&(1<<b) == 0 {
				arcs = append(arcs, [2]int{p, p | 1<<b})
			}
		}
	}
	return arcs
}

// x_p = max over a ≤ p of the min over b ≥ p of the mean of a..b.
func TestChainIsMinMax(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	var ws Workspace
	for range 100 {
		n := 1 + rng.IntN(12)
		y, w := random(rng, n)
		for p := range w {
			w[p] += .01
		}
		x := make([]float64, n)
		if err := ws.Chain(x, y, w); err != nil {
			t.Fatal(err)
		}
		for p := range x {
			want := math.Inf(-1)
			for a := range p + 1 {
				least := math.Inf(1)
				for b := p; b < n; b++ {
					sum, weight := 0.0, 0.0
					for q := a; q <= b; q++ {
						sum, weight = sum+w[q]*y[q], weight+w[q]
					}
					least = min(least, sum/weight)
				}
				want = max(want, least)
			}
			numtest.Close(t, x[p], want, 1e-13, 1e-13)
		}
	}
}

// random values and weights, with ties and zeros among them.
func random(rng *rand.Rand, n int) (y, w []float64) {
	y, w = make([]float64, n), make([]float64, n)
	for p := range n {
		y[p] = rng.NormFloat64()
		if rng.IntN(3) == 0 {
			y[p] = float64(rng.IntN(3))
		}
		if rng.IntN(5) > 0 {
			w[p] = math.Exp(2 * rng.NormFloat64())
		}
	}
	return y, w
}

// randomArcs may contain cycles and arcs twice.
func randomArcs(rng *rand.Rand, n int) (arcs [][2]int) {
	for range rng.IntN(3 * n) {
		a, b := rng.IntN(n), rng.IntN(n)
		if a > b && rng.IntN(8) > 0 {
			a, b = b, a
		}
		arcs = append(arcs, [2]int{a, b})
	}
	return arcs
}

// upperSets calls f with every set of entries that is closed upwards, as bits.
func upperSets(n int, arcs [][2]int, f func(set uint)) {
	for set := range uint(1) << n {
		closed := true
		for _, arc := range arcs {
			closed = closed && (set>>arc[0]&1 == 0 || set>>arc[1]&1 == 1)
		}
		if closed {
			f(set)
		}
	}
}

func over(set uint, v []float64) float64 {
	sum := 0.0
	for ; set != 0; set &= set - 1 {
		sum += v[bits.TrailingZeros(set)]
	}
	return sum
}

// The isotonic vectors are a cone, spanned by the upper sets and the negative constant.
// x is the projection of y if the residual makes no acute angle with any of them and a
// right one with x.
func TestOrderIsProjection(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	cut := 0
	for range 400 {
		n := 1 + rng.IntN(11)
		arcs := randomArcs(rng, n)
		y, w := random(rng, n)
		o, err := NewOrder(n, arcs)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range o.parts {
			if !p.isChain {
				cut++
			}
		}
		x := make([]float64, n)
		if err := o.Solve(x, y, w); err != nil {
			t.Fatal(err)
		}
		for _, arc := range arcs {
			if !(x[arc[0]] <= x[arc[1]]) {
				t.Fatalf("x%v = %v, %v", arc, x[arc[0]], x[arc[1]])
			}
		}
		residual, scale, angle := make([]float64, n), 0.0, 0.0
		for p := range x {
			residual[p] = w[p] * (y[p] - x[p])
			scale += w[p] * math.Abs(y[p])
			angle += residual[p] * x[p]
		}
		numtest.Close(t, angle, 0, 1e-12*scale, 0)
		numtest.Close(t, over(1<<n-1, residual), 0, 1e-12*scale, 0)
		upperSets(n, arcs, func(set uint) {
			if !(over(set, residual) <= 1e-12*scale) {
				t.Errorf("raising %b by ε gains %vε", set, over(set, residual))
			}
		})
	}
	if cut < 100 {
		t.Errorf("only %d pieces needed cuts", cut)
	}
}

// Likelihood under order: the least squares fit of n/k with weights k, scaled to
// Σ k x = 1. The log-likelihood is concave and the feasible points are mixtures of
// 1/k(U) on an upper set U, so no point is better if none of these is to first order:
// Σ_U n/x ≤ k(U) Σ n.
func TestOrderIsMultinomialML(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 100 {
		s := 2 + rng.IntN(9)
		arcs := randomArcs(rng, s)
		n, k, y, total := make([]float64, s), make([]float64, s), make([]float64, s), 0.0
		for p := range n {
			n[p] = float64(1 + rng.IntN(20))
			k[p] = float64(1 + rng.IntN(4))
			y[p] = n[p] / k[p]
			total += n[p]
		}
		o, err := NewOrder(s, arcs)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, s)
		if err := o.Solve(x, y, k); err != nil {
			t.Fatal(err)
		}
		mass, at, gain := 0.0, 0.0, make([]float64, s)
		for p := range x {
			x[p] /= total
			mass += k[p] * x[p]
			at += n[p] * math.Log(x[p])
			gain[p] = n[p] / x[p]
		}
		numtest.Close(t, mass, 1, 1e-14, 0)
		upperSets(s, arcs, func(set uint) {
			if over(set, gain) > over(set, k)*total*(1+1e-12) {
				t.Errorf("mass on %b gains %v, costs %v", set, over(set, gain), over(set, k)*total)
			}
		})
		// Feasible points nearby, made by adding upper sets.
		upperSets(s, arcs, func(set uint) {
			const step = 1e-3
			other, mass := 0.0, 1+step*over(set, k)
			for p := range x {
				other += n[p] * math.Log((x[p]+step*float64(set>>p&1))/mass)
			}
			if other > at+1e-10 {
				t.Errorf("a step towards %b gains %v", set, other-at)
			}
		})
	}
}

// A piece without weights, and unweighted entries between identified ones.
func TestOrderWithoutWeights(t *testing.T) {
	// 0 and 1 are below 2 and 3, 4 is above 3 only; 5, 6, 7 are a piece by themselves.
	o, err := NewOrder(8, [][2]int{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {3, 4}, {5, 6}, {5, 7}})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 8)
	if err := o.Solve(x, []float64{1, 0, 5, 0, 3, 1, 2, 6}, []float64{1, 0, 1, 0, 1, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	// 1 is above nothing: between the least value 1 and 3 = x_4. 3 is between 1 and 3.
	for p, want := range []float64{1, 2, 5, 2, 3, 3, 3, 3} {
		numtest.Close(t, x[p], want, 0, 1e-15)
	}
}

// The seven-cube has too many upper sets to try. Necessary conditions: the residuals of
// equal values sum to zero, and no upper set where a linear function is large gains.
func TestOrderOnACube(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	const d = 7
	arcs := cube(d)
	o, err := NewOrder(1<<d, arcs)
	if err != nil {
		t.Fatal(err)
	}
	y, w := random(rng, 1<<d)
	for p := range y {
		y[p] = .3*float64(bits.OnesCount(uint(p))) + 2*y[p]
	}
	x := make([]float64, 1<<d)
	if err := o.Solve(x, y, w); err != nil {
		t.Fatal(err)
	}
	level := map[float64]float64{}
	scale := 0.0
	for p := range x {
		level[x[p]] += w[p] * (y[p] - x[p])
		scale += w[p] * math.Abs(y[p])
		for _, arc := range arcs {
			if x[arc[0]] > x[arc[1]] {
				t.Fatalf("x%v = %v, %v", arc, x[arc[0]], x[arc[1]])
			}
		}
	}
	for v, sum := range level {
		if w := math.Abs(sum); w > 1e-12*scale {
			t.Errorf("residuals at %v sum to %v", v, sum)
		}
	}
	if len(level) < 5 {
		t.Errorf("only %d values", len(level))
	}
	for range 2000 {
		score := make([]float64, 1<<d)
		var weight [d]float64
		for b := range weight {
			weight[b] = rng.ExpFloat64()
		}
		for p := range score {
			for b := range weight {
				if p>>b&1 == 1 {
					score[p] += weight[b]
				}
			}
		}
		threshold, gain := score[rng.IntN(1<<d)], 0.0
		for p := range score {
			if score[p] >= threshold {
				gain += w[p] * (y[p] - x[p])
			}
		}
		if gain > 1e-12*scale {
			t.Errorf("an upper set gains %v", gain)
		}
	}
}

func TestErrors(t *testing.T) {
	if _, err := NewOrder(2, [][2]int{{0, 2}}); err == nil {
		t.Error("arc out of range: no error")
	}
	o, err := NewOrder(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ws Workspace
	for _, c := range [][2]float64{{math.NaN(), 1}, {math.Inf(1), 1}, {1, math.NaN()}, {1, -1}, {1, math.Inf(1)}} {
		if ws.Chain([]float64{0}, c[:1], c[1:]) == nil || o.Solve([]float64{0}, c[:1], c[1:]) == nil {
			t.Errorf("value %v with weight %v: no error", c[0], c[1])
		}
	}
}

func TestOrderConcurrently(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	o, err := NewOrder(32, cube(5))
	if err != nil {
		t.Fatal(err)
	}
	y, w := random(rng, 32)
	want := make([]float64, 32)
	if err := o.Solve(want, y, w); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			x := make([]float64, 32)
			for range 20 {
				if err := o.Solve(x, y, w); err != nil || !slices.Equal(x, want) {
					t.Errorf("got %v, %v, want %v", x, err, want)
				}
			}
		})
	}
	wait.Wait()
}

func BenchmarkChain(b *testing.B) {
	y, w := random(rand.New(rand.NewPCG(6, 0)), 1000)
	x := make([]float64, 1000)
	var ws Workspace
	b.ReportAllocs()
	for b.Loop() {
		ws.Chain(x, y, w)
	}
}

func BenchmarkOrder(b *testing.B) {
	for name, arcs := range map[string][][2]int{"none": nil, "chain": chain(1024), "cube": cube(10)} {
		b.Run(name, func(b *testing.B) {
			o, err := NewOrder(1024, arcs)
			if err != nil {
				b.Fatal(err)
			}
			y, w := random(rand.New(rand.NewPCG(7, 0)), 1024)
			x := make([]float64, 1024)
			b.ReportAllocs()
			for b.Loop() {
				o.Solve(x, y, w)
			}
		})
	}
}
