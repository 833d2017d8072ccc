package factor

// Share is the way back of Sum: it adds each product, multiplied by the ratio in its place
// of out, to the places of a and b that it comes from,
//
//	shareA(A) += a·b·ratio,   shareB(B) += a·b·ratio.
//
// When ratio is q/out for a table q of expected counts, the shares are the expected counts
// of a and b. A share that is nil is left out. It panics when another slice is too short
// for its tables.
func (c *Contraction) Share(shareA, shareB, ratio, a, b []float64, ofA, ofB []int32) {
	ofB = ofB[:len(ofA)]
	dot := c.stepA == 1 && c.stepB == 1 && c.stepOut == 0
	switch {
	case dot && shareA != nil && shareB != nil && c.whole():
		c.shareWhole(shareA, shareB, ratio, a, b, ofA, ofB)
	case dot && shareA != nil && shareB != nil:
		c.shareDot(shareA, shareB, ratio, a, b, ofA, ofB)
	case dot && shareA != nil:
		c.shareOne(shareA, ratio, a, b, ofA, ofB, false)
	case dot && shareB != nil:
		c.shareOne(shareB, ratio, a, b, ofA, ofB, true)
	case c.stepA == 1 && c.stepB == 0 && c.stepOut == 0 && shareA != nil && shareB == nil:
		c.shareTotal(shareA, ratio, a, b, ofA, ofB)
	case shareA != nil || shareB != nil:
		c.shareStrided(shareA, shareB, ratio, a, b, ofA, ofB)
	}
}

// shareDot is Share for runs that were summed.
func (c *Contraction) shareDot(shareA, shareB, ratio, a, b []float64, ofA, ofB []int32) {
	for k := range ofA {
		pa, pb := int(ofA[k])*c.sizeA, int(ofB[k])*c.sizeB
		ak, bk, sak, sbk, rk := a[pa:][:c.sizeA], b[pb:][:c.sizeB], shareA[pa:][:c.sizeA], shareB[pb:][:c.sizeB],
			ratio[k*c.sizeOut:][:c.sizeOut]
		for _, h := range c.outer {
			shareRuns(sak[h.a:], sbk[h.b:], rk[h.out:], ak[h.a:], bk[h.b:], c.inner, c.run)
		}
	}
}

// shareOne is Share for runs that were summed, with the share of a or b only.
func (c *Contraction) shareOne(share, ratio, a, b []float64, ofA, ofB []int32, isB bool) {
	for k := range ofA {
		pa, pb := int(ofA[k])*c.sizeA, int(ofB[k])*c.sizeB
		x, y, z, s := a[pa:][:c.sizeA], b[pb:][:c.sizeB], ratio[k*c.sizeOut:][:c.sizeOut], share[pa:]
		if isB {
			s = share[pb:]
		}
		for _, h := range c.outer {
			at := h.a
			if isB {
				at = h.b
			}
			shareRunsOne(s[at:], z[h.out:], x[h.a:], y[h.b:], c.inner, c.run, isB)
		}
	}
}

// shareTotal is Share for runs of a that were summed, while b stands still.
func (c *Contraction) shareTotal(shareA, ratio, a, b []float64, ofA, ofB []int32) {
	for k := range ofA {
		pa := int(ofA[k]) * c.sizeA
		x, y, s, z := a[pa:][:c.sizeA], b[int(ofB[k])*c.sizeB:][:c.sizeB], shareA[pa:][:c.sizeA],
			ratio[k*c.sizeOut:][:c.sizeOut]
		for _, h := range c.outer {
			for _, l := range c.inner {
				r := z[h.out+l.out] * y[h.b+l.b]
				s := s[h.a+l.a:][:c.run]
				for i, v := range x[h.a+l.a:][:c.run] {
					s[i] += v * r
				}
			}
		}
	}
}

// shareStrided is Share for runs of any kind.
func (c *Contraction) shareStrided(shareA, shareB, ratio, a, b []float64, ofA, ofB []int32) {
	for k := range ofA {
		pa, pb := int(ofA[k])*c.sizeA, int(ofB[k])*c.sizeB
		for _, h := range c.outer {
			for _, l := range c.inner {
				i, j, m := pa+int(h.a+l.a), pb+int(h.b+l.b), k*c.sizeOut+int(h.out+l.out)
				for range c.run {
					t := a[i] * b[j] * ratio[m]
					if shareA != nil {
						shareA[i] += t
					}
					if shareB != nil {
						shareB[j] += t
					}
					i, j, m = i+c.stepA, j+c.stepB, m+c.stepOut
				}
			}
		}
	}
}

// Spread is Share for a contraction that sums nothing: each count in q has one place in a
// and one in b. A share that is nil is left out. It panics when the contraction sums over a
// variable or a slice is too short for its tables.
func (c *Contraction) Spread(shareA, shareB, q []float64, ofA, ofB []int32) {
	if c.product != c.sizeOut {
		panic("factor: Spread of a contraction that sums")
	}
	ofB = ofB[:len(ofA)]
	if shareA != nil {
		for k, of := range ofA {
			c.spread(shareA[int(of)*c.sizeA:][:c.sizeA], q[k*c.sizeOut:][:c.sizeOut], c.stepA, false)
		}
	}
	if shareB != nil {
		for k, of := range ofB {
			c.spread(shareB[int(of)*c.sizeB:][:c.sizeB], q[k*c.sizeOut:][:c.sizeOut], c.stepB, true)
		}
	}
}

func (c *Contraction) spread(share, q []float64, step int, ofB bool) {
	for _, h := range c.outer {
		to := h.a
		if ofB {
			to = h.b
		}
		if step == 1 && c.stepOut == 1 {
			spreadRuns(share[to:], q[h.out:], c.inner, c.run, ofB)
			continue
		}
		for _, l := range c.inner {
			at := to + l.a
			if ofB {
				at = to + l.b
			}
			k, m := int(h.out+l.out), int(at)
			for range c.run {
				share[m] += q[k]
				k, m = k+c.stepOut, m+step
			}
		}
	}
}
