package viz

import (
	"errors"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Row places figures side by side, aligned at the top. Later changes to the figures show in the
// row.
func Row(figures ...*Figure) (*Figure, error) { return newRow(figures, false) }

// Panels is a [Row] of plots under one legend, which has each name of theirs once, drawn as in the first plot that has
// it. Let a name have the same colour in all of them: the same place in each list of series.
func Panels(figures ...*Figure) (*Figure, error) { return newRow(figures, true) }

func newRow(figures []*Figure, shared bool) (*Figure, error) {
	if len(figures) == 0 {
		return nil, errors.New("viz: a row needs figures")
	}
	row := &Figure{}
	var keys []key
	for _, f := range figures {
		if f == nil || f.draw == nil {
			return nil, errors.New("viz: a figure of the row is empty")
		}
		row.Width += f.Width
		row.Height = max(row.Height, f.Height)
		if f.Title() != "" {
			if row.title != "" {
				row.title += "; "
			}
			row.title += f.Title()
		}
		for _, k := range f.keys {
			if shared && !slices.ContainsFunc(keys, func(other key) bool { return other.name == k.name }) {
				keys = append(keys, k)
			}
		}
	}
	const edge = 6
	legend := keyRows(keys, row.Width-2*edge)
	row.Height += keysHeight(legend)
	figures = append([]*Figure(nil), figures...)
	row.draw = func(c draw.Canvas) {
		c.SetColor(white)
		c.Fill(c.Rectangle.Path())
		drawKeys(draw.Crop(c, edge, -edge, 0, -4), legend)
		c.Max.Y -= keysHeight(legend)
		x := c.Min.X
		for _, f := range figures {
			at := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: c.Max.Y - f.Height}, Max: vg.Point{X: x + f.Width, Y: c.Max.Y}}}
			if shared && f.under != nil {
				f.under(at, nil)
			} else {
				f.draw(at)
			}
			x += f.Width
		}
	}
	return row, nil
}
