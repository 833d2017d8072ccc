package factor

import "math"

// Sum writes the sums of products to out: table k from the tables ofA[k] of a and ofB[k]
// of b. It panics when a slice is too short for its tables.
func (c *Contraction) Sum(out, a, b []float64, ofA, ofB []int32) {
	ofB = ofB[:len(ofA)]
	out = out[:len(ofA)*c.sizeOut]
	switch {
	case c.whole() && c.stepA == 1 && c.stepB == 1 && c.stepOut == 0:
		c.dotWhole(out, a, b, ofA, ofB)
	case c.stepA == 1 && c.stepB == 1 && c.stepOut == 0:
		c.dot(out, a, b, ofA, ofB)
	case c.stepA == 1 && c.stepB == 1 && c.stepOut == 1:
		c.multiply(out, a, b, ofA, ofB)
	case c.stepA == 1 && c.stepB == 0 && c.stepOut == 0:
		c.total(out, a, b, ofA, ofB)
	default:
		c.strided(out, a, b, ofA, ofB)
	}
}

// dot is Sum for runs that are summed.
func (c *Contraction) dot(out, a, b []float64, ofA, ofB []int32) {
	clear(out)
	for k := range ofA {
		ak, bk, zk := a[int(ofA[k])*c.sizeA:][:c.sizeA], b[int(ofB[k])*c.sizeB:][:c.sizeB],
			out[k*c.sizeOut:][:c.sizeOut]
		for _, h := range c.outer {
			dotRuns(zk[h.out:], ak[h.a:], bk[h.b:], c.inner, c.run)
		}
	}
}

// multiply is Sum for a product that sums nothing.
func (c *Contraction) multiply(out, a, b []float64, ofA, ofB []int32) {
	for k := range ofA {
		ak, bk, zk := a[int(ofA[k])*c.sizeA:][:c.sizeA], b[int(ofB[k])*c.sizeB:][:c.sizeB],
			out[k*c.sizeOut:][:c.sizeOut]
		for _, h := range c.outer {
			multiplyRuns(zk[h.out:], ak[h.a:], bk[h.b:], c.inner, c.run)
		}
	}
}

// total is Sum for runs of a that are summed, while b stands still.
func (c *Contraction) total(out, a, b []float64, ofA, ofB []int32) {
	clear(out)
	for k := range ofA {
		x, y, z := a[int(ofA[k])*c.sizeA:][:c.sizeA], b[int(ofB[k])*c.sizeB:][:c.sizeB], out[k*c.sizeOut:][:c.sizeOut]
		for _, h := range c.outer {
			for _, l := range c.inner {
				sum := 0.0
				for _, v := range x[h.a+l.a:][:c.run] {
					sum += v
				}
				z[h.out+l.out] += sum * y[h.b+l.b]
			}
		}
	}
}

// strided is Sum for runs of any kind.
func (c *Contraction) strided(out, a, b []float64, ofA, ofB []int32) {
	clear(out)
	for k := range ofA {
		ak, bk, zk := a[int(ofA[k])*c.sizeA:][:c.sizeA], b[int(ofB[k])*c.sizeB:][:c.sizeB],
			out[k*c.sizeOut:][:c.sizeOut]
		for _, h := range c.outer {
			x, y, z := ak[h.a:], bk[h.b:], zk[h.out:]
			switch {
			case c.stepOut == 0:
				dotSteps(z, x, y, c.inner, c.run, c.stepA, c.stepB)
			case c.stepOut == 1 && c.stepA == 1 && c.stepB == 0:
				scaleRuns(z, x, y, c.inner, c.run, false)
			case c.stepOut == 1 && c.stepA == 0 && c.stepB == 1:
				scaleRuns(z, x, y, c.inner, c.run, true)
			default:
				for _, l := range c.inner {
					i, j, m := int(l.a), int(l.b), int(l.out)
					for range c.run {
						z[m] += x[i] * y[j]
						i, j, m = i+c.stepA, j+c.stepB, m+c.stepOut
					}
				}
			}
		}
	}
}

// Max writes the greatest products to out: Sum with max in the place of the sum. It
// panics when a slice is too short for its tables.
func (c *Contraction) Max(out, a, b []float64, ofA, ofB []int32) {
	ofB = ofB[:len(ofA)]
	out = out[:len(ofA)*c.sizeOut]
	for i := range out {
		out[i] = math.Inf(-1)
	}
	for k := range ofA {
		ak, bk, zk := a[int(ofA[k])*c.sizeA:][:c.sizeA], b[int(ofB[k])*c.sizeB:][:c.sizeB],
			out[k*c.sizeOut:][:c.sizeOut]
		for _, h := range c.outer {
			for _, l := range c.inner {
				i, j, m := int(h.a+l.a), int(h.b+l.b), int(h.out+l.out)
				for range c.run {
					if p := ak[i] * bk[j]; p > zk[m] {
						zk[m] = p
					}
					i, j, m = i+c.stepA, j+c.stepB, m+c.stepOut
				}
			}
		}
	}
}
