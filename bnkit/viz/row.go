package viz

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/internal/say"
)

const (
	// widest is the width of a row of plots: 980 pixels of a page.
	widest = 10.2 * vg.Inch
	// narrowest is the share of their width that plots of a row keep.
	narrowest = 0.6
	// rowEdge is the room beside the legend of a row.
	rowEdge = 6
)

// Row places figures side by side, aligned at the top.
//
// Where each name of their legends is drawn in one way, and each way has one name, a legend with all names stands above
// the row. Plots share more of what is the same in all of them: a label of the x axis stands once, below the row; that
// of the y axis at the first plot only, with its numbers where the axes have one range. Data areas are as wide, to each
// other, as the plots were. Plots that would be wider than 10.2 inches, 980 pixels of a page, are made narrower, and
// continue in a line below when little would be left of them.
//
// Later changes to the figures show in the row, except for their sizes. It returns an error without figures, for an
// empty one, and for a plot whose ticks cannot be had.
func Row(figures ...*Figure) (row *Figure, err error) {
	if len(figures) == 0 {
		return nil, errors.New("viz: a row needs figures")
	}
	defer func() {
		if p := recover(); p != nil { // as Figure.render does
			row, err = nil, say.Errorf("viz: the row cannot be drawn: %v", p)
		}
	}()
	row = &Figure{}
	var titles []string
	plots := len(figures) > 1
	for _, f := range figures {
		if f == nil || f.draw == nil {
			return nil, errors.New("viz: a figure of the row is empty")
		}
		row.Width += f.laid().X
		row.Height = max(row.Height, f.laid().Y)
		if f.Title() != "" {
			titles = append(titles, f.Title())
		}
		plots = plots && f.subplot != nil && f.Plot != nil
	}
	row.title = strings.Join(titles, "; ")
	figures = slices.Clone(figures)
	if plots {
		rowOfPlots(row, figures, widest, 1)
		row.resize = func(width vg.Length, _ vg.Point) vg.Length {
			rowOfPlots(row, figures, width, math.Inf(1))
			return row.Height
		}
		row.settled = row.Width
		return row, nil
	}
	keys, one := oneLegend(figures)
	legend := keyRows(keys, row.Width-2*rowEdge)
	row.Height += keysHeight(legend)
	row.natural = vg.Point{X: row.Width, Y: row.Height}
	row.draw = func(c draw.Canvas) {
		c.SetColor(white)
		c.Fill(c.Rectangle.Path())
		drawKeys(draw.Crop(c, rowEdge, -rowEdge, 0, -4), legend)
		x := c.Min.X + max(0, c.Max.X-c.Min.X-row.natural.X)/2
		for _, f := range figures {
			size := f.laid()
			at := hung(c, x, size.X, c.Max.Y-keysHeight(legend), size.Y)
			if one && f.bare != nil {
				f.bare(at)
			} else {
				f.draw(at)
			}
			x += size.X
		}
	}
	return row, nil
}

// hung is the rectangle of c that begins at x and reaches down from top.
func hung(c draw.Canvas, x, width, top, height vg.Length) draw.Canvas {
	return draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: x, Y: top - height}, Max: vg.Point{X: x + width, Y: top}}}
}

// rowOfPlots settles the size of a row of plots in a width, by which they grow a number of times at most, and how it is
// drawn.
func rowOfPlots(row *Figure, figures []*Figure, limit vg.Length, most float64) {
	lines, scale := linesOf(figures, limit, most)
	row.Width, row.Height = 0, 0
	heights := make([]vg.Length, len(lines))
	for i, line := range lines {
		width, height := sizeOf(line)
		row.Width = max(row.Width, width*scale)
		heights[i] = height
		if sharedIn(line, false)[0].x { // one line of the label is in the plots' height
			sty := style(sizeText, ink, false)
			heights[i] += sty.Height(sharedLabel(line, width*scale)) - sty.Height("x")
		}
		row.Height += heights[i]
	}
	keys, one := oneLegend(figures)
	legend := keyRows(keys, row.Width-2*rowEdge)
	row.Height += keysHeight(legend)
	row.draw = func(c draw.Canvas) {
		c.SetColor(white)
		c.Fill(c.Rectangle.Path())
		drawKeys(draw.Crop(c, rowEdge, -rowEdge, 0, -4), legend)
		top := c.Max.Y - keysHeight(legend)
		for i, line := range lines {
			width, _ := sizeOf(line)
			drawLine(hung(c, c.Min.X, width*scale, top, heights[i]), line, one)
			top -= heights[i]
		}
	}
}

// sizeOf is the size of plots side by side.
func sizeOf(line []*Figure) (width, height vg.Length) {
	for _, f := range line {
		width, height = width+f.laid().X, max(height, f.laid().Y)
	}
	return width, height
}

