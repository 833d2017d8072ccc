package product

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"bnlab/internal/nnls"
	"bnlab/internal/numtest"
)

func newSolver(t testing.TB, p Problem) *Solver {
	t.Helper()
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Quasi-Newton climbs from many places, over numbers each choice of which makes a table that satisfies
// what is said, never come higher, and the best of them comes as high.
func TestMaximumByClimbs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	for _, scene := range scenes {
		if scene.margin > 0 {
			continue // no such numbers
		}
		t.Run(scene.name, func(t *testing.T) {
			s := newSolver(t, scene.problem())
			f := make([]float64, s.configs)
			for _, cases := range []int{15, 60, 600} {
				n0, n1 := draw(rng, s.configs, cases)
				all := 0.0
				for x := range n0 {
					all += n0[x] + n1[x]
				}
				r := s.Solve(f, n0, n1, nil)
				found := likelihood(f, n0, n1)
				if r.Starts == 0 && !(r.Gap <= 1e-8*all) {
					t.Errorf("%d cases: gap %v", cases, r.Gap)
				}
				best := math.Inf(-1)
				starts := 20
				if !numtest.Full() {
					starts = 4
				}
				for range starts {
					best = max(best, climbFrom(rng, scene, n0, n1))
				}
				if !(best <= found+2e-8*all) {
					t.Errorf("%d cases: a climb comes to %v, the solver to %v (%+v)", cases, best, found, r)
				}
				if numtest.Full() && !(best >= found-1e-4*all) {
					t.Errorf("%d cases: climbs come to %v only, the solver to %v", cases, best, found)
				}
			}
		})
	}
}

// climbFrom climbs from a random place.
func climbFrom(rng *rand.Rand, s scene, n0, n1 []float64) float64 {
	f, numbers := make([]float64, len(n0)), make([]float64, s.parameters())
	fall := func(lambda []float64) float64 {
		for i, x := range lambda {
			numbers[i] = 1 / (1 + math.Exp(-x))
		}
		s.table(f, numbers)
		return -likelihood(f, n0, n1)
	}
	start := make([]float64, len(numbers))
	for i := range start {
		start[i] = 2 * rng.NormFloat64()
	}
	problem := optimize.Problem{Func: fall,
		Grad: func(g, x []float64) { fd.Gradient(g, fall, x, &fd.Settings{Formula: fd.Central}) }}
	r, err := optimize.Minimize(problem, start, &optimize.Settings{MajorIterations: 400, GradientThreshold: 1e-7},
		&optimize.BFGS{})
	if r == nil || math.IsNaN(r.F) {
		panic(err)
	}
	return -r.F
}

