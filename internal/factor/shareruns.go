package factor

// The loops of Share over the runs of a contraction, as those of runs.go.

// shareRuns adds to sx and sy the products of runs of n entries of x and y, multiplied by z.
func shareRuns(sx, sy, z, x, y []float64, places []offset, n int) {
	switch n {
	case 2:
		share2(sx, sy, z, x, y, places)
	case 3:
		share3(sx, sy, z, x, y, places)
	case 4:
		share4(sx, sy, z, x, y, places)
	case 5:
		share5(sx, sy, z, x, y, places)
	default:
		n := uint(n)
		for i := range places {
			l := &places[i]
			r := z[uint32(l.out)]
			if r == 0 {
				continue
			}
			a, b := uint(uint32(l.a)), uint(uint32(l.b))
			x := x[a : a+n]
			y, sx, sy := y[b : b+n][:len(x)], sx[a : a+n][:len(x)], sy[b : b+n][:len(x)]
			for i, v := range x {
				t := v * y[i] * r
				sx[i] += t
				sy[i] += t
			}
		}
	}
}

func share2(sx, sy, z, x, y []float64, places []offset) {
	for i := range places {
		l := &places[i]
		r := z[uint32(l.out)]
		if r == 0 {
			continue
		}
		a, b := uint(uint32(l.a)), uint(uint32(l.b))
		x, y, sx, sy := x[a:a+2:a+2], y[b:b+2:b+2], sx[a:a+2:a+2], sy[b:b+2:b+2]
		s, t := x[0]*y[0]*r, x[1]*y[1]*r
		sx[0], sx[1] = sx[0]+s, sx[1]+t
		sy[0], sy[1] = sy[0]+s, sy[1]+t
	}
}

func share3(sx, sy, z, x, y []float64, places []offset) {
	for i := range places {
		l := &places[i]
		r := z[uint32(l.out)]
		if r == 0 {
			continue
		}
		a, b := uint(uint32(l.a)), uint(uint32(l.b))
		x, y, sx, sy := x[a:a+3:a+3], y[b:b+3:b+3], sx[a:a+3:a+3], sy[b:b+3:b+3]
		s, t, u := x[0]*y[0]*r, x[1]*y[1]*r, x[2]*y[2]*r
		sx[0], sx[1], sx[2] = sx[0]+s, sx[1]+t, sx[2]+u
		sy[0], sy[1], sy[2] = sy[0]+s, sy[1]+t, sy[2]+u
	}
}

func share4(sx, sy, z, x, y []float64, places []offset) {
	for i := range places {
		l := &places[i]
		r := z[uint32(l.out)]
		if r == 0 {
			continue
		}
		a, b := uint(uint32(l.a)), uint(uint32(l.b))
		x, y, sx, sy := x[a:a+4:a+4], y[b:b+4:b+4], sx[a:a+4:a+4], sy[b:b+4:b+4]
		s, t, u, v := x[0]*y[0]*r, x[1]*y[1]*r, x[2]*y[2]*r, x[3]*y[3]*r
		sx[0], sx[1], sx[2], sx[3] = sx[0]+s, sx[1]+t, sx[2]+u, sx[3]+v
		sy[0], sy[1], sy[2], sy[3] = sy[0]+s, sy[1]+t, sy[2]+u, sy[3]+v
	}
}

func share5(sx, sy, z, x, y []float64, places []offset) {
	for i := range places {
		l := &places[i]
		r := z[uint32(l.out)]
		if r == 0 {
			continue
		}
		a, b := uint(uint32(l.a)), uint(uint32(l.b))
		x, y, sx, sy := x[a:a+5:a+5], y[b:b+5:b+5], sx[a:a+5:a+5], sy[b:b+5:b+5]
		s, t, u, v, w := x[0]*y[0]*r, x[1]*y[1]*r, x[2]*y[2]*r, x[3]*y[3]*r, x[4]*y[4]*r
		sx[0], sx[1], sx[2], sx[3], sx[4] = sx[0]+s, sx[1]+t, sx[2]+u, sx[3]+v, sx[4]+w
		sy[0], sy[1], sy[2], sy[3], sy[4] = sy[0]+s, sy[1]+t, sy[2]+u, sy[3]+v, sy[4]+w
	}
}

// shareRunsOne adds to s, by the places in x, or in y if ofY, what shareRuns adds.
func shareRunsOne(s, z, x, y []float64, places []offset, n int, ofY bool) {
	for i := range places {
		l := &places[i]
		r := z[uint32(l.out)]
		if r == 0 {
			continue
		}
		a, b := uint(uint32(l.a)), uint(uint32(l.b))
		at := a
		if ofY {
			at = b
		}
		switch n {
		case 2:
			x, y, s := x[a:a+2:a+2], y[b:b+2:b+2], s[at:at+2:at+2]
			s[0] += x[0] * y[0] * r
			s[1] += x[1] * y[1] * r
		case 3:
			x, y, s := x[a:a+3:a+3], y[b:b+3:b+3], s[at:at+3:at+3]
			s[0] += x[0] * y[0] * r
			s[1] += x[1] * y[1] * r
			s[2] += x[2] * y[2] * r
		case 4:
			x, y, s := x[a:a+4:a+4], y[b:b+4:b+4], s[at:at+4:at+4]
			s[0] += x[0] * y[0] * r
			s[1] += x[1] * y[1] * r
			s[2] += x[2] * y[2] * r
			s[3] += x[3] * y[3] * r
		case 5:
			x, y, s := x[a:a+5:a+5], y[b:b+5:b+5], s[at:at+5:at+5]
			s[0] += x[0] * y[0] * r
			s[1] += x[1] * y[1] * r
			s[2] += x[2] * y[2] * r
			s[3] += x[3] * y[3] * r
			s[4] += x[4] * y[4] * r
		default:
			n := uint(n)
			x := x[a : a+n]
			y, s := y[b : b+n][:len(x)], s[at : at+n][:len(x)]
			for i, v := range x {
				s[i] += v * y[i] * r
			}
		}
	}
}

// spreadRuns adds runs of n entries of q to s, by the places in a, or in b if ofB.
func spreadRuns(s, q []float64, places []offset, n int, ofB bool) {
	for i := range places {
		l := &places[i]
		m, at := uint(uint32(l.out)), uint(uint32(l.a))
		if ofB {
			at = uint(uint32(l.b))
		}
		switch n {
		case 2:
			q, s := q[m:m+2:m+2], s[at:at+2:at+2]
			s[0], s[1] = s[0]+q[0], s[1]+q[1]
		case 3:
			q, s := q[m:m+3:m+3], s[at:at+3:at+3]
			s[0], s[1], s[2] = s[0]+q[0], s[1]+q[1], s[2]+q[2]
		case 4:
			q, s := q[m:m+4:m+4], s[at:at+4:at+4]
			s[0], s[1], s[2], s[3] = s[0]+q[0], s[1]+q[1], s[2]+q[2], s[3]+q[3]
		default:
			n := uint(n)
			q := q[m : m+n]
			s := s[at : at+n][:len(q)]
			for i, v := range q {
				s[i] += v
			}
		}
	}
}
