package viz

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/internal/say"
)

// SetWidth makes the figure as wide as a page or a column of a journal, in millimetres, with text of a size in points;
// 0 is 9.5 points (titles are larger, numbers at axes smaller). A plot is laid out anew, in the same proportion unless
// its rows need more height, and so is a row of plots. Lines and marks grow with the text. A table or a network cannot
// be laid out in less room: where it is too wide it becomes smaller as a whole, and [Figure.Notes] tells the size of
// its text.
//
//	err := fig.SetWidth(85, 8) // a column, 8 points
//	err = fig.Save("figure1.pdf")
//
// It returns an error for a width that is not between 10 and 2,000 mm and text that is not between 3 and 72 points.
func (f *Figure) SetWidth(millimetres, points float64) error {
	switch {
	case f == nil || f.draw == nil:
		return errors.New("viz: the figure is empty")
	case !(millimetres >= 10 && millimetres <= 2000):
		return say.Errorf("viz: a figure cannot be %v mm wide; give 10 to 2000", millimetres)
	case points != 0 && !(points >= 3 && points <= 72):
		return say.Errorf("viz: text of %v points; give 3 to 72, or 0 for %v", points, sizeText)
	}
	f.drawing.Lock()
	defer f.drawing.Unlock()
	before := f.laid()
	width := vg.Length(millimetres) * vg.Millimeter
	f.text, f.Width = points, width
	by := f.textScale()
	switch {
	case f.resize != nil:
		height := f.resize(width/by, before) // which may set the size of a row
		f.Width, f.Height, f.settled = width, by*f.roomy(vg.Point{X: width / by, Y: height}), width/by
	case f.natural == vg.Point{}:
		f.Height = f.Width * before.Y / before.X
	default:
		f.Height = min(by, f.Width/f.natural.X) * f.natural.Y
	}
	return nil
}

// roomy is the height of a plot in which its data have 45 % of what it is given: long names may leave them nothing.
func (f *Figure) roomy(size vg.Point) vg.Length {
	if f.subplot == nil || f.Plot == nil {
		return size.Y
	}
	data := f.subplot.within(draw.Canvas{Rectangle: vg.Rectangle{Max: size}}, shared{}).data().Size()
	return size.Y + max(0, 0.45*size.Y-data.Y)
}

// textScale is how many times as large text is as it is drawn.
func (f *Figure) textScale() vg.Length {
	if f.text == 0 {
		return 1
	}
	return vg.Length(f.text) / sizeText
}

// scale is how many times as large everything is as it is drawn: what is no plot is made to fit.
func (f *Figure) scale() vg.Length {
	by := f.textScale()
	if f.natural != (vg.Point{}) {
		by = min(by, f.Width/f.natural.X, f.Height/f.natural.Y)
	}
	if by > 0.999999 && by < 1.000001 {
		return 1
	}
	return by
}

// laid is the size in which the figure is drawn, before it is scaled.
func (f *Figure) laid() vg.Point {
	by := f.scale()
	return vg.Point{X: f.Width / by, Y: f.Height / by}
}

// smallNote tells of text that is smaller than was asked for.
func (f *Figure) smallNote() string {
	is := sizeText * f.scale().Points()
	asked := sizeText * f.textScale().Points()
	if f.natural == (vg.Point{}) || is > 0.99*asked {
		return ""
	}
	const perInch = 25.4
	return fmt.Sprintf("text has %.2g points, not %.2g, with which the figure would be %.0f mm wide", is, asked,
		f.natural.X.Points()/72*perInch*asked/sizeText)
}

// A scaled figure is one on its way to a file: drawn in a size, and then made larger or smaller.
type scaled struct {
	size vg.Point
	by   float64
	draw func(c vg.CanvasSizer)
}

// render turns a panic of the plotting library, as of a logarithmic axis set on a
// plot with zeros, into an error.
func (f *Figure) render(do func(s scaled) error) (err error) {
	if f == nil || f.draw == nil {
		return errors.New("viz: the figure is empty")
	}
	for _, x := range []float64{float64(f.Width), float64(f.Height)} {
		if !(x > 0) || math.IsInf(x, 0) {
			return say.Errorf("viz: a figure cannot be %v × %v points", float64(f.Width), float64(f.Height))
		}
	}
	defer func() {
		if p := recover(); p != nil {
			err = say.Errorf("viz: the figure cannot be drawn: %v", p)
		}
	}()
	f.drawing.Lock()
	defer f.drawing.Unlock()
	if laid := f.laid(); f.resize != nil && laid.X != f.settled { // Width was set
		w, h := f.Width, f.Height
		f.resize(laid.X, laid)
		f.Width, f.Height, f.settled = w, h, laid.X
	}
	return do(scaled{f.laid(), f.scale().Points(), func(c vg.CanvasSizer) { f.draw(draw.New(c)) }})
}

// shownAt sets the size of an SVG whose drawing has another one.
func (f *Figure) shownAt(svg []byte, drawn vg.Point) []byte {
	if drawn == (vg.Point{X: f.Width, Y: f.Height}) {
		return svg
	}
	const size = `<svg width="%.4gpt" height="%.4gpt" viewBox`
	before, rest, found := bytes.Cut(svg, []byte("<svg width="))
	_, after, whole := bytes.Cut(rest, []byte(" viewBox"))
	if !found || !whole {
		return svg
	}
	out := append(bytes.Clone(before), fmt.Sprintf(size, f.Width.Points(), f.Height.Points())...)
	return append(out, after...)
}
