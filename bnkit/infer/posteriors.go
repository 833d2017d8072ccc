package infer

import (
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/elimination"
)

// Posteriors are distributions of single variables, given the same evidence.
type Posteriors struct {
	Variables []bn.Variable
	P         [][]float64 // by variable, then state
}

// Of returns the distribution of the named variable, nil when it is not among them.
func (p *Posteriors) Of(name string) []float64 {
	for i, v := range p.Variables {
		if v.Name == name {
			return p.P[i]
		}
	}
	return nil
}

// String prints a line for each variable, as in "rain: no 0.642, yes 0.358".
func (p *Posteriors) String() string {
	var b strings.Builder
	for i, v := range p.Variables {
		fmt.Fprintf(&b, "%s:", v.Name)
		for state, x := range p.P[i] {
			fmt.Fprintf(&b, "%s %s %.4g", []string{"", ","}[min(state, 1)], v.States[state], x)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// marginals passes down as far as the wanted variables of a part need it and writes their
// distributions to found. It computes what down does for one case, but holds the counts of two
// nodes at a time only: what is left of them for the nodes below takes the place of their
// messages.
func (t *tree) marginals(w *workspace, blk *block, wanted elimination.Set, found [][]float64) {
	at := make([]int, len(found)) // 1 + the smallest node of each variable
	need := make([]bool, len(t.nodes))
	for i := range t.nodes {
		n := &t.nodes[i]
		for _, v := range n.shape.Vars {
			if wanted.Has(v) && (at[v] == 0 || n.size <= t.nodes[at[v]-1].size) {
				at[v] = i + 1
			}
		}
	}
	for _, i := range at {
		if i > 0 {
			need[i-1] = true
		}
	}
	for i := range t.nodes {
		if n := &t.nodes[i]; n.family < 0 {
			need[i] = need[i] || need[n.a] || n.b >= 0 && need[n.b]
		}
	}
	// take reads the counts q of a node.
	take := func(i int, q []float64) {
		n := &t.nodes[i]
		for k, v := range n.shape.Vars {
			if at[v] == i+1 {
				found[v] = sums(q, n.shape.Cards, k)
			}
		}
	}
	if w.logs {
		t.down(w, blk, need, nil)
		for i, yes := range need {
			if yes {
				take(i, w.share[blk.slots[i].start:][:t.nodes[i].size])
			}
		}
		return
	}
	t.keep(w, blk, len(t.nodes)-1, one)
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n, s := &t.nodes[i], &blk.slots[i]
		if n.family >= 0 || !need[i] {
			continue
		}
		sizeA, sizeB := 0, 0
		if need[n.a] {
			sizeA = t.nodes[n.a].size
		}
		if n.b >= 0 && need[n.b] {
			sizeB = t.nodes[n.b].size
		}
		if len(w.share) < sizeA+sizeB {
			w.share = make([]float64, sizeA+sizeB)
		} else {
			clear(w.share[:sizeA+sizeB])
		}
		var shareA, shareB []float64 // nil when not needed
		if sizeA > 0 {
			shareA = w.share[:sizeA]
		}
		if sizeB > 0 {
			shareB = w.share[sizeA:][:sizeB]
		}
		left := w.up[s.start:][:n.size]
		if n.sums {
			a, b := w.operands(blk, n)
			n.join.Share(shareA, shareB, left, a, b, s.a, s.b)
		} else {
			n.join.Spread(shareA, shareB, left, s.a, s.b)
		}
		if shareA != nil {
			take(n.a, shareA)
			t.keep(w, blk, n.a, shareA)
		}
		if shareB != nil {
			take(n.b, shareB)
			t.keep(w, blk, n.b, shareB)
		}
	}
}

// keep puts what a product needs of its counts q in the place of its message: the ratio of both
// when the product was summed, and the counts themselves otherwise.
func (t *tree) keep(w *workspace, blk *block, i int, q []float64) {
	switch n := &t.nodes[i]; {
	case n.family >= 0:
	case n.sums:
		t.ratio(w, blk, i, q)
	default:
		copy(w.up[blk.slots[i].start:][:n.size], q)
	}
}

// sums adds up a table by the states of its variable at place k.
func sums(q []float64, cards []int, k int) []float64 {
	r, stride := cards[k], 1
	for _, card := range cards[k+1:] {
		stride *= card
	}
	p := make([]float64, r)
	if stride == 1 {
		for lo := 0; lo < len(q); lo += r {
			for state, x := range q[lo:][:r] {
				p[state] += x
			}
		}
		return p
	}
	for lo := 0; lo < len(q); lo += r * stride {
		for state := range r {
			for _, x := range q[lo+state*stride:][:stride] {
				p[state] += x
			}
		}
	}
	return p
}
