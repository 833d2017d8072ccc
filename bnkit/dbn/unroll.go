package dbn

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// maxCells bounds the cells of series and unrolled networks, so that a time with too many
// digits is an error before it is the end of the program.
const maxCells = 100_000_000

// Unroll returns the network of slices 0 to length−1 as an ordinary one: variables are called
// "rain[0]", "rain[1]", …, slice by slice, each with a copy of its table. It returns an error
// for a length below 1 or too large to hold.
func (n *Network) Unroll(length int) (*bn.Network, error) {
	u, err := n.unroll(length)
	if err != nil {
		return nil, err
	}
	return u.net, nil
}

// unrolled is a network over slices with the places where its tables come from.
type unrolled struct {
	net   *bn.Network
	spans []span
	cells int // of the layout
}

// A span of n table entries at place to has its parameters at place from of the template.
type span struct{ to, from, n int }

func (n *Network) unroll(length int) (*unrolled, error) {
	if n == nil || n.structure == nil {
		return nil, errNoNetwork
	}
	k := len(n.vars)
	if length < 1 || length > maxCells/k {
		return nil, fmt.Errorf("dbn: a network of %d slices; give 1 to %d", length,
			maxCells/k)
	}
	if entries := n.entries(); entries > math.MaxInt32/length {
		return nil, fmt.Errorf("dbn: a network of %d slices has tables of %d entries in each, at most %d are "+
			"possible in all; take shorter series or fewer states", length, entries, math.MaxInt32)
	}
	names, vars, parents := make([]string, 0, k*length), make([]bn.Variable, 0, k*length), make([][]int, 0, k*length)
	for t := range length {
		for v, variable := range n.vars {
			variable.Name = At(variable.Name, t)
			names, vars = append(names, variable.Name), append(vars, variable)
			list := n.later[v]
			if t == 0 {
				list = n.start(v)
			}
			at := make([]int, len(list))
			for i, p := range list {
				at[i] = (t-p.lag)*k + p.v
			}
			parents = append(parents, at)
		}
	}
	dag, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	net, err := bn.NewNetwork(dag, vars)
	if err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	u := &unrolled{net: net, cells: net.Layout().Len()}
	for i := range vars {
		f := &n.families[min(i/k, 1)][i%k]
		copyFamily(net, i, n.two, f.table)
		if lo, hi := net.Layout().Family(i); hi > lo {
			u.spans = append(u.spans, span{lo, f.lo, hi - lo})
		}
	}
	return u, nil
}

// entries is the size of the tables of a later slice.
func (n *Network) entries() int {
	total := 0
	for v := range n.families[1] {
		lo, hi := n.two.Layout().Family(n.table[1][v])
		total += hi - lo
	}
	return total
}

// spread copies parameters of the template to all slices.
func (u *unrolled) spread(dst, theta []float64) {
	for _, s := range u.spans {
		copy(dst[s.to:s.to+s.n], theta[s.from:s.from+s.n])
	}
}

// gather adds the counts of all slices to those of the template: a parameter that stands in
// several places has the sum of their counts, and of their gradients (R95 §6).
func (u *unrolled) gather(dst, n []float64) {
	for _, s := range u.spans {
		to := dst[s.from : s.from+s.n]
		for i, x := range n[s.to : s.to+s.n] {
			to[i] += x
		}
	}
}
