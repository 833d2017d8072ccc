package viz

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// roundedBox is the outline of a box with round corners.
func roundedBox(r vg.Rectangle, radius vg.Length) vg.Path {
	radius = min(radius, (r.Max.X-r.Min.X)/2, (r.Max.Y-r.Min.Y)/2)
	var p vg.Path
	p.Move(vg.Point{X: r.Min.X + radius, Y: r.Min.Y})
	p.Arc(vg.Point{X: r.Max.X - radius, Y: r.Min.Y + radius}, radius, -math.Pi/2, math.Pi/2)
	p.Arc(vg.Point{X: r.Max.X - radius, Y: r.Max.Y - radius}, radius, 0, math.Pi/2)
	p.Arc(vg.Point{X: r.Min.X + radius, Y: r.Max.Y - radius}, radius, math.Pi/2, math.Pi/2)
	p.Arc(vg.Point{X: r.Min.X + radius, Y: r.Min.Y + radius}, radius, math.Pi, math.Pi/2)
	p.Close()
	return p
}

// roofedBox is the outline of a box whose upper corners are round.
func roofedBox(r vg.Rectangle, radius vg.Length) vg.Path {
	var p vg.Path
	p.Move(r.Min)
	p.Line(vg.Point{X: r.Max.X, Y: r.Min.Y})
	p.Arc(vg.Point{X: r.Max.X - radius, Y: r.Max.Y - radius}, radius, 0, math.Pi/2)
	p.Arc(vg.Point{X: r.Min.X + radius, Y: r.Max.Y - radius}, radius, math.Pi/2, math.Pi/2)
	p.Close()
	return p
}

// ellipse is the ellipse that touches the sides of r.
func ellipse(r vg.Rectangle) vg.Path {
	const k = 0.5522847498 // a quarter of a circle as a Bézier curve
	c := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
	rx, ry := c.X-r.Min.X, c.Y-r.Min.Y
	at := func(x, y float64) vg.Point {
		return vg.Point{X: c.X + rx*vg.Length(x), Y: c.Y + ry*vg.Length(y)}
	}
	var p vg.Path
	p.Move(at(1, 0))
	p.CubeTo(at(1, k), at(k, 1), at(0, 1))
	p.CubeTo(at(-k, 1), at(-1, k), at(-1, 0))
	p.CubeTo(at(-1, -k), at(-k, -1), at(0, -1))
	p.CubeTo(at(k, -1), at(1, -k), at(1, 0))
	p.Close()
	return p
}

// fillAndStroke draws an area with its outline.
func fillAndStroke(c draw.Canvas, p vg.Path, fill, edge color.Color, width vg.Length) {
	fillAndDash(c, p, fill, draw.LineStyle{Color: edge, Width: width})
}

// fillAndDash is fillAndStroke for an outline with dashes.
func fillAndDash(c draw.Canvas, p vg.Path, fill color.Color, edge draw.LineStyle) {
	c.SetColor(fill)
	c.Fill(p)
	c.SetLineStyle(edge)
	c.Stroke(p)
}

// bezier returns the point at t of a cubic curve.
func bezier(p [4]vg.Point, t float64) vg.Point {
	s := 1 - t
	w := [4]float64{s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t}
	var at vg.Point
	for i := range p {
		at = at.Add(p[i].Scale(vg.Length(w[i])))
	}
	return at
}

// cut returns the part of a cubic curve before t (de Casteljau).
func cut(p [4]vg.Point, t float64) [4]vg.Point {
	mix := func(a, b vg.Point) vg.Point { return a.Add(b.Sub(a).Scale(vg.Length(t))) }
	a, b, c := mix(p[0], p[1]), mix(p[1], p[2]), mix(p[2], p[3])
	d, e := mix(a, b), mix(b, c)
	return [4]vg.Point{p[0], a, d, mix(d, e)}
}

func distance(a, b vg.Point) vg.Length {
	return vg.Length(math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)))
}

// drawArrow draws a chain of Bézier curves that ends in an arrow head.
func drawArrow(c draw.Canvas, path []vg.Point, sty draw.LineStyle) {
	const long, half = 7.0, 2.8
	last := [4]vg.Point(path[len(path)-4:])
	tip := last[3]
	// The line ends at the base of the head, found by halving.
	lo, hi := 0.0, 1.0
	for range 30 {
		if mid := (lo + hi) / 2; distance(bezier(last, mid), tip) > long {
			lo = mid
		} else {
			hi = mid
		}
	}
	last = cut(last, lo)
	base := last[3]
	var p vg.Path
	p.Move(path[0])
	for i := 1; i+3 < len(path)-2; i += 3 {
		p.CubeTo(path[i], path[i+1], path[i+2])
	}
	p.CubeTo(last[1], last[2], last[3])
	c.SetLineStyle(sty)
	c.Stroke(p)
	d := distance(base, tip)
	if d == 0 {
		return
	}
	along := tip.Sub(base).Scale(1 / d)
	across := vg.Point{X: -along.Y * half, Y: along.X * half}
	var head vg.Path
	head.Move(tip)
	head.Line(base.Add(across))
	head.Line(base.Sub(across))
	head.Close()
	c.SetColor(sty.Color)
	c.Fill(head)
}

// shorten cuts a text to a width, with an ellipsis in place of the rest.
func shorten(sty text.Style, s string, width vg.Length) string {
	if sty.Width(s) <= width {
		return s
	}
	r := []rune(s)
	fits := func(n int) bool { return sty.Width(string(r[:n])+"…") <= width }
	most := min(64, len(r)) // of a name of a megabyte little is ever looked at
	for most < len(r) && fits(most) {
		most = min(2*most, len(r))
	}
	for r = r[:most]; len(r) > 0 && !fits(len(r)); {
		r = r[:len(r)-1]
	}
	return strings.TrimRight(string(r), " ") + "…"
}

// wrap breaks a text into lines of at most a width, between words where it can.
func wrap(sty text.Style, s string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(s) {
		switch {
		case line == "":
			line = w
		case sty.Width(line+" "+w) <= width:
			line += " " + w
		default:
			lines = append(lines, shorten(sty, line, width))
			line = w
		}
	}
	return append(lines, shorten(sty, line, width))
}

// wrapEvenly breaks a text as wrap does, and makes the lines about equally long.
func wrapEvenly(sty text.Style, s string, width vg.Length) []string {
	lines := wrap(sty, s, width)
	for len(lines) > 1 {
		width *= 0.97
		narrow := wrap(sty, s, width)
		if len(narrow) > len(lines) || strings.Join(narrow, " ") != strings.Join(lines, " ") {
			break
		}
		lines = narrow
	}
	return lines
}
