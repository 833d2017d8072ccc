package data

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"bnlab/bnkit/bn"
)

// A dictionary finds the state of a cell from its bytes. Cells of up to 7 bytes
// are their own key: the bytes and, after the last, the separator, as in the file.
// Longer cells have a hash as key, with the highest bit set, and are compared.
// The slot of a key is the top of key×mul; mul is chosen so that few keys of a
// column share a slot, and most cells are found at the first look.
type dictionary struct {
	mul   uint64
	shift uint8
	slots []slot // a power of two, at most a quarter used
	used  int
	long  [][]byte // cells of 8 bytes and more
}

type slot struct {
	key   uint64
	long  int32 // into dictionary.long
	state bn.State
}

// emptyKey is the key of no cell, since each holds a separator or the highest bit.
const emptyKey = 0

func (d *dictionary) init() {
	d.slots = make([]slot, 4)
	d.mul, d.shift = multipliers[0], 64-2
}

// multipliers are odd numbers of irregular bits (from the digits of π and e, and
// the golden ratio).
var multipliers = [...]uint64{
	0x9e3779b97f4a7c15, 0x243f6a8885a308d3, 0x13198a2e03707345, 0xa4093822299f31d1,
	0x082efa98ec4e6c89, 0xb7e151628aed2a6b, 0xbf7158809cf4f3c7, 0x62e7160f38b4da57,
}

// shortKey is the key of a cell of at most 7 bytes in a file with the given separator.
func shortKey(cell []byte, comma byte) uint64 {
	if len(cell) > 7 {
		return 0
	}
	key := uint64(comma) << (8 * len(cell))
	for i, b := range cell {
		key |= uint64(b) << (8 * i)
	}
	return key
}

// longKey is the key of a cell of 8 bytes or more.
func longKey(cell []byte) uint64 {
	h := uint64(len(cell))
	last := binary.LittleEndian.Uint64(cell[len(cell)-8:])
	for ; len(cell) > 8; cell = cell[8:] {
		h = mix(h ^ binary.LittleEndian.Uint64(cell))
	}
	return mix(h^last)>>8 | 0x80<<56
}

func mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9)
	return hi ^ lo
}

// find returns the state of a cell.
func (d *dictionary) find(key uint64, cell []byte) (bn.State, bool) {
	for at := int(key * d.mul >> (d.shift & 63)); ; at++ {
		s := &d.slots[at&(len(d.slots)-1)]
		if s.key == key && (len(cell) < 8 || bytes.Equal(d.long[s.long], cell)) {
			return s.state, true
		}
		if s.key == emptyKey {
			return 0, false
		}
	}
}

// add puts in a cell that is not there.
func (d *dictionary) add(key uint64, cell []byte, state bn.State) {
	s := slot{key: key, state: state}
	if len(cell) >= 8 {
		s.long = int32(len(d.long))
		d.long = append(d.long, bytes.Clone(cell))
	}
	d.used++
	size := len(d.slots)
	if 4*d.used > size {
		size *= 4
	}
	if size == len(d.slots) && (d.used > 256 || d.slots[key*d.mul>>(d.shift&63)].key == emptyKey) {
		d.put(d.slots, d.mul, d.shift, s)
		return
	}
	// Lay the keys out anew with the multiplier that moves the fewest.
	all := []slot{s}
	for _, old := range d.slots {
		if old.key != emptyKey {
			all = append(all, old)
		}
	}
	shift := uint8(64 - bits.Len(uint(size-1)))
	best, fewest := multipliers[0], len(all)+1
	for _, mul := range multipliers {
		if moved := crowded(all, mul, shift, size); moved < fewest {
			best, fewest = mul, moved
		}
		if fewest == 0 || len(all) > 256 {
			break
		}
	}
	d.slots = make([]slot, size)
	d.mul, d.shift = best, shift
	for _, s := range all {
		d.put(d.slots, d.mul, d.shift, s)
	}
}

// put places a slot at the first free place from its own on.
func (d *dictionary) put(slots []slot, mul uint64, shift uint8, s slot) {
	at := int(s.key * mul >> (shift & 63))
	for slots[at&(len(slots)-1)].key != emptyKey {
		at++
	}
	slots[at&(len(slots)-1)] = s
}

// crowded counts the keys whose own place another has.
func crowded(all []slot, mul uint64, shift uint8, size int) int {
	taken := make([]bool, size)
	n := 0
	for _, s := range all {
		at := s.key * mul >> (shift & 63)
		if taken[at] {
			n++
		}
		taken[at] = true
	}
	return n
}
