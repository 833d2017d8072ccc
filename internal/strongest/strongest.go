// Package strongest finds the tables of most likelihood of a variable that shows the strongest of independent effects
// (noisy-MAX): for each configuration x = (x_1, …, x_k) of some sets and each level y below the highest state,
//
//	F_y(x) = P(state at most y | x) = Π_i c_i(y | x_i),   0 ≤ c_i(0 | ·) ≤ c_i(1 | ·) ≤ … ≤ 1,
//
// with linear relations between the F. (F. J. Díez, Parameter adjustment in Bayes networks: the generalized noisy
// OR-gate, UAI 1993.) The unknowns are p_i(y | x_i) = log c_i(y+1 | x_i) − log c_i(y | x_i) ≥ 0, and with q their sum
// over the sets and n(x, y) cases the likelihood is
//
//	Σ_x Σ_y −n(x, at most y)·q_y(x) + n(x, y+1)·log(1 − e^−q_y(x)),
//
// a noisy-OR for each level, of what is at most y among what is at most y+1. It is concave. A relation is convex when
// it has one term of log-linear form on its larger side, as in a geometric program: an order of two F, a bound on an
// F from above or from below, a least distance between two. Others are dealt with by tangents of that side (the
// convex-concave procedure of A. Yuille and A. Rangarajan, Neural Computation 15, 2003), and solved to a local
// maximum.
package strongest

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bnlab/internal/linprog"
	"bnlab/internal/rows"
	"bnlab/internal/spare"
)

// Sentinels that errors of New wrap.
var (
	// ErrInfeasible: no table satisfies the relations, or only some without room inside.
	ErrInfeasible = errors.New("no table of independent effects satisfies the relations")
	// ErrUnsupported: a relation has no method here.
	ErrUnsupported = errors.New("a relation has no method")
)

// A Problem numbers configurations with the first set varying slowest.
type Problem struct {
	States int   // of the variable, the weakest first
	Sizes  []int // by set, its configurations
	// Idle is by set the configuration that has no effect, or −1; nil means −1. When all sets have one there is a
	// further effect, the leak, in all configurations.
	Idle      []int
	Relations []Relation
}

// A Relation says Σ Coef·F ≤ Value, or = Value.
type Relation struct {
	Terms []Term
	Value float64
	Equal bool
}

// A Term is a multiple of F_Level(Config); Level is below the highest state.
type Term struct {
	Config, Level int
	Coef          float64
}

// A Solver solves one problem for any counts. Several goroutines may use it.
type Solver struct {
	states, levels, configs int
	vars                    int
	sums                    [][]int    // by configuration and level, the unknowns whose sum is q
	known                   []rows.Row // equations of the unknowns
	limits                  []rows.Row
	curved                  []relation // convex ones first
	convex                  int
	basis                   *mat.Dense // of steps that keep to the equations; nil for all
	inside                  []float64
	spaces                  spare.List[*space]
}