// linesOf divides plots into as few lines as leave them their narrowest share of their width, and returns the share.
func linesOf(figures []*Figure, limit vg.Length, most float64) (lines [][]*Figure, share vg.Length) {
	for n := 1; ; n++ {
		each := (len(figures) + n - 1) / n
		lines = slices.Collect(slices.Chunk(figures, each))
		share = vg.Length(most)
		for _, line := range lines {
			width, _ := sizeOf(line)
			share = min(share, limit/width)
		}
		if share >= narrowest || each == 1 {
			return lines, share
		}
	}
}

// oneLegend returns the keys of all plots, and whether they make one legend: no name has two looks, no look two names,
// and some name stands in two plots.
func oneLegend(figures []*Figure) (keys []key, ok bool) {
	repeated := false
	for _, f := range figures {
		before := len(keys)
		for _, k := range f.keys {
			i := slices.IndexFunc(keys, func(other key) bool { return other.name == k.name })
			if i < 0 {
				keys = append(keys, k)
				continue
			}
			if keys[i].look != k.look {
				return nil, false
			}
			repeated = repeated || i < before
		}
	}
	looks := make(map[string]bool)
	for _, k := range keys {
		if k.look != "" && looks[k.look] {
			return nil, false
		}
		looks[k.look] = true
	}
	if !repeated {
		return nil, false
	}
	return keys, true
}

// sharedLabel is the label of the x axis below plots of a width, in lines.
func sharedLabel(line []*Figure, width vg.Length) string {
	sty := style(sizeText, ink, false)
	return strings.Join(wrapEvenly(sty, line[0].Plot.X.Label.Text, width-2*rowEdge), "\n")
}

// drawLine draws plots side by side; their legend stands above all where it is one.
func drawLine(c draw.Canvas, line []*Figure, legend bool) {
	parts := sharedIn(line, legend)
	if parts[0].x {
		sty := style(sizeText, ink, false)
		sty.XAlign = draw.XCenter
		label := sharedLabel(line, c.Max.X-c.Min.X)
		c.FillText(sty, vg.Point{X: c.Center().X, Y: c.Min.Y + 5 - baseline(sty)}, label)
		c.Min.Y += sty.Height(label) + 2
	}
	all, _ := sizeOf(line)
	places := make([]draw.Canvas, len(line))
	for i, f := range line {
		places[i] = hung(c, c.Min.X, f.laid().X/all*(c.Max.X-c.Min.X), c.Max.Y, min(f.laid().Y, c.Max.Y-c.Min.Y))
	}
	for range 2 { // a heading of more lines leaves less height, and so the label of y may need more width
		margins, data := make([]vg.Length, len(line)), c.Max.X-c.Min.X
		for i, f := range line {
			margins[i], _ = f.subplot.margin(places[i], parts[i])
			data -= margins[i]
		}
		var top vg.Length
		x := c.Min.X
		for i, f := range line {
			width := margins[i] + data*f.laid().X/all
			places[i].Min.X, places[i].Max.X = x, x+width
			top = max(top, f.subplot.heading(inside(places[i]), parts[i], false))
			x += width
		}
		for i := range parts {
			parts[i].top = top
		}
	}
	below := make([]vg.Length, len(line))
	for i, f := range line {
		_, below[i] = f.subplot.margin(places[i], parts[i])
	}
	for i, f := range line {
		for k, other := range line {
			if other.laid().Y == f.laid().Y {
				parts[i].below = max(parts[i].below, below[k]-below[i])
			}
		}
		f.subplot.draw(places[i], parts[i])
	}
}

// sharedIn says what each plot of a line leaves to others.
func sharedIn(line []*Figure, legend bool) []shared {
	first := line[0]
	all := shared{legend: legend, x: len(line) > 1 && first.Plot.X.Label.Text != "", y: first.Plot.Y.Label.Text != ""}
	all.numbers = all.y
	for _, f := range line[1:] {
		x, y := &f.Plot.X, &f.Plot.Y
		all.x = all.x && x.Label.Text == first.Plot.X.Label.Text && f.laid().Y == first.laid().Y
		all.y = all.y && y.Label.Text == first.Plot.Y.Label.Text && f.laid().Y == first.laid().Y
		all.numbers = all.numbers && all.y && y.Min == first.Plot.Y.Min && y.Max == first.Plot.Y.Max &&
			fmt.Sprintf("%T", y.Scale) == fmt.Sprintf("%T", first.Plot.Y.Scale) &&
			slices.Equal(y.Tick.Marker.Ticks(y.Min, y.Max), first.Plot.Y.Tick.Marker.Ticks(y.Min, y.Max))
	}
	parts := make([]shared, len(line))
	for i := range parts {
		parts[i] = all
		if i == 0 {
			parts[i].y, parts[i].numbers = false, false
		}
	}
	return parts
}
