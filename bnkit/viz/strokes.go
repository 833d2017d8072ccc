package viz

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawn is a series with copies of its data and its looks.
type drawn struct {
	Series
	look
}

func newDrawn(s Series, l look) drawn {
	s.X, s.Y = slices.Clone(s.X), slices.Clone(s.Y)
	s.Lo, s.Hi = slices.Clone(s.Lo), slices.Clone(s.Hi)
	return drawn{s, l}
}

func (d drawn) lineStyle() draw.LineStyle {
	return draw.LineStyle{Color: d.color, Width: 1.5, Dashes: d.dashes}
}

// sample draws the entry of the legend.
func (d drawn) sample(c draw.Canvas) {
	mid := c.Center()
	if d.Points {
		d.ring(c, mid)
		return
	}
	if d.Lo != nil {
		c.SetColor(withAlpha(d.color, bandAlpha))
		c.Fill(c.Rectangle.Path())
	}
	c.StrokeLine2(d.lineStyle(), c.Min.X, mid.Y, c.Max.X, mid.Y)
	if d.dotted() {
		d.dot(c, mid)
	}
}

// bandAlpha lets bands that overlap show both.
const bandAlpha = 48

// dotted reports whether a line has a mark at each point.
func (d drawn) dotted() bool { return len(d.X) <= 12 }

// band fills the area between Lo and Hi.
type band struct{ drawn }

func (b band) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	bottom := p.Y.Min
	hi, lo := make([]vg.Point, len(b.X)), make([]vg.Point, len(b.X))
	for k := range b.X {
		hi[k] = vg.Point{X: x(b.X[k]), Y: y(max(b.Hi[k], bottom))}
		lo[k] = vg.Point{X: x(b.X[k]), Y: y(max(b.Lo[k], bottom))}
	}
	// The edges tell apart bands that overlap.
	edge := draw.LineStyle{Color: mix(b.color, white, 0.35), Width: 0.5}
	c.StrokeLines(edge, c.ClipLinesXY(hi, lo)...)
	slices.Reverse(lo)
	c.FillPolygon(withAlpha(b.color, bandAlpha), c.ClipPolygonXY(append(hi, lo...)))
}

// line joins the points.
type line struct{ drawn }

func (l line) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	pts := make([]vg.Point, len(l.X))
	for k := range l.X {
		pts[k] = vg.Point{X: x(l.X[k]), Y: y(l.Y[k])}
	}
	c.StrokeLines(l.lineStyle(), c.ClipLinesXY(pts)...)
	if !l.dotted() {
		return
	}
	for k, pt := range pts {
		if c.Contains(pt) {
			l.dot(c, pt)
			hint(c, vg.Rectangle{Min: pt, Max: pt}, l.about(k))
		}
	}
}

// points draws a mark at each point, with whiskers where there is a band.
type points struct{ drawn }

func (m points) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for k := range m.X {
		at := vg.Point{X: x(m.X[k]), Y: y(m.Y[k])}
		if !c.Contains(at) {
			continue
		}
		if m.Lo != nil {
			sty := draw.LineStyle{Color: m.color, Width: 1}
			whisker(c, sty, at.X, y(max(m.Lo[k], p.Y.Min)), y(min(m.Hi[k], p.Y.Max)))
		}
		m.ring(c, at)
		hint(c, vg.Rectangle{Min: at, Max: at}, m.about(k))
	}
}

// about says what a point is.
func (d drawn) about(k int) string {
	s := fmt.Sprintf("%.4g at %.4g", d.Y[k], d.X[k])
	if d.Name != "" {
		s = d.Name + ": " + s
	}
	if d.Lo != nil {
		s += fmt.Sprintf(", from %.4g to %.4g", d.Lo[k], d.Hi[k])
	}
	return s
}

// whisker draws an upright line with caps.
func whisker(c draw.Canvas, sty draw.LineStyle, x, lo, hi vg.Length) {
	c.StrokeLine2(sty, x, lo, x, hi)
	c.StrokeLine2(sty, x-2.5, lo, x+2.5, lo)
	c.StrokeLine2(sty, x-2.5, hi, x+2.5, hi)
}
