package infer

// keys numbers the rows of a group of cases by what is observed in them: of[row] is the
// number of the row's configuration, from 0 in the order of first appearance.
type keys struct {
	of []int32
	n  int
}

// alike is the numbering of rows that all count as one configuration.
func alike(rows int) keys { return keys{make([]int32, rows), 1} }

// A joiner combines numberings. It keeps its memory between calls.
type joiner struct {
	dense []int32 // 1 + number by pair, all zero between calls
	table []pair  // hashed pairs, where dense would be too large
	first []int32 // by number, the first row that has the pair
}

type pair struct {
	key   uint64
	place int32 // 1 + number; 0 is free
}

// denseLimit bounds the pairs that are numbered by a plain table, and densePerRow those for
// each row.
const (
	denseLimit  = 1 << 16
	densePerRow = 64
)

// join numbers the pairs of configurations of a and b that occur.
func (j *joiner) join(a, b keys) keys {
	switch {
	case b.n == 1:
		return a
	case a.n == 1:
		return b
	}
	return j.pairs(make([]int32, len(a.of)), a, b)
}

// pairs writes the number of each row's pair to of, another slice than those of a and b, and
// leaves the first row of each in j.first.
func (j *joiner) pairs(of []int32, a, b keys) keys {
	j.first = j.first[:0]
	if a.n*b.n <= min(denseLimit, densePerRow*len(a.of)) {
		j.direct(of, a, b)
	} else {
		j.hashed(of, a, b)
	}
	return keys{of[:len(a.of)], len(j.first)}
}

// direct is pairs by a table of all pairs.
func (j *joiner) direct(of []int32, a, b keys) {
	if len(j.dense) < a.n*b.n {
		j.dense = make([]int32, a.n*b.n)
	}
	right := b.of[:len(a.of)]
	for row, x := range a.of {
		at := int(x)*b.n + int(right[row])
		number := j.dense[at]
		if number == 0 {
			j.first = append(j.first, int32(row))
			number = int32(len(j.first))
			j.dense[at] = number
		}
		of[row] = number - 1
	}
	clear(j.dense[:a.n*b.n])
}

// hashed is pairs by a hash table.
func (j *joiner) hashed(of []int32, a, b keys) {
	size := 64
	for size < 2*len(a.of) {
		size *= 2
	}
	if len(j.table) < size {
		j.table = make([]pair, size)
	}
	table, mask := j.table[:size], uint64(size-1)
	clear(table)
	for row, x := range a.of {
		key := uint64(x)<<32 | uint64(uint32(b.of[row]))
		at := mix(key) & mask
		for table[at].place != 0 && table[at].key != key {
			at = (at + 1) & mask
		}
		if table[at].place == 0 {
			j.first = append(j.first, int32(row))
			table[at] = pair{key, int32(len(j.first))}
		}
		of[row] = table[at].place - 1
	}
}

// mix spreads the bits of a key (the finaliser of SplitMix64; Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func identity(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}
