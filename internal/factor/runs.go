package factor

// Loops over the runs of a contraction, from places in its tables. The shortest runs are written out; each loop is a
// function of its own, so that what it needs stays in registers.

// dotRuns adds to z the sums of the products of runs of n entries of x and y.
func dotRuns(z, x, y []float64, places []offset, n int) {
	switch n {
	case 2:
		for i := range places {
			l := &places[i]
			a, b := uint(uint32(l.a)), uint(uint32(l.b))
			x, y := x[a:a+2:a+2], y[b:b+2:b+2]
			z[uint32(l.out)] += x[0]*y[0] + x[1]*y[1]
		}
	case 3:
		for i := range places {
			l := &places[i]
			a, b := uint(uint32(l.a)), uint(uint32(l.b))
			x, y := x[a:a+3:a+3], y[b:b+3:b+3]
			z[uint32(l.out)] += x[0]*y[0] + x[1]*y[1] + x[2]*y[2]
		}
	case 4:
		for i := range places {
			l := &places[i]
			a, b := uint(uint32(l.a)), uint(uint32(l.b))
			x, y := x[a:a+4:a+4], y[b:b+4:b+4]
			z[uint32(l.out)] += x[0]*y[0] + x[1]*y[1] + x[2]*y[2] + x[3]*y[3]
		}
	case 5:
		for i := range places {
			l := &places[i]
			a, b := uint(uint32(l.a)), uint(uint32(l.b))
			x, y := x[a:a+5:a+5], y[b:b+5:b+5]
			z[uint32(l.out)] += x[0]*y[0] + x[1]*y[1] + x[2]*y[2] + x[3]*y[3] + x[4]*y[4]
		}
	default:
		dotLong(z, x, y, places, uint(n))
	}
}

// dotLong is dotRuns for longer runs. It makes four sums at a time, whose additions need not wait for each other.
func dotLong(z, x, y []float64, places []offset, n uint) {
	for ; len(places) >= 4; places = places[4:] {
		p, q, r, s := &places[0], &places[1], &places[2], &places[3]
		xp, yp := x[uint32(p.a):][:n], y[uint32(p.b):][:n]
		xq, yq := x[uint32(q.a):][:n], y[uint32(q.b):][:n]
		xr, yr := x[uint32(r.a):][:n], y[uint32(r.b):][:n]
		xs, ys := x[uint32(s.a):][:n], y[uint32(s.b):][:n]
		var sp, sq, sr, ss float64
		for i := range n {
			sp += xp[i] * yp[i]
			sq += xq[i] * yq[i]
			sr += xr[i] * yr[i]
			ss += xs[i] * ys[i]
		}
		z[uint32(p.out)] += sp
		z[uint32(q.out)] += sq
		z[uint32(r.out)] += sr
		z[uint32(s.out)] += ss
	}
	for i := range places {
		l := &places[i]
		a, b := uint(uint32(l.a)), uint(uint32(l.b))
		x := x[a : a+n]
		y := y[b : b+n][:len(x)]
		sum := 0.0
		for i, v := range x {
			sum += v * y[i]
		}
		z[uint32(l.out)] += sum
	}
}

// dotSteps is dotRuns for entries some steps apart. It adds them to z one after another.
func dotSteps(z, x, y []float64, places []offset, n, stepX, stepY int) {
	s, t := uint(stepX), uint(stepY)
	switch n {
	case 2:
		for i := range places {
			l := &places[i]
			a, b := uint(uint32(l.a)), uint(uint32(l.b))
			z := &z[uint32(l.out)]
			*z = *z + x[a]*y[b] + x[a+s]*y[b+t]
		}
	case 3:
		for i := range places {
			l := &places[i]
			a, b := uint(uint32(l.a)), uint(uint32(l.b))
			z := &z[uint32(l.out)]
			*z = *z + x[a]*y[b] + x[a+s]*y[b+t] + x[a+2*s]*y[b+2*t]
		}
	case 4:
		for i := range places {
			l := &places[i]
			a, b := uint(uint32(l.a)), uint(uint32(l.b))
			z := &z[uint32(l.out)]
			*z = *z + x[a]*y[b] + x[a+s]*y[b+t] + x[a+2*s]*y[b+2*t] + x[a+3*s]*y[b+3*t]
		}
	default:
		for i := range places {
			l := &places[i]
			a, b := uint(uint32(l.a)), uint(uint32(l.b))
			z := &z[uint32(l.out)]
			sum := *z
			for range n {
				sum += x[a] * y[b]
				a, b = a+s, b+t
			}
			*z = sum
		}
	}
}

// scaleRuns adds to z runs of n entries of x times one entry of y, or of y times one of x if ofY.
func scaleRuns(z, x, y []float64, places []offset, n int, ofY bool) {
	for i := range places {
		l := &places[i]
		a, b := uint(uint32(l.a)), uint(uint32(l.b))
		from, by := x, 0.0
		if ofY {
			from, a, by = y, b, x[a]
		} else {
			by = y[b]
		}
		run := from[a:][:n]
		z := z[uint32(l.out):][:len(run)]
		for i, v := range run {
			z[i] += v * by
		}
	}
}

// multiplyRuns writes to z the products of runs of n entries of x and y.
func multiplyRuns(z, x, y []float64, places []offset, n int) {
	for i := range places {
		l := &places[i]
		a, b, m := uint(uint32(l.a)), uint(uint32(l.b)), uint(uint32(l.out))
		switch n {
		case 2:
			x, y, z := x[a:a+2:a+2], y[b:b+2:b+2], z[m:m+2:m+2]
			z[0], z[1] = x[0]*y[0], x[1]*y[1]
		case 3:
			x, y, z := x[a:a+3:a+3], y[b:b+3:b+3], z[m:m+3:m+3]
			z[0], z[1], z[2] = x[0]*y[0], x[1]*y[1], x[2]*y[2]
		case 4:
			x, y, z := x[a:a+4:a+4], y[b:b+4:b+4], z[m:m+4:m+4]
			z[0], z[1], z[2], z[3] = x[0]*y[0], x[1]*y[1], x[2]*y[2], x[3]*y[3]
		default:
			n := uint(n)
			x := x[a : a+n]
			y, z := y[b : b+n][:len(x)], z[m : m+n][:len(x)]
			for i, v := range x {
				z[i] = v * y[i]
			}
		}
	}
}
