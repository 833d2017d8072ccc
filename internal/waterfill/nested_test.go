package waterfill

import (
	"errors"
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"bnlab/internal/numtest"
)

func TestNestedByHand(t *testing.T) {
	for _, c := range []struct {
		name             string
		parent           []int
		n, k, lo, hi     []float64
		want             []float64
		lambda, accuracy float64
	}{
		// Both caps of θ1 ≤ 0.1 and θ1+θ2 ≤ 0.9 could bind for the root's λ of the outer
		// one alone; only the inner one does.
		{"inner cap frees the outer", []int{-1, 0, 1, 1, 0},
			[]float64{0, 0, 80, 10, 10}, ones(5), make([]float64, 5), []float64{inf, .9, .1, inf, inf},
			[]float64{1, .55, .1, .45, .45}, 20 / .9, 1e-15},
		{"a cap on a pair", []int{-1, 0, 0, 1, 1},
			[]float64{0, 0, 10, 60, 30}, ones(5), make([]float64, 5), []float64{inf, .6, inf, inf, inf},
			[]float64{1, .6, .4, .4, .2}, 10 / .4, 1e-15},
		{"a floor on a pair", []int{-1, 0, 0, 1, 1},
			[]float64{0, 0, 90, 8, 2}, ones(5), []float64{0, .5, 0, 0, 0}, []float64{inf, inf, inf, inf, inf},
			[]float64{1, .5, .5, .4, .1}, 180, 1e-15},
		{"a floor on an unseen pair", []int{-1, 0, 0, 1, 1},
			[]float64{0, 0, 9, 0, 0}, []float64{1, 1, 1, 1, 3}, []float64{0, .4, 0, 0, 0},
			[]float64{inf, inf, inf, inf, inf},
			[]float64{1, .4, .6, .1, .1}, 15, 1e-15},
		{"unseen rest takes what a cap leaves", []int{-1, 0, 1, 1, 0, 0},
			[]float64{0, 0, 3, 1, 0, 0}, ones(6), make([]float64, 6), []float64{inf, .8, inf, inf, inf, inf},
			[]float64{1, .8, .6, .2, .1, .1}, 0, 1e-15},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree, err := NewTree(c.parent)
			if err != nil {
				t.Fatal(err)
			}
			var w Workspace
			x := make([]float64, len(c.n))
			lambda, err := w.Nested(tree, x, c.n, c.k, c.lo, c.hi, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range x {
				numtest.Close(t, x[i], c.want[i], c.accuracy, 0)
			}
			numtest.Close(t, lambda, c.lambda, 0, 1e-14)
		})
	}
}

// A piece is a mass that a node can take for a gain per unit.
type piece struct{ gain, mass float64 }

// steepest returns the largest Σ g_p y_p over masses y within the limits of a tree whose
// parents come before their children, by filling the best pieces first: lower limits of
// inner sets before anything else.
func steepest(parent []int, g, lo, hi []float64, b float64) float64 {
	children := make([][]int, len(parent))
	for i, p := range parent {
		if p >= 0 {
			children[p] = append(children[p], i)
		}
	}
	var visit func(i int) (base, gain float64, rest []piece)
	visit = func(i int) (base, gain float64, rest []piece) {
		if len(children[i]) == 0 {
			return lo[i], g[i] * lo[i], []piece{{g[i], hi[i] - lo[i]}}
		}
		for _, c := range children[i] {
			m, v, r := visit(c)
			base, gain, rest = base+m, gain+v, append(rest, r...)
		}
		sort.Slice(rest, func(a, b int) bool { return rest[a].gain > rest[b].gain })
		floor, cap := lo[i], hi[i]
		if i == 0 {
			floor, cap = b, b
		}
		var open []piece
		for _, p := range rest {
			take := min(p.mass, max(floor-base, 0))
			base, gain, p.mass = base+take, gain+take*p.gain, p.mass-take
			open = append(open, p)
		}
		room := cap - base
		for j := range open {
			open[j].mass = min(open[j].mass, max(room, 0))
			room -= open[j].mass
		}
		return base, gain, open
	}
	_, gain, _ := visit(0)
	return gain
}

