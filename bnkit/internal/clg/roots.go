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
// nothing is taken from it. (Square-root filters: Kaminski, Bryson and Schmidt 1971.) Twice the digits are carried,
// since what is left of a row of G may be 1e-8 of it where a hidden variable is determined by what is observed before.
func (w *Space) roots() {
	p := w.plan
	n, cases := len(p.families), w.cases
	unit := make([][]double, n) // by family: its noise
	sources := 0
	for f, fam := range p.families {
		if w.given.nodes[fam.Child].Variance[w.given.configs[p.from[f]]] > 0 {
			sources++
		}
		unit[f] = make([]double, n)
		unit[f][f] = exactly(1)
	}
	means, rows := make([][]double, n), make([][]double, n)
	z := make([]double, n*cases) // means of the noises, by family and case
	w.forward(unit, z, means, rows)
	var basis, target [][]double
	for _, f := range p.observed {
		row, size := rows[f], norm(rows[f])
		d := make([]double, cases)
		for c, at := range w.given.rows {
			d[c] = exactly(w.given.values[p.families[f].Child][at]).plus(means[f][c].negative())
		}
		for range 2 {
			for i, q := range basis {
				t := dot(row, q).negative()
				for k := range row {
					row[k] = row[k].plus(t.times(q[k]))
				}
				for c := range d {
					d[c] = d[c].plus(t.times(target[i][c]))
				}
			}
		}
		left := norm(row)
		if !(left.hi > determined*size.hi) || len(basis) == sources {
			continue
		}
		for k := range row {
			row[k] = row[k].over(left)
		}
		for c := range d {
			d[c] = d[c].over(left)
		}
		basis, target = append(basis, row), append(target, d)
	}
	for f, row := range unit {
		for pass := range 2 { // of a row that is nearly gone, the first leaves rounding in the span of Q
			for i, q := range basis {
				t := dot(row, q).negative()
				for k := range row {
					row[k] = row[k].plus(t.times(q[k]))
				}
				for c := 0; c < cases && pass == 0; c++ {
					z[f*cases+c] = z[f*cases+c].plus(q[f].times(target[i][c]))
				}
			}
		}
	}
	w.forward(unit, z, means, rows)
	for f := range p.families {
		if p.nodes[f].hidden {
			for c, m := range means[f] {
				w.of(w.constant, f)[c] = m.float()
			}
		}
	}
	for at, pair := range p.pairs {
		w.cov[at] = dot(rows[pair.i], rows[pair.j]).float()
	}
}

// forward writes means by case, and what each family has of the noises, parents before children; unit are the noises
// and z their means.
func (w *Space) forward(unit [][]double, z []double, means, rows [][]double) {
	p := w.plan
	for f, fam := range p.families {
		g, config := w.given.nodes[fam.Child], w.given.configs[p.from[f]]
		sd := exactly(math.Sqrt(g.Variance[config]))
		mean, row := make([]double, w.cases), make([]double, len(unit))
		for c := range mean {
			mean[c] = exactly(g.Intercept[config]).plus(sd.times(z[f*w.cases+c]))
		}
		for k := range row {
			row[k] = sd.times(unit[f][k])
		}
		for i, u := range fam.Parents {
			b := exactly(g.Weights[config][i])
			at, hidden := p.family[u]
			if hidden = hidden && p.nodes[at].hidden; !hidden {
				for c, r := range w.given.rows {
					mean[c] = mean[c].plus(b.times(exactly(w.given.values[u][r])))
				}
				continue
			}
			for c := range mean {
				mean[c] = mean[c].plus(b.times(means[at][c]))
			}
			for k := range row {
				row[k] = row[k].plus(b.times(rows[at][k]))
			}
		}
		means[f], rows[f] = mean, row
	}
}
