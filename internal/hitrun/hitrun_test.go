package hitrun_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"bnlab/internal/hitrun"
	"bnlab/internal/numtest"
)

// draw takes draws of all variables from several chains.
func draw(t testing.TB, p hitrun.Problem, a, interior []float64, chains, count int) [][][]float64 {
	t.Helper()
	out := make([][][]float64, chains)
	for c := range out {
		s, err := hitrun.New(p, a, interior, rand.NewPCG(11, uint64(c)))
		if err != nil {
			t.Fatal(err)
		}
		for range count {
			x := make([]float64, p.Len)
			s.Next(x)
			out[c] = append(out[c], x)
		}
	}
	return out
}

// expect compares the mean of f over draws with want, in standard errors of the mean by
// effective draws, and asks that the chains mix.
func expect(t *testing.T, name string, draws [][][]float64, f func(x []float64) float64, want float64) {
	t.Helper()
	values := make([][][]float64, len(draws))
	var all []float64
	for c, chain := range draws {
		for _, x := range chain {
			v := f(x)
			values[c] = append(values[c], []float64{v})
			all = append(all, v)
		}
	}
	mean, sd := stat.MeanStdDev(all, nil)
	effective := hitrun.EffectiveDraws(values)[0]
	if se := sd / math.Sqrt(effective); !(math.Abs(mean-want) <= 4*se) {
		t.Errorf("%s: mean %v, want %v, standard error %v", name, mean, want, se)
	}
	if r := hitrun.SplitRHat(values)[0]; !(r < 1.05) || !(effective > float64(len(all))/20) {
		t.Errorf("%s: split R-hat %v, %v effective of %d draws", name, r, effective, len(all))
	}
}

func simplex(n int) hitrun.Problem {
	row := hitrun.Row{Value: 1}
	for i := range n {
		row.Index = append(row.Index, i)
	}
	return hitrun.Problem{Len: n, Equal: []hitrun.Row{row}}
}

func uniform(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / float64(n)
	}
	return x
}

// logBeta is log Π Γ(a_p) − log Γ(Σ a_p).
func logBeta(a ...float64) float64 {
	total, out := 0.0, 0.0
	for _, v := range a {
		l, _ := math.Lgamma(v)
		out += l
		total += v
	}
	l, _ := math.Lgamma(total)
	return out - l
}

func plus(a, n []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + n[i]
	}
	return out
}

// TestDirichlet: mean a_p/A, second moment a_p (a_p + 1) / A (A + 1), E log x_p = ψ(a_p) − ψ(A).
func TestDirichlet(t *testing.T) {
	for _, a := range [][]float64{{1, 1, 1}, {0.5, 0.3, 2, 4}, {40, 3, 900, 1, 56}, {0.4, 0.6}} {
		p, total := simplex(len(a)), 0.0
		for _, v := range a {
			total += v
		}
		draws := draw(t, p, a, uniform(len(a)), 3, 2000)
		for i, v := range a {
			expect(t, "mean", draws, func(x []float64) float64 { return x[i] }, v/total)
			expect(t, "square", draws, func(x []float64) float64 { return x[i] * x[i] }, v*(v+1)/(total*(total+1)))
			expect(t, "log", draws, func(x []float64) float64 { return math.Log(x[i]) },
				mathext.Digamma(v)-mathext.Digamma(total))
		}
		for _, x := range draws[0] {
			sum := 0.0
			for _, v := range x {
				sum += v
				if !(v > 0) {
					t.Fatalf("draw %v", x)
				}
			}
			numtest.Close(t, sum, 1, 1e-13, 0)
		}
	}
}

