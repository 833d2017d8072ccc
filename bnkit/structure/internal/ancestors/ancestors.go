// Package ancestors keeps the ancestors of each variable of a graph that changes.
package ancestors

import "slices"

// A Set holds for each variable of a graph the set of those from which a path leads to it, so
// that whether an arc closes a cycle is one look.
type Set struct {
	n, words int
	bits     []uint64
}

// New returns those of a graph of n variables without arcs.
func New(n int) *Set {
	words := (n + 63) / 64
	return &Set{n, words, make([]uint64, n*words)}
}

func (a *Set) of(v int) []uint64 { return a.bits[v*a.words : (v+1)*a.words] }

// Clone returns a copy.
func (a *Set) Clone() *Set { return &Set{a.n, a.words, slices.Clone(a.bits)} }

// Equal reports whether the two say the same of graphs of as many variables.
func (a *Set) Equal(b *Set) bool { return slices.Equal(a.bits, b.bits) }

// Has reports whether a path leads from u to v.
func (a *Set) Has(v, u int) bool { return a.bits[v*a.words+u>>6]>>(u&63)&1 == 1 }

// Add notes the new arc from → to.
func (a *Set) Add(from, to int) {
	a.join(to, from)
	for v := range a.n {
		if a.Has(v, to) {
			a.join(v, from)
		}
	}
}

// join makes u and its ancestors ancestors of v.
func (a *Set) join(v, u int) {
	dst := a.of(v)
	for i, w := range a.of(u) {
		dst[i] |= w
	}
	dst[u>>6] |= 1 << (u & 63)
}

// Rebuild finds the ancestors in a graph without cycles.
func (a *Set) Rebuild(parents [][]int) {
	clear(a.bits)
	done := make([]bool, a.n)
	var visit func(v int)
	visit = func(v int) {
		if done[v] {
			return
		}
		done[v] = true
		for _, p := range parents[v] {
			visit(p)
			a.join(v, p)
		}
	}
	for v := range a.n {
		visit(v)
	}
}
