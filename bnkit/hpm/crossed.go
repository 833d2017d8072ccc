package hpm

import "bnlab/bnkit/hpm/internal/rowsum"

// pass counts the passes over B. When they have cost as much as A = B'B does, the fit goes over to A:
// then it costs at most twice what it would have, whichever had been better.
func (f *fitter) pass() {
	m := f.sample.values()
	if f.passes++; f.passes > m/4 && !f.crossed && len(f.voxels) > m && len(f.spans) == 1 && !f.set.VoxelNoise {
		f.crossed = true
		f.crossProducts()
	}
}

// crossRows are the rows of B that are multiplied together, so few that a cache keeps them.
const crossRows = 32

// crossProducts sets A = B'B.
func (f *fitter) crossProducts() {
	m := f.sample.values()
	f.cross = resize(f.cross, m*m)
	clear(f.cross)
	for lo := 0; lo < len(f.voxels); lo += crossRows {
		b, rows := f.b[lo*m:], min(crossRows, len(f.voxels)-lo)
		for a := range m {
			rowsum.Add(f.cross[a*m:][:min(a/4*4+4, m)], b[a:], m, b, m, rows)
		}
	}
	for a := range m {
		for b := range a {
			f.cross[b*m+a] = f.cross[a*m+b]
		}
	}
}

// crossedAmplitudes does by A = B'B what amplitudes and moments do by B, for one span: with
// Z_l = A_·l P_l,
//
//	R'R = (P_k'Z_kl),   l' = Σ y − tr(H⁺R'R),   W = H⁺R'R H⁺,   Σ_v c_k^v b_vk = Σ_l (Z_l)_k H⁺_lk.
//
// C itself is not needed for that. (N06 Algorithm 2, step 2.)
func (f *fitter) crossedAmplitudes() float64 {
	m, n, starts := f.sample.values(), f.processes(), f.sample.starts
	clear(f.right)
	clear(f.w)
	squares := f.h // R'R; H is not needed any more
	clear(squares)
	f.z = resize(f.z, m*n)
	for l := range n {
		rowsum.Dots(f.z[l:], n, f.cross[starts[l]:], m, f.p[starts[l]:starts[l+1]], m)
	}
	for k := range n {
		for l := range n {
			sum, share := 0.0, f.j[l*n+k]
			for a := starts[k]; a < starts[k+1]; a++ {
				z := f.z[a*n+l]
				f.right[a] += z * share
				sum += f.p[a] * z
			}
			squares[k*n+l] = sum
		}
	}
	explained := dot(f.j, squares)
	for k := range n {
		for l := range n {
			for i := range n {
				x := f.j[k*n+i]
				for j := range n {
					f.w[k*n+l] += x * squares[i*n+j] * f.j[j*n+l]
				}
			}
		}
	}
	clear(f.errors)
	f.errors[0] = max(f.total-explained, 0)
	return f.negative()
}