// tied has x_0 = x_1 and x_2 = x_3 = x_4 on a simplex of six cells: a parameter in k cells
// has the exponent α = Σ a − k + 1, and kφ are Dirichlet(α).
func tied() (p hitrun.Problem, a []float64, alpha [3]float64, logZ func(a []float64) float64) {
	p = simplex(6)
	for _, pair := range [][2]int{{0, 1}, {2, 3}, {3, 4}} {
		p.Equal = append(p.Equal, hitrun.Row{Index: pair[:], Coef: []float64{1, -1}})
	}
	shared := func(a []float64) [3]float64 {
		return [3]float64{a[0] + a[1] - 1, a[2] + a[3] + a[4] - 2, a[5]}
	}
	a = []float64{1.5, 2, 1, 1.2, 3, 2.5}
	return p, a, shared(a), func(a []float64) float64 {
		s := shared(a)
		// Constants of the base measure are left out: they are the same for all exponents.
		return -s[0]*math.Log(2) - s[1]*math.Log(3) + logBeta(s[:]...)
	}
}

func TestTied(t *testing.T) {
	p, a, alpha, _ := tied()
	draws := draw(t, p, a, uniform(6), 3, 2000)
	total := alpha[0] + alpha[1] + alpha[2]
	expect(t, "pair", draws, func(x []float64) float64 { return 2 * x[0] }, alpha[0]/total)
	expect(t, "three", draws, func(x []float64) float64 { return 3 * x[3] }, alpha[1]/total)
	expect(t, "square", draws, func(x []float64) float64 { return 9 * x[3] * x[3] },
		alpha[1]*(alpha[1]+1)/(total*(total+1)))
}

// TestHalfSpace: with x_0 ≤ x_1 the share U = x_0/(x_0 + x_1) is a Beta cut at ½,
//
//	E[U] = α_0/(α_0 + α_1) · I_½(α_0 + 1, α_1) / I_½(α_0, α_1)
func TestHalfSpace(t *testing.T) {
	p, a := simplex(4), []float64{6, 2, 1, 3}
	p.AtMost = []hitrun.Row{{Index: []int{0, 1}, Coef: []float64{1, -1}}}
	draws := draw(t, p, a, []float64{0.1, 0.3, 0.2, 0.4}, 3, 3000)
	want := 6. / 8 * mathext.RegIncBeta(7, 2, 0.5) / mathext.RegIncBeta(6, 2, 0.5)
	expect(t, "share", draws, func(x []float64) float64 { return x[0] / (x[0] + x[1]) }, want)
	expect(t, "rest", draws, func(x []float64) float64 { return x[2] }, 1./12)
}

// TestElongated has a strip of width 1e-4 across a simplex: x_0 within 1e-4 of x_1. Along it,
// x_2 is uniform on (0, 1) but for the last 1e-4, across it the difference is on ±1e-4.
func TestElongated(t *testing.T) {
	p := simplex(3)
	p.AtMost = []hitrun.Row{{Index: []int{0, 1}, Coef: []float64{1, -1}, Value: 1e-4},
		{Index: []int{0, 1}, Coef: []float64{-1, 1}, Value: 1e-4}}
	draws := draw(t, p, []float64{1, 1, 1}, []float64{0.01, 0.01, 0.98}, 3, 1500)
	expect(t, "along", draws, func(x []float64) float64 { return x[2] }, 0.5)
	expect(t, "across", draws, func(x []float64) float64 { return (x[0] - x[1]) * (x[0] - x[1]) }, 1e-8/3)
}

// TestMany has 30 cells, where a line in any direction soon ends.
func TestMany(t *testing.T) {
	for _, v := range []float64{0.4, 1, 7} {
		a := make([]float64, 30)
		for i := range a {
			a[i] = v
		}
		draws := draw(t, simplex(30), a, uniform(30), 2, 250)
		expect(t, "mean", draws, func(x []float64) float64 { return x[4] }, 1./30)
		expect(t, "square", draws, func(x []float64) float64 { return x[4] * x[4] }, v*(v+1)/(30*v*(30*v+1)))
	}
}

// TestOrdered has x_0 ≤ … ≤ x_4 under the uniform density of a simplex: the order statistics
// of five spacings, E x_i = (1/5) Σ_{j≤i} 1/(5 − j). It starts in a corner.
func TestOrdered(t *testing.T) {
	p := simplex(5)
	for i := range 4 {
		p.AtMost = append(p.AtMost, hitrun.Row{Index: []int{i, i + 1}, Coef: []float64{1, -1}})
	}
	draws := draw(t, p, []float64{1, 1, 1, 1, 1}, []float64{1e-7, 2e-7, 3e-7, 4e-7, 1 - 1e-6}, 3, 1000)
	want := 0.0
	for i := range 5 {
		want += 1 / (5 * float64(5-i))
		expect(t, "mean", draws, func(x []float64) float64 { return x[i] }, want)
	}
}

