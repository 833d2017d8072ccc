package strongest

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bnlab/internal/product"
)

func newSolver(t *testing.T, p Problem) *Solver {
	t.Helper()
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// order is F_level(less) + margin ≤ F_level(more).
func order(level, less, more int, margin float64) Relation {
	return Relation{Terms: []Term{{less, level, 1}, {more, level, -1}}, Value: -margin}
}

// scenes are problems whose relations are convex but for the last.
var scenes = map[string]Problem{
	"free":     {States: 3, Sizes: []int{2, 3}},
	"idle":     {States: 4, Sizes: []int{3, 2}, Idle: []int{0, 1}},
	"one idle": {States: 3, Sizes: []int{3, 2}, Idle: []int{2, -1}},
	"orders": {States: 3, Sizes: []int{2, 3}, Relations: []Relation{
		order(0, 3, 0, 0),
		order(1, 3, 0, 0),
		order(0, 0, 1, 0),
	}},
	"margins": {States: 3, Sizes: []int{2, 2}, Relations: []Relation{
		order(0, 2, 0, 0.1),
		order(1, 2, 0, 0.05),
		order(0, 3, 1, 0.1),
	}},
	"bounds": {States: 2, Sizes: []int{2, 2}, Idle: []int{0, 0}, Relations: []Relation{
		{[]Term{{0, 0, -1}}, -0.95, false},
		{[]Term{{2, 0, 1}}, 0.7, false},
	}},
	"known": {States: 3, Sizes: []int{2, 2}, Relations: []Relation{
		{[]Term{{3, 1, 1}}, 0.6, true},
		{[]Term{{0, 0, 1}}, 0.5, true},
	}},
	"no leak": {States: 3, Sizes: []int{2, 2}, Idle: []int{0, 0}, Relations: []Relation{
		{[]Term{{0, 0, 1}}, 1, true},
	}},
	"equal": {States: 3, Sizes: []int{2, 2}, Relations: []Relation{order(0, 0, 2, 0), order(0, 2, 0, 0)}},
	"at least": {States: 3, Sizes: []int{2, 2}, Relations: []Relation{
		{[]Term{{1, 0, 1}, {1, 1, -1}}, -0.4, false},
	}},
	"sum": {States: 2, Sizes: []int{2, 3}, Relations: []Relation{
		{[]Term{{1, 0, 2}, {5, 0, 1}, {3, 0, 0.5}}, 0.8, false},
	}},
	"at most": {States: 3, Sizes: []int{2, 2}, Relations: []Relation{
		{[]Term{{1, 0, -1}, {1, 1, 1}}, 0.1, false},
	}},
	"super (2,2)": {States: 2, Sizes: []int{4, 2}, Relations: []Relation{
		{[]Term{{0, 0, 1}, {6, 0, 1}, {2, 0, -1}, {4, 0, -1}}, 0, false},
	}},
}

func counts(rng *rand.Rand, s *Solver, cases float64) []float64 {
	n := make([]float64, s.configs*s.states)
	for i := range n {
		if t := i % s.states; t > 0 && s.Never(i/s.states, t-1) {
			continue
		}
		n[i] = math.Floor(cases * rng.ExpFloat64() / float64(len(n)))
	}
	return n
}

func likelihood(n, theta []float64) float64 {
	total := 0.0
	for i, x := range n {
		if x > 0 {
			total += x * math.Log(theta[i])
		}
	}
	return total
}

// excess is by how much a table breaks a relation.
func (r Relation) excess(theta []float64, states int) float64 {
	total := -r.Value
	for _, t := range r.Terms {
		for y := range t.Level + 1 {
			total += t.Coef * theta[t.Config*states+y]
		}
	}
	if r.Equal {
		return math.Abs(total)
	}
	return total
}

// The table of random distributions of effects, by enumeration of what each set does, is that of the unknowns.
func TestTableByEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 18))
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		p := scenes[name]
		p.Relations = nil
		s := newSolver(t, p)
		w := newSpace(s)
		effects := make([][][]float64, len(p.Sizes)) // by set, configuration and state
		draw := func() ([]float64, []float64) {
			row, total := make([]float64, p.States), 0.0
			for y := range row {
				row[y] = rng.ExpFloat64()
				total += row[y]
			}
			logs, below := make([]float64, p.States), 0.0
			for y := range row {
				row[y] /= total
				below += row[y]
				logs[y] = math.Log(below)
			}
			return row, logs
		}
		at := 0
		leak := true
		put := func(logs []float64) {
			for y := range s.levels {
				w.p[at] = logs[y+1] - logs[y]
				at++
			}
		}
		for i, size := range p.Sizes {
			idle := -1
			if p.Idle != nil {
				idle = p.Idle[i]
			}
			leak = leak && idle >= 0
			for x := range size {
				row, logs := draw()
				if x == idle {
					row = make([]float64, p.States)
					row[0] = 1
				} else {
					put(logs)
				}
				effects[i] = append(effects[i], row)
			}
		}
		if leak {
			row, logs := draw()
			put(logs)
			effects = append(effects, [][]float64{row})
		}
		theta := make([]float64, s.configs*s.states)
		s.table(theta, w.p)
		for x := range s.configs {
			local, rest := make([]int, len(effects)), x
			for i := len(p.Sizes) - 1; i >= 0; i-- {
				local[i] = rest % p.Sizes[i]
				rest /= p.Sizes[i]
			}
			want := make([]float64, p.States)
			var sum func(i, strongest int, product float64)
			sum = func(i, strongest int, product float64) {
				if i == len(effects) {
					want[strongest] += product
					return
				}
				for y, e := range effects[i][local[i]] {
					sum(i+1, max(strongest, y), product*e)
				}
			}
			sum(0, 0, 1)
			for y := range want {
				if got := theta[x*p.States+y]; !(math.Abs(got-want[y]) <= 1e-14) {
					t.Errorf("%s: P(%d | %d) = %v, by enumeration %v", name, y, x, got, want[y])
				}
			}
		}
	}
}

