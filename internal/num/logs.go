package num

import "math"

// Logs writes the natural logarithms of x to dst, which may be x. It panics when dst is longer than x.
func Logs(dst, x []float64) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] = math.Log(v)
	}
}