// An own check of the conditions for an optimum: in the logarithms of the factors, the slopes of the
// likelihood are sums of those of what binds, with multipliers that are not negative.
func TestOptimality(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	for _, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			p := scene.problem()
			s := newSolver(t, p)
			f := make([]float64, s.configs)
			for range 5 {
				n0, n1 := draw(rng, s.configs, 200)
				s.Solve(f, n0, n1, nil)
				u := make([]float64, s.vars+2)
				c := climb{Solver: s, space: newSpace(s)}
				c.factors(f)
				copy(u, c.u)
				of := func(value func(f []float64) float64) []float64 {
					slopes := make([]float64, s.vars)
					fd.Gradient(slopes, func(v []float64) float64 {
						g := make([]float64, len(f))
						for x := range g {
							g[x] = math.Exp(s.sum(append(append([]float64{}, v...), u[s.vars:]...), x))
						}
						return value(g)
					}, u[:s.vars], &fd.Settings{Formula: fd.Central})
					return slopes
				}
				var columns [][]float64
				for x := range f {
					if f[x] > 1-1e-7 {
						columns = append(columns, of(func(f []float64) float64 { return f[x] }))
					}
				}
				for _, r := range p.Relations {
					excess := func(f []float64) float64 {
						e := r.Margin
						for _, x := range r.Less {
							e += f[x]
						}
						for _, x := range r.More {
							e -= f[x]
						}
						return e
					}
					if !(excess(f) <= 1e-9) {
						t.Errorf("%+v is off by %v", r, excess(f))
					}
					if excess(f) > -1e-7 {
						columns = append(columns, of(excess))
					}
				}
				slopes := of(func(f []float64) float64 {
					total := 0.0
					for x := range f { // F may be 1 within rounding where only n0 counts
						total += n0[x] * math.Log(f[x])
						if n1[x] > 0 {
							total += n1[x] * math.Log1p(-f[x])
						}
					}
					return total
				})
				residual := 0.0
				for _, g := range slopes {
					residual = math.Hypot(residual, g)
				}
				if len(columns) > 0 {
					a := mat.NewDense(s.vars, len(columns), nil)
					for c, column := range columns {
						a.SetCol(c, column)
					}
					var err error
					if _, residual, err = nnls.Solve(a, slopes, nil); err != nil {
						t.Fatal(err)
					}
				}
				if !(residual <= 1e-4) { // of 200 cases; fd leaves 1e-6, what binds is 1e-7 wide
					t.Errorf("a slope of %v is left", residual)
				}
			}
		})
	}
}

// On the way the dual bound is above the maximum, which is known at the end.
func TestGapIsABound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	for _, scene := range scenes {
		s := newSolver(t, scene.problem())
		if s.convex < len(s.relations) {
			continue
		}
		n0, n1 := draw(rng, s.configs, 100)
		f := make([]float64, s.configs)
		all := 0.0
		for x := range n0 { // all rows are seen, so that the bound is near
			n0[x], n1[x] = n0[x]+1, n1[x]+1
			all += n0[x] + n1[x]
		}
		s.Solve(f, n0, n1, nil)
		best := likelihood(f, n0, n1) / all
		c := climb{Solver: s, space: newSpace(s), hold: s.relations, even: 1}
		copy(c.u, s.inside)
		for x := range n0 {
			c.n0[x], c.n1[x] = n0[x]/all, n1[x]/all
		}
		c.begin()
		for k := range 60 {
			c.newton(0, 1+k%2*20) // to the maximum of its stage, or not
			gap, _ := c.gap()
			if now := c.likelihood(); !(now+gap >= best-1e-12) {
				t.Fatalf("%s: %v with a gap of %v, but %v was found", scene.name, now, gap, best)
			}
			c.even *= 0.6
		}
	}
}

