package clg

import (
	"math"

	"bnlab/bnkit/bn"
)

// given is what Solve was asked: the arguments after the plan.
type given struct {
	nodes   []*bn.LinearGaussian
	configs []int
	values  [][]float64
	rows    []int32
}

// mostRoots is the number of families up to which roots are found, in time of the third power.
const mostRoots = 256

// determined is the part of an observed value's noise that is rounding when those before it determine it.
const determined = 1e-13

// roots finds means and covariances again from square roots, without differences of large numbers. Each variable is a
// sum of independent noises of unit variance, one for each family with variance, z ~ N(0, I):
//
//	x = m + F·z,    F_x = Σ b·F_parent + σ·e_x over its hidden parents
//
// Observed parents are constants. With G the rows of the observed children and d what they differ by from their
// means, an orthonormal basis Q of the rows of G (modified Gram-Schmidt, each row twice) gives
//
//	E[z | d] = Q'R⁻ᵀd,    Cov(z | d) = P = I − Q'Q,    Cov(x | d) = (F·P)(F·P)'
//
// and F·P follows from the rows of P as F does from those of I, so that what is observed has rows of zeros and
// nothing is taken from it. (Square-root filters: Kaminski, Bryson and Schmidt 1971.)
func (w *Space) roots() {
	p := w.plan
	n, cases := len(p.families), w.cases
	unit := make([][]float64, n) // by family: its noise
	sources := 0
	for f, fam := range p.families {
		if w.given.nodes[fam.Child].Variance[w.given.configs[p.from[f]]] > 0 {
			sources++
		}
		unit[f] = make([]float64, n)
		unit[f][f] = 1
	}
	means, rows := make([][]float64, n), make([][]float64, n)
	z := make([]float64, n*cases) // means of the noises, by family and case
	w.forward(unit, z, means, rows)
	var basis, target [][]float64
	for _, f := range p.observed {
		row, size := rows[f], norm(rows[f])
		d := make([]float64, cases)
		for c, at := range w.given.rows {
			d[c] = w.given.values[p.families[f].Child][at] - means[f][c]
		}
		for range 2 {
			for i, q := range basis {
				t := dot(row, q)
				for k := range row {
					row[k] -= t * q[k]
				}
				for c := range d {
					d[c] -= t * target[i][c]
				}
			}
		}
		left := norm(row)
		if !(left > determined*size) || len(basis) == sources {
			continue
		}
		for k := range row {
			row[k] /= left
		}
		for c := range d {
			d[c] /= left
		}
		basis, target = append(basis, row), append(target, d)
	}
	for f, row := range unit {
		for pass := range 2 { // of a row that is nearly gone, the first leaves rounding in the span of Q
			for i, q := range basis {
				t := dot(row, q)
				for k := range row {
					row[k] -= t * q[k]
				}
				for c := 0; c < cases && pass == 0; c++ {
					z[f*cases+c] += q[f] * target[i][c]
				}
			}
		}
	}
	w.forward(unit, z, means, rows)
	for f := range p.families {
		if p.nodes[f].hidden {
			copy(w.of(w.constant, f), means[f])
		}
	}
	for at, pair := range p.pairs {
		w.cov[at] = dot(rows[pair.i], rows[pair.j])
	}
}

// forward writes means by case, and what each family has of the noises, parents before children; unit are the noises
// and z their means.
func (w *Space) forward(unit [][]float64, z []float64, means, rows [][]float64) {
	p := w.plan
	for f, fam := range p.families {
		g, config := w.given.nodes[fam.Child], w.given.configs[p.from[f]]
		sd := math.Sqrt(g.Variance[config])
		mean, row := make([]float64, w.cases), make([]float64, len(unit))
		for c := range mean {
			mean[c] = g.Intercept[config] + sd*z[f*w.cases+c]
		}
		for k := range row {
			row[k] = sd * unit[f][k]
		}
		for i, u := range fam.Parents {
			b := g.Weights[config][i]
			at, hidden := p.family[u]
			if hidden = hidden && p.nodes[at].hidden; !hidden {
				for c, r := range w.given.rows {
					mean[c] += b * w.given.values[u][r]
				}
				continue
			}
			for c := range mean {
				mean[c] += b * means[at][c]
			}
			for k := range row {
				row[k] += b * rows[at][k]
			}
		}
		means[f], rows[f] = mean, row
	}
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

func norm(x []float64) float64 {
	n := 0.0
	for _, v := range x {
		n = math.Hypot(n, v)
	}
	return n
}
