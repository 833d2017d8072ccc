package constraint

import (
	"bnlab/internal/cores"
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/presolve"
	"bnlab/internal/product"
)

var errBesideNoisyOR = fmt.Errorf("%w: beside a noisy-OR only influences and synergies may be about the table; drop "+
	"one of them", ErrOverlap)

// noisyORCore makes the core of a noisy-OR with what the bounds say beside it.
func noisyORCore(p *presolve.Program, c *causes, layout bn.Layout, rows []Row, bounds []Bound, members []int,
	local func([]int) []int) (*cores.Core, error) {
	var absent, present []int // by configuration of the sets, places in the core
	at := make(map[int]int)   // by place, the configuration of the sets
	for x, config := range c.config {
		cells := local([]int{layout.Cell(c.child, config, c.absent), layout.Cell(c.child, config, c.present)})
		absent, present = append(absent, cells[0]), append(present, cells[1])
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
			r, ok := ofAbsence(l, local(l.Cells), present, at)
			if !ok {
				return nil, errBesideNoisyOR
			}
			problem.Relations = append(problem.Relations, r)
		}
	}
	out, err := cores.NewFactored(p, problem, absent, present)
	switch {
	case errors.Is(err, product.ErrInfeasible):
		return nil, fmt.Errorf("%w: under a noisy-OR %w", ErrInfeasible, err)
	case err != nil:
		return nil, fmt.Errorf("%w: under a noisy-OR %w; drop one of them", ErrOverlap, err)
	}
	return out, nil
}

// ofAbsence turns an inequality between probabilities, of absence or presence, into a relation of those of
// absence. It is false for one with other coefficients than 1 and −1.
func ofAbsence(l Linear, places, present []int, at map[int]int) (r product.Relation, ok bool) {
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
		if place == present[x] { // k·P(present) = k − k·P(absent)
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
