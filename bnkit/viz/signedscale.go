package viz

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A signedScale colours values by their distance from zero, darker from threshold to limit, and by their sign. The two
// colours of a distance are equally light (L* of CIE 1976, within 3), and lighter ones are darker than any [meanGrey].
type signedScale struct{ threshold, limit float64 }

// Ends of the scale. Blue and orange are told apart by all three common kinds of colour blindness.
var (
	paleBlue   = color.NRGBA{122, 172, 222, 255}
	deepBlue   = color.NRGBA{0, 56, 122, 255}
	paleOrange = color.NRGBA{232, 146, 68, 255}
	deepOrange = color.NRGBA{106, 34, 0, 255}
)

// shows reports whether a value has a colour.
func (s signedScale) shows(v float64) bool { return v != 0 && math.Abs(v) >= s.threshold }

// at is the colour of a value that is shown.
func (s signedScale) at(v float64) color.NRGBA {
	t := min((math.Abs(v)-s.threshold)/(s.limit-s.threshold), 1)
	if v < 0 {
		return mix(paleOrange, deepOrange, t)
	}
	return mix(paleBlue, deepBlue, t)
}

// meanGrey is that of a mean image at a share of its range.
func meanGrey(share float64) color.NRGBA {
	return mix(color.NRGBA{192, 192, 192, 255}, color.NRGBA{246, 246, 246, 255}, share)
}

// A signedBar is the legend of a signed scale, from −limit, or from 0 where no value is below it, to limit. Arrows
// are at its ends where values lie beyond.
type signedBar struct {
	scale    signedScale
	quantity string
	below    bool
	beyond   bool // there are values past the limit
}

const (
	scaleWidth = 11
	scaleSteps = 120
	scaleGap   = 14 // between map and bar
)

// least is the lower end of the bar.
func (b signedBar) least() float64 {
	if b.below {
		return -b.scale.limit
	}
	return 0
}

// share is where a value stands on the bar, from 0 to 1.
func (b signedBar) share(v float64) float64 {
	if b.below {
		return (v/2 + b.scale.limit/2) / b.scale.limit
	}
	return v / b.scale.limit
}

// marks are the ticks of the bar.
func (b signedBar) marks() (values []float64, labels []string) {
	for _, t := range (ticks{}).Ticks(b.least(), b.scale.limit) {
		values, labels = append(values, t.Value), append(labels, t.Label)
	}
	return values, labels
}

// width is the room that the bar takes at the right of a figure.
func (b signedBar) width() vg.Length {
	_, labels := b.marks()
	var widest vg.Length
	for _, l := range labels {
		widest = max(widest, style(sizeSmall, ink, false).Width(l))
	}
	w := vg.Length(scaleGap) + scaleWidth + 6 + widest
	if b.quantity != "" {
		w += style(sizeText, ink, false).Height("x") + 8
	}
	return w
}

// height is the least in which the numbers of the bar stand apart and a short quantity is written out.
func (b signedBar) height() vg.Length {
	named := min(style(sizeText, ink, false).Width(b.quantity), 110)
	values, _ := b.marks()
	if len(values) < 2 {
		return max(named, 4*sizeSmall)
	}
	apart := b.share(values[1]) - b.share(values[0])
	return max(named, 2*sizeSmall+1.2*sizeSmall/vg.Length(apart))
}

// draw draws the bar along the right edge of c.
func (b signedBar) draw(c draw.Canvas) {
	left := c.Max.X - b.width() + scaleGap
	bottom, top := c.Min.Y+sizeSmall, c.Max.Y-sizeSmall
	at := func(v float64) vg.Length { return bottom + (top-bottom)*vg.Length(b.share(v)) }
	c.SetColor(meanGrey(0.5)) // of what is not shown
	c.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: left + scaleWidth, Y: top}}.Path())
	span := b.scale.limit - b.scale.threshold
	for i := range scaleSteps {
		from := b.scale.threshold + span*(float64(i)/scaleSteps)
		to := b.scale.threshold + span*(float64(i+1)/scaleSteps)
		for _, sign := range []float64{1, -1} {
			if sign < 0 && !b.below {
				continue
			}
			lo, hi := at(sign*from), at(sign*to)
			c.SetColor(b.scale.at(sign * (from/2 + to/2)))
			c.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: max(min(lo, hi)-seam/2, bottom)},
				Max: vg.Point{X: left + scaleWidth, Y: min(max(lo, hi)+seam/2, top)}}.Path())
		}
	}
	if b.beyond { // arrows
		for _, end := range []struct{ at, to vg.Length }{{top, top + sizeSmall}, {bottom, bottom - sizeSmall}} {
			if end.at == bottom && !b.below {
				continue
			}
			var p vg.Path
			p.Move(vg.Point{X: left, Y: end.at})
			p.Line(vg.Point{X: left + scaleWidth, Y: end.at})
			p.Line(vg.Point{X: left + scaleWidth/2, Y: end.to})
			p.Close()
			c.SetColor(b.scale.at(math.Copysign(b.scale.limit, float64(end.to-end.at))))
			c.Fill(p)
		}
	}
	line := draw.LineStyle{Color: faint, Width: 0.6}
	c.SetLineStyle(line)
	c.Stroke(vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: left + scaleWidth, Y: top}}.Path())
	values, labels := b.marks()
	for i, v := range values {
		y := at(v)
		c.StrokeLine2(line, left+scaleWidth, y, left+scaleWidth+3, y)
		middle(c, style(sizeSmall, ink, false), left+scaleWidth+6, y, labels[i])
	}
	if b.quantity != "" {
		name := style(sizeText, ink, false)
		name.Rotation, name.XAlign, name.YAlign = math.Pi/2, draw.XCenter, draw.YBottom
		c.FillText(name, vg.Point{X: c.Max.X - 2, Y: c.Center().Y}, shorten(name, b.quantity, c.Max.Y-c.Min.Y))
	}
}
