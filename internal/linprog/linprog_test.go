package linprog

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/internal/numtest"
)

// random rows have small whole coefficients, so that they often are degenerate,
// dependent, empty or contradictory.
func random(rng *rand.Rand) Problem {
	p := Problem{Len: 1 + rng.IntN(4)}
	row := func() Row {
		r := Row{Value: float64(rng.IntN(4) - 1)}
		for j := range p.Len {
			if c := rng.IntN(5) - 2; c != 0 || rng.IntN(2) == 0 {
				r.Index, r.Coef = append(r.Index, j), append(r.Coef, float64(c))
			}
		}
		return r
	}
	for range rng.IntN(3) {
		p.Equal = append(p.Equal, row())
	}
	for range rng.IntN(5) {
		p.AtMost = append(p.AtMost, row())
	}
	if len(p.Equal) > 0 && rng.IntN(3) == 0 {
		p.Equal = append(p.Equal, p.Equal[0])
	}
	if len(p.AtMost) > 1 && rng.IntN(3) == 0 {
		p.AtMost[0] = p.AtMost[1]
	}
	if rng.IntN(2) == 0 {
		p.Equal = append(p.Equal, Row{Value: 1})
		for j := range p.Len {
			last := &p.Equal[len(p.Equal)-1]
			last.Index = append(last.Index, j)
		}
	}
	return p
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func TestAgainstVertices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	empty, unbounded, bounded, forced := 0, 0, 0, 0
	for range 3000 {
		p := random(rng)
		corners := vertices(p)
		x, ok, err := Feasible(p)
		if err != nil || ok != (len(corners) > 0) || ok && !inside(p, x, 1e-12) {
			t.Fatalf("Feasible(%+v) = %v, %v, %v; vertices %v", p, x, ok, err, corners)
		}
		c := make([]float64, p.Len)
		for j := range c {
			c[j] = float64(rng.IntN(7) - 3)
		}
		value, x, err := Maximise(p, c)
		_, zeros, tight, errInterior := Interior(p)
		if !ok {
			empty++
			if !errors.Is(err, ErrInfeasible) || !errors.Is(errInterior, ErrInfeasible) {
				t.Fatalf("%+v: %v, %v", p, err, errInterior)
			}
			continue
		}
		best, endless := math.Inf(-1), false
		for _, v := range corners {
			best = max(best, dot(c, v))
		}
		directions := rays(p)
		for _, d := range directions {
			endless = endless || dot(c, d) > 1e-9
		}
		if endless {
			unbounded++
			if !errors.Is(err, ErrUnbounded) {
				t.Fatalf("Maximise(%+v, %v) = %v, %v, %v; rays %v", p, c, value, x, err, directions)
			}
		} else {
			bounded++
			if err != nil || !inside(p, x, 1e-12) || math.Abs(dot(c, x)-value) > 1e-12 || math.Abs(value-best) > 1e-9 {
				t.Fatalf("Maximise(%+v, %v) = %v, %v, %v; best %v", p, c, value, x, err, best)
			}
		}
		// The mean of all vertices, moved along all rays, is inside.
		within := make([]float64, p.Len)
		for j := range within {
			for _, v := range corners {
				within[j] += v[j] / float64(len(corners))
			}
			for _, d := range directions {
				within[j] += d[j]
			}
		}
		x, _, _, _ = Interior(p)
		if errInterior != nil || !inside(p, x, 1e-12) {
			t.Fatalf("Interior(%+v) = %v, %v", p, x, errInterior)
		}
		for j, v := range within {
			if zeros[j] != (v < 1e-9) || (x[j] > 1e-3) == zeros[j] || zeros[j] && x[j] != 0 {
				t.Fatalf("Interior(%+v) = %v, %v; inside is %v", p, x, zeros, within)
			}
			if zeros[j] {
				forced++
			}
		}
		for i, r := range p.AtMost {
			room := func(x []float64) float64 {
				v := r.Value
				for k, j := range r.Index {
					v -= r.Factor(k) * x[j]
				}
				return v
			}
			if tight[i] != (room(within) < 1e-9) || (room(x) > 1e-3) == tight[i] {
				t.Fatalf("Interior(%+v) = %v, tight %v; inside is %v", p, x, tight, within)
			}
			if tight[i] {
				forced++
			}
		}
	}
	if min(empty, unbounded, bounded, forced) < 200 {
		t.Errorf("%d empty, %d unbounded, %d bounded, %d forced", empty, unbounded, bounded, forced)
	}
}

