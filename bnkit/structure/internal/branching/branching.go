// Package branching finds trees with the largest sum of weights, directed away from a root.
package branching

import (
	"math"
	"slices"
)

// Optimum returns the parents, −1 for the root, of the spanning arborescence with the largest sum of
// w[from][to], by contracting cycles of best arcs (Chu and Liu 1965; Edmonds 1967). Every node must be within reach of
// the root; arcs of −∞ are none. Of arcs with the same weight the one from the lowest number is taken.
func Optimum(w [][]float64, root int) []int {
	n := len(w)
	parent := make([]int, n)
	for v := range n {
		parent[v] = -1
		for u := range n {
			if v != root && u != v && (parent[v] < 0 || w[u][v] > w[parent[v]][v]) {
				parent[v] = u
			}
		}
	}
	in := cycleOf(parent)
	if in == nil {
		return parent
	}
	// Nodes outside the cycle keep their order; the cycle comes last.
	var outside []int
	id := make([]int, n)
	for v := range n {
		if !in[v] {
			id[v] = len(outside)
			outside = append(outside, v)
		}
	}
	cycle := len(outside)
	small := make([][]float64, cycle+1)
	for i := range small {
		small[i] = make([]float64, cycle+1)
		for j := range small[i] {
			small[i][j] = math.Inf(-1)
		}
	}
	enter, leave := make([]int, cycle), make([]int, cycle) // the node of the cycle, by node outside
	for i, u := range outside {
		for j, v := range outside {
			small[i][j] = w[u][v]
		}
		for v := range n {
			if !in[v] {
				continue
			}
			if gain := w[u][v] - w[parent[v]][v]; gain > small[i][cycle] {
				small[i][cycle], enter[i] = gain, v
			}
			if w[v][u] > small[cycle][i] {
				small[cycle][i], leave[i] = w[v][u], v
			}
		}
	}
	found := Optimum(small, id[root])
	for i, v := range outside {
		switch p := found[i]; {
		case p == cycle:
			parent[v] = leave[i]
		case p >= 0:
			parent[v] = outside[p]
		}
	}
	from := found[cycle]
	parent[enter[from]] = outside[from]
	return parent
}

// cycleOf marks the nodes of a cycle of parents; nil when there is none.
func cycleOf(parent []int) []bool {
	visit := make([]int, len(parent)) // by which walk, from 1
	for start := range parent {
		v := start
		for v >= 0 && visit[v] == 0 {
			visit[v] = start + 1
			v = parent[v]
		}
		if v < 0 || visit[v] != start+1 {
			continue
		}
		in := make([]bool, len(parent))
		for ; !in[v]; v = parent[v] {
			in[v] = true
		}
		return in
	}
	return nil
}

// Spanning returns the parents in the tree of the members with the largest sum of symmetric weights, directed away
// from the root (Prim 1957). Of equals the arc to the member that comes first is taken.
func Spanning(weight [][]float64, members []int, root int) []int {
	parent := slices.Repeat([]int{-1}, len(weight))
	out := slices.DeleteFunc(slices.Clone(members), func(v int) bool { return v == root })
	for _, v := range out {
		parent[v] = root
	}
	for len(out) > 0 {
		next := out[0]
		for _, v := range out {
			if weight[parent[v]][v] > weight[parent[next]][next] {
				next = v
			}
		}
		out = slices.DeleteFunc(out, func(v int) bool { return v == next })
		for _, v := range out {
			if weight[next][v] > weight[parent[v]][v] {
				parent[v] = next
			}
		}
	}
	return parent
}
