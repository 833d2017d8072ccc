package hpm

import "gonum.org/v1/gonum/floats"

// pass counts the passes over B. When they have cost as much as A = B'B does, the fit goes over to A:
// then it costs at most twice what it would have, whichever had been better.
func (f *fitter) pass() {
	m := f.sample.values()
	if f.passes++; f.passes > m/4 && !f.crossed && len(f.voxels) > m && len(f.spans) == 1 && !f.set.VoxelNoise {
		f.crossed = true
		f.crossProducts()
	}
}

// crossProducts sets A = B'B.
func (f *fitter) crossProducts() {
	m := f.sample.values()
	f.cross = resize(f.cross, m*m)
	clear(f.cross)
	for v := range f.voxels {
		b := f.row(v)
		for a, x := range b {
			floats.AddScaled(f.cross[a*m:][:a+1], x, b[:a+1])
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
	for a, k := range f.sample.owner {
		row := f.cross[a*m:][:m]
		for l := range n {
			z := floats.Dot(row[starts[l]:starts[l+1]], f.p[starts[l]:starts[l+1]])
			f.right[a] += z * f.j[l*n+k]
			squares[k*n+l] += f.p[a] * z
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
	total := floats.Sum(f.y)
	clear(f.errors)
	f.errors[0] = max(total-explained, 0)
	return f.negative()
}
