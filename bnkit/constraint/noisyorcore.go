package constraint

import (
	"bnlab/internal/presolve"
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/product"
	"bnlab/internal/spare"
)

// factored is a table under a noisy-OR, with influences and synergies of parents within a set.
type factored struct {
	s               *product.Solver
	absent, present []int // by configuration of the sets, places in the core
	sizes           []int
	spaces          spare.List[*factoredSpace]
}

type factoredSpace struct{ f, n0, n1, from []float64 }

const (
	newtonInLogs = "barrier Newton in log g"
	convexSteps  = "convex-concave procedure"
)

var errBesideNoisyOR = fmt.Errorf("%w: beside a noisy-OR only influences and synergies may be about the table; drop "+
	"one of them", ErrOverlap)

// newFactored reads what the bounds say beside the product.
func newFactored(p *presolve.Program, c *causes, layout bn.Layout, rows []Row, bounds []Bound, members []int,
	local func([]int) []int) (*core, error) {
	s := &factored{sizes: c.sizes}
	at := make(map[int]int) // by place, the configuration of the sets
	for x, config := range c.config {
		cells := local([]int{layout.Cell(c.child, config, c.absent), layout.Cell(c.child, config, c.present)})
		s.absent, s.present = append(s.absent, cells[0]), append(s.present, cells[1])
		at[cells[0]], at[cells[1]] = x, x
	}
	if len(rows) > len(c.config) {
		return nil, errBesideNoisyOR // of another table
	}
	problem := product.Problem{Sizes: c.sizes}
	for _, m := range members {
		b := bounds[m]
		switch {
		case b.product != nil && b.product.same(c):
			continue
		case b.product != nil:
			return nil, fmt.Errorf("%w: the same table is a noisy-OR of other sets; state one", ErrOverlap)
		case b.price > 0:
			return nil, fmt.Errorf("%w: an influence at a price does not go with a noisy-OR; compile it as one that "+
				"has to hold, or leave one of them out", ErrOverlap)
		case len(b.Fixed)+len(b.Ties)+len(b.Equal)+len(b.Ratios)+len(b.Smooth) > 0:
			return nil, errBesideNoisyOR
		}
		for _, l := range b.AtMost {
			r, ok := s.read(l, local(l.Cells), at)
			if !ok {
				return nil, errBesideNoisyOR
			}
			problem.Relations = append(problem.Relations, r)
		}
	}
	var err error
	if s.s, err = product.New(problem); err != nil {
		if errors.Is(err, product.ErrInfeasible) {
			return nil, fmt.Errorf("%w: under a noisy-OR %w", ErrInfeasible, err)
		}
		return nil, fmt.Errorf("%w: under a noisy-OR %w; drop one of them", ErrOverlap, err)
	}
	s.spaces.Fresh = func() *factoredSpace {
		float := func() []float64 { return make([]float64, len(c.config)) }
		return &factoredSpace{float(), float(), float(), float()}
	}
	out := &core{relations: p.Relations, method: s}
	for node := range p.Nodes {
		out.nodes, out.origins = append(out.nodes, node), append(out.origins, origin{node, 1})
	}
	return out, nil
}

// read turns an inequality between probabilities, of absence or presence, into a relation of those of
// absence. It is false for one with other coefficients than 1 and −1.
func (s *factored) read(l Linear, places []int, at map[int]int) (r product.Relation, ok bool) {
	unit := 0.0
	for i := range places {
		unit = max(unit, math.Abs(l.coef(i)))
	}
	r.Margin = -l.Value
	for i, place := range places {
		k := l.coef(i)
		if math.Abs(k) != unit || unit == 0 {
			return r, false
		}
		x := at[place]
		if place == s.present[x] { // k·P(present) = k − k·P(absent)
			r.Margin += k
			k = -k
		}
		if k > 0 {
			r.Less = append(r.Less, x)
		} else {
			r.More = append(r.More, x)
		}
	}
	r.Margin /= unit
	return r, r.Margin >= 0
}

// same reports whether two noisy-ORs of a table say the same.
func (c *causes) same(d *causes) bool {
	if c.present != d.present || len(c.parents) != len(d.parents) {
		return false
	}
	set := make(map[int]int) // of c, by parent, plus one
	for i, places := range c.parents {
		for _, p := range places {
			set[p] = i + 1
		}
	}
	for i, places := range d.parents {
		for _, p := range places {
			if set[p] != set[d.parents[i][0]] || len(places) != len(c.parents[set[p]-1]) {
				return false
			}
		}
	}
	return true
}

func (s *factored) name() string { return newtonInLogs }

func (s *factored) solve(x, n []float64) (coreReport, error) { return s.improve(x, n, nil) }

// improve starts a search at a point too, when there is one and a search is needed.
func (s *factored) improve(x, n, from []float64) (coreReport, error) {
	w := s.spaces.Take()
	defer s.spaces.Give(w)
	var start []float64
	for i, at := range s.absent {
		w.n0[i], w.n1[i] = n[at], n[s.present[i]]
	}
	if from != nil {
		start = w.from
		for i, at := range s.absent {
			start[i] = from[at]
		}
	}
	r := s.s.Solve(w.f, w.n0, w.n1, start)
	for i, f := range w.f {
		x[s.absent[i]], x[s.present[i]] = f, 1-f
	}
	out := coreReport{method: newtonInLogs, iterations: r.Steps, gap: r.Gap, residual: r.Residual, starts: r.Starts,
		agreed: r.Agreed}
	if r.Starts > 0 {
		out.method = convexSteps
		if r.Proven {
			out.certificate = Local
		}
		if r.Gap <= gapTol*max(total(n), 1) {
			out.certificate = Global
		}
	}
	return out, nil
}

// open lists the places of rows that the counts do not determine: those whose log F does not follow
// from that of rows with counts.
func (s *factored) open(n []float64) []int {
	entries := 0
	first := make([]int, len(s.sizes))
	for i, size := range s.sizes {
		first[i] = entries
		entries += size
	}
	row := func(x int) []presolve.Entry { // log F is the sum of an entry for each set
		list := make([]presolve.Entry, len(s.sizes))
		for i := len(s.sizes) - 1; i >= 0; i-- {
			list[i] = presolve.Entry{Column: first[i] + x%s.sizes[i], Value: 1}
			x /= s.sizes[i]
		}
		return list
	}
	var seen [][]presolve.Entry
	for x, at := range s.absent {
		if n[at]+n[s.present[x]] > 0 {
			seen = append(seen, row(x))
		}
	}
	var e presolve.Elimination
	e.Reset(entries)
	e.Rank(seen)
	var out []int
	for x, at := range s.absent {
		if len(e.Reduce(row(x))) > 0 {
			out = append(out, at, s.present[x])
		}
	}
	return out
}
