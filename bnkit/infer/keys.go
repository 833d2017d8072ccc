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
}

type pair struct {
	key   uint64
	place int32 // 1 + number; 0 is free
}

// denseLimit bounds the pairs that are numbered by a plain table.
const denseLimit = 1 << 16

// join numbers the pairs of configurations of a and b that occur, and returns for each
// the configurations it is made of.
func (j *joiner) join(a, b keys) (ab keys, ofA, ofB []int32) {
	switch {
	case b.n == 1:
		return a, identity(a.n), make([]int32, a.n)
	case a.n == 1:
		return b, make([]int32, b.n), identity(b.n)
	}
	ab.of = make([]int32, len(a.of))
	j.pairs(a, b, func(row int, number int32, isNew bool) {
		ab.of[row] = number
		if isNew {
			ofA, ofB = append(ofA, a.of[row]), append(ofB, b.of[row])
		}
	})
	ab.n = len(ofA)
	return ab, ofA, ofB
}

// pairs calls f with the number of each row's pair, and whether it is new.
func (j *joiner) pairs(a, b keys, f func(row int, number int32, isNew bool)) {
	n := int32(0)
	if a.n*b.n <= denseLimit {
		if len(j.dense) < a.n*b.n {
			j.dense = make([]int32, a.n*b.n)
		}
		for row, x := range a.of {
			at := int(x)*b.n + int(b.of[row])
			isNew := j.dense[at] == 0
			if isNew {
				n++
				j.dense[at] = n
			}
			f(row, j.dense[at]-1, isNew)
		}
		for row, x := range a.of {
			j.dense[int(x)*b.n+int(b.of[row])] = 0
		}
		return
	}
	size := 64
	for size < 2*len(a.of) {
		size *= 2
	}
	if len(j.table) < size {
		j.table = make([]pair, size)
	} else {
		clear(j.table)
	}
	mask := uint64(len(j.table) - 1)
	for row, x := range a.of {
		key := uint64(x)<<32 | uint64(uint32(b.of[row]))
		at := mix(key) & mask
		for j.table[at].place != 0 && j.table[at].key != key {
			at = (at + 1) & mask
		}
		isNew := j.table[at].place == 0
		if isNew {
			n++
			j.table[at] = pair{key, n}
		}
		f(row, j.table[at].place-1, isNew)
	}
}

// mix spreads the bits of a key (the finaliser of SplitMix64; Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// count is the number of pairs that occur in the first rows of two numberings, with
// their numbering in scratch.
func (j *joiner) count(a, b keys, scratch []int32) keys {
	n := 0
	j.pairs(a, b, func(row int, number int32, isNew bool) {
		scratch[row] = number
		if isNew {
			n++
		}
	})
	return keys{scratch[:len(a.of)], n}
}

// number renumbers arbitrary values, such as places in a table, and returns the
// different ones in the order of first appearance.
func (j *joiner) number(values []int32) (keys, []int32) {
	high := int32(0)
	for _, v := range values {
		high = max(high, v)
	}
	k := keys{of: make([]int32, len(values))}
	var different []int32
	j.pairs(keys{values, int(high) + 1}, alike(len(values)), func(row int, number int32, isNew bool) {
		k.of[row] = number
		if isNew {
			different = append(different, values[row])
		}
	})
	k.n = len(different)
	return k, different
}

func identity(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}
