package centre

import "gonum.org/v1/gonum/floats"

// long is the length from which package floats adds up faster, in the same order.
const long = 32

// dot is the inner product of vectors of one length, as the sum of every fourth product: four chains of additions run
// at a time. The vectors of a factor are short, so that calls would take longer than the sums.
func dot(x, y []float64) float64 {
	if len(x) >= long {
		return floats.Dot(x, y)
	}
	y = y[:len(x)]
	var a, b, c, d float64
	for len(x) >= 4 && len(y) >= 4 {
		a += x[0] * y[0]
		b += x[1] * y[1]
		c += x[2] * y[2]
		d += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	y = y[:len(x)]
	for i, v := range x {
		a += v * y[i]
	}
	return (a + c) + (b + d)
}

// dots are the inner products of x and y with z, each as [dot] sums it.
func dots(x, y, z []float64) (withX, withY float64) {
	y, z = y[:len(x)], z[:len(x)]
	var a, b, c, d, e, f, g, h float64
	for len(x) >= 4 && len(y) >= 4 && len(z) >= 4 {
		a += x[0] * z[0]
		e += y[0] * z[0]
		b += x[1] * z[1]
		f += y[1] * z[1]
		c += x[2] * z[2]
		g += y[2] * z[2]
		d += x[3] * z[3]
		h += y[3] * z[3]
		x, y, z = x[4:], y[4:], z[4:]
	}
	y, z = y[:len(x)], z[:len(x)]
	for i, v := range x {
		a += v * z[i]
		e += y[i] * z[i]
	}
	return (a + c) + (b + d), (e + g) + (f + h)
}
