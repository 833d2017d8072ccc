package viz

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A span is the interval of a probability, drawn below it as a bar on a line from 0 to 1,
// with a stroke where the probability itself is.
type span struct{ lo, hi, at float64 }

const (
	spanHeight = 9  // of the strip with the line
	spanWidth  = 54 // at least, of the line
)

// draw draws the span in the lower part of a cell.
func (s span) draw(c draw.Canvas, place vg.Rectangle, behind color.NRGBA) {
	left, right := place.Min.X+cellX, place.Max.X-cellX
	y := place.Min.Y + cellY + spanHeight/2 - 1
	x := func(p float64) vg.Length { return left + vg.Length(p)*(right-left) }
	thin := draw.LineStyle{Color: mix(behind, faint, 0.4), Width: 0.5}
	c.StrokeLine2(thin, left, y, right, y)
	c.StrokeLine2(thin, left, y-1.5, left, y+1.5)
	c.StrokeLine2(thin, right, y-1.5, right, y+1.5)
	c.StrokeLine2(draw.LineStyle{Color: mix(behind, ink, 0.65), Width: 2.4}, x(s.lo), y, x(s.hi), y)
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1}, x(s.at), y-3.2, x(s.at), y+3.2)
}
