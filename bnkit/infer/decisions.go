package infer

import (
	"math"
	"slices"

	"bnlab/internal/factor"
)

// A decision is a node of a tree at which variables were summed out, or maximised: given the states of the
// variables that the node has, a joint state of these is chosen. From the root down, the decisions of a tree
// lead to every joint state of its variables once.
type decision struct {
	free, cards []int // variables to choose, and their cardinalities
	size        int   // joint states
	a, b        factor.Shape
	x, y        []float64 // operands
	logs        bool      // that are logarithms
	weights     []float64 // scratch
}

// decisions lists those of a tree from the root down, with the tables of a block of one case; the workspace
// must not be used for another one meanwhile.
func (t *tree) decisions(w *workspace, blk *block) []decision {
	var list []decision
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		if !n.sums {
			continue
		}
		d := decision{a: t.nodes[n.a].shape, size: 1, logs: w.logs}
		if n.b >= 0 {
			d.b = t.nodes[n.b].shape
		}
		d.x, d.y = w.operands(blk, n)
		for _, s := range []factor.Shape{d.a, d.b} {
			for j, v := range s.Vars {
				if n.shape.Card(v) == 0 && !slices.Contains(d.free, v) {
					d.free, d.cards = append(d.free, v), append(d.cards, s.Cards[j])
					d.size *= s.Cards[j]
				}
			}
		}
		list = append(list, d)
	}
	return list
}

// weigh returns the weight of each joint state of the free variables, given the states of the others, or
// its logarithm; it writes to states of free variables. The weights are valid until the next call.
func (d *decision) weigh(states []int) []float64 {
	d.weights = d.weights[:0]
	for choice := range d.size {
		d.choose(choice, states)
		x, y := d.x[place(d.a, states)], d.y[place(d.b, states)]
		if d.logs {
			x += y
		} else {
			x *= y
		}
		d.weights = append(d.weights, x)
	}
	return d.weights
}

// choose writes a joint state of the free variables, of which the last varies fastest.
func (d *decision) choose(choice int, states []int) {
	for i := len(d.free) - 1; i >= 0; i-- {
		states[d.free[i]] = choice % d.cards[i]
		choice /= d.cards[i]
	}
}

// best returns the first choice with the greatest weight.
func (d *decision) best(states []int) int {
	weights := d.weigh(states)
	return slices.Index(weights, slices.Max(weights))
}

// losses returns by choice the logarithm of the greatest weight divided by its own.
func (d *decision) losses(states []int) []float64 {
	w := d.weigh(states)
	high := slices.Max(w)
	for i, x := range w {
		if d.logs {
			w[i] = high - x
		} else {
			w[i] = factor.Log(high) - factor.Log(x)
		}
	}
	return w
}

// draw returns a choice with probability in proportion to its weight; u is uniform in [0, 1).
func (d *decision) draw(states []int, u float64) int {
	w := d.weigh(states)
	if d.logs {
		high := slices.Max(w)
		for i, x := range w {
			w[i] = math.Exp(x - high)
		}
	}
	sum := 0.0
	for _, x := range w {
		sum += x
	}
	return pick(w, u*sum)
}

// place is the entry of a table in the given states of all variables.
func place(s factor.Shape, states []int) int {
	at := 0
	for i, v := range s.Vars {
		at = at*s.Cards[i] + states[v]
	}
	return at
}
