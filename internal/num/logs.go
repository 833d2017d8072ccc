package num

import "math"

// Logs writes the natural logarithms of x to dst, which may be x. It panics when dst is longer than x.
//
// They are those of math.Log on amd64, bit by bit and on every processor: it takes the same steps (those of
// fdlibm, K. C. Ng 1993), each product rounded before it is added. In a loop, without calls, they take two
// thirds of the time.
func Logs(dst, x []float64) {
	const (
		normal, infinite = 1 << 52, 0x7ff << 52 // the bits of the least normal number and of +Inf
		rootHalf         = 0x3fe6a09e667f3bcd   // of √½
		ln2, ln2Rest     = 6.93147180369123816490e-01, 1.90821492927058770002e-10
		// log((1+s)/(1−s)) is nearly 2s + c₁s³ + c₂s⁵ + …
		c1, c2, c3 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01
		c4, c5, c6 = 2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01
		c7         = 1.479819860511658591e-01
	)
	x = x[:len(dst)]
	for i, v := range x {
		bits := math.Float64bits(v)
		if bits-normal >= infinite-normal {
			dst[i] = math.Log(v)
			continue
		}
		exponent := int64(bits-rootHalf) >> 52
		f := math.Float64frombits(bits-uint64(exponent)<<52) - 1 // v = 2^exponent (1 + f), √½ ≤ 1 + f < √2
		k := float64(exponent)
		s := f / (2 + f)
		s2 := s * s
		s4 := s2 * s2
		even := s4 * (c2 + float64(s4*(c4+float64(s4*c6))))
		odd := s2 * (c1 + float64(s4*(c3+float64(s4*(c5+float64(s4*c7))))))
		half := 0.5 * f * f
		dst[i] = float64(k*ln2) - ((half - (float64(s*(half+(float64(odd)+float64(even)))) + float64(k*ln2Rest))) - f)
	}
}
