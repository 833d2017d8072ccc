package dominance

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/internal/linprog"
	"bnlab/internal/numtest"
)

// product is the order of the rows of a table whose parents have some sizes: neighbours, or
// all pairs that differ in one parent.
func product(price float64, all bool, sizes ...int) (arcs []Arc, rows int) {
	rows = 1
	for _, s := range sizes {
		rows *= s
	}
	stride := rows
	for _, size := range sizes {
		stride /= size
		for r := range rows {
			for up := 1; r/stride%size+up < size; up++ {
				if up == 1 || all {
					arcs = append(arcs, Arc{r, r + up*stride, price})
				}
			}
		}
	}
	return arcs, rows
}

func solver(t testing.TB, rows, states int, arcs []Arc) *Solver {
	t.Helper()
	s, err := New(Problem{rows, states, arcs})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func solve(t testing.TB, s *Solver, n, from []float64) []float64 {
	t.Helper()
	x := make([]float64, len(n))
	if _, err := s.Solve(x, n, from); err != nil {
		t.Fatalf("%v\nn = %v", err, n)
	}
	return x
}

// excess is by how much the tail from m breaks an arc.
func excess(p Problem, a Arc, m int, x []float64) float64 {
	d := 0.0
	for k := m; k < p.States; k++ {
		d += x[a.Low*p.States+k] - x[a.High*p.States+k]
	}
	return d
}

// objective of a point; the hard arcs have to hold.
func objective(t testing.TB, p Problem, x, n []float64) float64 {
	t.Helper()
	total := 0.0
	for i, v := range n {
		if v > 0 {
			total += v * math.Log(x[i])
		}
	}
	for r := range p.Rows {
		sum := 0.0
		for _, v := range x[r*p.States : (r+1)*p.States] {
			if !(v >= 0) {
				t.Fatalf("row %d has the entry %v", r, v)
			}
			sum += v
		}
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Fatalf("row %d adds up to %v", r, sum)
		}
	}
	for _, a := range p.Arcs {
		for m := 1; m < p.States; m++ {
			switch e := excess(p, a, m, x); {
			case math.IsInf(a.Price, 1) && !(e <= 1e-11):
				t.Fatalf("%+v is broken at %d by %v", a, m, e)
			case !math.IsInf(a.Price, 1):
				total -= a.Price * max(e, 0)
			}
		}
	}
	return total
}

// bound is by how much the objective of any point is above that of x at most. With multipliers μ
// of the inequalities, μ = price where one is broken, 0 where it holds with room, and anything
// between where it holds with equality, the slope of the Lagrangian, which is concave, is
//
//	g = n/x − Σ μ ∂excess
//
// and the bound Σ_rows max_k g_k − Σ g x. A linear program finds the μ with the least.
func bound(t testing.TB, p Problem, x, n []float64) float64 {
	t.Helper()
	const tied = 1e-9
	size := p.Rows * p.States
	g, at := make([]float64, size), 0.0
	for i, v := range n {
		if v > 0 {
			g[i] = v / x[i]
		}
	}
	q := linprog.Problem{Len: p.Rows} // first the maxima of the rows, lifted to be positive
	var upper []float64               // of the multipliers after them
	slopes := make([][]linprog.Row, p.Rows)
	for r := range slopes {
		slopes[r] = make([]linprog.Row, p.States)
	}
	for _, a := range p.Arcs {
		for m := 1; m < p.States; m++ {
			e := excess(p, a, m, x)
			switch {
			case e > tied:
				for k := m; k < p.States; k++ {
					g[a.Low*p.States+k] -= a.Price
					g[a.High*p.States+k] += a.Price
				}
			case e > -tied:
				for k := m; k < p.States; k++ {
					for _, end := range [...]struct {
						row  int
						sign float64
					}{{a.Low, -1}, {a.High, 1}} {
						s := &slopes[end.row][k]
						s.Index, s.Coef = append(s.Index, q.Len), append(s.Coef, end.sign)
					}
				}
				if !math.IsInf(a.Price, 1) {
					q.AtMost = append(q.AtMost, linprog.Row{Index: []int{q.Len}, Value: a.Price})
				}
				q.Len++
				upper = append(upper, a.Price)
			}
		}
	}
	lift := 0.0
	for i, v := range g {
		at += v * x[i]
		lift = max(lift, math.Abs(v))
	}
	lift *= float64(4 * size)
	want := make([]float64, q.Len)
	for r := range p.Rows {
		want[r] = -1
		for k := range p.States {
			s := slopes[r][k]
			s.Index, s.Coef, s.Value = append(s.Index, r), append(s.Coef, -1), -g[r*p.States+k]-lift
			q.AtMost = append(q.AtMost, s)
		}
	}
	_, mu, err := linprog.Maximise(q, want)
	if err != nil {
		t.Fatal(err)
	}
	most := 0.0 // at these multipliers, without the tolerances of the program
	for r := range p.Rows {
		row := math.Inf(-1)
		for k := range p.States {
			v := g[r*p.States+k]
			for i, at := range slopes[r][k].Index {
				if at >= p.Rows {
					v += slopes[r][k].Coef[i] * min(max(mu[at], 0), upper[at-p.Rows])
				}
			}
			row = max(row, v)
		}
		most += row
	}
	return most - at
}

