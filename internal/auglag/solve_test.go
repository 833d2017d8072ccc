package auglag_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bnlab/internal/auglag"
	"bnlab/internal/numtest"
)

// certify checks the first-order conditions at x from the definition of the problem alone:
// rows as they stand, gradients by gonum's differences, multipliers as reported.
func certify(t *testing.T, x, n []float64, p auglag.Problem, r auglag.Report) {
	t.Helper()
	const tol = 1e-8
	total := 0.0
	for _, v := range n {
		total += v
	}
	pull := make([]float64, len(x))
	feasibility := 0.0
	rows := func(rows []auglag.Row, y []float64, equal bool) {
		if len(rows) != len(y) {
			t.Fatalf("%d multipliers for %d rows", len(y), len(rows))
		}
		for i, row := range rows {
			c := -row.Value
			for k, v := range row.Index {
				a := 1.0
				if row.Coef != nil {
					a = row.Coef[k]
				}
				c += a * x[v]
				pull[v] += a * y[i]
			}
			if equal {
				feasibility = max(feasibility, math.Abs(c))
			} else if feasibility = max(feasibility, c); y[i] < 0 || y[i]*math.Abs(c) > tol*total {
				t.Errorf("inequality %d: value %v with multiplier %v", i, c, y[i])
			}
		}
	}
	functions := func(fs []auglag.Function, y []float64, equal bool) {
		if len(fs) != len(y) {
			t.Fatalf("%d multipliers for %d functions", len(y), len(fs))
		}
		for i, f := range fs {
			at := make([]float64, len(f.Index))
			for k, v := range f.Index {
				at[k] = x[v]
			}
			c := f.Value(at)
			for k, g := range fd.Gradient(nil, f.Value, at, &fd.Settings{Formula: fd.Central}) {
				pull[f.Index[k]] += g * y[i]
			}
			if equal {
				feasibility = max(feasibility, math.Abs(c))
			} else if feasibility = max(feasibility, c); y[i] < 0 || y[i]*math.Abs(c) > tol*total {
				t.Errorf("h %d: value %v with multiplier %v", i, c, y[i])
			}
		}
	}
	rows(p.Equal, r.Equal, true)
	rows(p.AtMost, r.AtMost, false)
	functions(p.Zero, r.Zero, true)
	functions(p.Negative, r.Negative, false)
	if !(feasibility <= 1e-10) || !(r.Feasibility <= 1e-10) {
		t.Errorf("violation %v, reported %v", feasibility, r.Feasibility)
	}
	if !(r.KKT <= tol) {
		t.Errorf("reported residual %v", r.KKT)
	}
	objective := 0.0
	for v := range x {
		if !(x[v] >= 0) || n[v] > 0 && x[v] == 0 {
			t.Errorf("x[%d] = %v with count %v", v, x[v], n[v])
		}
		if n[v] > 0 {
			objective += n[v] * math.Log(x[v])
		}
		if !(math.Abs(n[v]-x[v]*pull[v]) <= tol*total) || n[v] == 0 && !(pull[v] >= -tol*total) {
			t.Errorf("not stationary in %d: n %v, x %v, J'λ %v", v, n[v], x[v], pull[v])
		}
	}
	numtest.Close(t, r.Objective, objective, 0, 1e-12)
}

// ratio is x_a x_d = x_b x_c.
func ratio(a, b, c, d int) auglag.Function {
	return auglag.Function{
		Index:    []int{a, b, c, d},
		Value:    func(x []float64) float64 { return x[0]*x[3] - x[1]*x[2] },
		Gradient: func(dst, x []float64) { dst[0], dst[1], dst[2], dst[3] = x[3], -x[2], -x[1], x[0] },
		Hessian: func(dst *mat.SymDense, _ []float64) {
			dst.Zero()
			dst.SetSym(0, 3, 1)
			dst.SetSym(1, 2, -1)
		},
	}
}

func span(lo, hi int) []int {
	var list []int
	for i := lo; i < hi; i++ {
		list = append(list, i)
	}
	return list
}

func counts(rng *rand.Rand, k int) []float64 {
	n := make([]float64, k)
	for i := range n {
		n[i] = 0.3 + 20*rng.ExpFloat64()
	}
	return n
}

