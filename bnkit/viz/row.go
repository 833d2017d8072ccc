package viz

import (
	"errors"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Row places figures side by side, aligned at the top. Later changes to the figures show in the
// row.
func Row(figures ...*Figure) (*Figure, error) {
	if len(figures) == 0 {
		return nil, errors.New("viz: a row needs figures")
	}
	row := &Figure{}
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
	}
	figures = append([]*Figure(nil), figures...)
	row.draw = func(c draw.Canvas) {
		c.SetColor(white)
		c.Fill(c.Rectangle.Path())
		x := c.Min.X
		for _, f := range figures {
			f.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: c.Max.Y - f.Height}, Max: vg.Point{X: x + f.Width, Y: c.Max.Y}}})
			x += f.Width
		}
	}
	return row, nil
}
