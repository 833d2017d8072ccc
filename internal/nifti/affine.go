package nifti

import "math"

// affine returns the matrix from voxels to millimetres by the best method that the
// header has: the general matrix (sform), the rotation (qform), or the sizes of voxels.
func (h *Header) affine(b []byte) (m [3][4]float64) {
	switch {
	case h.short(b, 254) > 0:
		for row := range 3 {
			for column := range 4 {
				m[row][column] = h.float(b, 280+16*row+4*column)
			}
		}
		return m
	case h.short(b, 252) > 0:
		return h.rotation(b)
	}
	for i := range 3 {
		m[i][i] = h.float(b, 80+4*i)
	}
	return m
}

// rotation returns the matrix of the unit quaternion a + bi + cj + dk, a ≥ 0, of which the
// header has b, c and d; its columns times the sizes of voxels, the third with the sign in pixdim[0].
func (h *Header) rotation(bytes []byte) (m [3][4]float64) {
	b, c, d := h.float(bytes, 256), h.float(bytes, 260), h.float(bytes, 264)
	a := math.Sqrt(math.Max(0, 1-b*b-c*c-d*d))
	rotation := [3][3]float64{
		{a*a + b*b - c*c - d*d, 2 * (b*c - a*d), 2 * (b*d + a*c)},
		{2 * (b*c + a*d), a*a + c*c - b*b - d*d, 2 * (c*d - a*b)},
		{2 * (b*d - a*c), 2 * (c*d + a*b), a*a + d*d - b*b - c*c},
	}
	for row := range 3 {
		for column := range 3 {
			m[row][column] = rotation[row][column] * h.float(bytes, 80+4*column)
		}
		if h.float(bytes, 76) < 0 {
			m[row][2] = -m[row][2]
		}
		m[row][3] = h.float(bytes, 268+4*row)
	}
	return m
}

// Sides names the sides of the head at the first and the last voxel along x, L and R, where the file says how the head
// lies and x runs from side to side more than in any other direction; else they are empty. (Millimetres grow to the
// right, as NIfTI-1 has it.)
func (h *Header) Sides() (sides [2]string) {
	across := h.Affine[0][0]
	for row := range 3 {
		if !h.Oriented || row > 0 && !(math.Abs(across) > math.Abs(h.Affine[row][0])) {
			return sides
		}
	}
	switch {
	case across > 0:
		return [2]string{"L", "R"}
	case across < 0:
		return [2]string{"R", "L"}
	}
	return sides
}

// SameSpace reports whether two images with the same grid also lie in the same place: no
// corner of the one is further than a tenth of a millimetre from that of the other. Entries
// that are no numbers are never the same.
func (h *Header) SameSpace(o *Header) bool {
	for corner := range 8 {
		at := [4]float64{float64(corner & 1 * (h.X - 1)), float64(corner >> 1 & 1 * (h.Y - 1)),
			float64(corner >> 2 * (h.Z - 1)), 1}
		for row := range 3 {
			gap := 0.0
			for column := range 4 {
				gap += (h.Affine[row][column] - o.Affine[row][column]) * at[column]
			}
			if !(math.Abs(gap) <= 0.1) {
				return false
			}
		}
	}
	return true
}