// The derivatives of the objective are its differences.
func TestDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 18))
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		p := scenes[name]
		s := newSolver(t, p)
		c := climb{Solver: s, space: newSpace(s), hold: s.curved, even: 0.3, reward: 1}
		copy(c.p, s.inside)
		c.p[s.vars] = -0.2
		n := s.vars + 1
		for i := range c.n0 {
			c.n0[i], c.n1[i] = rng.Float64(), rng.Float64()
		}
		c.begin()
		c.system(false)
		want := fd.Gradient(nil, c.value, append([]float64(nil), c.p...), &fd.Settings{Formula: fd.Central})
		for e := range n {
			if !(math.Abs(c.gradient[e]-want[e]) <= 1e-6*(1+math.Abs(want[e]))) {
				t.Errorf("%s: slope %d is %v, by differences %v", name, e, c.gradient[e], want[e])
			}
		}
		m := append([]float64(nil), c.matrix[:n*n]...)
		for e := range n {
			h := 1e-5 * min(1, c.p[e])
			if e == s.vars {
				h = 1e-5
			}
			at := c.p[e]
			c.p[e] = at + h
			c.system(false)
			up := append([]float64(nil), c.gradient...)
			c.p[e] = at - h
			c.system(false)
			c.p[e] = at
			for d := range n {
				want := -(up[d] - c.gradient[d]) / 2 / h
				if got := m[max(e, d)*n+min(e, d)]; !(math.Abs(got-want) <= 1e-4*(1+math.Abs(want))) {
					t.Errorf("%s: second derivative %d, %d is %v, by differences %v", name, e, d, got, want)
				}
			}
		}
	}
}

