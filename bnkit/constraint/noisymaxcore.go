package constraint

import (
	"errors"

	"bnlab/bnkit/bn"
	"bnlab/internal/cores"
	"bnlab/internal/presolve"
	"bnlab/internal/say"
	"bnlab/internal/strongest"
)

// effectsCore makes the core of a noisy-MAX, or of a noisy-OR with more than signs beside it.
func effectsCore(p *presolve.Program, c *causes, layout bn.Layout, bounds []Bound, members []int,
	local func([]int) []int, zero *[]int) (*cores.Core, error) {
	problem := strongest.Problem{States: len(c.order), Sizes: c.sizes, Idle: c.idle}
	var cells []int
	for _, config := range c.config {
		for _, state := range c.order {
			cells = append(cells, layout.Cell(c.child, config, state))
		}
	}
	at := make(map[int]int) // by cell, its place
	for k, cell := range cells {
		at[cell] = k
	}
	add := func(l Linear, equal bool) {
		problem.Relations = append(problem.Relations, c.ofEffects(l, at, equal))
	}
	for _, m := range members {
		b := bounds[m]
		if b.product != nil {
			continue
		}
		known := make(map[int]float64) // by place
		for _, f := range b.Fixed {
			known[at[f.Cell]] = f.P
		}
		problem.Relations = append(problem.Relations, c.ofKnown(known)...)
		for _, t := range b.Ties {
			for i := range t.Cells[1:] {
				add(Linear{Cells: []int{t.Cells[0], t.Cells[i+1]}, Coef: []float64{1 / t.scale(0), -1 / t.scale(i+1)}},
					true)
			}
		}
		for _, l := range b.Equal {
			add(l, true)
		}
		for _, l := range b.AtMost {
			add(l, false)
		}
	}
	out, err := cores.NewStrongest(p, problem, local(cells), zero)
	switch {
	case errors.Is(err, strongest.ErrInfeasible):
		return nil, say.Errorf("%w: under a noisy-OR or noisy-MAX %w", ErrInfeasible, err)
	case err != nil:
		return nil, say.Errorf("%w: under a noisy-OR or noisy-MAX %w; give bounds in its place, or drop one of them",
			ErrOverlap, err)
	}
	return out, nil
}

// ofEffects turns a linear relation of probabilities of states into one of F_y = P(Child ≤ y), the states counted
// from the weakest.
func (c *causes) ofEffects(l Linear, at map[int]int, equal bool) strongest.Relation {
	r := strongest.Relation{Value: l.Value, Equal: equal}
	for i, cell := range l.Cells {
		r = c.plus(r, at[cell], l.coef(i))
	}
	return r
}

// plus adds a multiple of P(state), which is F_y − F_(y−1), to the left of a relation.
func (c *causes) plus(r strongest.Relation, place int, coef float64) strongest.Relation {
	states := len(c.order)
	x, y := place/states, place%states
	if y < states-1 {
		r.Terms = append(r.Terms, strongest.Term{Config: x, Level: y, Coef: coef})
	} else {
		r.Value -= coef
	}
	if y > 0 {
		r.Terms = append(r.Terms, strongest.Term{Config: x, Level: y - 1, Coef: -coef})
	}
	return r
}

// ofKnown turns known probabilities of states into equations of F_y where they can be: from the weakest state up and
// from the strongest down.
func (c *causes) ofKnown(known map[int]float64) (list []strongest.Relation) {
	states := len(c.order)
	for x := range c.config {
		below, above, y := 0.0, 1.0, 0
		equal := func(level int, f float64) {
			term := strongest.Term{Config: x, Level: level, Coef: 1}
			list = append(list, strongest.Relation{Terms: []strongest.Term{term}, Value: f, Equal: true})
		}
		for ; y < states-1; y++ {
			p, ok := known[x*states+y]
			if !ok {
				break
			}
			below += p
			equal(y, below)
		}
		top := states - 1
		for ; top > y; top-- {
			p, ok := known[x*states+top]
			if !ok {
				break
			}
			above -= p
			equal(top-1, above)
		}
		for ; y < top; y++ { // in the middle
			if p, ok := known[x*states+y]; ok {
				list = append(list, c.plus(strongest.Relation{Value: p, Equal: true}, x*states+y, 1))
			}
		}
	}
	return list
}

// A levelEquation is that of a product for F_level; f are the probabilities of the states but the strongest, by
// configuration of the sets.
type levelEquation struct {
	productEquation
	level int
}

// sums are F_level by configuration.
func (c *causes) sums(f []float64, level int) []float64 {
	lower := len(c.order) - 1
	out := make([]float64, len(c.config))
	for x := range out {
		for _, p := range f[x*lower : x*lower+level+1] {
			out[x] += p
		}
	}
	return out
}

func (e levelEquation) value(f []float64) float64 {
	return e.productEquation.value(e.causes.sums(f, e.level))
}

func (e levelEquation) gradient(dst, f []float64) {
	by := make([]float64, len(e.causes.config))
	e.productEquation.gradient(by, e.causes.sums(f, e.level))
	e.causes.spread(dst, by, e.level)
}

// spread adds the slopes by F_level to those by the states that it sums.
func (c *causes) spread(dst, by []float64, level int) {
	lower := len(c.order) - 1
	clear(dst)
	for x, slope := range by {
		for y := range level + 1 {
			dst[x*lower+y] = slope
		}
	}
}

// An idleInequality says F_y(x)·F_(y+1)(idle) ≤ F_(y+1)(x)·F_y(idle), where idle is x with one set idle.
type idleInequality struct {
	causes         *causes
	x, idle, level int
}

// four are F_y and F_(y+1) of x, then of idle.
func (e idleInequality) four(f []float64) (low, high, idleLow, idleHigh float64) {
	lower := len(e.causes.order) - 1
	at := func(x, level int) float64 {
		if level == lower {
			return 1
		}
		total := 0.0
		for _, p := range f[x*lower : x*lower+level+1] {
			total += p
		}
		return total
	}
	return at(e.x, e.level), at(e.x, e.level+1), at(e.idle, e.level), at(e.idle, e.level+1)
}

func (e idleInequality) value(f []float64) float64 {
	low, high, idleLow, idleHigh := e.four(f)
	return low*idleHigh - high*idleLow
}

func (e idleInequality) gradient(dst, f []float64) {
	low, high, idleLow, idleHigh := e.four(f)
	clear(dst)
	lower := len(e.causes.order) - 1
	add := func(x, level int, slope float64) {
		if level < lower {
			for y := range level + 1 {
				dst[x*lower+y] += slope
			}
		}
	}
	add(e.x, e.level, idleHigh)
	add(e.idle, e.level+1, low)
	add(e.x, e.level+1, -idleLow)
	add(e.idle, e.level, -high)
}
