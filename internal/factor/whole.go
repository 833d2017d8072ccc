package factor

// whole reports whether a product is one run of two to four entries: two small tables over
// the same variables are multiplied and summed to a number. In learning with few hidden
// variables these are most of all products.
func (c *Contraction) whole() bool {
	return c.product == c.run && c.sizeA == c.run && c.sizeB == c.run && c.run >= 2 && c.run <= 4
}

// dotWhole is dot for whole products.
func (c *Contraction) dotWhole(out, a, b []float64, ofA, ofB []int32) {
	out = out[:len(ofA)]
	switch c.run {
	case 2:
		for k, i := range ofA {
			x, y := (*[2]float64)(a[2*int(i):]), (*[2]float64)(b[2*int(ofB[k]):])
			out[k] = x[0]*y[0] + x[1]*y[1]
		}
	case 3:
		for k, i := range ofA {
			x, y := (*[3]float64)(a[3*int(i):]), (*[3]float64)(b[3*int(ofB[k]):])
			out[k] = x[0]*y[0] + x[1]*y[1] + x[2]*y[2]
		}
	default:
		for k, i := range ofA {
			x, y := (*[4]float64)(a[4*int(i):]), (*[4]float64)(b[4*int(ofB[k]):])
			out[k] = x[0]*y[0] + x[1]*y[1] + x[2]*y[2] + x[3]*y[3]
		}
	}
}

// shareWhole is shareDot for whole products.
func (c *Contraction) shareWhole(shareA, shareB, ratio, a, b []float64, ofA, ofB []int32) {
	ratio = ratio[:len(ofA)]
	switch c.run {
	case 2:
		for k, i := range ofA {
			i, j, r := 2*int(i), 2*int(ofB[k]), ratio[k]
			x, y, sx, sy := (*[2]float64)(a[i:]), (*[2]float64)(b[j:]), (*[2]float64)(shareA[i:]),
				(*[2]float64)(shareB[j:])
			s, t := x[0]*y[0]*r, x[1]*y[1]*r
			sx[0], sx[1] = sx[0]+s, sx[1]+t
			sy[0], sy[1] = sy[0]+s, sy[1]+t
		}
	case 3:
		for k, i := range ofA {
			i, j, r := 3*int(i), 3*int(ofB[k]), ratio[k]
			x, y, sx, sy := (*[3]float64)(a[i:]), (*[3]float64)(b[j:]), (*[3]float64)(shareA[i:]),
				(*[3]float64)(shareB[j:])
			s, t, u := x[0]*y[0]*r, x[1]*y[1]*r, x[2]*y[2]*r
			sx[0], sx[1], sx[2] = sx[0]+s, sx[1]+t, sx[2]+u
			sy[0], sy[1], sy[2] = sy[0]+s, sy[1]+t, sy[2]+u
		}
	default:
		for k, i := range ofA {
			i, j, r := 4*int(i), 4*int(ofB[k]), ratio[k]
			x, y, sx, sy := (*[4]float64)(a[i:]), (*[4]float64)(b[j:]), (*[4]float64)(shareA[i:]),
				(*[4]float64)(shareB[j:])
			s, t, u, v := x[0]*y[0]*r, x[1]*y[1]*r, x[2]*y[2]*r, x[3]*y[3]*r
			sx[0], sx[1], sx[2], sx[3] = sx[0]+s, sx[1]+t, sx[2]+u, sx[3]+v
			sy[0], sy[1], sy[2], sy[3] = sy[0]+s, sy[1]+t, sy[2]+u, sy[3]+v
		}
	}
}
