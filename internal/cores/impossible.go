package cores

import (
	"errors"
	"fmt"
	"slices"

	"bnlab/internal/linprog"
	"bnlab/internal/num"
	"bnlab/internal/presolve"
	"bnlab/internal/rows"
)

// impossible follows what equal proportions make of zeros before a curved core is solved. Blocks in equal proportions
// whose sums are both positive have zeros in the same places; so what has cases and stands in the place of a zero is
// impossible, which the solver would approach without ever meeting it.
type impossible struct {
	set    rows.Set
	ratios []presolve.Ratio
	never  []bool   // nodes that the linear relations alone make zero; nil for a core that is too large
	must   [][]bool // by ratio and block, whether the linear relations alone make its sum positive
}

// prepare finds what the linear relations say of the blocks.
func (z *impossible) prepare() {
	for _, r := range z.ratios {
		var must []bool
		for _, block := range r.Blocks {
			objective := make([]float64, z.set.Len)
			for _, node := range block {
				objective[node] = -1
			}
			most, _, err := linprog.Maximise(z.set, objective)
			must = append(must, err == nil && most < -presolve.FeasibleTol)
		}
		z.must = append(z.must, must)
	}
}

// leastRoom is what cases have at least: the solver cannot tell less from nothing.
const leastRoom = 1e-13

// check returns an error when something that has cases is zero.
func (z *impossible) check(n []float64) error {
	if z.never == nil || len(z.ratios) == 0 {
		return nil
	}
	least := Faint * num.Sum(n)
	owed := make([]int, len(n)) // to which node with cases a node owes that it is positive, and −1
	for node, x := range n {
		if owed[node] = -1; x > least {
			owed[node] = node
		}
	}
	zero := slices.Clone(z.never)
	for known := z.never; ; {
		for z.spread(zero, owed) {
		}
		for node := range zero {
			if at := owed[node]; at >= 0 && zero[node] {
				return &ForcedError{Node: at, N: n[at]}
			}
		}
		if slices.Equal(zero, known) {
			return nil
		}
		if err := z.linear(zero); err != nil {
			return err
		}
		known = slices.Clone(zero)
	}
}

// spread carries zeros and what is positive from block to block once, and reports whether that told anything new.
func (z *impossible) spread(zero []bool, owed []int) (changed bool) {
	for k, r := range z.ratios {
		var positive [][]int // blocks
		for g, block := range r.Blocks {
			if z.must[k][g] || slices.ContainsFunc(block, func(node int) bool { return owed[node] >= 0 }) {
				positive = append(positive, block)
			}
		}
		for place := range r.Blocks[0] {
			none, at := false, -1
			for _, block := range positive {
				none = none || zero[block[place]]
				at = max(at, owed[block[place]])
			}
			for _, block := range r.Blocks {
				if node := block[place]; none && !zero[node] {
					zero[node], changed = true, true
				}
			}
			for _, block := range positive {
				if node := block[place]; at >= 0 && owed[node] < 0 {
					owed[node], changed = at, true
				}
			}
		}
	}
	return changed
}

// linear adds what the linear relations make zero beside zeros.
func (z *impossible) linear(zero []bool) error {
	set := z.set
	set.Equal = set.Equal[:len(set.Equal):len(set.Equal)]
	for node, none := range zero {
		if none {
			set.Equal = append(set.Equal, rows.Row{Index: []int{node}})
		}
	}
	_, found, _, err := linprog.Interior(set)
	if errors.Is(err, linprog.ErrInfeasible) {
		return fmt.Errorf("%w: proportions, beside what occurs, leave no probabilities", presolve.ErrInfeasible)
	}
	if err != nil {
		return nil // the solver tells
	}
	for node, none := range found {
		zero[node] = zero[node] || none
	}
	return nil
}

// resolved returns an error when something that has cases has so little that the solver cannot tell it from nothing.
func resolved(x, n []float64) error {
	least := Faint * num.Sum(n)
	for node, p := range x {
		if n[node] > least && p < leastRoom {
			return &ForcedError{Node: node, N: n[node], Unresolved: true}
		}
	}
	return nil
}
