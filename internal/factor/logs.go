package factor

import "math"

// Log is the natural logarithm, −∞ of 0. On amd64 that of the standard library is wrong below
// the smallest normal number, 2^−1022 (Go 1.26).
func Log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p64) - 64*math.Ln2
	}
	return math.Log(x)
}

// zero is the logarithm of the factor without variables that changes nothing.
var zero = []float64{0}

// ProductLogs is [Product] of factors whose values are natural logarithms.
func ProductLogs(dst, a, b *Factor) *Factor {
	dst = into(dst, union(a.Shape, b.Shape))
	NewContraction(dst.Shape, a.Shape, b.Shape).MaxLogs(dst.Values, a.Values, b.Values, first, first) // of one each
	return dst
}

// SumOutLogs is [SumOut] of a factor whose values are natural logarithms.
func SumOutLogs(dst, a *Factor, vars ...int) *Factor {
	dst = into(dst, a.without(present(a, vars)))
	NewContraction(dst.Shape, a.Shape, Shape{}).SumLogs(dst.Values, a.Values, zero, first, first)
	return dst
}

// SumLogs is Sum for tables of natural logarithms,
//
//	out(O) = log Σ exp(a(A) + b(B)),
//
// so that no entry is too small to count. −∞ stands for 0. It takes an exponential for each
// product. It panics when a slice is too short for its tables.
func (c *Contraction) SumLogs(out, a, b []float64, ofA, ofB []int32) {
	c.MaxLogs(out, a, b, ofA, ofB)
	sums := make([]float64, len(ofA)*c.sizeOut)
	c.each(ofA, ofB, func(i, j, m int) {
		if high := out[m]; high > math.Inf(-1) {
			sums[m] += math.Exp(a[i] + b[j] - high)
		}
	})
	for m, sum := range sums {
		if sum > 0 {
			out[m] += math.Log(sum)
		}
	}
}

// MaxLogs is SumLogs with the greatest product in the place of the sum.
func (c *Contraction) MaxLogs(out, a, b []float64, ofA, ofB []int32) {
	out = out[:len(ofA)*c.sizeOut]
	for i := range out {
		out[i] = math.Inf(-1)
	}
	c.each(ofA, ofB, func(i, j, m int) { out[m] = max(out[m], a[i]+b[j]) })
}

// ShareLogs is the way back of SumLogs: of the counts q, which are no logarithms, each product
// gets its part of the sum, and the places of a and b that it comes from get that,
//
//	shareA(A) += q(O)·exp(a + b − out),   shareB(B) += q(O)·exp(a + b − out).
//
// A share that is nil is left out.
func (c *Contraction) ShareLogs(shareA, shareB, q, out, a, b []float64, ofA, ofB []int32) {
	c.each(ofA, ofB, func(i, j, m int) {
		if q[m] == 0 {
			return
		}
		part := q[m] * math.Exp(a[i]+b[j]-out[m])
		if shareA != nil {
			shareA[i] += part
		}
		if shareB != nil {
			shareB[j] += part
		}
	})
}

// each calls f with the places in a, b and out of each product.
func (c *Contraction) each(ofA, ofB []int32, f func(i, j, m int)) {
	for k := range ofA {
		pa, pb, pm := int(ofA[k])*c.sizeA, int(ofB[k])*c.sizeB, k*c.sizeOut
		for _, h := range c.outer {
			for _, l := range c.inner {
				i, j, m := pa+int(h.a+l.a), pb+int(h.b+l.b), pm+int(h.out+l.out)
				for range c.run {
					f(i, j, m)
					i, j, m = i+c.stepA, j+c.stepB, m+c.stepOut
				}
			}
		}
	}
}
