package factor

// Share is the way back of Sum. With counts q of out's entries, it gives each product its
// part of the count of the sum that it is in, and adds these parts up in the places of a
// and b that they come from:
//
//	shareA(A) += a·b·q/out,   shareB(B) += a·b·q/out.
//
// So the shares are the counts of a and b. Where q is 0 nothing is added, so zeros of out
// are harmless. Out is what Sum made of a and b. A share that is nil is left out. It
// panics when another slice is too short for its tables.
func (c *Contraction) Share(shareA, shareB, q, out, a, b []float64, ofA, ofB []int32) {
	ofB = ofB[:len(ofA)]
	n := c.run
	dot := c.stepA == 1 && c.stepB == 1 && c.stepOut == 0
	for k := range ofA {
		pa, pb, pz := int(ofA[k])*c.sizeA, int(ofB[k])*c.sizeB, k*c.sizeOut
		ak, bk, qk, zk := a[pa:][:c.sizeA], b[pb:][:c.sizeB], q[pz:][:c.sizeOut], out[pz:][:c.sizeOut]
		var sa, sb []float64
		if shareA != nil {
			sa = shareA[pa:][:c.sizeA]
		}
		if shareB != nil {
			sb = shareB[pb:][:c.sizeB]
		}
		switch {
		case dot && sa != nil && sb != nil:
			c.shareDot(sa, sb, qk, zk, ak, bk)
		case dot && sa != nil:
			c.shareOne(sa, qk, zk, ak, bk, false)
		case dot && sb != nil:
			c.shareOne(sb, qk, zk, ak, bk, true)
		default:
			for _, h := range c.outer {
				for _, l := range c.inner {
					i, j, m := int(h.a+l.a), int(h.b+l.b), int(h.out+l.out)
					for range n {
						if qk[m] != 0 {
							t := ak[i] * bk[j] * (qk[m] / zk[m])
							if sa != nil {
								sa[i] += t
							}
							if sb != nil {
								sb[j] += t
							}
						}
						i, j, m = i+c.stepA, j+c.stepB, m+c.stepOut
					}
				}
			}
		}
	}
}

// shareDot is Share of one table for runs that were summed, with the shortest written out.
func (c *Contraction) shareDot(sa, sb, q, out, a, b []float64) {
	n := c.run
	for _, h := range c.outer {
		x, y, sx, sy := a[h.a:], b[h.b:], sa[h.a:], sb[h.b:]
		for _, l := range c.inner {
			m := h.out + l.out
			r := q[m]
			if r == 0 {
				continue
			}
			r /= out[m]
			switch n {
			case 2:
				x, y := (*[2]float64)(x[l.a:]), (*[2]float64)(y[l.b:])
				sx, sy := (*[2]float64)(sx[l.a:]), (*[2]float64)(sy[l.b:])
				s, t := x[0]*y[0]*r, x[1]*y[1]*r
				sx[0], sx[1] = sx[0]+s, sx[1]+t
				sy[0], sy[1] = sy[0]+s, sy[1]+t
			case 3:
				x, y := (*[3]float64)(x[l.a:]), (*[3]float64)(y[l.b:])
				sx, sy := (*[3]float64)(sx[l.a:]), (*[3]float64)(sy[l.b:])
				s, t, u := x[0]*y[0]*r, x[1]*y[1]*r, x[2]*y[2]*r
				sx[0], sx[1], sx[2] = sx[0]+s, sx[1]+t, sx[2]+u
				sy[0], sy[1], sy[2] = sy[0]+s, sy[1]+t, sy[2]+u
			case 4:
				x, y := (*[4]float64)(x[l.a:]), (*[4]float64)(y[l.b:])
				sx, sy := (*[4]float64)(sx[l.a:]), (*[4]float64)(sy[l.b:])
				s, t, u, v := x[0]*y[0]*r, x[1]*y[1]*r, x[2]*y[2]*r, x[3]*y[3]*r
				sx[0], sx[1], sx[2], sx[3] = sx[0]+s, sx[1]+t, sx[2]+u, sx[3]+v
				sy[0], sy[1], sy[2], sy[3] = sy[0]+s, sy[1]+t, sy[2]+u, sy[3]+v
			default:
				y, sx, sy := y[l.b:][:n], sx[l.a:][:n], sy[l.b:][:n]
				for i, v := range x[l.a:][:n] {
					t := v * y[i] * r
					sx[i] += t
					sy[i] += t
				}
			}
		}
	}
}

// shareOne is Share of one table for runs that were summed, with the share of a or b only.
func (c *Contraction) shareOne(share, q, out, a, b []float64, ofB bool) {
	n := c.run
	for _, h := range c.outer {
		for _, l := range c.inner {
			m := h.out + l.out
			r := q[m]
			if r == 0 {
				continue
			}
			r /= out[m]
			at := h.a + l.a
			if ofB {
				at = h.b + l.b
			}
			y, s := b[h.b+l.b:][:n], share[at:][:n]
			for i, v := range a[h.a+l.a:][:n] {
				s[i] += v * y[i] * r
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
	n := c.run
	for _, h := range c.outer {
		for _, l := range c.inner {
			at := h.a + l.a
			if ofB {
				at = h.b + l.b
			}
			if step == 1 && c.stepOut == 1 {
				s := share[at:][:n]
				for i, v := range q[h.out+l.out:][:n] {
					s[i] += v
				}
				continue
			}
			k, m := int(h.out+l.out), int(at)
			for range n {
				share[m] += q[k]
				k, m = k+c.stepOut, m+step
			}
		}
	}
}
