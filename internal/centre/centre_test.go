package centre_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"bnlab/internal/centre"
	"bnlab/internal/numtest"
)

func solve(t *testing.T, p centre.Problem, n []float64) ([]float64, centre.Report) {
	t.Helper()
	s, err := centre.New(p)
	if err != nil {
		t.Fatalf("New(%+v): %v", p, err)
	}
	x := make([]float64, p.Len)
	r, err := s.Solve(x, n)
	if err != nil {
		t.Fatalf("Solve(%v) for %+v: %v (x = %v)", n, p, err, x)
	}
	certificate(t, p, n, x, r)
	return x, r
}

// one is Σ x = 1 over the given variables.
func one(index ...int) centre.Row { return centre.Row{Index: index, Value: 1} }

func row(value float64, index []int, coef ...float64) centre.Row {
	return centre.Row{Index: index, Coef: coef, Value: value}
}

func TestByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		p    centre.Problem
		n    []float64
		want []float64
	}{
		{"frequencies", centre.Problem{Len: 3, Equal: []centre.Row{one(0, 1, 2)}}, []float64{1, 2, 5},
			[]float64{.125, .25, .625}},
		{"a state never seen", centre.Problem{Len: 3, Equal: []centre.Row{one(0, 1, 2)}}, []float64{1, 0, 3},
			[]float64{.25, 0, .75}},
		{"nothing seen", centre.Problem{Len: 4, Equal: []centre.Row{one(0, 1, 2, 3)}}, make([]float64, 4),
			[]float64{.25, .25, .25, .25}},
		// Capped at .1 and .9 together; what is left goes by counts.
		{"nested caps", centre.Problem{Len: 3, Equal: []centre.Row{one(0, 1, 2)},
			AtMost: []centre.Row{row(.1, []int{0}), row(.9, []int{0, 1})}}, []float64{80, 10, 10},
			[]float64{.1, .45, .45}},
		// N06 Theorem 1 with multiplicities: n/(k N).
		{"multiplicities", centre.Problem{Len: 2, Equal: []centre.Row{row(1, []int{0, 1}, 2, 3)}}, []float64{6, 4},
			[]float64{.3, .4 / 3}},
		// x0 ≤ x1 against counts 3 and 1 pools them.
		{"order", centre.Problem{Len: 3, Equal: []centre.Row{one(0, 1, 2)},
			AtMost: []centre.Row{row(0, []int{0, 1}, 1, -1)}}, []float64{3, 1, 4}, []float64{.25, .25, .5}},
		{"order both ways", centre.Problem{Len: 3, Equal: []centre.Row{one(0, 1, 2)},
			AtMost: []centre.Row{row(0, []int{0, 1}, 1, -1), row(0, []int{0, 1}, -1, 1)}}, []float64{3, 1, 4},
			[]float64{.25, .25, .5}},
		{"forced to zero", centre.Problem{Len: 3, Equal: []centre.Row{one(0, 1, 2), row(1, []int{0, 1, 2}, 2, 1, 1)}},
			[]float64{0, 1, 3}, []float64{0, .25, .75}},
		{"forced to zero by inequalities", centre.Problem{Len: 3, Equal: []centre.Row{one(0, 1, 2)},
			AtMost: []centre.Row{row(0, []int{0, 1})}}, []float64{0, 0, 3}, []float64{0, 0, 1}},
		{"one point", centre.Problem{Len: 2, Equal: []centre.Row{one(0, 1), row(.5, []int{0, 1}, 1, -1)}},
			[]float64{1, 1}, []float64{.75, .25}},
		{"an equation twice", centre.Problem{Len: 2, Equal: []centre.Row{one(0, 1), row(3, []int{0, 1}, 3, 3)}},
			[]float64{1, 3}, []float64{.25, .75}},
		{"a rest unseen", centre.Problem{Len: 3, Equal: []centre.Row{one(0, 1, 2)},
			AtMost: []centre.Row{row(.2, []int{0})}}, []float64{5, 0, 0}, []float64{.2, -1, -1}},
		{"limits alone", centre.Problem{Len: 2, AtMost: []centre.Row{row(2, []int{0}), row(6, []int{1}, 2)}},
			[]float64{1, 1}, []float64{2, 3}},
		{"no variables", centre.Problem{}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, _ := solve(t, c.p, c.n)
			for i, want := range c.want {
				if want >= 0 { // −1 is open
					numtest.Close(t, x[i], want, 2e-7, 0)
				}
			}
		})
	}
}

