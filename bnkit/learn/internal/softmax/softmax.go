// Package softmax makes the rows of a table, w = exp β / Σ_row exp β, and takes derivatives through them (Y13 Eq. 3;
// R95 §4).
package softmax

import "math"

// Faint is the least entry of a table other than zero during iterations. Entries that no case
// asks for fade without end, and quotients of what is fainter overflow.
const Faint = 1e-60

// Lifted is p, or Faint for what is fainter.
func Lifted(p float64) float64 {
	if p > 0 && p < Faint {
		return Faint
	}
	return p
}

// Rows writes exp β / Σ exp β, row by row.
func Rows(w, beta []float64, states int) {
	for lo := 0; lo < len(beta); lo += states {
		row, out := beta[lo:lo+states], w[lo:lo+states]
		most, total := math.Inf(-1), 0.0
		for _, b := range row {
			most = max(most, b)
		}
		for s, b := range row {
			e := 1.0
			if below := b - most; below != 0 {
				e = Lifted(math.Exp(below))
			}
			out[s] = e
			total += e
		}
		for s := range out {
			out[s] /= total
		}
	}
}

// Pull writes ∂F/∂β = g − w Σ_row g for g = w·∂F/∂w, row by row.
func Pull(dst, w, g []float64, states int) {
	for lo := 0; lo < len(w); lo += states {
		total := 0.0
		for _, x := range g[lo : lo+states] {
			total += x
		}
		for s := lo; s < lo+states; s++ {
			dst[s] = g[s] - w[s]*total
		}
	}
}