// TestFixed: cells that the constraints hold, at zero or elsewhere, do not move, and the
// others are a Dirichlet on what is left; a pair of opposite inequalities is an equality.
func TestFixed(t *testing.T) {
	p := simplex(5)
	p.Equal = append(p.Equal, hitrun.Row{Index: []int{0}, Value: 0.3})
	p.AtMost = []hitrun.Row{{Index: []int{1}}, {Index: []int{2, 3}, Coef: []float64{1, -1}},
		{Index: []int{3, 2}, Coef: []float64{1, -1}}}
	a := []float64{5, 0.5, 2, 1.5, 4}
	draws := draw(t, p, a, []float64{0.3, 0, 0.2, 0.2, 0.3}, 2, 1000)
	for _, x := range draws[0] {
		if x[1] != 0 || math.Abs(x[0]-0.3) > 1e-14 || math.Abs(x[2]-x[3]) > 1e-14 {
			t.Fatalf("draw %v", x)
		}
	}
	// 2 x_2 and x_4 share 0.7 as Dirichlet(2 + 1.5 − 1, 4).
	expect(t, "pair", draws, func(x []float64) float64 { return 2 * x[2] }, 0.7*2.5/6.5)

	p.Equal = append(p.Equal, hitrun.Row{Index: []int{4}, Value: 0.3})
	point := draw(t, p, a, []float64{0.3, 0, 0.2, 0.2, 0.3}, 1, 1)[0][0]
	if point[2] != 0.2 {
		t.Errorf("draw %v from a point", point)
	}
}

func TestLogRatio(t *testing.T) {
	options := func() hitrun.RatioOptions { return hitrun.RatioOptions{Src: rand.NewPCG(3, 0), Draws: 100} }
	check := func(t *testing.T, p hitrun.Problem, a, n, interior []float64, want float64) {
		t.Helper()
		value, se, err := hitrun.LogRatio(p, a, n, interior, options())
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(value-want) <= 4*se) || !(se > 0) || !(se < 0.2) {
			t.Errorf("LogRatio = %v, want %v, standard error %v", value, want, se)
		}
	}
	t.Run("Dirichlet", func(t *testing.T) {
		a, n := []float64{1, 0.5, 2, 3}, []float64{40, 0, 7, 210}
		check(t, simplex(4), a, n, uniform(4), logBeta(plus(a, n)...)-logBeta(a...))
	})
	t.Run("tied", func(t *testing.T) {
		p, a, _, logZ := tied()
		n := []float64{3, 8, 20, 0, 31, 12}
		check(t, p, a, n, uniform(6), logZ(plus(a, n))-logZ(a))
	})
	// Two groups of equal mass and a rest: with α_g = Σ a in group g and α_S = α_1 + α_2,
	// log Z = −(α_S − 1) log 2 + log B(α_S − 1, α_0) + Σ log B(a in g), up to a constant.
	t.Run("equal masses", func(t *testing.T) {
		p := simplex(5)
		p.Equal = append(p.Equal, hitrun.Row{Index: []int{0, 1, 2, 3}, Coef: []float64{1, 1, -1, -1}})
		logZ := func(a []float64) float64 {
			s := a[0] + a[1] + a[2] + a[3]
			return -(s-1)*math.Log(2) + logBeta(s-1, a[4]) + logBeta(a[0], a[1]) + logBeta(a[2], a[3])
		}
		a, n := []float64{1, 2, 1.5, 1, 1}, []float64{10, 30, 5, 18, 9}
		check(t, p, a, n, []float64{0.2, 0.2, 0.2, 0.2, 0.2}, logZ(plus(a, n))-logZ(a))
	})
	// Z = B(a) · I_½(a_0, a_1) where x_0 ≤ x_1.
	t.Run("half space", func(t *testing.T) {
		p := simplex(3)
		p.AtMost = []hitrun.Row{{Index: []int{0, 1}, Coef: []float64{1, -1}}}
		logZ := func(a []float64) float64 { return logBeta(a...) + math.Log(mathext.RegIncBeta(a[0], a[1], 0.5)) }
		a, n := []float64{1, 1, 2}, []float64{30, 22, 9}
		check(t, p, a, n, []float64{0.2, 0.5, 0.3}, logZ(plus(a, n))-logZ(a))
	})
	t.Run("no counts", func(t *testing.T) {
		value, se, err := hitrun.LogRatio(simplex(2), []float64{1, 1}, []float64{0, 0}, uniform(2), options())
		if value != 0 || se != 0 || err != nil {
			t.Errorf("LogRatio = %v, %v, %v, want 0", value, se, err)
		}
	})
}