func TestByHand(t *testing.T) {
	// x1 + x2 = 1 and 2 x1 + x2 = 1 leave (0, 1).
	p := Problem{Len: 2, Equal: []Row{{Index: []int{0, 1}, Value: 1}, {Index: []int{0, 1}, Coef: []float64{2, 1},
		Value: 1}}}
	x, zeros, _, err := Interior(p)
	if err != nil || x[0] != 0 || !zeros[0] || zeros[1] {
		t.Errorf("Interior = %v, %v, %v", x, zeros, err)
	}
	// a ≤ b and b ≤ a hold with equality; the simplex has its centre inside.
	p = Problem{Len: 3, Equal: []Row{{Index: []int{0, 1, 2}, Value: 1}},
		AtMost: []Row{{Index: []int{0, 1}, Coef: []float64{1, -1}}, {Index: []int{0, 1}, Coef: []float64{-1, 1}},
			{Index: []int{0}, Value: 1}}}
	x, zeros, tight, err := Interior(p)
	if err != nil || zeros[0] || zeros[1] || zeros[2] || !tight[0] || !tight[1] || tight[2] || x[0] != x[1] {
		t.Errorf("Interior = %v, %v, %v, %v", x, zeros, tight, err)
	}
	x, _, _, err = Interior(Problem{Len: 4, Equal: []Row{{Index: []int{0, 1, 2, 3}, Value: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range x {
		numtest.Close(t, v, .25, 1e-15, 0)
	}
	// Beale's example, on which the largest gain cycles.
	value, _, err := Maximise(Problem{Len: 4, AtMost: []Row{
		{Index: []int{0, 1, 2, 3}, Coef: []float64{.25, -60, -.04, 9}, Value: 0},
		{Index: []int{0, 1, 2, 3}, Coef: []float64{.5, -90, -.02, 3}, Value: 0},
		{Index: []int{2}, Value: 1}}}, []float64{.75, -150, .02, -6})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, value, .05, 1e-14, 0)
	if _, ok, err := Feasible(Problem{}); !ok || err != nil {
		t.Errorf("nothing is infeasible: %v", err)
	}
	if _, ok, err := Feasible(Problem{Equal: []Row{{Value: 1}}}); ok || err != nil {
		t.Errorf("0 = 1 is feasible: %v", err)
	}
}

func TestErrors(t *testing.T) {
	for _, r := range []Row{
		{Index: []int{1}}, {Index: []int{-1}}, {Index: []int{0}, Coef: []float64{1, 2}},
		{Index: []int{0}, Coef: []float64{math.NaN()}}, {Index: []int{0}, Value: math.Inf(1)},
		{Index: []int{0}, Coef: []float64{1e-300}, Value: 1e300},
		{Index: []int{0, 0}, Coef: []float64{1e308, 1e308}, Value: 1},
	} {
		for _, p := range []Problem{{Len: 1, Equal: []Row{r}}, {Len: 1, AtMost: []Row{r}}} {
			if _, _, err := Feasible(p); err == nil {
				t.Errorf("Feasible(%+v): no error", p)
			}
		}
	}
	if _, _, err := Maximise(Problem{Len: 1}, []float64{math.NaN()}); err == nil {
		t.Error("objective NaN: no error")
	}
}

// monotone are the statements that each of d binary parents raises a variable with the
// given number of states: distributions of cells 'config·states + state', and an
// inequality for each arc of the cube and each threshold.
func monotone(d, states int, margin float64) Problem {
	p := Problem{Len: states << d}
	for c := range 1 << d {
		r := Row{Value: 1}
		for s := range states {
			r.Index = append(r.Index, c*states+s)
		}
		p.Equal = append(p.Equal, r)
		for b := range d {
			if c>>b&1 == 1 {
				continue
			}
			for k := 1; k < states; k++ {
				r := Row{Value: -margin}
				for s := range k {
					r.Index = append(r.Index, (c|1<<b)*states+s, c*states+s)
					r.Coef = append(r.Coef, 1, -1)
				}
				p.AtMost = append(p.AtMost, r)
			}
		}
	}
	return p
}

// A margin at each of d steps of the longest chain fits into [0, 1] up to 1/d.
func TestMonotone(t *testing.T) {
	const d = 4
	for _, c := range []struct {
		margin float64
		ok     bool
		tight  bool
	}{{0, true, false}, {1./d - 1e-3, true, false}, {1. / d, true, true}, {1./d + 1e-3, false, false}} {
		p := monotone(d, 3, c.margin)
		x, ok, err := Feasible(p)
		if err != nil || ok != c.ok || ok && !inside(p, x, 1e-9) {
			t.Errorf("margin %v: Feasible = %v, %v", c.margin, ok, err)
		}
		if !ok {
			continue
		}
		x, zeros, tight, err := Interior(p)
		if err != nil || !inside(p, x, 1e-9) || zeros[0] || tight[0] != c.tight {
			t.Errorf("margin %v: Interior = %v, %v, %v, %v", c.margin, x, zeros, tight[0], err)
		}
	}
}

// large is feasible by construction and degenerate: whole coefficients, some equations
// twice, many rows tight at one point with zeros.
func large(n, m int) (Problem, []float64) {
	rng := rand.New(rand.NewPCG(2, 0))
	x := make([]float64, n)
	for j := range x {
		if rng.IntN(2) == 0 {
			x[j] = rng.Float64()
		}
	}
	p := Problem{Len: n}
	for i := range m {
		r := Row{}
		for range 2 + rng.IntN(8) {
			j, c := rng.IntN(n), float64(rng.IntN(5)-2)
			r.Index, r.Coef = append(r.Index, j), append(r.Coef, c)
			r.Value += c * x[j]
		}
		switch {
		case i%3 == 0 && i%2 == 0:
			p.Equal = append(p.Equal, r, r)
		case i%3 == 0:
			r.Value++
			p.AtMost = append(p.AtMost, r)
		default:
			p.AtMost = append(p.AtMost, r)
		}
	}
	all := Row{Value: float64(n)}
	for j := range n {
		all.Index = append(all.Index, j)
	}
	p.AtMost = append(p.AtMost, all)
	c := make([]float64, n)
	for j := range c {
		c[j] = rng.NormFloat64()
	}
	return p, c
}

// The maximum is what the dual programme gives, min Σ b λ + Σ u μ subject to
// E'λ + A'μ ≥ c, μ ≥ 0: any feasible point of it is an upper bound.
func TestLargeByDuality(t *testing.T) {
	p, c := large(100, 100)
	value, x, err := Maximise(p, c)
	if err != nil || !inside(p, x, 1e-10) || math.Abs(dot(c, x)-value) > 1e-10 {
		t.Fatal(err)
	}
	e := len(p.Equal)
	dual := Problem{Len: 2*e + len(p.AtMost), AtMost: make([]Row, p.Len)}
	cost := make([]float64, dual.Len)
	for j := range c {
		dual.AtMost[j].Value = -c[j]
	}
	add := func(r Row, y int, sign float64) {
		cost[y] = -sign * r.Value
		for k, j := range r.Index {
			d := &dual.AtMost[j]
			d.Index, d.Coef = append(d.Index, y), append(d.Coef, -sign*r.Factor(k))
		}
	}
	for i, r := range p.Equal {
		add(r, i, 1)
		add(r, e+i, -1)
	}
	for i, r := range p.AtMost {
		add(r, 2*e+i, 1)
	}
	bound, y, err := Maximise(dual, cost)
	if err != nil || !inside(dual, y, 1e-10) {
		t.Fatal(err)
	}
	numtest.Close(t, value, -bound, 1e-9, 1e-10)

	if x, _, _, err = Interior(p); err != nil || !inside(p, x, 1e-9) || dot(c, x) > value {
		t.Fatal(err)
	}
}

// The centre of a triangle is that of its inscribed circle.
func TestCentre(t *testing.T) {
	p := Problem{Len: 2, AtMost: []Row{{Index: []int{0, 1}, Value: 1}}}
	x, err := centre(p, make([]bool, 2), make([]bool, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range x {
		numtest.Close(t, v, 1/(2+math.Sqrt2), 0, 1e-14)
	}
	inner, _, _, err := Interior(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{inner[0], inner[1], (1 - inner[0] - inner[1]) / math.Sqrt2} {
		if v < .5/(2+math.Sqrt2) {
			t.Errorf("Interior = %v is %v from a bound", inner, v)
		}
	}
}

func BenchmarkMaximise600(b *testing.B) {
	p, c := large(600, 500)
	for b.Loop() {
		if _, x, err := Maximise(p, c); err != nil || !inside(p, x, 1e-9) {
			b.Fatal(err)
		}
	}
}

func BenchmarkInterior600(b *testing.B) {
	p, _ := large(600, 500)
	for b.Loop() {
		if x, _, _, err := Interior(p); err != nil || !inside(p, x, 1e-9) {
			b.Fatal(err)
		}
	}
}

func BenchmarkMonotone(b *testing.B) {
	p := monotone(5, 5, 0)
	for b.Loop() {
		if _, _, _, err := Interior(p); err != nil {
			b.Fatal(err)
		}
	}
}
