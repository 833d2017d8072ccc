package constraint

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/cores"
	"bnlab/internal/presolve"
	"bnlab/internal/product"
	"bnlab/internal/say"
)

// noisyORCore makes the core of a noisy-OR or noisy-MAX with what the bounds say beside it. Cells that can only be
// zero are added to zero.
func noisyORCore(p *presolve.Program, c *causes, layout bn.Layout, rows []Row, bounds []Bound, members []int,
	local func([]int) []int, zero *[]int) (*cores.Core, error) {
	if len(rows) > len(c.config) {
		return nil, fmt.Errorf("%w: beside a noisy-OR or noisy-MAX no statement may link its table with another; drop "+
			"one of them", ErrOverlap)
	}
	relations := product.Problem{Sizes: c.sizes}
	more := len(c.order) > 2 || c.idle != nil // than package product does
	var absent, present []int                 // by configuration of the sets, places in the core
	at := make(map[int]int)                   // by place, the configuration of the sets
	for x, config := range c.config {
		cells := local([]int{layout.Cell(c.child, config, c.absent), layout.Cell(c.child, config, c.present)})
		absent, present = append(absent, cells[0]), append(present, cells[1])
		at[cells[0]], at[cells[1]] = x, x
	}
	for _, m := range members {
		b := bounds[m]
		switch {
		case b.product != nil && b.product.same(c):
			continue
		case b.product != nil:
			return nil, fmt.Errorf("%w: the same table is a noisy-OR or noisy-MAX of other sets; state one", ErrOverlap)
		case b.price > 0:
			return nil, fmt.Errorf("%w: an influence or synergy as a penalty does not go with a noisy-OR; compile "+
				"it as one that "+
				"has to hold, or leave one of them out", ErrOverlap)
		case len(b.Ratios)+len(b.Smooth) > 0:
			return nil, fmt.Errorf("%w: beside a noisy-OR or noisy-MAX only influences, synergies, known values, "+
				"bounds and linear sums may be about the table; drop one of them", ErrOverlap)
		}
		more = more || len(b.Fixed)+len(b.Equal)+len(b.Ties) > 0
		for _, l := range b.AtMost {
			if more {
				break
			}
			r, ok := ofAbsence(l, local(l.Cells), present, at)
			if more = !ok; ok {
				relations.Relations = append(relations.Relations, r)
			}
		}
	}
	if more {
		return effectsCore(p, c, layout, bounds, members, local, zero)
	}
	out, err := cores.NewFactored(p, relations, absent, present)
	switch {
	case errors.Is(err, product.ErrInfeasible):
		return nil, say.Errorf("%w: under a noisy-OR %w", ErrInfeasible, err)
	case err != nil:
		return nil, say.Errorf("%w: under a noisy-OR %w; drop one of them", ErrOverlap, err)
	}
	return out, nil
}

// ofAbsence turns an inequality between probabilities, of absence or presence, into a relation of those of
// absence. It is false for one with other coefficients than 1 and −1, and for one with
// nothing on a side.
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
	return r, r.Margin >= 0 && len(r.Less) > 0 && len(r.More) > 0
}

// same reports whether two noisy-ORs of a table say the same.
func (c *causes) same(d *causes) bool {
	if !slices.Equal(c.order, d.order) || len(c.parents) != len(d.parents) || (c.idle == nil) != (d.idle == nil) {
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
			if c.idle != nil && c.idleOf[p] != d.idleOf[p] {
				return false
			}
		}
	}
	return true
}

// bound says that the cells F of absence, by configuration of the sets, are products. From the
// configuration r in which F is largest, with r_i that in which set i alone is another,
//
//	F(x) = Π F(r_i) / F(r)^(d−1)
//
// for each x that differs from r in d ≥ 2 sets. So many equations are independent, and what
// they leave free is one F for each configuration of a set, less what sets can pass on to each other. (Y13 Eq. 8.)
func (c *causes) bound(layout bn.Layout) Bound {
	b := Bound{product: c}
	states := len(c.order)
	var said Smooth
	for _, config := range c.config {
		b.Links = append(b.Links, Row{c.child, config})
		for _, state := range c.order[:states-1] {
			said.Cells = append(said.Cells, layout.Cell(c.child, config, state))
		}
	}
	for level := range states - 1 {
		for step := range c.config {
			if moves := c.moves(step); len(moves) > 1 {
				e := levelEquation{productEquation{c, moves}, level}
				said.Equal = append(said.Equal, Function{Value: e.value, Gradient: e.gradient})
			}
		}
		for set, idle := range c.idle {
			for x := range c.config {
				if local := c.local(x, set); local != idle {
					by := (idle - local + c.sizes[set]) % c.sizes[set]
					e := idleInequality{c, x, c.after(x, move{set, by}), level}
					said.AtMost = append(said.AtMost, Function{Value: e.value, Gradient: e.gradient})
				}
			}
		}
	}
	b.Smooth = []Smooth{said}
	return b
}

// A productEquation is that of the configuration that lies some steps from the reference.
type productEquation struct {
	causes *causes
	moves  []move
}

// A move takes a set some configurations further, round at the last.
type move struct{ set, by int }

// moves lists those that lead from the first configuration to another.
func (c *causes) moves(to int) []move {
	var list []move
	for i := len(c.sizes) - 1; i >= 0; i-- {
		if by := to % c.sizes[i]; by > 0 {
			list = append(list, move{i, by})
		}
		to /= c.sizes[i]
	}
	return list
}

// after is the configuration to which moves lead from x.
func (c *causes) after(x int, moves ...move) int {
	for _, m := range moves {
		stride := 1
		for _, size := range c.sizes[m.set+1:] {
			stride *= size
		}
		at := x / stride % c.sizes[m.set]
		x += ((at+m.by)%c.sizes[m.set] - at) * stride
	}
	return x
}

// reference is the configuration with the largest F.
func reference(f []float64) int {
	r := 0
	for x := range f {
		if f[x] > f[r] {
			r = x
		}
	}
	return r
}

// value is F(x) less what the product makes of it.
func (e productEquation) value(f []float64) float64 {
	r := reference(f)
	return f[e.causes.after(r, e.moves...)] - e.product(f, r, -1)
}

// product is Π F(r_i)/F(r)^(d−1), without the factor of one of the moves.
func (e productEquation) product(f []float64, r, without int) float64 {
	if f[r] == 0 {
		return 0
	}
	p := f[r]
	for i, m := range e.moves {
		if i == without {
			p /= f[r]
		} else {
			p *= f[e.causes.after(r, m)] / f[r]
		}
	}
	return p
}

func (e productEquation) gradient(dst, f []float64) {
	clear(dst)
	r := reference(f)
	dst[e.causes.after(r, e.moves...)] = 1
	if f[r] == 0 {
		return
	}
	for i, m := range e.moves {
		dst[e.causes.after(r, m)] = -e.product(f, r, i)
	}
	dst[r] = float64(len(e.moves)-1) * e.product(f, r, -1) / f[r]
}