// TestProportionsInOneDistribution compares with the closed form for blocks θ_gi = a_g w_i
// of one distribution (N06 §4, sharing of ratios): a_g = n_g/N, w_i = Σ_g n_gi / Σ_g n_g.
func TestProportionsInOneDistribution(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 10 {
		s, r, rest := 2+rng.IntN(2), 2+rng.IntN(3), rng.IntN(3)
		n := counts(rng, s*r+rest)
		p := auglag.Problem{Len: len(n), Equal: []auglag.Row{{Index: span(0, len(n)), Value: 1}}}
		for g := 1; g < s; g++ {
			for i := 1; i < r; i++ {
				f := ratio(0, i, g*r, g*r+i)
				if rng.IntN(2) == 0 {
					f.Hessian = nil
				}
				if rng.IntN(2) == 0 {
					f.Gradient, f.Hessian = nil, nil
				}
				p.Zero = append(p.Zero, f)
			}
		}
		x := make([]float64, len(n))
		report, err := auglag.Solve(x, n, p, auglag.Options{Starts: 3, Src: rand.NewPCG(2, 0)})
		if err != nil {
			t.Fatal(err)
		}
		certify(t, x, n, p, report)
		total, blocks := sum(n), sum(n[:s*r])
		for g := range s {
			for i := range r {
				w := 0.0
				for h := range s {
					w += n[h*r+i] / blocks
				}
				numtest.Close(t, x[g*r+i], sum(n[g*r:(g+1)*r])/total*w, 1e-10, 1e-8)
			}
		}
		for i := s * r; i < len(n); i++ {
			numtest.Close(t, x[i], n[i]/total, 1e-10, 1e-8)
		}
		if report.SecondOrder != auglag.CheckedLocal || report.Agreed != 3 {
			t.Errorf("%v, %d of %d starts agree", report.SecondOrder, report.Agreed, report.Starts)
		}
	}
}

