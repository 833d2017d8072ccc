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
// distributions to found.
func (t *tree) marginals(w *workspace, blk *block, wanted elimination.Set, found [][]float64) {
	at := make([]int, len(found)) // 1 + the smallest node of each variable
	for i := range t.nodes {
		n := &t.nodes[i]
		for _, v := range n.shape.Vars {
			if wanted.Has(v) && (at[v] == 0 || n.size <= t.nodes[at[v]-1].size) {
				at[v] = i + 1
			}
		}
	}
	need := make([]bool, len(t.nodes))
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
	t.down(w, blk, need, nil)
	for v, i := range at {
		if i == 0 {
			continue
		}
		i--
		n := &t.nodes[i]
		r, stride := n.shape.Card(v), n.shape.Stride(v)
		p := make([]float64, r)
		q := w.share[blk.slots[i].start:][:n.size]
		for lo := 0; lo < len(q); lo += r * stride {
			for state := range r {
				for _, x := range q[lo+state*stride:][:stride] {
					p[state] += x
				}
			}
		}
		found[v] = p
	}
}
