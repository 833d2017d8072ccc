package structure

// ancestors holds for each variable of a graph the set of those from which a path leads to it, so
// that whether an arc closes a cycle is one look.
type ancestors struct {
	n, words int
	bits     []uint64
}

func newAncestors(n int) *ancestors {
	words := (n + 63) / 64
	return &ancestors{n, words, make([]uint64, n*words)}
}

func (a *ancestors) of(v int) []uint64 { return a.bits[v*a.words : (v+1)*a.words] }

// has reports whether a path leads from u to v.
func (a *ancestors) has(v, u int) bool { return a.bits[v*a.words+u>>6]>>(u&63)&1 == 1 }

// add notes the new arc from → to.
func (a *ancestors) add(from, to int) {
	a.join(to, from)
	for v := range a.n {
		if a.has(v, to) {
			a.join(v, from)
		}
	}
}

// join makes u and its ancestors ancestors of v.
func (a *ancestors) join(v, u int) {
	dst := a.of(v)
	for i, w := range a.of(u) {
		dst[i] |= w
	}
	dst[u>>6] |= 1 << (u & 63)
}

// rebuild finds the ancestors in a graph without cycles.
func (a *ancestors) rebuild(parents [][]int) {
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
