// Package rowsum adds up rows of a matrix, with the sums of floats.Dot and floats.AddScaled to the last bit.
package rowsum

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// Dots sets dst[i·by] to the product of row i and x, for n rows. Row i begins at rows[i·stride].
func Dots(dst []float64, by int, rows []float64, stride int, x []float64, n int) {
	if n == 0 {
		return
	}
	dst, rows = dst[:(n-1)*by+1], rows[:(n-1)*stride+len(x)]
	for i := range n {
		dst[i*by] = floats.Dot(rows[i*stride:][:len(x)], x)
	}
}

// Add adds c[i·by] times row i to dst, for n rows, one after the other. Row i begins at rows[i·stride], and ends before
// the next.
func Add(dst, c []float64, by int, rows []float64, stride, n int) {
	if n == 0 || len(dst) == 0 {
		return
	}
	blas64.Gemv(blas.Trans, 1, blas64.General{Rows: n, Cols: len(dst), Data: rows, Stride: stride},
		blas64.Vector{N: n, Data: c, Inc: by}, 1, blas64.Vector{N: len(dst), Data: dst, Inc: 1})
}
