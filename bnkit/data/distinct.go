package data

import (
	"math/bits"

	"bnlab/bnkit/bn"
)

// Distinct returns the distinct rows in order of first appearance, each with the sum of the weights
// of its copies. Missing cells equal only each other, continuous cells equal numbers, so a table
// with continuous columns seldom gets smaller.
func (t *Table) Distinct() *Table {
	keys, words := t.keys()
	places := make([]int32, 1<<6) // 1 + the position in first; at most half are taken
	var first []int
	var weights []float64
	for row := range t.rows {
		if 2*len(first) >= len(places) {
			places = spread(keys, words, first, 4*len(places))
		}
		key := keys[row*words : (row+1)*words]
		at := hashKey(key) & uint64(len(places)-1)
		for places[at] != 0 && !equalKeys(keys[first[places[at]-1]*words:], key) {
			at = (at + 1) & uint64(len(places)-1)
		}
		if places[at] == 0 {
			first = append(first, row)
			weights = append(weights, 0)
			places[at] = int32(len(first))
		}
		w := 1.0
		if t.weights != nil {
			w = t.weights[row]
		}
		weights[places[at]-1] += w
	}
	u := t.Select(first)
	u.weights = weights
	if weights == nil {
		u.weights = []float64{}
	}
	return u
}

// spread lays the first rows out over more places.
func spread(keys []uint64, words int, first []int, size int) []int32 {
	places := make([]int32, size)
	for i, row := range first {
		at := hashKey(keys[row*words:(row+1)*words]) & uint64(size-1)
		for places[at] != 0 {
			at = (at + 1) & uint64(size-1)
		}
		places[at] = int32(i + 1)
	}
	return places
}

func hashKey(key []uint64) uint64 {
	var h uint64
	for _, w := range key {
		h = mix(h ^ w)
	}
	return h
}

func equalKeys(a, b []uint64) bool {
	for i, w := range b {
		if a[i] != w {
			return false
		}
	}
	return true
}

// keys packs each row into words: rows are alike when their words are.
func (t *Table) keys() (keys []uint64, words int) {
	type place struct{ word, shift int }
	places := make([]place, len(t.cols))
	word, used := 0, 0
	for i, c := range t.cols {
		n := 64
		if c.Var.IsDiscrete() {
			n = bits.Len(uint(c.Var.Cardinality())) // the cardinality stands for missing
		}
		if used+n > 64 {
			word, used = word+1, 0
		}
		places[i] = place{word, used}
		used += n
	}
	if t.regime != nil {
		word++ // the last word
	}
	words = word + 1
	keys = make([]uint64, t.rows*words)
	const block = 1024
	for lo := 0; lo < t.rows; lo += block {
		hi := min(lo+block, t.rows)
		for i, c := range t.cols {
			at := lo*words + places[i].word
			if !c.Var.IsDiscrete() {
				for _, x := range c.Values[lo:hi] {
					keys[at] = bitsOf(x)
					at += words
				}
				continue
			}
			missing := uint64(c.Var.Cardinality())
			shift := places[i].shift & 63
			for _, s := range c.States[lo:hi] {
				x := uint64(s)
				if s == bn.Missing {
					x = missing
				}
				keys[at] |= x << shift
				at += words
			}
		}
	}
	for row, regime := range t.regime {
		keys[row*words+words-1] = uint64(regime)
	}
	return keys, words
}
