package elimination

import "math/bits"

// Set is a Set of small numbers, a bit for each.
type Set []uint64

func NewSet(n int) Set { return make(Set, (n+63)/64) }

// zeroed returns an empty set, in the memory of s when that is large enough.
func zeroed(s Set, n int) Set {
	words := (n + 63) / 64
	if cap(s) < words {
		return make(Set, words)
	}
	s = s[:words]
	clear(s)
	return s
}

func (s Set) Add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s Set) Remove(i int)   { s[i>>6] &^= 1 << (i & 63) }
func (s Set) Has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }

func (s Set) Or(t Set) {
	for w, x := range t {
		s[w] |= x
	}
}

// Each calls f with the members in ascending order.
func (s Set) Each(f func(i int)) {
	for w, x := range s {
		for ; x != 0; x &= x - 1 {
			f(w<<6 + bits.TrailingZeros64(x))
		}
	}
}
