package layered

import "math"

// Distances that curves keep, in the first place and at least.
const (
	wish  = 5.
	least = 2.
)

// A band is a row on the way of an edge: between top and bottom, x is free from lo to hi.
type band struct{ top, bottom, lo, hi float64 }

// route draws each edge as a curve: the shortest way between what lies left and right of it in the rows it passes,
// rounded as far as there is room.
func (p *part) route() {
	p.paths, p.labels = make([][]Point, len(p.edges)), make([]Point, len(p.edges))
	for e, chain := range p.chains {
		bands := make([]band, len(chain))
		for k, v := range chain {
			bands[k] = p.band(v)
		}
		from, to := chain[0], chain[len(chain)-1]
		a, b := Point{p.spots[from].x, p.y[p.rows[from]]}, Point{p.spots[to].x, p.y[p.rows[to]]}
		c := corridor{bands, p.width}
		way := c.shortest(a, b)
		curve := c.round(way, nil, nil, nil)
		curve = clip(curve, a, p.nodes[from])
		reverse(curve)
		curve = clip(curve, b, p.nodes[to])
		reverse(curve)
		p.paths[e] = curve
		for k, v := range chain {
			if p.spots[v].labelled() {
				y, half := (bands[k].top+bands[k].bottom)/2, p.edges[e].LabelHeight/2
				beside := rightmost(curve, band{y - half, y + half, bands[k].lo, bands[k].hi})
				p.labels[e] = Point{beside + bendWidth + p.edges[e].LabelWidth/2, y}
			}
		}
	}
}

// band returns the room around a spot: as far as the nearest nodes, labels and bends of others.
func (p *part) band(v int) band {
	s := &p.spots[v]
	row := p.layer[s.row]
	half := p.tall[s.row]/2 + min(least, p.gaps.Row/float64(8*p.span))
	b := band{p.y[s.row] - half, p.y[s.row] + half, 0, p.width}
	if s.at > 0 {
		left := &p.spots[row[s.at-1]]
		b.lo = left.x + left.right + least
	}
	if s.at+1 < len(row) {
		right := &p.spots[row[s.at+1]]
		b.hi = right.x - right.left - least
	}
	if s.labelled() {
		b.lo, b.hi = s.x-besideLabel, s.x+bendWidth
	}
	return b
}

// rightmost is how far to the right a curve comes in a band.
func rightmost(curve []Point, b band) float64 {
	const pieces = 32
	x := b.lo
	for i := 0; i+3 < len(curve); i += 3 {
		c := cubic(curve[i : i+4])
		for k := range pieces + 1 {
			if q := c.at(float64(k) / pieces); q.Y >= b.top && q.Y <= b.bottom {
				x = max(x, q.X)
			}
		}
	}
	return x
}

// A corridor is where an edge may go.
type corridor struct {
	bands []band
	width float64
}

// shortest returns the shortest way from a to b through the ends of the bands, by a funnel that is pulled tight.
func (c *corridor) shortest(a, b Point) []Point {
	type gate struct{ left, right Point }
	var gates []gate
	for k, band := range c.bands {
		lo, hi := band.lo+wish-least, band.hi-(wish-least)
		if lo > hi {
			lo = (lo + hi) / 2
			hi = lo
		}
		if k == 0 {
			lo, hi = min(lo, a.X), max(hi, a.X)
		} else {
			if k == len(c.bands)-1 {
				lo, hi = min(lo, b.X), max(hi, b.X)
			}
			gates = append(gates, gate{Point{lo, band.top}, Point{hi, band.top}})
		}
		if k < len(c.bands)-1 {
			gates = append(gates, gate{Point{lo, band.bottom}, Point{hi, band.bottom}})
		}
	}
	gates = append(gates, gate{b, b})
	way := []Point{a}
	apex, left, right := a, gates[0].left, gates[0].right
	leftAt, rightAt := 0, 0
	for i := 1; i < len(gates); i++ {
		g := gates[i]
		if turn(apex, right, g.right) >= 0 { // the right side comes closer
			if right == apex || turn(apex, left, g.right) < 0 {
				right, rightAt = g.right, i
			} else {
				way = append(way, left)
				apex, i = left, leftAt
				left, right, rightAt = apex, apex, leftAt
				continue
			}
		}
		if turn(apex, left, g.left) <= 0 {
			if left == apex || turn(apex, right, g.left) > 0 {
				left, leftAt = g.left, i
			} else {
				way = append(way, right)
				apex, i = right, rightAt
				left, right, leftAt = apex, apex, rightAt
				continue
			}
		}
	}
	if way[len(way)-1] != b {
		way = append(way, b)
	}
	// Corners that lie on one line with their neighbours are none.
	out := way[:1]
	for i := 1; i+1 < len(way); i++ {
		if math.Abs(turn(out[len(out)-1], way[i], way[i+1])) > 1e-6 {
			out = append(out, way[i])
		}
	}
	return append(out, way[len(way)-1])
}

// turn is positive when a, b, c turn one way and negative when they turn the other.
func turn(a, b, c Point) float64 { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }

func sub(a, b Point) Point { return Point{a.X - b.X, a.Y - b.Y} }

func mix(a, b Point, t float64) Point { return Point{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)} }

func size(a Point) float64 { return math.Hypot(a.X, a.Y) }

func direction(a Point) Point {
	if s := size(a); s > 0 {
		return Point{a.X / s, a.Y / s}
	}
	return Point{0, 1}
}

func reverse(p []Point) {
	for i, j := 0, len(p)-1; i < j; i, j = i+1, j-1 {
		p[i], p[j] = p[j], p[i]
	}
}

// clip takes off the part of a curve that lies in the node where it begins.
func clip(curve []Point, middle Point, n Node) []Point {
	inside := func(q Point) bool {
		x, y := 2*math.Abs(q.X-middle.X)/n.Width, 2*math.Abs(q.Y-middle.Y)/n.Height
		if n.Round {
			return x*x+y*y < 1
		}
		return x < 1 && y < 1
	}
	for len(curve) > 4 && inside(curve[3]) {
		curve = curve[3:]
	}
	lo, hi := 0.0, 1.0
	first := cubic(curve[:4])
	for range 50 {
		if t := (lo + hi) / 2; inside(first.at(t)) {
			lo = t
		} else {
			hi = t
		}
	}
	rest := first.after(hi)
	return append(rest[:], curve[4:]...)
}
