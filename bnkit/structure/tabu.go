package structure

import "slices"

// A tabuList holds the hashes of the last graphs.
type tabuList struct {
	last []uint64
	next int
	full bool
}

func newTabuList(n int) *tabuList { return &tabuList{last: make([]uint64, n)} }

func (t *tabuList) add(hash uint64) {
	if len(t.last) == 0 {
		return
	}
	t.last[t.next] = hash
	t.next++
	if t.next == len(t.last) {
		t.next, t.full = 0, true
	}
}

func (t *tabuList) has(hash uint64) bool {
	if t.full {
		return slices.Contains(t.last, hash)
	}
	return slices.Contains(t.last[:t.next], hash)
}

// arcHash is a number for each arc; a graph's is the exclusive or of its arcs'. Two graphs have the
// same with probability 2^−64 (the finaliser of splitmix64, Steele, Lea and Flood 2014).
func arcHash(from, to int) uint64 {
	z := uint64(from)<<32 + uint64(to) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
