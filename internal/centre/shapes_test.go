package centre_test

import (
	"math/rand/v2"

	"bnlab/internal/centre"
)

// linked returns d distributions with local states of their own and shared parameters,
// each in a random half of the distributions or one more, up to three times in one.
func linked(d, locals, shared int, src *rand.Rand) centre.Problem {
	p := centre.Problem{Len: shared + d*locals}
	for c := range d {
		row := centre.Row{Value: 1}
		for i := range shared {
			if i%d == c || src.IntN(2) == 0 {
				row.Index, row.Coef = append(row.Index, i), append(row.Coef, float64(1+src.IntN(3)))
			}
		}
		for j := range locals {
			row.Index, row.Coef = append(row.Index, shared+c*locals+j), append(row.Coef, 1)
		}
		p.Equal = append(p.Equal, row)
	}
	return p
}

// monotone returns the table of a child with the given states and binary parents in which
// every distribution is above those with fewer parents on: for every pair of
// configurations j, j' that differ in one parent,
//
//	Σ_{k' ≤ k} x_j'k' ≤ Σ_{k' ≤ k} x_jk'
func monotone(parents, states int) centre.Problem {
	p := centre.Problem{Len: states << parents}
	for j := range 1 << parents {
		row := centre.Row{Value: 1}
		for k := range states {
			row.Index = append(row.Index, j*states+k)
		}
		p.Equal = append(p.Equal, row)
		for bit := range parents {
			if j>>bit&1 == 1 {
				continue
			}
			above := j | 1<<bit
			for k := range states - 1 {
				row := centre.Row{}
				for i := range k + 1 {
					row.Index = append(row.Index, above*states+i, j*states+i)
					row.Coef = append(row.Coef, 1, -1)
				}
				p.AtMost = append(p.AtMost, row)
			}
		}
	}
	return p
}

// counts draws whole numbers below top, a part of them zero.
func counts(n, top int, zeros float64, src *rand.Rand) []float64 {
	out := make([]float64, n)
	for i := range out {
		if src.Float64() >= zeros {
			out[i] = float64(1 + src.IntN(top))
		}
	}
	return out
}