// 2θ0 + 2θ1 = 1 and θ0 + θ1 + θ2 = 1 leave θ2 = 1/2. The counts 4, 10, 30 give
// n2/θ2 = λ1 = 60, and θ0 + θ1 = 1/2 makes 2λ0 + λ1 = 14/(1/2): λ0 = −16.
func TestNegativeMultiplier(t *testing.T) {
	p := centre.Problem{Len: 3, Equal: []centre.Row{row(1, []int{0, 1}, 2, 2), one(0, 1, 2)}}
	x, r := solve(t, p, []float64{4, 10, 30})
	for i, want := range []float64{1. / 7, 5. / 14, .5} {
		numtest.Close(t, x[i], want, 1e-12, 0)
	}
	numtest.Close(t, r.Equal[0], -16, 1e-9, 0)
	numtest.Close(t, r.Equal[1], 60, 1e-9, 0)
	if r.Method != centre.DualNewton {
		t.Errorf("solved by %s", r.Method)
	}
}

func TestLinked(t *testing.T) {
	for seed := range uint64(40) {
		src := rand.New(rand.NewPCG(seed, 1))
		p := linked(1+src.IntN(8), 1+src.IntN(6), src.IntN(10), src)
		for _, zeros := range []float64{0, 0.4, 0.9} {
			solve(t, p, counts(p.Len, 100, zeros, src))
		}
	}
}

// random returns equations and inequalities through a point with zeros among its entries,
// met by some of the inequalities.
func random(src *rand.Rand, boundary bool) centre.Problem {
	n := 2 + src.IntN(12)
	p := centre.Problem{Len: n}
	at := make([]float64, n)
	for i := range at {
		at[i] = src.ExpFloat64()
		if boundary && src.IntN(4) == 0 {
			at[i] = 0
		}
	}
	at[0] = 1
	total := sum(at)
	all := centre.Row{Value: 1}
	for i := range at {
		at[i] /= total
		all.Index = append(all.Index, i)
	}
	p.Equal = append(p.Equal, all)
	draw := func() centre.Row {
		r := centre.Row{}
		for i := range n {
			if src.IntN(2) == 0 {
				r.Index, r.Coef = append(r.Index, i), append(r.Coef, math.Round(4*src.NormFloat64()))
			}
		}
		r.Value = left(r, at)
		return r
	}
	for range src.IntN(max(1, n/3)) {
		p.Equal = append(p.Equal, draw())
	}
	for range src.IntN(2 * n) {
		r := draw()
		if !boundary || src.IntN(2) == 0 {
			r.Value += 0.2 * src.Float64()
		}
		p.AtMost = append(p.AtMost, r)
	}
	return p
}

func TestRandom(t *testing.T) {
	for _, boundary := range []bool{false, true} {
		for k := range uint64(201) {
			seed := k
			if k == 200 {
				seed = 4151 // ends at vertices that need the steps refined
			}
			src := rand.New(rand.NewPCG(seed, 2))
			p := random(src, boundary)
			for _, zeros := range []float64{0, 0.5, 1} {
				s, err := centre.New(p)
				if err != nil {
					t.Fatalf("boundary %v, seed %d: New(%+v): %v", boundary, seed, p, err)
				}
				n, x := counts(p.Len, 100, zeros, src), make([]float64, p.Len)
				r, err := s.Solve(x, n)
				if boundary && errors.Is(err, centre.ErrForcedZero) {
					continue
				}
				if err != nil {
					t.Errorf("boundary %v, seed %d: Solve(%v) for %+v: %v", boundary, seed, n, p, err)
					continue
				}
				if err := check(p, n, x, r); err != nil {
					t.Errorf("boundary %v, seed %d: %v\n%+v\nn %v\nx %v\n%+v", boundary, seed, err, p, n, x, r)
				}
			}
		}
	}
}

