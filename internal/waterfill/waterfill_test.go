package waterfill

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/internal/numtest"
)

var inf = math.Inf(1)

func ones(s int) []float64 {
	k := make([]float64, s)
	for i := range k {
		k[i] = 1
	}
	return k
}

func TestSolveByHand(t *testing.T) {
	for _, c := range []struct {
		name         string
		n, k, lo, hi []float64
		b            float64
		want         []float64
		lambda       float64
	}{
		{"no limit binds", []float64{1, 3}, []float64{1, 1}, []float64{0, 0}, []float64{inf, inf}, 1,
			[]float64{.25, .75}, 4},
		{"shared parameters", []float64{2, 6}, []float64{2, 3}, []float64{0, 0}, []float64{inf, inf}, 1,
			[]float64{1. / 8, 1. / 4}, 8},
		{"upper", []float64{80, 10, 10}, []float64{1, 1, 1}, []float64{0, 0, 0}, []float64{.1, 1, 1}, 1,
			[]float64{.1, .45, .45}, 20 / .9},
		{"lower", []float64{80, 10, 10}, []float64{1, 1, 1}, []float64{0, .2, 0}, []float64{1, 1, 1}, 1,
			[]float64{.8 * 80 / 90, .2, .8 * 10 / 90}, 90 / .8},
		// The cap of 0.3 alone would leave 0.7·5/9 to the third.
		{"one cap brings the next", []float64{50, 40, 10}, []float64{1, 1, 1}, []float64{0, 0, 0}, []float64{.3, .5, 1},
			1, []float64{.3, .5, .2}, 50},
		{"unseen take the rest alike", []float64{5, 0, 0, 0}, []float64{1, 1, 2, 1}, []float64{0, 0, 0, .3},
			[]float64{.1, .05, 1, 1}, 1, []float64{.1, .05, .275, .3}, 0},
		{"no counts", []float64{0, 0}, []float64{1, 3}, []float64{0, 0}, []float64{inf, inf}, 1, []float64{.25, .25},
			0},
		{"caps take all", []float64{1, 2}, []float64{1, 1}, []float64{0, 0}, []float64{.4, .6}, 1, []float64{.4, .6},
			0},
		{"floors take all", []float64{1, 2}, []float64{1, 1}, []float64{.4, .6}, []float64{1, 1}, 1, []float64{.4, .6},
			2 / .6},
		{"nothing left", []float64{1, 2}, []float64{1, 1}, []float64{1, 0}, []float64{1, 1}, 1, []float64{1, 0}, inf},
		{"a cap of zero", []float64{1, 2}, []float64{1, 1}, []float64{0, 0}, []float64{0, inf}, 1, []float64{0, 1}, 2},
		{"large counts", []float64{1e308, 1e308}, []float64{1, 1}, []float64{0, 0}, []float64{1, 1}, 1,
			[]float64{.5, .5}, inf},
		{"small counts", []float64{1e-300, 3e-300}, []float64{1, 1}, []float64{0, 0}, []float64{1, 1}, 1,
			[]float64{.25, .75}, 4e-300},
		{"no parameters", nil, nil, nil, nil, 0, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w Workspace
			x := make([]float64, len(c.n))
			lambda, err := w.Solve(x, c.n, c.k, c.lo, c.hi, c.b)
			if err != nil {
				t.Fatal(err)
			}
			for p := range x {
				numtest.Close(t, x[p], c.want[p], 1e-15, 1e-14)
			}
			if c.name == "caps take all" {
				if !(lambda >= 0 && lambda <= 2.5) { // the price at which the first cap binds
					t.Errorf("λ = %v", lambda)
				}
				return
			}
			numtest.Close(t, lambda, c.lambda, 0, 1e-14)
		})
	}
}

// dual is an upper bound on Σ n log x: for any λ, λb plus the largest n log x − λkx of
// each parameter within its limits.
func dual(lambda, b float64, n, k, lo, hi []float64) float64 {
	bound := lambda * b
	for p := range n {
		if n[p] == 0 {
			bound -= lambda * k[p] * lo[p]
			continue
		}
		x := min(max(n[p]/(lambda*k[p]), lo[p]), hi[p])
		bound += n[p]*math.Log(x) - lambda*k[p]*x
	}
	return bound
}

func value(n, x []float64) float64 {
	total := 0.0
	for p := range n {
		if n[p] > 0 {
			total += n[p] * math.Log(x[p])
		}
	}
	return total
}

func TestSolveIsOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	var w Workspace
	for range 300 {
		s := 1 + rng.IntN(12)
		n, k, lo, hi := make([]float64, s), ones(s), make([]float64, s), make([]float64, s)
		least, most, total := 0.0, 0.0, 0.0
		for p := range s {
			if rng.IntN(4) > 0 {
				n[p] = math.Exp(3 * rng.NormFloat64())
			}
			k[p] = float64(1 + rng.IntN(3))
			if rng.IntN(2) == 0 {
				lo[p] = rng.Float64()
			}
			hi[p] = inf
			if rng.IntN(3) > 0 {
				hi[p] = lo[p] + rng.Float64()*float64(rng.IntN(3))
			}
			least += k[p] * lo[p]
			most += k[p] * min(hi[p], 5)
			total += n[p]
		}
		b := least + rng.Float64()*(most-least)
		x := make([]float64, s)
		lambda, err := w.Solve(x, n, k, lo, hi, b)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for p := range x {
			sum += k[p] * x[p]
			if !(x[p] >= lo[p] && x[p] <= hi[p]) {
				t.Fatalf("x = %v outside [%v, %v]", x[p], lo[p], hi[p])
			}
		}
		numtest.Close(t, sum, b, 1e-14, 1e-13)
		numtest.Close(t, value(n, x), dual(lambda, b, n, k, lo, hi), 1e-12*total, 1e-12)
	}
}

func TestSolveErrors(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name         string
		n, k, lo, hi float64
		b            float64
		infeasible   bool
	}{
		{"negative count", -1, 1, 0, 1, 1, false},
		{"count no number", nan, 1, 0, 1, 1, false},
		{"infinite count", inf, 1, 0, 1, 1, false},
		{"no multiplicity", 1, 0, 0, 1, 1, false},
		{"negative limit", 1, 1, -1, 1, 1, false},
		{"limit no number", 1, 1, 0, nan, 1, false},
		{"limit infinite", 1, 1, inf, inf, 1, false},
		{"total no number", 1, 1, 0, 1, nan, false},
		{"total infinite", 1, 1, 0, 1, inf, false},
		{"limits crossed", 1, 1, .6, .5, 1, true},
		{"too little", 1, 1, 0, .9, 1, true},
		{"too much", 1, 1, 1.1, 2, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := func(v float64) []float64 { return []float64{v} }
			var w Workspace
			_, err := w.Solve(one(0), one(c.n), one(c.k), one(c.lo), one(c.hi), c.b)
			if err == nil || errors.Is(err, ErrInfeasible) != c.infeasible {
				t.Errorf("Solve: %v", err)
			}
			tree, err := NewTree([]int{-1, 0})
			if err != nil {
				t.Fatal(err)
			}
			two := func(v, leaf float64) []float64 { return []float64{v, leaf} }
			_, err = w.Nested(tree, two(0, 0), two(0, c.n), two(1, c.k), two(0, c.lo), two(inf, c.hi), c.b)
			if err == nil || errors.Is(err, ErrInfeasible) != c.infeasible {
				t.Errorf("Nested: %v", err)
			}
		})
	}
	// Ten times 0.1 is not 1 in binary.
	x, lo, hi := make([]float64, 10), make([]float64, 10), make([]float64, 10)
	for p := range x {
		lo[p], hi[p] = .1, .1
	}
	var w Workspace
	if _, err := w.Solve(x, ones(10), ones(10), lo, hi, 1); err != nil || x[3] != .1 {
		t.Errorf("limits of 0.1 gave %v, %v", x, err)
	}
}

func TestSolveDoesNotAllocate(t *testing.T) {
	var w Workspace
	x, n, lo, hi := make([]float64, 40), ones(40), make([]float64, 40), ones(40)
	tree, parent := twoLevels(40)
	m := len(parent)
	y, nn, ll, hh := make([]float64, m), ones(m), make([]float64, m), ones(m)
	for i := range 5 {
		hh[1+i] = .1 * float64(i+1)
	}
	if got := testing.AllocsPerRun(50, func() {
		w.Solve(x, n, n, lo, hi, 1)
		w.Nested(tree, y, nn, nn, ll, hh, 1)
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// twoLevels has a root, five sets in it and s leaves in these.
func twoLevels(s int) (*Tree, []int) {
	parent := []int{-1, 0, 0, 0, 0, 0}
	for i := range s {
		parent = append(parent, 1+i%5)
	}
	t, err := NewTree(parent)
	if err != nil {
		panic(err)
	}
	return t, parent
}

func BenchmarkSolve(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 0))
	const s = 1000
	n, k, lo, hi, x := make([]float64, s), ones(s), make([]float64, s), make([]float64, s), make([]float64, s)
	for p := range n {
		n[p], lo[p], hi[p] = rng.ExpFloat64(), .3/s, 2./s
	}
	var w Workspace
	b.ReportAllocs()
	for b.Loop() {
		w.Solve(x, n, k, lo, hi, 1)
	}
}

func BenchmarkNested(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 0))
	tree, parent := twoLevels(1000)
	m := len(parent)
	n, k, lo, hi, x := make([]float64, m), ones(m), make([]float64, m), make([]float64, m), make([]float64, m)
	for i := range n {
		n[i], hi[i] = rng.ExpFloat64(), 2./1000
		if i < 6 {
			hi[i] = 1
		}
	}
	hi[1], hi[2] = .15, .1
	var w Workspace
	b.ReportAllocs()
	for b.Loop() {
		w.Nested(tree, x, n, k, lo, hi, 1)
	}
}