// The log-likelihood is concave, so it rises by no more than its linear part can.
func TestNestedIsOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	var w Workspace
	solved, bound := 0, 0
	for range 400 {
		parent := []int{-1}
		for len(parent) < 4+rng.IntN(20) {
			parent = append(parent, rng.IntN(min(len(parent), 8)))
		}
		s := len(parent)
		leaf := make([]bool, s)
		for i := range leaf {
			leaf[i] = true
		}
		for _, p := range parent[1:] {
			leaf[p] = false
		}
		n, k, lo, hi := make([]float64, s), ones(s), make([]float64, s), make([]float64, s)
		inside := make([]float64, s) // a feasible point
		total := 0.0
		for i := s - 1; i >= 0; i-- {
			if leaf[i] {
				k[i] = float64(1 + rng.IntN(2))
				inside[i] = k[i] * rng.ExpFloat64()
				if rng.IntN(4) > 0 {
					n[i] = math.Exp(2 * rng.NormFloat64())
					total += n[i]
				}
			}
			hi[i] = inf
			if rng.IntN(2) == 0 {
				hi[i] = inside[i] * (1 + float64(rng.IntN(2))*rng.Float64()) / k[i]
			}
			if rng.IntN(2) == 0 {
				lo[i] = min(hi[i], inside[i]*(1-float64(rng.IntN(3))*.3*rng.Float64())/k[i])
			}
			if i > 0 {
				inside[parent[i]] += inside[i]
			}
		}
		tree, err := NewTree(parent)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, s)
		if _, err := w.Nested(tree, x, n, k, lo, hi, inside[0]); err != nil {
			t.Fatal(err)
		}
		solved++
		// masses
		g, y, l, u := make([]float64, s), make([]float64, s), make([]float64, s), make([]float64, s)
		linear := 0.0
		for i := s - 1; i >= 0; i-- {
			l[i], u[i] = k[i]*lo[i], min(k[i]*hi[i], 2*inside[0])
			if leaf[i] {
				y[i] = k[i] * x[i]
				if n[i] > 0 {
					g[i] = n[i] / y[i]
				}
				linear += g[i] * y[i]
			} else {
				numtest.Close(t, x[i], y[i], 1e-12, 1e-12)
			}
			if !(y[i] >= l[i]-1e-12*inside[0] && y[i] <= u[i]+1e-12*inside[0]) {
				t.Fatalf("node %d: %v outside [%v, %v]", i, y[i], l[i], u[i])
			}
			if !leaf[i] && (y[i] > u[i]*(1-1e-12) || l[i] > 0 && y[i] < l[i]*(1+1e-12)) {
				bound++
			}
			if i > 0 {
				y[parent[i]] += y[i]
			}
		}
		numtest.Close(t, y[0], inside[0], 1e-14, 1e-12)
		if gap := steepest(parent, g, l, u, inside[0]) - linear; !(gap <= 1e-10*total) {
			t.Errorf("could still rise by %v of %v", gap, total)
		}
	}
	if solved < 300 || bound < 300 {
		t.Errorf("%d solved, %d limits of sets bound", solved, bound)
	}
}

// Parameters without counts share as counts εk would for ε → 0.
func TestNestedUnseenIsALimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	var w Workspace
	parent := []int{-1, 0, 0, 1, 1, 1, 2, 2, 0, 0}
	tree, err := NewTree(parent)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		n, k, lo, hi := make([]float64, 10), ones(10), make([]float64, 10), ones(10)
		for i := 3; i < 10; i++ {
			k[i] = float64(1 + rng.IntN(3))
			hi[i] = .05 + .4*rng.Float64()
			if rng.IntN(2) == 0 {
				n[i] = rng.ExpFloat64()
			}
		}
		hi[1], hi[2], lo[2] = .3+.4*rng.Float64(), .4, .1*rng.Float64()
		x, y, few := make([]float64, 10), make([]float64, 10), append([]float64(nil), n...)
		for i := 3; i < 10; i++ {
			if n[i] == 0 {
				few[i] = 1e-9 * k[i]
			}
		}
		if _, err := w.Nested(tree, x, n, k, lo, hi, 1); errors.Is(err, ErrInfeasible) {
			continue
		}
		if _, err := w.Nested(tree, y, few, k, lo, hi, 1); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			numtest.Close(t, x[i], y[i], 1e-6, 0)
		}
	}
}

// Three floors of 0.1 are a little more than the cap 0.3 in binary.
func TestNestedRounding(t *testing.T) {
	tree, err := NewTree([]int{-1, 0, 1, 1, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	var w Workspace
	x := make([]float64, 6)
	if _, err := w.Nested(tree, x, ones(6), ones(6), []float64{0, 0, .1, .1, .1, 0}, []float64{1, .3, 1, 1, 1, 1},
		1); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, .3, .1, .1, .1, .7} {
		numtest.Close(t, x[i], want, 1e-15, 0)
	}
}

// A tree of one level is Solve.
func TestNestedFlat(t *testing.T) {
	tree, err := NewTree([]int{3, 3, 3, -1})
	if err != nil {
		t.Fatal(err)
	}
	var w Workspace
	n, k, lo, hi := []float64{8, 1, 1}, []float64{1, 2, 1}, []float64{0, .1, 0}, []float64{.5, 1, 1}
	x, y := make([]float64, 3), make([]float64, 4)
	a, err := w.Solve(x, n, k, lo, hi, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := w.Nested(tree, y, append(n, 0), append(k, 1), append(lo, 0), append(hi, inf), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x {
		numtest.Close(t, y[i], x[i], 0, 1e-15)
	}
	numtest.Close(t, b, a, 0, 1e-15)
}

func TestNestedInfeasible(t *testing.T) {
	tree, err := NewTree([]int{-1, 0, 1, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	var w Workspace
	for _, c := range []struct {
		name   string
		lo, hi []float64
	}{
		{"floors above a cap", []float64{0, 0, .4, .4, 0}, []float64{1, .7, 1, 1, 1}},
		{"caps below a floor", []float64{0, .7, 0, 0, 0}, []float64{1, 1, .3, .3, 1}},
		{"set crossed", []float64{0, .7, 0, 0, 0}, []float64{1, .6, 1, 1, 1}},
		{"caps below the total", []float64{0, 0, 0, 0, 0}, []float64{1, .5, 1, 1, .4}},
		{"root", []float64{0, 0, 0, 0, 0}, []float64{.9, 1, 1, 1, 1}},
	} {
		if _, err := w.Nested(tree, make([]float64, 5), ones(5), ones(5), c.lo, c.hi, 1); !errors.Is(err,
			ErrInfeasible) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestNewTreeErrors(t *testing.T) {
	for _, parent := range [][]int{nil, {-1}, {0}, {-1, -1, 0}, {-1, 2, 1}, {-1, 5}, {-1, -2}, {1, 0}} {
		if _, err := NewTree(parent); err == nil {
			t.Errorf("NewTree(%v): no error", parent)
		}
	}
}
