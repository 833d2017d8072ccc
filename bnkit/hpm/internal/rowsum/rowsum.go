// Package rowsum adds up rows of a matrix, with the sums of floats.Dot and floats.AddScaled.
package rowsum

import "gonum.org/v1/gonum/floats"

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

// Add adds c[i·by] times row i to dst, for n rows, one after the other. Row i begins at rows[i·stride].
func Add(dst, c []float64, by int, rows []float64, stride, n int) {
	if n == 0 {
		return
	}
	c, rows = c[:(n-1)*by+1], rows[:(n-1)*stride+len(dst)]
	for i := range n {
		floats.AddScaled(dst, c[i*by], rows[i*stride:][:len(dst)])
	}
}