// Classical noisy-OR with k parents: neighbouring rows can differ by p^(k−1)·(1−p) in all contexts, which is
// largest at p = 1 − 1/k.
func TestLargestMargin(t *testing.T) {
	for k := 2; k <= 5; k++ {
		s := scene{sizes: make([]int, k), sayings: make([]saying, k)}
		for i := range k {
			s.sizes[i], s.sayings[i] = 2, falls
		}
		largest := math.Pow(1-1/float64(k), float64(k-1)) / float64(k)
		s.margin = 0.999 * largest
		if _, err := New(s.problem()); err != nil {
			t.Errorf("%d parents: %v", k, err)
		}
		s.margin = 1.001 * largest
		if _, err := New(s.problem()); !errors.Is(err, ErrInfeasible) {
			t.Errorf("%d parents: error %v, want one of a margin that is too large", k, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for name, test := range map[string]struct {
		p    Problem
		want error
	}{
		"a circle with a margin": {Problem{[]int{2, 2},
			[]Relation{{[]int{0}, []int{2}, 0.1}, {[]int{2}, []int{0}, 0}}}, ErrInfeasible},
		"synergy over sets": {Problem{[]int{2, 2}, []Relation{{[]int{2}, []int{0}, 0}, {[]int{1}, []int{0}, 0},
			{[]int{0, 3}, []int{1, 2}, 0}}}, ErrInfeasible},
		"over sets without orders": {Problem{[]int{2, 2}, []Relation{{[]int{1, 2}, []int{0, 3}, 0}}}, ErrUnsupported},
		"over sets with one order": {Problem{[]int{2, 2},
			[]Relation{{[]int{2}, []int{0}, 0}, {[]int{1, 2}, []int{0, 3}, 0}}}, ErrUnsupported},
		"an order over sets": {Problem{[]int{2, 2}, []Relation{{[]int{0}, []int{3}, 0}}}, ErrUnsupported},
		"both synergies": {Problem{[]int{4, 2}, []Relation{{[]int{0, 6}, []int{2, 4}, 0},
			{[]int{2, 4}, []int{0, 6}, 0}}}, ErrUnsupported},
		"nothing on the large side": {Problem{[]int{2, 2}, []Relation{{[]int{0}, nil, 0}}}, ErrUnsupported},
	} {
		if _, err := New(test.p); !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
}

// Orders in a circle make factors equal, and a sub-synergy over sets follows from orders within them.
func TestReductions(t *testing.T) {
	p := Problem{[]int{2, 2}, []Relation{{[]int{0}, []int{2}, 0}, {[]int{2}, []int{0}, 0}, {[]int{1}, []int{0}, 0},
		{[]int{3}, []int{2}, 0}, {[]int{1, 2}, []int{0, 3}, 0}}}
	s := newSolver(t, p)
	if s.vars != 3 || len(s.relations) != 1 {
		t.Errorf("%d entries and %d relations, want 3 and 1", s.vars, len(s.relations))
	}
	f := make([]float64, 4)
	s.Solve(f, []float64{1, 2, 5, 1}, []float64{4, 4, 3, 1}, nil)
	want := []float64{6. / 13, 3. / 8, 6. / 13, 3. / 8}
	for x := range f {
		if !(math.Abs(f[x]-want[x]) <= 1e-8) {
			t.Errorf("F = %v, want %v", f, want)
			break
		}
	}
}

// Of margins in all contexts those in the lowest remain: one for each step within a set, times the
// configurations of a set of no order.
func TestMarginsThatFollow(t *testing.T) {
	for _, tt := range []struct {
		scene scene
		want  int
	}{
		{scene{"", []int{2, 2, 2, 2, 2, 2, 2}, []saying{falls, falls, falls, falls, falls, falls, falls}, 0.01}, 7},
		{scene{"", []int{4, 2}, []saying{falls, falls}, 0.02}, 4 + 1},
		{scene{"", []int{2, 2, 2}, []saying{falls, nothing, falls}, 0.02}, 2 + 2},
	} {
		if s := newSolver(t, tt.scene.problem()); len(s.relations) != tt.want {
			t.Errorf("sets of %v: %d relations, want %d", tt.scene.sizes, len(s.relations), tt.want)
		}
	}
}

// Whatever the counts, F is positive and below 1, relations hold, and multiples of the counts give the same.
func TestExtremeCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 8))
	for _, scene := range scenes {
		p := scene.problem()
		s := newSolver(t, p)
		f, g := make([]float64, s.configs), make([]float64, s.configs)
		for k := range 30 {
			n0, n1 := make([]float64, s.configs), make([]float64, s.configs)
			for x := range n0 {
				if rng.IntN(4) > 0 || k == 0 {
					continue
				}
				n0[x], n1[x] = math.Exp(20*rng.NormFloat64()), math.Exp(20*rng.NormFloat64())
				switch rng.IntN(3) {
				case 0:
					n0[x] = 0
				case 1:
					n1[x] = 0
				}
			}
			s.Solve(f, n0, n1, nil)
			for x := range n0 {
				n0[x], n1[x] = 1024*n0[x], 1024*n1[x]
			}
			s.Solve(g, n0, n1, f)
			for x := range f {
				if !(f[x] > 0 && f[x] < 1) {
					t.Fatalf("%s: F = %v", scene.name, f)
				}
			}
			for _, r := range p.Relations {
				excess := r.Margin
				for _, x := range r.Less {
					excess += f[x]
				}
				for _, x := range r.More {
					excess -= f[x]
				}
				if !(excess <= 1e-12) {
					t.Errorf("%s: %+v is off by %v", scene.name, r, excess)
				}
			}
		}
	}
}

// The number of a set does not matter.
func TestOrderOfSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for _, sayings := range [][2]saying{{falls, nothing}, {synergy, falls}, {sub, nothing}} {
		a := newSolver(t, scene{sizes: []int{4, 2}, sayings: sayings[:]}.problem())
		b := newSolver(t, scene{sizes: []int{2, 4}, sayings: []saying{sayings[1], sayings[0]}}.problem())
		n0, n1 := draw(rng, 8, 80)
		m0, m1 := make([]float64, 8), make([]float64, 8)
		for x := range 8 {
			y := x%2*4 + x/2
			m0[y], m1[y] = n0[x], n1[x]
		}
		f, g := make([]float64, 8), make([]float64, 8)
		a.Solve(f, n0, n1, nil)
		b.Solve(g, m0, m1, nil)
		for x := range f {
			if y := x%2*4 + x/2; !(math.Abs(f[x]-g[y]) <= 1e-7) {
				t.Errorf("%v: F = %v, and %v with the sets exchanged", sayings, f, g)
				break
			}
		}
	}
}

