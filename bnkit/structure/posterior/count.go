package posterior

import (
	"math"
	"math/bits"
)

// blanketOf returns, by variable, its parents, children and parents of children.
func blanketOf(parents []uint64) []uint64 {
	out := make([]uint64, len(parents))
	for v, set := range parents {
		family := set | 1<<v
		out[v] |= family
		for ; set != 0; set &= set - 1 {
			out[bits.TrailingZeros64(set)] |= family
		}
	}
	for v := range out {
		out[v] &^= 1 << v
	}
	return out
}

// ancestorsOf returns, by variable, those from which a path leads to it.
func ancestorsOf(parents []uint64) []uint64 {
	out := make([]uint64, len(parents))
	var done uint64
	var visit func(v int)
	visit = func(v int) {
		if done>>v&1 == 1 {
			return
		}
		done |= 1 << v
		out[v] = parents[v]
		for set := parents[v]; set != 0; set &= set - 1 {
			u := bits.TrailingZeros64(set)
			visit(u)
			out[v] |= out[u]
		}
	}
	for v := range parents {
		visit(v)
	}
	return out
}

// frequencies of what is in a graph, by child as bits, in independent draws.
func frequencies(n int, draws [][]uint64, in func(parents []uint64) []uint64) estimates {
	e := estimates{p: square(n), error: square(n)}
	for _, d := range draws {
		for v, set := range in(d) {
			for ; set != 0; set &= set - 1 {
				e.p[bits.TrailingZeros64(set)][v]++
			}
		}
	}
	k := float64(len(draws))
	for u := range n {
		for v := range n {
			e.p[u][v] /= k
			e.error[u][v] = standardError(e.p[u][v], k)
		}
	}
	return e
}

// standardError is that of a frequency in k draws, of 0 and 1 too, as if half a draw had been otherwise.
func standardError(p, k float64) float64 {
	p = (p*k + 0.5) / (k + 1)
	return math.Sqrt(p * (1 - p) / k)
}
