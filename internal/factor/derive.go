package factor

// A Pair are the derivatives of two numbers by one entry of a table.
type Pair [2]float64

// Derive is the way back of Sum, from one table each, by the rule for products: of two numbers with the
// derivatives d by the entries of out, it adds the derivatives by those of a and b,
//
//	da(A) += Σ d(O)·b(B),   db(B) += Σ d(O)·a(A),
//
// which need no division, so that entries of zero have theirs too. db may be nil when it is not wanted. It panics
// when another slice is too short for its table.
func (c *Contraction) Derive(da, db, d []Pair, a, b []float64) {
	a, b, da, d = a[:c.sizeA], b[:c.sizeB], da[:c.sizeA], d[:c.sizeOut]
	switch {
	case db == nil:
		c.deriveOne(da, d, b)
	case c.stepA == 1 && c.stepB == 1 && c.stepOut == 0:
		c.deriveDot(da, db[:c.sizeB], d, a, b)
	default:
		c.deriveStrided(da, db[:c.sizeB], d, a, b)
	}
}

// deriveOne is Derive by the entries of a only.
func (c *Contraction) deriveOne(da, d []Pair, b []float64) {
	for _, h := range c.outer {
		if c.stepA == 1 && c.stepB == 0 && c.stepOut == 0 {
			deriveTotal(da[h.a:], d[h.out:], b[h.b:], c.inner, c.run)
			continue
		}
		for _, l := range c.inner {
			i, j, m := int(h.a+l.a), int(h.b+l.b), int(h.out+l.out)
			for range c.run {
				y, r, to := b[j], &d[m], &da[i]
				to[0] += r[0] * y
				to[1] += r[1] * y
				i, j, m = i+c.stepA, j+c.stepB, m+c.stepOut
			}
		}
	}
}

// deriveTotal is deriveOne for runs that were summed while b stood still.
func deriveTotal(da, d []Pair, b []float64, places []offset, n int) {
	for i := range places {
		l := &places[i]
		at, n := uint(uint32(l.a)), uint(n)
		y, by := b[uint32(l.b)], d[uint32(l.out)]
		r, s := by[0]*y, by[1]*y
		da := da[at : at+n]
		for i := range da {
			da[i][0] += r
			da[i][1] += s
		}
	}
}

// deriveDot is Derive for runs that were summed.
func (c *Contraction) deriveDot(da, db, d []Pair, a, b []float64) {
	for _, h := range c.outer {
		deriveRuns(da[h.a:], db[h.b:], d[h.out:], a[h.a:], b[h.b:], c.inner, c.run)
	}
}

func deriveRuns(da, db, d []Pair, a, b []float64, places []offset, n int) {
	for i := range places {
		l := &places[i]
		m := uint32(l.out)
		r, s := d[m][0], d[m][1]
		if r == 0 && s == 0 {
			continue
		}
		i, j, n := uint(uint32(l.a)), uint(uint32(l.b)), uint(n)
		x := a[i : i+n]
		y, dx, dy := b[j : j+n][:len(x)], da[i : i+n][:len(x)], db[j : j+n][:len(x)]
		for at, v := range x {
			w, p, q := y[at], &dx[at], &dy[at]
			p[0] += r * w
			p[1] += s * w
			q[0] += r * v
			q[1] += s * v
		}
	}
}

// deriveStrided is Derive for runs of any kind.
func (c *Contraction) deriveStrided(da, db, d []Pair, a, b []float64) {
	for _, h := range c.outer {
		for _, l := range c.inner {
			i, j, m := int(h.a+l.a), int(h.b+l.b), int(h.out+l.out)
			for range c.run {
				if r, s := d[m][0], d[m][1]; r != 0 || s != 0 {
					v, w, p, q := a[i], b[j], &da[i], &db[j]
					p[0] += r * w
					p[1] += s * w
					q[0] += r * v
					q[1] += s * v
				}
				i, j, m = i+c.stepA, j+c.stepB, m+c.stepOut
			}
		}
	}
}