// Boxes around frequencies, chains of ordered states, and monotone tables.
func TestShapes(t *testing.T) {
	for seed := range uint64(30) {
		src := rand.New(rand.NewPCG(seed, 3))
		n := 2 + src.IntN(20)
		box := centre.Problem{Len: n, Equal: []centre.Row{{Value: 1}}}
		chain := centre.Problem{Len: n, Equal: []centre.Row{{Value: 1}}}
		for i := range n {
			box.Equal[0].Index = append(box.Equal[0].Index, i)
			chain.Equal[0].Index = append(chain.Equal[0].Index, i)
			lo, hi := src.Float64()/float64(n), (1+src.Float64())/float64(n)
			box.AtMost = append(box.AtMost, row(hi, []int{i}), row(-lo, []int{i}, -1))
			if i > 0 {
				chain.AtMost = append(chain.AtMost, row(0, []int{i - 1, i}, 1, -1))
			}
		}
		table := monotone(1+src.IntN(3), 2+src.IntN(3))
		for _, zeros := range []float64{0, 0.5} {
			solve(t, box, counts(n, 1000, zeros, src))
			solve(t, chain, counts(n, 1000, zeros, src))
			solve(t, table, counts(table.Len, 50, zeros, src))
		}
	}
}

// Pooling adjacent violators gives the maximum on a chain.
func TestChainAgainstPooling(t *testing.T) {
	for seed := range uint64(25) {
		src := rand.New(rand.NewPCG(seed, 4))
		n := counts(2+src.IntN(15), 20, 0, src)
		p := centre.Problem{Len: len(n), Equal: []centre.Row{{Value: 1}}}
		var mass, size []float64
		for i, v := range n {
			p.Equal[0].Index = append(p.Equal[0].Index, i)
			if i > 0 {
				p.AtMost = append(p.AtMost, row(0, []int{i - 1, i}, 1, -1))
			}
			mass, size = append(mass, v), append(size, 1)
			for k := len(mass) - 1; k > 0 && mass[k-1]/size[k-1] > mass[k]/size[k]; k-- {
				mass[k-1], size[k-1] = mass[k-1]+mass[k], size[k-1]+size[k]
				mass, size = mass[:k], size[:k]
			}
		}
		x, _ := solve(t, p, n)
		i := 0
		for k, m := range mass {
			for range int(size[k]) {
				numtest.Close(t, x[i], m/size[k]/sum(n), 1e-6, 0)
				i++
			}
		}
	}
}

// On a fine grid of the plane x0 + x1 + x2 = 1 nothing feasible is better.
func TestAgainstGrid(t *testing.T) {
	for seed := range uint64(10) {
		src := rand.New(rand.NewPCG(seed, 5))
		p := centre.Problem{Len: 3, Equal: []centre.Row{one(0, 1, 2)}}
		for range 3 {
			r := row(0, []int{0, 1, 2}, src.NormFloat64(), src.NormFloat64(), src.NormFloat64())
			r.Value = left(r, []float64{.3, .3, .4}) + 0.05*src.Float64()
			p.AtMost = append(p.AtMost, r)
		}
		n := counts(3, 30, 0, src)
		x, _ := solve(t, p, n)
		objective := func(x []float64) float64 {
			return n[0]*math.Log(x[0]) + n[1]*math.Log(x[1]) + n[2]*math.Log(x[2])
		}
		const steps = 1000
		best := math.Inf(-1)
		for i := 1; i < steps; i++ {
			for j := 1; i+j < steps; j++ {
				y := []float64{float64(i) / steps, float64(j) / steps, float64(steps-i-j) / steps}
				ok := true
				for _, r := range p.AtMost {
					ok = ok && left(r, y) <= r.Value
				}
				if ok {
					best = max(best, objective(y))
				}
			}
		}
		if got := objective(x); !(got >= best-1e-9*sum(n)) || !(got < best+0.02*sum(n)) {
			t.Errorf("seed %d: %v, and %v on the grid", seed, got, best)
		}
	}
}

