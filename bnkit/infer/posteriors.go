package infer

import (
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
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

// marginals passes down as far as the variables with a list in found need it and adds their
// distributions to these. It computes what down does for one case, but holds the counts of two
// nodes at a time only: what is left of them for the nodes below goes to left, which may be w.up
// when the messages are not needed again.
func (t *tree) marginals(w *workspace, blk *block, found [][]float64, left []float64) {
	w.at = append(w.at[:0], make([]int, len(found))...)
	w.need = append(w.need[:0], make([]bool, len(t.nodes))...)
	at, need := w.at, w.need // 1 + the smallest node of each variable that is asked for; nodes whose counts are needed
	for _, s := range t.smallest {
		if found[s.v] != nil {
			at[s.v], need[s.node] = s.node+1, true
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
				addSums(found[v], q, n.shape.Cards[k+1:])
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
	t.keep(left, w, blk, len(t.nodes)-1, one)
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
		ratio := left[s.start:][:n.size]
		if n.sums {
			a, b := w.operands(blk, n)
			n.join.Share(shareA, shareB, ratio, a, b, s.a, s.b)
		} else {
			n.join.Spread(shareA, shareB, ratio, s.a, s.b)
		}
		if shareA != nil {
			take(n.a, shareA)
			t.keep(left, w, blk, n.a, shareA)
		}
		if shareB != nil {
			take(n.b, shareB)
			t.keep(left, w, blk, n.b, shareB)
		}
	}
}

// keep writes to left what a product needs of its counts q: the ratio to its table when it was
// summed, and the counts themselves otherwise.
func (t *tree) keep(left []float64, w *workspace, blk *block, i int, q []float64) {
	n := &t.nodes[i]
	left = left[blk.slots[i].start:][:n.size]
	switch {
	case n.family >= 0:
	case n.sums:
		t.ratio(left, w, blk, i, q)
	default:
		copy(left, q)
	}
}

// addSums adds to p the entries of a table by the states of one of its variables. cards are those of
// the variables after it.
func addSums(p, q []float64, cards []int) {
	stride := 1
	for _, card := range cards {
		stride *= card
	}
	if stride == 1 {
		for ; len(q) > 0; q = q[len(p):] {
			for state, x := range q[:len(p)] {
				p[state] += x
			}
		}
		return
	}
	for at := 0; at < len(q); {
		for state := range p {
			sum := p[state]
			for _, x := range q[at:][:stride] {
				sum += x
			}
			p[state] = sum
			at += stride
		}
	}
}
