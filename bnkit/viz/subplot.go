package viz

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A subplot is a plot of this package, alone or in a row: a title and a legend above the data.
type subplot struct{ figure *Figure }

// shared is what a panel leaves to its row. The zero value is a panel alone.
type shared struct {
	legend  bool      // not drawn here
	x, y    bool      // without the label of the axis
	numbers bool      // without the numbers on the y axis
	top     vg.Length // room of title and legend, for panels of one height
	below   vg.Length // more room below the axis, where another panel needs it
}

// inside is the place of a panel without its edge.
func inside(c draw.Canvas) draw.Canvas { return draw.Crop(c, 6, -10, 5, -7) }

// heading draws the title and the legend along the top of c, or only measures them, and returns their height.
func (p *subplot) heading(c draw.Canvas, s shared, paint bool) vg.Length {
	var high vg.Length
	if title := p.figure.Plot.Title; title.Text != "" {
		sty := title.TextStyle
		lines := strings.Join(wrapEvenly(sty, title.Text, c.Max.X-c.Min.X), "\n")
		if paint {
			c.FillText(sty, vg.Point{X: c.Center().X, Y: c.Max.Y}, lines)
		}
		high = sty.Height(lines) + title.Padding
	}
	if s.legend {
		return high
	}
	legend := keyRows(p.figure.keys, c.Max.X-c.Min.X)
	if paint {
		c.Max.Y -= high
		drawKeys(c, legend)
	}
	return high + keysHeight(legend)
}

// A settled plot is one as it is drawn below the heading. The labels of its axes are not gonum's, which takes the
// middle of a logarithmic axis to be at the mean of its ends, and keeps room there.
type settled struct {
	plot.Plot
	place, axes    draw.Canvas // with the labels, and without
	labelX, labelY string
	below          vg.Length // the label of the x axis
}

// settle fits the plot and its labels into c.
func (p *subplot) settle(c draw.Canvas, s shared) *settled {
	// Drawing settles ranges; the caller's plot stays as it is.
	q := &settled{Plot: *p.figure.Plot, place: c, below: s.below}
	q.Title.Text, q.BackgroundColor, q.X.Label.Text, q.Y.Label.Text = "", nil, "", ""
	if s.numbers {
		q.Y.Tick.Marker = unnumbered{q.Y.Tick.Marker}
	}
	q.axes = c
	if label := p.figure.Plot.X.Label.Text; label != "" && !s.x {
		q.labelX = strings.Join(wrap(q.X.Label.TextStyle, label, c.Max.X-c.Min.X), "\n")
		q.axes.Min.Y += q.X.Label.TextStyle.Height(q.labelX) + q.X.Label.Padding
	}
	q.axes.Min.Y += s.below
	if label := p.figure.Plot.Y.Label.Text; label != "" && !s.y {
		sty := q.Y.Label.TextStyle
		data := q.DataCanvas(q.axes)
		q.labelY = strings.Join(wrap(sty, label, data.Max.Y-data.Min.Y), "\n")
		q.axes.Min.X += sty.Height(q.labelY) + sty.FontExtents().Descent + q.Y.Label.Padding
	}
	over := overhang(q.Plot, q.axes, c.Min.X)
	q.place.Min.X += over
	q.axes.Min.X += over
	return q
}

// data is the place of the data.
func (q *settled) data() vg.Rectangle { return q.DataCanvas(q.axes).Rectangle }

func (q *settled) draw() {
	q.Plot.Draw(q.axes)
	data := q.DataCanvas(q.axes)
	at := data.Center()
	if q.labelX != "" {
		sty := q.X.Label.TextStyle
		q.place.FillText(sty, vg.Point{X: at.X, Y: q.place.Min.Y + q.below + sty.FontExtents().Descent}, q.labelX)
	}
	if q.labelY != "" {
		sty := q.Y.Label.TextStyle
		x := q.place.Min.X + sty.Height(q.labelY) - sty.FontExtents().Descent
		sty.Rotation += math.Pi / 2
		q.place.FillText(sty, vg.Point{X: x, Y: at.Y}, q.labelY)
	}
}

// within is the plot in c, below the heading.
func (p *subplot) within(c draw.Canvas, s shared) *settled {
	c = inside(c)
	c.Max.Y -= max(p.heading(c, s, false), s.top)
	return p.settle(c, s)
}

// margin is the width of what stands beside the data, and the height of what stands below them, in a place of c's size.
func (p *subplot) margin(c draw.Canvas, s shared) (beside, below vg.Length) {
	data := p.within(c, s).data()
	return (c.Max.X - c.Min.X) - (data.Max.X - data.Min.X), data.Min.Y - c.Min.Y
}

func (p *subplot) draw(c draw.Canvas, s shared) {
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	p.heading(inside(c), s, true)
	p.within(c, s).draw()
}

// unnumbered are ticks without their labels, which stand at another panel.
type unnumbered struct{ plot.Ticker }

func (u unnumbered) Ticks(from, to float64) []plot.Tick {
	marks := slices.Clone(u.Ticker.Ticks(from, to)) // those of plot.ConstantTicks are the plot's own
	for i := range marks {
		if !marks[i].IsMinor() {
			marks[i].Label = " "
		}
	}
	return marks
}
