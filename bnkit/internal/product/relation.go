package product

import (
	"math"
	"slices"
)

// A relation is log Σ_less e^{u_a + …} ≤ log Σ_more e^{u_b + …}.
type relation struct {
	vars       []int  // the entries of u that it is about
	less, more []term // at least one each
	margin     bool   // is the last term of less
}

// A term is e^(offset + Σ u).
type term struct {
	at     []int // places in vars
	offset float64
}

// compile turns configurations into entries of u. With a margin terms have the level added, and the
// logarithm of the margin its scale.
func (d *reduction) compile(r within, entry [][]int) relation {
	var out relation
	at := func(e int) int {
		k := slices.Index(out.vars, e)
		if k < 0 {
			k = len(out.vars)
			out.vars = append(out.vars, e)
		}
		return k
	}
	terms := func(list []int) (terms []term) {
		for _, x := range list {
			var t term
			for i := range d.Sizes {
				local := x
				if i != r.set {
					if r.margin == 0 {
						continue
					}
					local = d.local(r.context, i)
				}
				t.at = append(t.at, at(entry[i][local]))
			}
			if r.margin > 0 {
				t.at = append(t.at, at(d.vars+1))
			}
			terms = append(terms, t)
		}
		return terms
	}
	out.less, out.more = terms(r.less), terms(r.more)
	if r.margin > 0 {
		out.less, out.margin = append(out.less, term{[]int{at(d.vars)}, math.Log(r.margin)}), true
	}
	return out
}

// logs writes the logarithms of terms at u and returns that of their sum.
func (r *relation) logs(dst []float64, terms []term, u []float64) float64 {
	most := math.Inf(-1)
	for k, t := range terms {
		v := t.offset
		for _, at := range t.at {
			v += u[r.vars[at]]
		}
		dst[k] = v
		most = max(most, v)
	}
	if len(terms) == 1 {
		return most
	}
	sum := 0.0
	for k := range terms {
		sum += math.Exp(dst[k] - most)
	}
	return most + math.Log(sum)
}

// slack is log Σ_more − log Σ_less.
func (r *relation) slack(w *space, u []float64) float64 {
	return r.logs(w.logs, r.more, u) - r.logs(w.logs, r.less, u)
}

// slopes writes the gradient of the slack to w.slope and its second derivatives to w.curve, by
// places in vars, row by row. Those of log Σ_more, which are not negative, are left out when
// tangent is true.
func (r *relation) slopes(w *space, u []float64, tangent bool) (slack float64) {
	n := len(r.vars)
	slope, curve := w.slope[:n], w.curve[:n*n]
	clear(slope)
	clear(curve)
	for side, terms := range [...][]term{r.less, r.more} {
		sign := float64(2*side - 1)
		log := r.logs(w.logs, terms, u)
		slack += sign * log
		if len(terms) == 1 {
			for _, a := range terms[0].at {
				slope[a] += sign
			}
			continue
		}
		mean := w.mean[:n]
		clear(mean)
		for k, t := range terms {
			p := math.Exp(w.logs[k] - log)
			for _, a := range t.at {
				mean[a] += p
				slope[a] += sign * p
				if side == 0 || !tangent {
					for _, b := range t.at {
						curve[a*n+b] += sign * p
					}
				}
			}
		}
		if side == 1 && tangent {
			continue
		}
		for a, x := range mean {
			for b, y := range mean {
				curve[a*n+b] -= sign * x * y
			}
		}
	}
	return slack
}

// room is the logarithm of how many times as large the margin may be at u.
func (r *relation) room(w *space, u []float64) float64 {
	if !r.margin {
		return math.Inf(1)
	}
	last := len(r.less) - 1
	more, less := r.logs(w.logs, r.more, u), r.logs(w.logs, r.less[:last], u)
	return more + math.Log(-math.Expm1(less-more)) - r.less[last].offset
}
