package infer

import "math/bits"

// set is a set of small numbers, a bit for each.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

// sets returns count empty sets of numbers below n in one piece of memory.
func sets(count, n int) []set {
	words := (n + 63) / 64
	flat := make(set, count*words)
	list := make([]set, count)
	for i := range list {
		list[i] = flat[i*words : (i+1)*words : (i+1)*words]
	}
	return list
}

func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) remove(i int)   { s[i>>6] &^= 1 << (i & 63) }
func (s set) has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }

func (s set) or(t set) {
	for w, x := range t {
		s[w] |= x
	}
}

// len is the number of members.
func (s set) len() int {
	n := 0
	for _, x := range s {
		n += bits.OnesCount64(x)
	}
	return n
}

// each calls f with the members in ascending order.
func (s set) each(f func(i int)) {
	for w, x := range s {
		for ; x != 0; x &= x - 1 {
			f(w<<6 + bits.TrailingZeros64(x))
		}
	}
}

// product multiplies the numbers of the members.
func (s set) product(of []float64) float64 {
	p := 1.0
	for w, x := range s {
		for ; x != 0; x &= x - 1 {
			p *= of[w<<6+bits.TrailingZeros64(x)]
		}
	}
	return p
}
