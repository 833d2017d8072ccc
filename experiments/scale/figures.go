package scale

import (
	"fmt"
	"math"

	"bnlab/bnkit/viz"
)

// figure draws a measure of all tasks of an engine by rows, on logarithmic axes, one panel an
// engine. There is no figure, nil, where no engine has the measure.
func (r *Results) figure(quantity string, value func(result) float64) (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, engine := range r.engines {
		var series []viz.Series
		for _, name := range append([]string{opening}, r.names()...) {
			s := viz.Series{Name: name}
			for _, one := range r.of(engine, name) {
				if v := value(one); v > 0 {
					s.X, s.Y = append(s.X, float64(one.rows)), append(s.Y, v)
				}
			}
			if len(s.X) > 0 {
				series = append(series, s)
			}
		}
		if len(series) == 0 {
			continue
		}
		panel, err := viz.Curves(series, &viz.Axes{Title: engine, X: "rows", Y: quantity, LogX: true, LogY: true,
			Width: 5})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	if len(panels) == 0 {
		return nil, nil
	}
	return viz.Row(panels...)
}

// growthFigure draws processor time by size, a panel a task, with the line that its order allows through the
// largest size. There is none, nil, where processor time cannot be had.
func (r *Results) growthFigure() (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, g := range growths {
		measured, allowed := viz.Series{Name: "measured"}, viz.Series{Name: fmt.Sprintf("slope %g", g.order)}
		for _, one := range r.grown {
			if one.growth.name == g.name && one.processor > 0 {
				measured.X, measured.Y = append(measured.X, float64(one.size)), append(measured.Y, one.processor)
			}
		}
		last := len(measured.X) - 1
		if last < 1 {
			continue
		}
		for _, x := range measured.X {
			allowed.X = append(allowed.X, x)
			allowed.Y = append(allowed.Y, measured.Y[last]*math.Pow(x/measured.X[last], g.order))
		}
		panel, err := viz.Curves([]viz.Series{measured, allowed}, &viz.Axes{Title: g.name, X: g.quantity,
			Y: "processor seconds", LogX: true, LogY: true, Width: 3})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	if len(panels) == 0 {
		return nil, nil
	}
	return viz.Row(panels...)
}
