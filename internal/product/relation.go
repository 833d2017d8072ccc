package product

import (
	"math"
	"slices"
)

// A relation is log Σ_less ≤ log Σ_more over terms, each e to the sum of some entries of u. One with a
// margin has F for terms, and on the smaller side the margin as the last. (Y13 Eqs. 1, 2, 5 and 6, as products.)
type relation struct {
	vars       []int // the entries of u that it is about
	less, more []term
	margin     float64
	first      int // of its slopes in a space
	// Less and more among the sides of the solver, or ^e for a single entry e of u.
	lessSide, moreSide int
}

// A term is about some of the vars of a relation, by their places.
type term struct {
	at     []int
	config int // of F, in a relation with a margin; −1 for the margin
}

// compile turns configurations into entries of u.
func (d *reduction) compile(r within, entry [][]int) relation {
	out := relation{margin: r.margin}
	place := func(e int) int {
		k := slices.Index(out.vars, e)
		if k < 0 {
			k = len(out.vars)
			out.vars = append(out.vars, e)
		}
		return k
	}
	terms := func(list []int) (terms []term) {
		for _, x := range list {
			t := term{config: r.context + (x-d.local(r.context, r.set))*d.strides[r.set]}
			for i := range d.Sizes {
				if i == r.set || r.margin > 0 {
					t.at = append(t.at, place(entry[i][d.local(t.config, i)]))
				}
			}
			terms = append(terms, t)
		}
		return terms
	}
	out.less, out.more = terms(r.less), terms(r.more)
	if r.margin > 0 {
		out.less = append(out.less, term{[]int{place(d.vars)}, -1})
	}
	return out
}

// isOrder reports whether it says of two entries of u that the first is not above the second.
func (r *relation) isOrder() bool {
	return r.margin == 0 && len(r.less) == 1 && len(r.more) == 1 && len(r.vars) == 2
}

// slopes writes the gradient of the slack, and to w.curve its second derivatives, by places in vars.
// Those of log Σ_more, which are not negative, are left out when tangent is true.
// The shares of terms are those that value has left at u.
func (c *climb) slopesOf(r *relation, slope []float64, tangent bool) {
	w := c.space
	n := len(r.vars)
	curve := w.curve[:n*n]
	clear(slope)
	clear(curve)
	for side, terms := range [...][]term{r.less, r.more} {
		sign := float64(2*side - 1)
		if len(terms) == 1 {
			for _, a := range terms[0].at {
				slope[a] += sign
			}
			continue
		}
		at := [...]int{r.lessSide, r.moreSide}[side]
		sum, shares := w.sums[at], w.shares[c.sides[at].first:]
		mean := w.mean[:n]
		clear(mean)
		bends := side == 0 || !tangent
		for k, t := range terms {
			share := shares[k] / sum
			for _, a := range t.at {
				mean[a] += share
				if !bends {
					continue
				}
				row := curve[a*n : a*n+n]
				for _, b := range t.at {
					row[b] += sign * share
				}
			}
		}
		for a, x := range mean {
			slope[a] += sign * x
			if !bends || x == 0 {
				continue
			}
			row := curve[a*n : a*n+n]
			for b, y := range mean {
				row[b] -= sign * x * y
			}
		}
	}
}

// room is the logarithm of how many times as large the margin may be where F is what the space has.
func (r *relation) room(w *space) float64 {
	if r.margin == 0 {
		return math.Inf(1)
	}
	more, less := 0.0, 0.0
	for _, t := range r.more {
		more += w.f[t.config]
	}
	for _, t := range r.less[:len(r.less)-1] {
		less += w.f[t.config]
	}
	return math.Log((more - less) / r.margin)
}
