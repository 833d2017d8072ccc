package data

import "bnlab/bnkit/bn"

// tables are the counts of the four rows of a word; they may be one table.
type tables = [4]*[1 << 16]uint32

// four packs the states of four rows into a word (one load on most machines).
func four(s []bn.State) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<16 | uint64(s[2])<<32 | uint64(s[3])<<48
}

func count0(t *tables, child []bn.State) {
	t0, t1, t2, t3 := t[0], t[1], t[2], t[3]
	row := 0
	for ; row+4 <= len(child); row += 4 {
		w := four(child[row : row+4])
		t0[uint16(w)]++
		t1[uint16(w>>16)]++
		t2[uint16(w>>32)]++
		t3[w>>48]++
	}
	for _, s := range child[row:] {
		t0[s]++
	}
}

func count1(t *tables, child, a []bn.State, ma uint64) {
	t0, t1, t2, t3 := t[0], t[1], t[2], t[3]
	a = a[:len(child)]
	row := 0
	for ; row+4 <= len(child); row += 4 {
		w := four(child[row:row+4]) + four(a[row:row+4])*ma
		t0[uint16(w)]++
		t1[uint16(w>>16)]++
		t2[uint16(w>>32)]++
		t3[w>>48]++
	}
	for ; row < len(child); row++ {
		t0[uint16(uint64(child[row])+uint64(a[row])*ma)]++
	}
}

func count2(t *tables, child, a, b []bn.State, ma, mb uint64) {
	t0, t1, t2, t3 := t[0], t[1], t[2], t[3]
	a, b = a[:len(child)], b[:len(child)]
	row := 0
	for ; row+4 <= len(child); row += 4 {
		w := four(child[row:row+4]) + four(a[row:row+4])*ma + four(b[row:row+4])*mb
		t0[uint16(w)]++
		t1[uint16(w>>16)]++
		t2[uint16(w>>32)]++
		t3[w>>48]++
	}
	for ; row < len(child); row++ {
		t0[uint16(uint64(child[row])+uint64(a[row])*ma+uint64(b[row])*mb)]++
	}
}

func count3(t *tables, child, a, b, c []bn.State, ma, mb, mc uint64) {
	t0, t1, t2, t3 := t[0], t[1], t[2], t[3]
	a, b, c = a[:len(child)], b[:len(child)], c[:len(child)]
	row := 0
	for ; row+4 <= len(child); row += 4 {
		w := four(child[row:row+4]) + four(a[row:row+4])*ma + four(b[row:row+4])*mb + four(c[row:row+4])*mc
		t0[uint16(w)]++
		t1[uint16(w>>16)]++
		t2[uint16(w>>32)]++
		t3[w>>48]++
	}
	for ; row < len(child); row++ {
		t0[uint16(uint64(child[row])+uint64(a[row])*ma+uint64(b[row])*mb+uint64(c[row])*mc)]++
	}
}

// many counts a family of four parents or more: the words are summed parent by
// parent, in pieces that stay in the first-level cache.
func (b *blockCounter) many(t *tables, f *family) {
	const piece = 256 // words
	var sum [piece]uint64
	child := b.cols[f.child]
	whole := len(child) &^ 3
	for lo := 0; lo < whole; lo += 4 * piece {
		n := min(piece, (whole-lo)/4)
		words := sum[:n]
		for i := range words {
			words[i] = four(child[lo+4*i:])
		}
		for k, p := range f.parents {
			parent, mul := b.cols[p], uint64(f.mul[k])
			for i := range words {
				words[i] += four(parent[lo+4*i:]) * mul
			}
		}
		for _, w := range words {
			t[0][uint16(w)]++
			t[1][uint16(w>>16)]++
			t[2][uint16(w>>32)]++
			t[3][w>>48]++
		}
	}
	for row := whole; row < len(child); row++ {
		at := uint64(child[row])
		for k, p := range f.parents {
			at += uint64(b.cols[p][row]) * uint64(f.mul[k])
		}
		t[0][uint16(at)]++
	}
}
