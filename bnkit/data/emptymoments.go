package data

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
)

// NewMoments returns the moments of no rows for the linear-Gaussian nodes of a network, to be
// added to.
func NewMoments(net *bn.Network) *Moments {
	m := &Moments{Factors: make([][]Factor, net.Len()), Skipped: make([]float64, net.Len())}
	for v := range net.Len() {
		if g := net.Gaussian(v); g != nil {
			m.Factors[v] = make([]Factor, g.Configs().Len())
		}
	}
	return m
}

// Add adds the row z = [1, x_1 … x_p, y] with a weight ≥ 0. Each entry of √weight·z is turned
// into the factor by a Givens rotation, in O(p²) steps and without memory but for the first
// row. (Golub and Van Loan 2013, §6.5.3.) It panics when f has rows of another length.
func (f *Factor) Add(weight float64, z []float64) {
	k := len(z)
	if f.R == nil {
		f.R = make([]float64, k*k)
	}
	if len(f.R) != k*k {
		panic("data: a row of another length than those of the factor")
	}
	f.N += weight
	var room [8]float64
	row := append(room[:0], z...)
	root := math.Sqrt(weight)
	for i := range row {
		row[i] *= root
	}
	for i, x := range row {
		if x == 0 {
			continue
		}
		r := f.R[i*k : (i+1)*k]
		length := math.Hypot(r[i], x)
		c, s := r[i]/length, x/length
		r[i] = length
		for j := i + 1; j < k; j++ {
			r[j], row[j] = c*r[j]+s*row[j], c*row[j]-s*r[j]
		}
	}
}

// IsFinite reports whether no number of the factor is infinite or NaN: squares of values may
// sum to more than a float64 holds.
func (f Factor) IsFinite() bool {
	return !slices.ContainsFunc(f.R, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