// draw makes weights, some of them zero.
func draw(rng *rand.Rand, size int, zeros bool) []float64 {
	n := make([]float64, size)
	for i := range n {
		n[i] = 0.1 + 9*rng.Float64()
		if zeros {
			n[i] = float64(max(0, rng.IntN(7)-3))
		}
	}
	return n
}

var sizes = [][]int{{2, 4}, {2, 3, 3}, {3, 3}, {3, 3, 3}, {4, 4}, {4, 2, 2, 2}, {3, 2, 3, 2}}

// Answers are proven by a dual bound that knows nothing of blocks or flows, for hard orders
// and prices of all sizes, from any start.
func TestOptimumIsCertified(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	trials := 8
	if !numtest.Full() {
		trials = 2
	}
	for _, size := range sizes {
		for _, price := range []float64{math.Inf(1), 0.2, 2, 20} {
			arcs, rows := product(price, !math.IsInf(price, 1), size[1:]...)
			p := Problem{rows, size[0], arcs}
			s := solver(t, rows, size[0], arcs)
			var from []float64
			for trial := range trials {
				n := draw(rng, rows*size[0], trial%2 == 1)
				x := solve(t, s, n, from)
				value := objective(t, p, x, n)
				if b := bound(t, p, x, n); !(b <= 1e-8*sum(n)) {
					t.Errorf("%v at price %v: the bound is %v\nn = %v", size, price, b, n)
				}
				again := solve(t, s, n, x)
				if !(objective(t, p, again, n) >= value-1e-12*sum(n)) {
					t.Errorf("%v at price %v: from the maximum %v the objective falls to %v", size, price, value,
						objective(t, p, again, n))
				}
				from = x
			}
		}
	}
}

// The bound sees that a point is no maximum.
func TestBoundTells(t *testing.T) {
	arcs, rows := product(2, true, 3, 2)
	p := Problem{rows, 3, arcs}
	rng := rand.New(rand.NewPCG(2, 0))
	n := draw(rng, rows*3, false)
	x := solve(t, solver(t, rows, 3, arcs), n, nil)
	best := objective(t, p, x, n)
	for i := range x {
		x[i] = 0.9*x[i] + 0.1/3
	}
	if fall := best - objective(t, p, x, n); !(fall > 0.01) || !(bound(t, p, x, n) >= fall) {
		t.Errorf("the objective falls by %v, the bound is %v", fall, bound(t, p, x, n))
	}
}

func sum(v []float64) float64 {
	total := 0.0
	for _, x := range v {
		total += x
	}
	return total
}

func near(t *testing.T, name string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		if !numtest.Close(t, got[i], want[i], tol, 0) {
			t.Errorf("%s: entry %d of %v", name, i, got)
			return
		}
	}
}

