package dominance

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/internal/isotonic"
	"bnlab/internal/say"
	"bnlab/internal/spare"
)

// Sentinels that errors of this package wrap, for errors.Is.
var (
	// ErrCycle: the rows of a hard order dominate each other.
	ErrCycle = errors.New("rows dominate each other in a circle")
	// ErrNotConverged: the method stopped without a proof.
	ErrNotConverged = errors.New("not converged")
)

// An Arc says that the row High dominates the row Low: F_Low(m) ≤ F_High(m) for all m.
type Arc struct {
	Low, High int
	// Price is the loss for each unit by which an inequality is broken; +Inf forbids it.
	Price float64
}

// A Problem has Rows distributions over the same States, ordered by Arcs.
type Problem struct {
	Rows, States int
	Arcs         []Arc
}

// A Report says how good a solution is.
type Report struct {
	// Exact: the maxima of the rows by themselves are in order, or found by isotonic regression.
	Exact      bool
	Iterations int
	// Gap is by how much the objective, in nats, may still rise, at most.
	Gap float64
}

// A Solver solves one problem for any weights. Several goroutines may use it.
type Solver struct {
	rows, states int
	hard         bool // all arcs are
	arcs         []Arc
	upwards      []int           // arcs by their low rows, these in an order that hard arcs keep to
	order        *isotonic.Order // of rows, by the hard arcs
	net          network
	spaces       spare.List[*space]
}

// New prepares a problem. It returns an error for a size below 1 row and 2 states, an arc that
// leaves the rows or joins a row to itself and a price that is not positive; one that wraps
// [ErrCycle] when hard arcs lead in a circle.
func New(p Problem) (*Solver, error) {
	if p.Rows < 1 || p.States < 2 {
		return nil, fmt.Errorf("dominance: %d rows of %d states", p.Rows, p.States)
	}
	s := &Solver{rows: p.Rows, states: p.States, hard: true, arcs: slices.Clone(p.Arcs)}
	var hard [][2]int
	for i, a := range p.Arcs {
		if a.Low < 0 || a.Low >= p.Rows || a.High < 0 || a.High >= p.Rows || a.Low == a.High {
			return nil, fmt.Errorf("dominance: arc %d from row %d to row %d of %d", i, a.Low, a.High, p.Rows)
		}
		if !(a.Price > 0) {
			return nil, say.Errorf("dominance: arc %d has the price %v", i, a.Price)
		}
		if math.IsInf(a.Price, 1) {
			hard = append(hard, [2]int{a.Low, a.High})
		} else {
			s.hard = false
		}
	}
	if err := s.sort(); err != nil {
		return nil, err
	}
	var err error
	if s.order, err = isotonic.NewOrder(p.Rows, hard); err != nil {
		return nil, err
	}
	s.net = newNetwork(p)
	s.spaces.Fresh = func() *space { return newSpace(s) }
	return s, nil
}

// isIsotonic reports whether isotonic regression solves the problem.
func (s *Solver) isIsotonic() bool { return s.states == 2 && s.hard }

// sort lists the hard arcs such that all that lead to a row come before those that leave it.
func (s *Solver) sort() error {
	waits := make([]int, s.rows) // for hard arcs from below
	above := make([][]int, s.rows)
	left := 0
	for k, a := range s.arcs {
		if math.IsInf(a.Price, 1) {
			waits[a.High]++
			above[a.Low] = append(above[a.Low], k)
			left++
		}
	}
	var ready []int
	for r, w := range waits {
		if w == 0 {
			ready = append(ready, r)
		}
	}
	for i := 0; i < len(ready); i++ {
		for _, k := range above[ready[i]] {
			s.upwards = append(s.upwards, k)
			left--
			high := s.arcs[k].High
			if waits[high]--; waits[high] == 0 {
				ready = append(ready, high)
			}
		}
	}
	if left > 0 {
		return fmt.Errorf("dominance: %w", ErrCycle)
	}
	return nil
}

// faint is the share of all weight below which a weight counts as none: the method cannot
// tell it from rounding.
const faint = 1e-12

// Solve writes to x the maximum for the weights n, both row by row, state after state. From, when
// not nil, is a point to start at, such as the maximum for weights nearby; it should satisfy the
// hard orders. What the weights leave open gets equal parts, as far as hard orders allow: of all
// maxima x is the one with the largest Σ log x over it. Where orders have prices x is one of the
// maxima. A weight below 1e-12 of all counts as none, but gets that share as its probability at
// least. Hard orders and sums hold to 1e-11. Nothing is allocated in steady state.
//
// An error wraps [ErrNotConverged] when there is no proof that x
// is within 1e-9 Σ n of the maximum; x then has no meaning. It panics when a slice has another
// length than rows times states. Weights must be finite and not negative.
func (s *Solver) Solve(x, n, from []float64) (Report, error) {
	if len(x) != s.rows*s.states || len(n) != len(x) || from != nil && len(from) != len(x) {
		panic(fmt.Sprintf("dominance: %d, %d and %d entries for %d rows of %d states", len(x), len(n), len(from),
			s.rows, s.states))
	}
	w := s.spaces.Take()
	defer s.spaces.Give(w)
	if !w.weigh(n, nil) {
		for i := range x {
			x[i] = 1 / float64(s.states)
		}
		return Report{Exact: true}, nil
	}
	if w.byRow() {
		w.write(x, n)
		return Report{Exact: true}, nil
	}
	if s.isIsotonic() {
		if err := w.levels(); err != nil {
			return Report{}, err
		}
		w.fill()
		w.write(x, n)
		return Report{Exact: true}, nil
	}
	if from == nil || !w.startAt(from) {
		switch {
		case s.hard:
			if err := w.levels(); err != nil {
				return Report{}, err
			}
		case len(s.upwards) > 0:
			w.even()
		default:
			w.byRow()
		}
		w.joinTies(0)
	}
	r := w.ascend()
	if !(r.Gap <= precise*w.total) {
		return r, fmt.Errorf("dominance: %w after %d steps: the gap is %.3g of the weight", ErrNotConverged,
			r.Iterations, r.Gap/w.total)
	}
	if w.open && s.hard {
		w.fill()
	}
	w.write(x, n)
	r.Gap *= w.scale
	return r, nil
}