// Relations hold, the gap certifies what is convex, and no table near by that satisfies all is better.
func TestMaximum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 18))
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		p := scenes[name]
		s := newSolver(t, p)
		if convex := name != "at most" && name != "super (2,2)"; s.Convex() != convex {
			t.Errorf("%s: convex %v", name, s.Convex())
		}
		for range 6 {
			n := counts(rng, s, 200)
			theta := make([]float64, len(n))
			w := newSpace(s)
			r := s.solve(w, n)
			s.table(theta, w.p)
			if !r.Searched && !(r.Gap <= 1e-8*200*2) {
				t.Errorf("%s: gap %v after %d steps", name, r.Gap, r.Steps)
			}
			for k, relation := range p.Relations {
				if e := relation.excess(theta, p.States); !(e <= 1e-12) {
					t.Errorf("%s: relation %d is off by %v", name, k, e)
				}
			}
			// Moves of the unknowns along all directions that keep to the relations.
			best := likelihood(n, theta)
			base := append([]float64(nil), w.p...)
			for range 2000 {
				size := math.Pow(10, -1-4*rng.Float64())
				move := make([]float64, s.vars)
				for e := range move {
					move[e] = size * base[e] * rng.NormFloat64()
				}
				s.keep(move)
				ok := true
				for e := range move {
					w.p[e] = base[e] + move[e]
					ok = ok && w.p[e] > 0
				}
				other := make([]float64, len(n))
				s.table(other, w.p)
				for _, relation := range p.Relations {
					ok = ok && relation.excess(other, p.States) <= 1e-15
				}
				if ok && likelihood(n, other) > best+1e-5 {
					t.Errorf("%s: %v is better than %v", name, likelihood(n, other), best)
					break
				}
			}
		}
	}
}

// keep takes from a move what breaks the equations.
func (s *Solver) keep(move []float64) {
	if s.basis == nil {
		return
	}
	var along, kept mat.VecDense
	v := mat.NewVecDense(len(move), move)
	along.MulVec(s.basis.T(), v)
	kept.MulVec(s.basis, &along)
	v.CopyVec(&kept)
}

// With two states it is the noisy-OR of package product.
func TestTwoStatesAreNoisyOR(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 18))
	for _, sizes := range [][]int{{2, 2}, {3, 2}, {2, 2, 2}, {4, 3}} {
		s := newSolver(t, Problem{States: 2, Sizes: sizes})
		other, err := product.New(product.Problem{Sizes: sizes})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			n := counts(rng, s, 1000)
			n0, n1, f := make([]float64, s.configs), make([]float64, s.configs), make([]float64, s.configs)
			for x := range n0 {
				n0[x], n1[x] = n[2*x]+1, n[2*x+1]+1
				n[2*x], n[2*x+1] = n0[x], n1[x]
			}
			other.Solve(f, n0, n1, nil)
			theta := make([]float64, len(n))
			s.Solve(theta, n)
			for x := range f {
				if !(math.Abs(theta[2*x]-f[x]) <= 1e-6) {
					t.Errorf("%v: F = %v, by package product %v", sizes, theta[2*x], f[x])
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	two := []int{2, 2}
	for name, test := range map[string]struct {
		relations []Relation
		want      error
	}{
		"opposite bounds": {[]Relation{
			{[]Term{{0, 0, 1}}, 0.3, false},
			{[]Term{{0, 0, -1}}, -0.4, false},
		}, ErrInfeasible},
		"above one":         {[]Relation{{[]Term{{0, 0, -1}}, -1.2, false}}, ErrInfeasible},
		"too large margins": {[]Relation{order(0, 3, 1, 0.3), order(0, 3, 2, 0.3)}, ErrInfeasible},
		"a probability 0":   {[]Relation{{[]Term{{0, 0, 1}}, 0, false}}, ErrUnsupported},
		"equal difference":  {[]Relation{{[]Term{{0, 1, 1}, {0, 0, -1}}, 0.2, true}}, ErrUnsupported},
	} {
		if _, err := New(Problem{States: 3, Sizes: two, Relations: test.relations}); !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
}