// Two rows of two states, the lower with 6 of 10 in the second state and the higher with 2 of
// 10. Hard: both 8/20. With penalties w, with y = .6 − and z = .2 + on the way to meet,
// the slopes 6/y − 4/(1−y) = w and 2/z − 8/(1−z) = −w.
func TestByHand(t *testing.T) {
	n := []float64{4, 6, 8, 2}
	near(t, "hard", solve(t, solver(t, 2, 2, []Arc{{0, 1, math.Inf(1)}}), n, nil), []float64{.6, .4, .6, .4}, 1e-15)
	for _, w := range []float64{1e-3, 1, 2, 5} {
		x := solve(t, solver(t, 2, 2, []Arc{{0, 1, w}}), n, nil)
		// w y² − (w+10) y + 6 = 0, and w z² + (10−w) z − 2 = 0
		y := (w + 10 - math.Sqrt((w+10)*(w+10)-24*w)) / (2 * w)
		z := (w - 10 + math.Sqrt((10-w)*(10-w)+8*w)) / (2 * w)
		if y <= z { // they have met
			y, z = 0.4, 0.4
		}
		near(t, "as penalties", x, []float64{1 - y, y, 1 - z, z}, 1e-12)
	}
	// They meet at .4, where the slope of either is 10/3: 6/.4 − 4/.6 = 8.33 for the lower.
	w := 6/.4 - 4/.6
	near(t, "dear enough", solve(t, solver(t, 2, 2, []Arc{{0, 1, 1.0001 * w}}), n, nil), []float64{.6, .4, .6, .4},
		1e-14)
	x := solve(t, solver(t, 2, 2, []Arc{{0, 1, 0.9999 * w}}), n, nil)
	if !(x[1]-x[3] > 1e-6) {
		t.Errorf("below the threshold the rows meet: %v", x)
	}
}

// What holds is left as it is, exactly.
func TestInOrder(t *testing.T) {
	n := []float64{6, 3, 1, 3, 4, 3, 1, 2, 7}
	want := []float64{.6, .3, .1, .3, .4, .3, .1, .2, .7}
	for _, price := range []float64{1, math.Inf(1)} {
		s := solver(t, 3, 3, []Arc{{0, 1, price}, {1, 2, price}})
		x := make([]float64, 9)
		r, err := s.Solve(x, n, nil)
		if err != nil || !r.Exact || r.Gap != 0 {
			t.Errorf("%+v, %v", r, err)
		}
		near(t, "in order", x, want, 1e-15)
	}
}

// Rows without weight take equal parts of what the others leave.
func TestOpen(t *testing.T) {
	hard := math.Inf(1)
	chain := []Arc{{0, 1, hard}, {1, 2, hard}}
	for _, tt := range []struct {
		name    string
		states  int
		n, want []float64
	}{
		{"nothing", 3, make([]float64, 9), slices.Repeat([]float64{1. / 3}, 9)},
		{"half is within", 2, []float64{7, 3, 0, 0, 2, 8}, []float64{.7, .3, .5, .5, .2, .8}},
		{"half is below", 2, []float64{4, 6, 0, 0, 2, 8}, []float64{.4, .6, .4, .6, .2, .8}},
		{"half is above", 2, []float64{9, 1, 0, 0, 8, 2}, []float64{.9, .1, .8, .2, .8, .2}},
		{"an end", 2, []float64{0, 0, 6, 4, 0, 0}, []float64{.6, .4, .6, .4, .5, .5}},
		// P(≥1) is from .2 to .7 and P(≥2) from .1 to .2: a third each asks for 2/3 and 1/3.
		// Without the third state, 1 − .2 is divided in two.
		{"three states", 3, []float64{8, 1, 1, 0, 0, 0, 3, 5, 2}, []float64{.8, .1, .1, .4, .4, .2, .3, .5, .2}},
		// The first row may have no more than .4 in the states above the first; they are open.
		{"a part of a row", 3, []float64{5, 0, 0, 0, 0, 0, 8, 1, 1}, []float64{1, 0, 0, .8, .1, .1, .8, .1, .1}},
	} {
		x := solve(t, solver(t, 3, tt.states, chain), tt.n, nil)
		near(t, tt.name, x, tt.want, 1e-14)
	}
}