// New prepares a problem.
func New(p Problem) (*Solver, error) {
	s := &Solver{states: p.States, levels: p.States - 1, configs: 1}
	for _, size := range p.Sizes {
		s.configs *= size
	}
	s.number(p)
	for _, r := range p.Relations {
		if err := s.read(r); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(s.curved, func(a, b relation) int { return min(len(a.more), 2) - min(len(b.more), 2) })
	for _, r := range s.curved {
		if len(r.more) == 1 {
			s.convex++
		}
	}
	s.inside = slices.Repeat([]float64{0.5 / float64(len(p.Sizes)+1)}, s.vars)
	if len(s.known)+len(s.limits) > 0 {
		if err := s.presolve(); err != nil {
			return nil, err
		}
	}
	s.spaces.Fresh = func() *space { return newSpace(s) }
	return s, s.enter()
}

// number gives each unknown its place.
func (s *Solver) number(p Problem) {
	entry := make([][]int, len(p.Sizes)) // by set and configuration, the first of its levels; −1 for none
	leak := true
	for i, size := range p.Sizes {
		entry[i] = make([]int, size)
		idle := -1
		if p.Idle != nil {
			idle = p.Idle[i]
		}
		leak = leak && idle >= 0
		for x := range size {
			if entry[i][x] = -1; x != idle {
				entry[i][x] = s.vars
				s.vars += s.levels
			}
		}
	}
	s.sums = make([][]int, s.configs*s.levels)
	for x := range s.configs {
		var first []int
		rest := x
		for i := len(p.Sizes) - 1; i >= 0; i-- {
			if e := entry[i][rest%p.Sizes[i]]; e >= 0 {
				first = append(first, e)
			}
			rest /= p.Sizes[i]
		}
		if leak {
			first = append(first, s.vars)
		}
		for y := range s.levels {
			for _, e := range first {
				s.sums[x*s.levels+y] = append(s.sums[x*s.levels+y], e+y)
			}
		}
	}
	if leak {
		s.vars += s.levels
	}
}

// presolve finds a point inside the linear relations, the unknowns that they make 0, which go, and those that can
// only hold with equality.
func (s *Solver) presolve() error {
	x, zero, tight, err := linprog.Interior(rows.Set{Len: s.vars, Equal: s.known, AtMost: s.limits})
	switch {
	case errors.Is(err, linprog.ErrInfeasible):
		return ErrInfeasible
	case err != nil:
		return err
	}
	var limits []rows.Row
	for k, r := range s.limits {
		if tight[k] {
			s.known = append(s.known, r)
		} else {
			limits = append(limits, r)
		}
	}
	s.limits = limits
	place := make([]int, s.vars)
	s.inside, s.vars = nil, 0
	for e := range place {
		if place[e] = -1; !zero[e] {
			place[e] = s.vars
			s.inside = append(s.inside, x[e])
			s.vars++
		}
	}
	s.renumber(place)
	if len(s.known) == 0 {
		return nil
	}
	e := mat.NewDense(len(s.known), s.vars, nil)
	for k, r := range s.known {
		for i, v := range r.Index {
			e.Set(k, v, r.Coef[i])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(e, mat.SVDFullV) {
		return fmt.Errorf("%w: its equations are too ill-conditioned", ErrUnsupported)
	}
	var v mat.Dense
	svd.VTo(&v)
	rank := 0
	for _, sigma := range svd.Values(nil) {
		if sigma > 1e-10 {
			rank++
		}
	}
	s.basis = mat.NewDense(s.vars, max(s.vars-rank, 1), nil)
	if s.vars > rank {
		s.basis.Copy(v.Slice(0, s.vars, rank, s.vars))
	}
	return nil
}

// renumber moves unknowns to other places, and leaves out those without one, which are 0.
func (s *Solver) renumber(place []int) {
	for t, list := range s.sums {
		s.sums[t] = slices.DeleteFunc(list, func(e int) bool { return place[e] < 0 })
		for k, e := range s.sums[t] {
			s.sums[t][k] = place[e]
		}
	}
	row := func(r rows.Row) rows.Row {
		out := rows.Row{Value: r.Value}
		for k, e := range r.Index {
			if place[e] >= 0 {
				out.Index, out.Coef = append(out.Index, place[e]), append(out.Coef, r.Coef[k])
			}
		}
		return out
	}
	for _, list := range [...]*[]rows.Row{&s.known, &s.limits} {
		for k, r := range *list {
			(*list)[k] = row(r)
		}
		*list = slices.DeleteFunc(*list, func(r rows.Row) bool { return len(r.Index) == 0 })
	}
	for k := range s.curved {
		r := &s.curved[k]
		for _, side := range [...][]monomial{r.less, r.more} {
			for m := range side {
				side[m].Row = row(side[m].Row)
			}
		}
	}
}

// Never reports whether the relations forbid the state above a level in a configuration.
func (s *Solver) Never(config, level int) bool { return len(s.sums[config*s.levels+level]) == 0 }

// Sum lists the unknowns, of Len, on whose sum the share of what is at most a level among what is at most the next
// one depends in a configuration.
func (s *Solver) Sum(config, level int) []int { return s.sums[config*s.levels+level] }

// Len is the number of unknowns.
func (s *Solver) Len() int { return s.vars }

// Known are the equations that relations make of the unknowns.
func (s *Solver) Known() []rows.Row { return s.known }

// Convex reports whether all relations are, so that a maximum is the largest.
func (s *Solver) Convex() bool { return s.convex == len(s.curved) }

// table writes the table of the unknowns, by configuration and state.
func (s *Solver) table(theta, p []float64) {
	for x := range s.configs {
		row := theta[x*s.states : (x+1)*s.states]
		z := 0.0 // log F of the level
		for y := s.levels - 1; y >= 0; y-- {
			q := 0.0
			for _, e := range s.sums[x*s.levels+y] {
				q += p[e]
			}
			row[y+1] = math.Exp(z) * -math.Expm1(-q)
			z -= q
		}
		row[0] = math.Exp(z)
	}
}
