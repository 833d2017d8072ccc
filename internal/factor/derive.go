package factor

// Derive is the way back of Sum by the rule for products: of a number with the derivatives d by the
// entries of out, it adds the derivatives by those of a and b,
//
//	da(A) += Σ d(O)·b(B),   db(B) += Σ d(O)·a(A),
//
// which need no division, so that entries of zero have theirs too. It panics when a slice is too
// short for its tables.
func (c *Contraction) Derive(da, db, d, a, b []float64, ofA, ofB []int32) {
	ofB = ofB[:len(ofA)]
	runs := c.stepA == 1 && c.stepB == 1 && c.stepOut == 0
	for k := range ofA {
		pa, pb := int(ofA[k])*c.sizeA, int(ofB[k])*c.sizeB
		x, y, dx, dy, z := a[pa:][:c.sizeA], b[pb:][:c.sizeB], da[pa:][:c.sizeA], db[pb:][:c.sizeB],
			d[k*c.sizeOut:][:c.sizeOut]
		for _, h := range c.outer {
			for _, l := range c.inner {
				i, j, m := int(h.a+l.a), int(h.b+l.b), int(h.out+l.out)
				if runs {
					if r := z[m]; r != 0 {
						y, dx, dy := y[j:][:c.run], dx[i:][:c.run], dy[j:][:c.run]
						for at, v := range x[i:][:c.run] {
							dx[at] += r * y[at]
							dy[at] += r * v
						}
					}
					continue
				}
				for range c.run {
					if r := z[m]; r != 0 {
						dx[i] += r * y[j]
						dy[j] += r * x[i]
					}
					i, j, m = i+c.stepA, j+c.stepB, m+c.stepOut
				}
			}
		}
	}
}