// Faint weights get their share, and weights of any size the answer of ones.
func TestWeightsOfAnySize(t *testing.T) {
	arcs, rows := product(math.Inf(1), false, 3, 3)
	s := solver(t, rows, 3, arcs)
	n := draw(rand.New(rand.NewPCG(3, 0)), rows*3, false)
	want := solve(t, s, n, nil)
	scaled := make([]float64, len(n))
	for _, size := range []float64{1e-300, 1e-100, 1e100, 1e300} {
		for i, v := range n {
			scaled[i] = v * size
		}
		near(t, "scaled", solve(t, s, scaled, nil), want, 1e-12)
	}
	n[4] = 1e-18
	x := solve(t, s, n, nil)
	if !(x[4] > 0) || !(x[4] < 1e-15) {
		t.Errorf("a faint weight gets %v", x[4])
	}
	// Prices scale with the weights.
	soft, _ := product(3, true, 3, 3)
	dear, _ := product(3e9, true, 3, 3)
	for i, v := range want {
		scaled[i], n[i] = 1e9*(1+v), 1+v
	}
	slices.Reverse(n)
	slices.Reverse(scaled)
	near(t, "prices", solve(t, solver(t, rows, 3, dear), scaled, nil), solve(t, solver(t, rows, 3, soft), n, nil),
		1e-10)
}

// What has no weight is no number in the start.
func TestStartWithoutNumbers(t *testing.T) {
	s := solver(t, 3, 3, []Arc{{0, 1, 2}, {1, 2, 2}})
	n := []float64{1, 2, 7, 8, 2, 1, 0, 0, 0}
	nan := math.NaN()
	near(t, "start", solve(t, s, n, []float64{.3, .3, .4, .3, .3, .4, nan, nan, nan}), solve(t, s, n, nil), 1e-10)
}

// A start of any kind leads to the same place.
func TestAnyStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	arcs, rows := product(math.Inf(1), false, 2, 3)
	s := solver(t, rows, 3, arcs)
	n := draw(rng, rows*3, false)
	want := solve(t, s, n, nil)
	free := slices.Clone(n) // the maximum without orders, at rest
	for r := range rows {
		for i := 3 * r; i < 3*r+3; i++ {
			free[i] /= sum(n[3*r : 3*r+3])
		}
	}
	for _, from := range [][]float64{
		free,
		draw(rng, rows*3, false),
		slices.Repeat([]float64{math.NaN()}, rows*3),
		slices.Repeat([]float64{math.Inf(1)}, rows*3),
		slices.Repeat([]float64{0, 0, 1}, rows),
		slices.Repeat([]float64{.2, .3, .5}, rows),
		{.1, .2, .7, .2, .2, .6, .3, .3, .4, .8, .1, .1, .9, .05, .05, 1, 0, 0}, // all out of order
	} {
		near(t, "start", solve(t, s, n, from), want, 1e-10)
	}
}

func TestErrors(t *testing.T) {
	hard := math.Inf(1)
	for _, p := range []Problem{
		{0, 2, nil}, {2, 1, nil}, {2, 2, []Arc{{0, 2, 1}}}, {2, 2, []Arc{{-1, 0, 1}}}, {2, 2, []Arc{{1, 1, 1}}},
		{2, 2, []Arc{{0, 1, 0}}}, {2, 2, []Arc{{0, 1, math.NaN()}}},
	} {
		if _, err := New(p); err == nil {
			t.Errorf("%+v is no error", p)
		}
	}
	if _, err := New(Problem{3, 2, []Arc{{0, 1, hard}, {1, 2, hard}, {2, 0, hard}}}); !errors.Is(err, ErrCycle) {
		t.Errorf("a circle: %v", err)
	}
	// With penalties a circle makes rows alike.
	x := solve(t, solver(t, 2, 2, []Arc{{0, 1, 1e3}, {1, 0, 1e3}}), []float64{4, 6, 8, 2}, nil)
	near(t, "circle", x, []float64{.6, .4, .6, .4}, 1e-12)
}