// Rows in other units have the same solution: their multipliers change with the unit.
func TestUnits(t *testing.T) {
	for _, unit := range []float64{1e-8, 1, 1e8} {
		p := centre.Problem{
			Len:    3,
			Equal:  []centre.Row{row(unit, []int{0, 1, 2}, unit, unit, unit)},
			AtMost: []centre.Row{row(.1*unit, []int{0}, unit), row(.9*unit, []int{0, 1}, unit, unit)},
		}
		s, err := centre.New(p)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, 3)
		r, err := s.Solve(x, []float64{80, 10, 10})
		if err != nil {
			t.Fatal(err)
		}
		// λ = 10/.45, μ1 = 0, μ0 = 80/.1 − 10/.45.
		numtest.Close(t, x[1], .45, 1e-9, 0)
		numtest.Close(t, r.Equal[0]*unit, 10/.45, 1e-6, 0)
		numtest.Close(t, r.AtMost[0]*unit, 800-10/.45, 1e-4, 0)
	}
}

func TestExtremeWeights(t *testing.T) {
	for seed := range uint64(30) {
		src := rand.New(rand.NewPCG(seed, 6))
		p := linked(3, 3, 4, src)
		q := monotone(2, 3)
		for _, c := range []struct {
			p      centre.Problem
			spread float64 // in powers of ten
		}{{p, 3}, {p, 8}, {p, 15}, {q, 3}, {q, 8}} {
			n := make([]float64, c.p.Len)
			for i := range n {
				n[i] = math.Pow(10, c.spread*src.Float64())
			}
			solve(t, c.p, n)
		}
	}
	p := centre.Problem{Len: 2, Equal: []centre.Row{one(0, 1)}}
	for _, scale := range []float64{1e-300, 1, 1e300} {
		s, err := centre.New(p)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, 2)
		if _, err := s.Solve(x, []float64{scale, 3 * scale}); err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, x[0], 0.25, 1e-15, 0)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		p    centre.Problem
		want error
		text string
	}{
		{"equations", centre.Problem{Len: 2, Equal: []centre.Row{one(0, 1), row(.5, []int{0, 1})}},
			centre.ErrInfeasible, "equation 1"},
		{"signs", centre.Problem{Len: 2, Equal: []centre.Row{one(0, 1), row(2, []int{0, 1}, 1, -1)}},
			centre.ErrInfeasible, ""},
		{"inequalities", centre.Problem{Len: 2, Equal: []centre.Row{one(0, 1)},
			AtMost: []centre.Row{row(.4, []int{0}), row(.4, []int{1})}}, centre.ErrInfeasible, ""},
		{"by little", centre.Problem{Len: 2, Equal: []centre.Row{one(0, 1)},
			AtMost: []centre.Row{row(.5, []int{0}), row(.4999, []int{1})}}, centre.ErrInfeasible, ""},
		{"nothing equals 1", centre.Problem{Len: 1, Equal: []centre.Row{one(0), row(1, nil)}}, centre.ErrInfeasible,
			"equation 1"},
		{"0 ≤ −1", centre.Problem{Len: 1, Equal: []centre.Row{one(0)}, AtMost: []centre.Row{row(-1, nil)}},
			centre.ErrInfeasible, ""},
		{"no limit", centre.Problem{Len: 2, Equal: []centre.Row{row(0, []int{0, 1}, 1, -1)}}, centre.ErrUnbounded, ""},
		{"no rows", centre.Problem{Len: 2}, centre.ErrUnbounded, ""},
		{"index", centre.Problem{Len: 2, Equal: []centre.Row{one(0, 2)}}, nil, "no variable 2"},
		{"twice", centre.Problem{Len: 2, AtMost: []centre.Row{one(1, 0, 1)}}, nil,
			"inequality 0: variable 1 appears twice"},
		{"coefficients", centre.Problem{Len: 2, Equal: []centre.Row{row(1, []int{0, 1}, 1)}}, nil, "1 coefficients"},
		{"NaN", centre.Problem{Len: 1, Equal: []centre.Row{row(math.NaN(), []int{0})}}, nil, "NaN"},
		{"infinite", centre.Problem{Len: 1, Equal: []centre.Row{row(1, []int{0}, math.Inf(1))}}, nil, "+Inf"},
		{"length", centre.Problem{Len: -1}, nil, "-1 variables"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := centre.New(c.p)
			if err == nil || (c.want != nil && !errors.Is(err, c.want)) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("New = %v, want %v with %q", err, c.want, c.text)
			}
		})
	}

	s, err := centre.New(centre.Problem{Len: 3, Equal: []centre.Row{one(0, 1, 2), row(1, []int{0, 1, 2}, 2, 2, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 3)
	if _, err := s.Solve(x, []float64{0, 1, 1}); !errors.Is(err, centre.ErrForcedZero) ||
		!strings.Contains(err.Error(), "[1]") {
		t.Errorf("weight on a variable that is zero: %v", err)
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := s.Solve(x, []float64{0, 0, bad}); err == nil {
			t.Errorf("a weight of %v is taken", bad)
		}
	}
}

// Contradictions drawn at random are found: the inequalities hold at no point, as their
// sum with positive factors is 0 ≤ −0.01.
func TestInfeasible(t *testing.T) {
	for seed := range uint64(50) {
		src := rand.New(rand.NewPCG(seed, 7))
		p := random(src, false)
		last := centre.Row{Value: -0.01}
		total := make([]float64, p.Len)
		for _, r := range p.AtMost {
			f := src.Float64()
			for k, q := range r.Index {
				total[q] -= f * coef(r, k)
			}
			last.Value -= f * r.Value
		}
		for q, v := range total {
			last.Index, last.Coef = append(last.Index, q), append(last.Coef, v)
		}
		p.AtMost = append(p.AtMost, last)
		if _, err := centre.New(p); !errors.Is(err, centre.ErrInfeasible) {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

func TestConcurrent(t *testing.T) {
	p := monotone(3, 3)
	s, err := centre.New(p)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for k := range uint64(8) {
		group.Go(func() {
			src := rand.New(rand.NewPCG(k, 8))
			var r centre.Report
			x := make([]float64, p.Len)
			for range 5 {
				n := counts(p.Len, 30, 0.2, src)
				err := s.SolveInto(&r, x, n)
				if err == nil {
					err = check(p, n, x, r)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestDoesNotAllocate(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 9))
	for _, p := range []centre.Problem{linked(3, 3, 4, src), monotone(2, 3)} {
		s, err := centre.New(p)
		if err != nil {
			t.Fatal(err)
		}
		n, x := counts(p.Len, 30, 0, src), make([]float64, p.Len)
		var r centre.Report
		allocs := testing.AllocsPerRun(100, func() {
			if err := s.SolveInto(&r, x, n); err != nil {
				t.Error(err)
			}
		})
		if allocs > 0 {
			t.Errorf("%v allocations", allocs)
		}
	}
}

func ExampleSolver_Solve() {
	// Three states of which the first has at most .1 and the first two at most .9.
	s, err := centre.New(centre.Problem{
		Len:    3,
		Equal:  []centre.Row{{Index: []int{0, 1, 2}, Value: 1}},
		AtMost: []centre.Row{{Index: []int{0}, Value: .1}, {Index: []int{0, 1}, Value: .9}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float64, 3)
	r, err := s.Solve(x, []float64{80, 10, 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f by the %s method\n", x, r.Method)
	// Output: [0.100 0.450 0.450] by the interior point method
}
