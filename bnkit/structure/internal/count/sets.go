package count

import "math/bits"

// both is the number of rows in both sets.
func both(a, b []uint64) uint32 {
	b = b[:len(a)]
	n0, n1, n2, n3 := 0, 0, 0, 0
	for len(a) >= 4 && len(b) >= 4 {
		n0 += bits.OnesCount64(a[0] & b[0])
		n1 += bits.OnesCount64(a[1] & b[1])
		n2 += bits.OnesCount64(a[2] & b[2])
		n3 += bits.OnesCount64(a[3] & b[3])
		a, b = a[4:], b[4:]
	}
	for i, w := range a {
		n0 += bits.OnesCount64(w & b[i])
	}
	return uint32(n0 + n1 + n2 + n3)
}

// meet writes the rows in both sets to dst and returns their number.
func meet(dst, a, b []uint64) uint32 {
	a, b = a[:len(dst)], b[:len(dst)]
	n := 0
	for i, w := range a {
		w &= b[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return uint32(n)
}
