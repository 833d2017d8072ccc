package viz

import (
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

// plot is the plot as it is drawn below the heading, and its place with the axes.
func (p *subplot) plot(c draw.Canvas, s shared) (plot.Plot, draw.Canvas) {
	q := *p.figure.Plot // drawing settles ranges; the caller's plot stays as it is
	q.Title.Text, q.BackgroundColor = "", nil
	if s.x {
		q.X.Label.Text = ""
	}
	if s.y {
		q.Y.Label.Text = ""
	}
	if s.numbers {
		q.Y.Tick.Marker = unnumbered{q.Y.Tick.Marker}
	}
	wrapLabel(&q.X, c.Max.X-c.Min.X)
	wrapLabel(&q.Y, c.Max.Y-c.Min.Y)
	c.Min.X += overhang(q, c)
	return q, c
}

// margin is the width of what stands beside the data, in a place of c's width.
func (p *subplot) margin(c draw.Canvas, s shared) vg.Length {
	q, within := p.plot(inside(c), s)
	data := q.DataCanvas(within)
	return (c.Max.X - c.Min.X) - (data.Max.X - data.Min.X)
}

func (p *subplot) draw(c draw.Canvas, s shared) {
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	c = inside(c)
	c.Max.Y -= max(p.heading(c, s, true), s.top)
	q, within := p.plot(c, s)
	q.Draw(within)
}

// unnumbered are ticks without their labels, which stand at another panel.
type unnumbered struct{ plot.Ticker }

func (u unnumbered) Ticks(from, to float64) []plot.Tick {
	marks := u.Ticker.Ticks(from, to)
	for i := range marks {
		if !marks[i].IsMinor() {
			marks[i].Label = " "
		}
	}
	return marks
}