// TestProportionsAcrossDistributions compares with the closed form for a block of each
// distribution in the same proportions: a_c = n_Ac/N_c, w_i = Σ_c n_ci / Σ_c n_Ac.
func TestProportionsAcrossDistributions(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 10 {
		d, r := 2+rng.IntN(3), 2+rng.IntN(3)
		width := r + 2
		n := counts(rng, d*width)
		p := auglag.Problem{Len: len(n)}
		for c := range d {
			p.Equal = append(p.Equal, auglag.Row{Index: span(c*width, (c+1)*width), Value: 1})
			for i := 1; c > 0 && i < r; i++ {
				p.Zero = append(p.Zero, ratio(0, i, c*width, c*width+i))
			}
		}
		x := make([]float64, len(n))
		report, err := auglag.Solve(x, n, p, auglag.Options{Starts: 2, Src: rand.NewPCG(4, 0)})
		if err != nil {
			t.Fatal(err)
		}
		certify(t, x, n, p, report)
		w, all := make([]float64, r), 0.0
		for c := range d {
			for i := range r {
				w[i] += n[c*width+i]
				all += n[c*width+i]
			}
		}
		for c := range d {
			row := n[c*width : (c+1)*width]
			for i := range r {
				numtest.Close(t, x[c*width+i], sum(row[:r])/sum(row)*w[i]/all, 1e-10, 1e-8)
			}
			numtest.Close(t, x[c*width+r], row[r]/sum(row), 1e-10, 1e-8)
		}
	}
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// TestLinear solves random concave problems with a known feasible point, some counts zero;
// stationarity there is a proof of optimality.
func TestLinear(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for range 25 {
		k := 4 + rng.IntN(12)
		n, inside := counts(rng, k), counts(rng, k)
		total := sum(inside)
		for i := range n {
			inside[i] /= total
			if rng.IntN(4) == 0 {
				n[i] = 0
			}
		}
		p := auglag.Problem{Len: k, Equal: []auglag.Row{{Index: span(0, k), Value: 1}}}
		for range rng.IntN(2) {
			p.Equal = append(p.Equal, through(rng, inside, 0))
		}
		for range rng.IntN(6) {
			p.AtMost = append(p.AtMost, through(rng, inside, 0.02*rng.Float64()))
		}
		x := make([]float64, k)
		report, err := auglag.Solve(x, n, p, auglag.Options{})
		if err != nil {
			t.Fatal(err)
		}
		certify(t, x, n, p, report)
		if report.Starts != 1 {
			t.Errorf("%d starts for a concave problem", report.Starts)
		}
	}
}

// through is a random row whose value at x is less than Value by slack.
func through(rng *rand.Rand, x []float64, slack float64) auglag.Row {
	row := auglag.Row{Value: slack}
	for i, v := range x {
		if rng.IntN(2) == 0 {
			c := rng.NormFloat64()
			row.Index, row.Coef = append(row.Index, i), append(row.Coef, c)
			row.Value += c * v
		}
	}
	return row
}

// TestLaminar has the optimum (0.1, 0.45, 0.45), by hand: both bounds bind, and the second
// alone would leave the first violated.
func TestLaminar(t *testing.T) {
	n := []float64{80, 10, 10}
	p := auglag.Problem{Len: 3, Equal: []auglag.Row{{Index: []int{0, 1, 2}, Value: 1}},
		AtMost: []auglag.Row{{Index: []int{0}, Value: 0.1}, {Index: []int{0, 1}, Value: 0.9}}}
	x := make([]float64, 3)
	report, err := auglag.Solve(x, n, p, auglag.Options{})
	if err != nil {
		t.Fatal(err)
	}
	certify(t, x, n, p, report)
	for i, want := range []float64{0.1, 0.45, 0.45} {
		numtest.Close(t, x[i], want, 1e-12, 0)
	}
}

// TestHardyWeinberg has p² , 2pq, q² as a curve x_2² = 4 x_1 x_3 of one distribution; the
// allele frequency is p = (2 n_1 + n_2) / 2N.
func TestHardyWeinberg(t *testing.T) {
	n := []float64{13, 41, 9}
	p := auglag.Problem{Len: 3, Equal: []auglag.Row{{Index: []int{0, 1, 2}, Value: 1}},
		Zero: []auglag.Function{{Index: []int{0, 1, 2}, Value: func(x []float64) float64 {
			return x[1]*x[1] -
				4*x[0]*x[2]
		}}}}
	x := make([]float64, 3)
	report, err := auglag.Solve(x, n, p, auglag.Options{Src: rand.NewPCG(1, 0)})
	if err != nil {
		t.Fatal(err)
	}
	certify(t, x, n, p, report)
	f := (2*13 + 41) / (2 * 63.)
	for i, want := range []float64{f * f, 2 * f * (1 - f), (1 - f) * (1 - f)} {
		numtest.Close(t, x[i], want, 1e-11, 0)
	}
	if report.SecondOrder != auglag.CheckedLocal || report.Agreed != 4 {
		t.Errorf("%v, %d of %d starts agree", report.SecondOrder, report.Agreed, report.Starts)
	}
}

// TestQuadratic bounds a sum of squares by a value that the free optimum meets or not. With
// n = (8, 1, 1) the free sum is 0.66; by symmetry the bound b gives x = (1 − 2v, v, v) with
// (1 − 2v)² + 2v² = b.
func TestQuadratic(t *testing.T) {
	n := []float64{8, 1, 1}
	for _, b := range []float64{0.5, 0.7} {
		p := auglag.Problem{Len: 3, Equal: []auglag.Row{{Index: []int{0, 1, 2}, Value: 1}},
			Negative: []auglag.Function{{Index: []int{2, 0, 1}, Value: func(x []float64) float64 {
				return x[0]*x[0] +
					x[1]*x[1] + x[2]*x[2] - b
			}}}}
		x := make([]float64, 3)
		report, err := auglag.Solve(x, n, p, auglag.Options{Src: rand.NewPCG(1, 0)})
		if err != nil {
			t.Fatal(err)
		}
		certify(t, x, n, p, report)
		v := 0.1
		if b == 0.5 {
			v = (4 - math.Sqrt(16-24*(1-b))) / 12
		} else if report.Negative[0] != 0 {
			t.Errorf("multiplier %v of an inequality that does not bind", report.Negative[0])
		}
		numtest.Close(t, x[0], 1-2*v, 1e-11, 0)
		numtest.Close(t, x[1], v, 1e-11, 0)
	}
}

// TestTwoOptima forbids the interval between 0.3 and 0.7 around the free optimum 0.6. Both
// ends are local maxima; the better is 0.7. One start at the wrong side finds the other.
func TestTwoOptima(t *testing.T) {
	n := []float64{6, 4}
	p := auglag.Problem{Len: 2, Equal: []auglag.Row{{Index: []int{0, 1}, Value: 1}},
		Negative: []auglag.Function{{Index: []int{0}, Value: func(x []float64) float64 {
			return (x[0] - 0.3) *
				(0.7 - x[0])
		}}}}
	x := make([]float64, 2)
	start := []float64{0.1, 0.9}
	report, err := auglag.Solve(x, n, p, auglag.Options{Starts: 1, Start: start})
	if err != nil {
		t.Fatal(err)
	}
	certify(t, x, n, p, report)
	numtest.Close(t, x[0], 0.3, 1e-12, 0)
	report, err = auglag.Solve(x, n, p, auglag.Options{Starts: 12, Start: start, Src: rand.NewPCG(1, 0)})
	if err != nil {
		t.Fatal(err)
	}
	certify(t, x, n, p, report)
	numtest.Close(t, x[0], 0.7, 1e-12, 0)
	if report.Agreed < 1 || report.Agreed > 11 || report.SecondOrder != auglag.CheckedLocal {
		t.Errorf("%d of %d starts agree, %v", report.Agreed, report.Starts, report.SecondOrder)
	}
}

func TestErrors(t *testing.T) {
	simplex := []auglag.Row{{Index: []int{0, 1}, Value: 1}}
	f := func(value func(x []float64) float64) []auglag.Function {
		return []auglag.Function{{Index: []int{0, 1}, Value: value}}
	}
	one := auglag.Options{Starts: 1}
	for _, c := range []struct {
		name string
		n    []float64
		p    auglag.Problem
		o    auglag.Options
		is   error
		text string
	}{
		{"sum of two values", []float64{1, 1},
			auglag.Problem{Len: 2, Equal: append(simplex, auglag.Row{Index: []int{0, 1}, Value: 2})}, one,
			auglag.ErrInfeasible, "equality constraint"},
		{"function without zero", []float64{1, 1},
			auglag.Problem{Len: 2, Equal: simplex, Zero: f(func(x []float64) float64 { return x[0]*x[0] + 1 })}, one,
			auglag.ErrInfeasible, "function 0 of g(x) = 0"},
		{"NaN", []float64{1, 1}, auglag.Problem{Len: 2, Equal: simplex,
			Negative: f(func([]float64) float64 { return math.NaN() })}, one, nil, "function 0 of h(x) ≤ 0"},
		{"no source", []float64{1, 1}, auglag.Problem{Len: 2, Equal: simplex,
			Zero: f(func(x []float64) float64 { return x[0] - x[1] })}, auglag.Options{}, nil, "random source"},
		{"count NaN", []float64{1, math.NaN()}, auglag.Problem{Len: 2, Equal: simplex}, one, nil, "count 1"},
		{"coefficient NaN", []float64{1, 1},
			auglag.Problem{Len: 2, Equal: []auglag.Row{{Index: []int{0, 1}, Coef: []float64{1, math.NaN()}}}}, one, nil,
			"equality constraint 0"},
		{"unbounded", []float64{1, 1}, auglag.Problem{Len: 2, Equal: []auglag.Row{{Index: []int{0}, Value: 1}}}, one,
			nil, "variable 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := auglag.Solve(make([]float64, 2), c.n, c.p, c.o)
			if err == nil || !strings.Contains(err.Error(), c.text) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error %v, want %v naming %q", err, c.is, c.text)
			}
		})
	}
}

