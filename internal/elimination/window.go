package elimination

import (
	"math"
	"math/bits"

	"bnlab/internal/arena"
)

// A window is a set of numbers of which only the words from one on are held; the others are empty.
type window struct {
	from  int // word
	words Set
}

// word returns a word of the set.
func (s *window) word(w int) uint64 {
	if k := w - s.from; uint(k) < uint(len(s.words)) {
		return s.words[k]
	}
	return 0
}

// widen sees to it that the words from one to before another are held.
func (s *window) widen(from, to int, room *arena.Arena[uint64]) {
	if len(s.words) == 0 {
		s.from, s.words = from, Set(room.Take(to-from))
		clear(s.words)
		return
	}
	if from >= s.from && to <= s.from+len(s.words) {
		return
	}
	from, to = min(from, s.from), max(to, s.from+len(s.words))
	words := Set(room.Take(to - from))
	clear(words)
	copy(words[s.from-from:], s.words)
	s.from, s.words = from, words
}

// reset makes s a copy of another set.
func (s *window) reset(to window, room *arena.Arena[uint64]) {
	if cap(s.words) < len(to.words) {
		s.words = Set(room.Take(len(to.words)))
	}
	s.from, s.words = to.from, s.words[:len(to.words)]
	copy(s.words, to.words)
}

// trimmed is the same set without empty words at the ends.
func (s window) trimmed() window {
	for len(s.words) > 0 && s.words[0] == 0 {
		s.from, s.words = s.from+1, s.words[1:]
	}
	for n := len(s.words); n > 0 && s.words[n-1] == 0; n-- {
		s.words = s.words[:n-1]
	}
	return s
}

// product multiplies the numbers of the members, which are at least 1.
func (s *window) product(of []float64) float64 {
	p := 1.0
	for k, x := range s.words {
		for ; x != 0; x &= x - 1 {
			p *= of[(s.from+k)<<6+bits.TrailingZeros64(x)]
		}
		if p > math.MaxFloat64 { // and so with the others
			break
		}
	}
	return p
}

// len is the number of members.
func (s *window) len() int {
	n := 0
	for _, x := range s.words {
		n += bits.OnesCount64(x)
	}
	return n
}

// each calls f with the members in ascending order.
func (s *window) each(f func(i int)) {
	for k, x := range s.words {
		for ; x != 0; x &= x - 1 {
			f((s.from+k)<<6 + bits.TrailingZeros64(x))
		}
	}
}
