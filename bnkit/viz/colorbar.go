package viz

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A colorScale gives values colours: white at the end nearest to zero and blue at the
// other, or vermilion below zero and blue above it, equally deep at the same distance.
type colorScale struct {
	lo, hi    float64
	diverging bool
}

// newColorScale fits a scale to data, or to a fixed range when that is not empty.
func newColorScale(data extent, fixed [2]float64) colorScale {
	s := colorScale{lo: data.lo, hi: data.hi}
	if fixed != [2]float64{} {
		s.lo, s.hi = fixed[0], fixed[1]
	}
	if s.lo == s.hi { // all values are equal: some room on both sides
		room := max(math.Abs(s.lo), 1) / 2
		s.lo, s.hi = s.lo-room, s.hi+room
	}
	s.diverging = s.lo < 0 && s.hi > 0
	return s
}

// at is the colour of v. Halves come before differences, so that no range overflows.
func (s colorScale) at(v float64) color.NRGBA {
	v = min(max(v, s.lo), s.hi)
	if !s.diverging {
		t := (v/2 - s.lo/2) / (s.hi/2 - s.lo/2)
		if s.hi <= 0 {
			return mix(vermilion, white, t)
		}
		return mix(white, blue, t)
	}
	far := max(-s.lo, s.hi)
	if v < 0 {
		return mix(white, vermilion, -v/far)
	}
	return mix(white, blue, v/far)
}

// A colorBar is the legend of a map.
type colorBar struct {
	scale    colorScale
	quantity string
}

const (
	scaleWidth = 11
	scaleSteps = 120
	scaleGap   = 14 // between map and bar
)

// draw draws the bar along the right edge of c and returns the width that it takes.
func (b colorBar) draw(c draw.Canvas) vg.Length {
	sty, name := style(sizeSmall, ink, false), style(sizeText, ink, false)
	marks := ticks{}.Ticks(b.scale.lo, b.scale.hi)
	var widest vg.Length
	for _, t := range marks {
		widest = max(widest, sty.Width(t.Label))
	}
	width := scaleGap + scaleWidth + 6 + widest
	if b.quantity != "" {
		width += name.Height("x") + 8
	}
	left := c.Max.X - width + scaleGap
	bottom, top := c.Min.Y+sizeSmall, c.Max.Y-sizeSmall
	at := func(v float64) vg.Length {
		return bottom + (top-bottom)*vg.Length((v/2-b.scale.lo/2)/(b.scale.hi/2-b.scale.lo/2))
	}
	step := (top - bottom) / scaleSteps
	for i := range scaleSteps {
		y := bottom + step*vg.Length(i)
		t := (float64(i) + 0.5) / scaleSteps
		c.SetColor(b.scale.at((1-t)*b.scale.lo + t*b.scale.hi))
		c.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: y},
			Max: vg.Point{X: left + scaleWidth, Y: min(y+step+seam, top)}}.Path())
	}
	line := draw.LineStyle{Color: faint, Width: 0.6}
	c.SetLineStyle(line)
	c.Stroke(vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: left + scaleWidth, Y: top}}.Path())
	for _, t := range marks {
		y := at(t.Value)
		c.StrokeLine2(line, left+scaleWidth, y, left+scaleWidth+3, y)
		middle(c, sty, left+scaleWidth+6, y, t.Label)
	}
	if b.quantity != "" {
		name.Rotation, name.XAlign, name.YAlign = math.Pi/2, draw.XCenter, draw.YBottom
		c.FillText(name, vg.Point{X: c.Max.X - 2, Y: c.Center().Y}, shorten(name, b.quantity, c.Max.Y-c.Min.Y))
	}
	return width
}