// large has 20 distributions of 10 states, the first three states of each in the
// proportions of the first distribution (38 functions).
func large(rng *rand.Rand) (auglag.Problem, []float64) {
	p := auglag.Problem{Len: 200}
	for c := range 20 {
		p.Equal = append(p.Equal, auglag.Row{Index: span(10*c, 10*c+10), Value: 1})
		for i := 1; c > 0 && i < 3; i++ {
			p.Zero = append(p.Zero, ratio(0, i, 10*c, 10*c+i))
		}
	}
	return p, counts(rng, 200)
}

// TestLarge compares with the closed form of TestProportionsAcrossDistributions, also when
// the block is rare: its constraints then have tiny values and gradients.
func TestLarge(t *testing.T) {
	starts := 2
	if !numtest.Full() {
		starts = 1
	}
	for _, rare := range []float64{1, 400} {
		p, n := large(rand.New(rand.NewPCG(9, 0)))
		var w [3]float64
		for v := range n {
			if v%10 < 3 {
				n[v] /= rare
				w[v%10] += n[v]
			}
		}
		x := make([]float64, 200)
		report, err := auglag.Solve(x, n, p, auglag.Options{Starts: starts, Src: rand.NewPCG(1, 0)})
		if err != nil {
			t.Fatal(err)
		}
		certify(t, x, n, p, report)
		if report.SecondOrder != auglag.CheckedLocal {
			t.Error(report.SecondOrder)
		}
		for c := range 20 {
			row := n[10*c : 10*c+10]
			for i := range 3 {
				numtest.Close(t, x[10*c+i], sum(row[:3])/sum(row)*w[i]/sum(w[:]), 1e-15, 1e-6)
			}
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	p, n := large(rand.New(rand.NewPCG(9, 0)))
	x := make([]float64, 200)
	b.Run("200x58", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r, err := auglag.Solve(x, n, p, auglag.Options{Starts: 1})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(r.Iterations), "steps")
		}
	})
}
