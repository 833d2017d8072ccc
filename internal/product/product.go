// Package product finds the tables of most likelihood whose first entries are products: for
// each configuration x = (x_1, …, x_k) of some sets,
//
//	F(x) = Π_i g_i(x_i),   0 ≤ g_i ≤ 1,
//
// with counts n0(x) of what has the probability F and n1(x) of what has 1 − F, it maximises
//
//	Σ_x n0 log F + n1 log(1 − F)
//
// under orders Σ_less F + margin ≤ Σ_more F. In u = log g the objective is concave, and an
// order with one term on its larger side is convex; the others, such as synergies, are
// convex once the logarithm of that side is replaced by its tangent, which makes the set smaller
// (the convex-concave procedure of A. Yuille and A. Rangarajan, Neural Computation 15, 2003).
//
// New reduces the orders and finds a point inside, Solver.Solve follows the path of maxima
// with even pseudocounts and logarithmic barriers as these fade.
package product

import (
	"errors"
	"slices"

	"bnlab/internal/spare"
)

// Sentinels that errors of New wrap.
var (
	// ErrInfeasible: no product satisfies the orders, or only some for which two sides are equal that
	// are to differ by a margin.
	ErrInfeasible = errors.New("no product satisfies the orders")
	// ErrUnsupported: an order is of a kind that has no method here.
	ErrUnsupported = errors.New("orders have no method")
)

// A Problem numbers configurations with the first set varying slowest.
type Problem struct {
	Sizes     []int // by set, its configurations
	Relations []Relation
}

// A Relation says Σ_Less F + Margin ≤ Σ_More F over configurations.
type Relation struct {
	Less, More []int
	Margin     float64
}

// A Solver solves one problem for any counts. Several goroutines may use it.
type Solver struct {
	vars      int // entries of u; see Solver.scale and Solver.level
	sets      int
	first     []int // by set, its first entry, and vars
	configs   int
	vary      []int      // by configuration and set, the entry of u
	relations []relation // convex ones first
	convex    int        // how many
	sides     []side     // of all relations, those of convex ones first
	simple    int        // how many of these are of convex ones
	terms     int        // of all sides
	inside    []float64  // a u that satisfies all strictly
	spaces    spare.List[*space]
}

// New prepares a problem.
func New(p Problem) (*Solver, error) {
	d := newReduction(p)
	if err := d.reduce(); err != nil {
		return nil, err
	}
	s := &Solver{sets: len(p.Sizes), configs: d.configs}
	entry := d.entries()
	s.vars = d.vars
	for _, e := range entry {
		s.first = append(s.first, e[0])
	}
	s.first = append(s.first, s.vars)
	s.vary = make([]int, 0, s.configs*s.sets)
	for x := range s.configs {
		for i := range p.Sizes {
			s.vary = append(s.vary, entry[i][d.local(x, i)])
		}
	}
	slices.SortStableFunc(d.relations, func(a, b within) int { return min(len(a.more), 2) - min(len(b.more), 2) })
	slopes := 0
	for _, r := range d.relations {
		one := d.compile(r, entry)
		one.first = slopes
		slopes += len(one.vars)
		one.lessSide, one.moreSide = s.sideOf(&one, one.less), s.sideOf(&one, one.more)
		s.relations = append(s.relations, one)
		if len(r.more) == 1 {
			s.convex++
			s.simple = len(s.sides)
		}
	}
	s.spaces.Fresh = func() *space { return newSpace(s) }
	return s, s.enter(d.start(entry))
}

// The entries of u are log g less the largest of their set, so that these are 0 to the last digit; what
// is taken from all sets together is the level, the logarithm of the largest F.
func (s *Solver) level() int { return s.vars + 1 }

// scale is the place of the logarithm of what margins are times, 0 but on the way to a first point.
func (s *Solver) scale() int { return s.vars }
