package layered

import "math"

// A bezier is a cubic curve.
type bezier [4]Point

func cubic(p []Point) bezier { return bezier(p) }

func (b *bezier) at(t float64) Point {
	s := 1 - t
	u, v, w, x := s*s*s, 3*s*s*t, 3*s*t*t, t*t*t
	return Point{u*b[0].X + v*b[1].X + w*b[2].X + x*b[3].X, u*b[0].Y + v*b[1].Y + w*b[2].Y + x*b[3].Y}
}

// after returns the part beyond t (de Casteljau).
func (b *bezier) after(t float64) bezier {
	x, y, z := mix(b[0], b[1], t), mix(b[1], b[2], t), mix(b[2], b[3], t)
	u, v := mix(x, y, t), mix(y, z, t)
	return bezier{mix(u, v, t), v, z, b[3]}
}

// round appends curves along a way to curve: one if one fits, else those along its parts before and after the
// corner that is farthest from a straight line, which share their direction there. Directions at the ends are nil
// where they are free.
func (c *corridor) round(way []Point, first, last *Point, curve []Point) []Point {
	n := len(way)
	a, b := way[0], way[n-1]
	if len(curve) == 0 {
		curve = append(curve, a)
	}
	if n == 2 && first == nil && last == nil {
		return append(curve, mix(a, b, 1./3), mix(a, b, 2./3), b)
	}
	if best, ok := c.fit(way, first, last); ok {
		return append(curve, best[1], best[2], best[3])
	}
	if n == 2 {
		return append(curve, mix(a, b, 1./3), mix(a, b, 2./3), b)
	}
	corner, far := 1, -1.0
	for i := 1; i < n-1; i++ {
		if d := math.Abs(turn(a, b, way[i])); d > far {
			corner, far = i, d
		}
	}
	before, after := direction(sub(way[corner], way[corner-1])), direction(sub(way[corner+1], way[corner]))
	along := direction(Point{before.X + after.X, before.Y + after.Y})
	curve = c.round(way[:corner+1], first, &along, curve)
	return c.round(way[corner:], &along, last, curve)
}

// fit returns the curve that bends least of those that stay in the corridor: with several directions at ends that
// are free, and several lengths of the handles.
func (c *corridor) fit(way []Point, first, last *Point) (bezier, bool) {
	n := len(way)
	a, b := way[0], way[n-1]
	chord := size(sub(b, a))
	starts := directions(first, sub(way[1], a), sub(b, a))
	ends := directions(last, sub(b, way[n-2]), sub(b, a))
	var best bezier
	found, least := false, math.Inf(1)
	for _, s := range starts {
		for _, e := range ends {
			for _, h := range []float64{0.05, 0.1, 0.15, 0.25, 0.35, 0.45, 0.55, 0.7, 0.9} {
				h *= chord
				q := bezier{a, {a.X + h*s.X, a.Y + h*s.Y}, {b.X - h*e.X, b.Y - h*e.Y}, b}
				if cost, ok := c.rate(&q, chord); ok && cost < least {
					best, found, least = q, true, cost
				}
			}
		}
	}
	return best, found
}

// directions are those to try at an end: the given one, or that of the way, and others towards straight down and
// away from the other end.
func directions(given *Point, along, chord Point) []Point {
	if given != nil {
		return []Point{*given}
	}
	d, c := direction(along), direction(chord)
	lean := func(t float64) Point { return direction(mix(d, Point{0, 1}, t)) }
	out := func(t float64) Point { return direction(Point{d.X + t*(d.X-c.X), d.Y + t*(d.Y-c.Y)}) }
	return []Point{d, lean(0.25), lean(0.5), lean(0.75), out(0.25), out(0.5), out(1)}
}

// rate returns how much a curve bends and how much longer it is than its chord, and whether it goes down all the
// way and stays in the corridor.
func (c *corridor) rate(q *bezier, chord float64) (float64, bool) {
	pieces := 16 + int(min(chord/10, 64))
	if q[1].Y < q[0].Y || q[2].Y < q[1].Y || q[3].Y < q[2].Y {
		return 0, false
	}
	prev := q[0]
	var before Point
	length, bend, k := 0.0, 0.0, 0
	for i := 1; i <= pieces; i++ {
		p := q.at(float64(i) / float64(pieces))
		if p.X < 0 || p.X > c.width {
			return 0, false
		}
		for k < len(c.bands) && c.bands[k].bottom < prev.Y {
			k++
		}
		for j := k; j < len(c.bands) && c.bands[j].top < p.Y; j++ {
			if !c.bands[j].holds(prev, p) {
				return 0, false
			}
		}
		step := sub(p, prev)
		d := size(step)
		length += d
		if i > 1 {
			angle := math.Atan2(before.X*step.Y-before.Y*step.X, before.X*step.X+before.Y*step.Y)
			bend += angle * angle / (d + size(before))
		}
		before, prev = step, p
	}
	return bend*2*chord + 3*(length/chord-1), true
}

// holds reports whether the part of a piece that lies in the band keeps to its sides.
func (b band) holds(p, q Point) bool {
	x := func(y float64) float64 {
		if q.Y == p.Y {
			return p.X
		}
		return p.X + (q.X-p.X)*(min(max(y, p.Y), q.Y)-p.Y)/(q.Y-p.Y)
	}
	from, to := x(b.top), x(b.bottom)
	return min(from, to) >= b.lo && max(from, to) <= b.hi
}