// A set of sums after a larger set of orders, and sums that only linear programming finds room for.
func TestSumsOfASet(t *testing.T) {
	order := Relation{Less: []int{20}, More: []int{16}}
	for _, sum := range []Relation{{Less: []int{0, 3}, More: []int{1, 2}}, {Less: []int{0, 1, 2}, More: []int{3}}} {
		s := newSolver(t, Problem{[]int{6, 4}, []Relation{order, sum}})
		f, n := make([]float64, 24), make([]float64, 24)
		for x := range n {
			n[x] = float64(1 + x%5)
		}
		s.Solve(f, n, n, nil)
		for _, r := range []Relation{order, sum} {
			excess := -f[r.More[0]]
			for _, x := range r.Less {
				excess += f[x]
			}
			for _, x := range r.More[1:] {
				excess -= f[x]
			}
			if !(excess <= 1e-12) {
				t.Errorf("%v is off by %v", r, excess)
			}
		}
	}
}

// Counts whose sum is too large to be held, or that are as small as there are.
func TestCountsAtTheEnds(t *testing.T) {
	s := newSolver(t, scenes[3].problem())
	n0, n1 := draw(rand.New(rand.NewPCG(7, 8)), s.configs, 400)
	want, f := make([]float64, s.configs), make([]float64, s.configs)
	s.Solve(want, n0, n1, nil)
	for _, unit := range []float64{4e306, 5e-324} {
		m0, m1 := make([]float64, s.configs), make([]float64, s.configs)
		for x := range n0 {
			m0[x], m1[x] = unit*n0[x], unit*n1[x]
		}
		r := s.Solve(f, m0, m1, nil)
		if !(r.Gap >= 0) || math.IsInf(r.Gap, 1) {
			t.Errorf("gap %v", r.Gap)
		}
		for x := range f {
			if !(math.Abs(f[x]-want[x]) <= 1e-6) {
				t.Errorf("times %v: F = %v, want %v", unit, f, want)
				break
			}
		}
	}
}

func TestSolveDoesNotAllocate(t *testing.T) {
	s := newSolver(t, scenes[6].problem())
	n0, n1 := draw(rand.New(rand.NewPCG(6, 8)), s.configs, 100)
	f := make([]float64, s.configs)
	s.Solve(f, n0, n1, nil)
	if n := testing.AllocsPerRun(10, func() { s.Solve(f, n0, n1, f) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