func TestErrors(t *testing.T) {
	src := rand.NewPCG(1, 0)
	for _, c := range []struct {
		name        string
		p           hitrun.Problem
		a, interior []float64
		src         rand.Source
		is          error
	}{
		{"no source", simplex(2), []float64{1, 1}, uniform(2), nil, nil},
		{"exponent zero", simplex(2), []float64{1, 0}, uniform(2), src, nil},
		{"exponent NaN", simplex(2), []float64{1, math.NaN()}, uniform(2), src, nil},
		{"off the plane", simplex(2), []float64{1, 1}, []float64{0.5, 0.6}, src, hitrun.ErrOutside},
		{"NaN", simplex(2), []float64{1, 1}, []float64{0.5, math.NaN()}, src, hitrun.ErrOutside},
		{"beyond a bound", hitrun.Problem{Len: 1, AtMost: []hitrun.Row{{Index: []int{0}, Value: 1}}}, []float64{1},
			[]float64{2}, src, hitrun.ErrOutside},
		{"half-line", hitrun.Problem{Len: 1}, []float64{1}, []float64{1}, src, hitrun.ErrUnbounded},
		{"nothing but rounding", simplex(3), []float64{1e30, 1, 1e100}, uniform(3), src, hitrun.ErrNarrow},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := hitrun.New(c.p, c.a, c.interior, c.src)
			if err == nil || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error %v, want %v", err, c.is)
			}
		})
	}
	fixed := simplex(2)
	fixed.Equal = append(fixed.Equal, hitrun.Row{Index: []int{0}})
	if _, _, err := hitrun.LogRatio(fixed, []float64{1, 1}, []float64{1, 1}, []float64{0, 1},
		hitrun.RatioOptions{Src: src}); err == nil {
		t.Error("a count on a variable that is zero passes")
	}
	if _, _, err := hitrun.LogRatio(simplex(3), []float64{1, 1, 1}, []float64{1e30, 3, 1}, uniform(3),
		hitrun.RatioOptions{Src: src}); !errors.Is(err, hitrun.ErrNarrow) {
		t.Errorf("a count of 1e30: %v", err)
	}
}

func BenchmarkNext(b *testing.B) {
	for _, n := range []int{5, 50, 200} {
		b.Run(map[int]string{5: "n=5", 50: "n=50", 200: "n=200"}[n], func(b *testing.B) {
			a := make([]float64, n)
			for i := range a {
				a[i] = 1 + float64(i)
			}
			s, err := hitrun.New(simplex(n), a, uniform(n), rand.NewPCG(1, 0))
			if err != nil {
				b.Fatal(err)
			}
			x := make([]float64, n)
			b.ReportAllocs()
			for b.Loop() {
				s.Next(x)
			}
		})
	}
}

func BenchmarkLogRatio(b *testing.B) {
	a, n := uniform(10), make([]float64, 10)
	for i := range n {
		a[i], n[i] = 1, float64(10*i)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := hitrun.LogRatio(simplex(10), a, n, uniform(10),
			hitrun.RatioOptions{Src: rand.NewPCG(1, 0)}); err != nil {
			b.Fatal(err)
		}
	}
}
