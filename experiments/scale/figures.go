package scale

import (
	"fmt"
	"math"

	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
)

// figure draws a measure by rows, on logarithmic axes: a panel a task, a curve an engine, all on one scale. There is no
// figure, nil, where no engine has the measure.
func (r *Results) figure(quantity string, value func(result) float64) (*viz.Figure, error) {
	names := append([]string{opening}, r.names()...)
	tasks := make([][]viz.Series, len(names))
	low, high := math.Inf(1), 0.0
	for i, name := range names {
		for _, engine := range r.engines {
			s := viz.Series{Name: engine}
			for _, one := range r.of(engine, name) {
				if v := value(one); v > 0 {
					s.X, s.Y = append(s.X, float64(one.rows)/1e6), append(s.Y, v)
					low, high = min(low, v), max(high, v)
				}
			}
			if len(s.X) > 0 {
				tasks[i] = append(tasks[i], s)
			}
		}
	}
	var panels []*viz.Figure
	for i, name := range names {
		if len(tasks[i]) == 0 {
			continue
		}
		panel, err := looks.Curves(tasks[i], &viz.Axes{Title: name, X: "million rows", Y: quantity, LogX: true,
			LogY: true, YRange: decades(low, high), Width: pageWidth / float64(len(names)), Height: 3})
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

// pageWidth is that of the 980 pixels of a page, in inches, less its margins.
const pageWidth = 10

// decades are the powers of ten around a range.
func decades(low, high float64) [2]float64 {
	return [2]float64{math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Floor(math.Log10(high))+1)}
}

// growthFigure draws how many times longer a task takes than at the smallest size, by how many times that size, a panel
// a task, all on one scale, with the line that its order allows. There is none, nil, where processor time cannot be
// had.
func (r *Results) growthFigure() (*viz.Figure, error) {
	most := 0.0
	var tasks [][]viz.Series
	var titles []string
	for _, g := range growths {
		measured := viz.Series{Name: "measured"}
		var size, time float64 // the smallest
		for _, one := range r.grown {
			if one.growth.name != g.name || one.processor <= 0 {
				continue
			}
			if size == 0 {
				size, time = float64(one.size), one.processor
			}
			measured.X = append(measured.X, float64(one.size)/size)
			measured.Y = append(measured.Y, one.processor/time)
			most = max(most, one.processor/time)
		}
		if len(measured.X) < 2 {
			continue
		}
		last := measured.X[len(measured.X)-1]
		allowed := viz.Series{Name: "as the mathematics allows", X: []float64{1, last},
			Y: []float64{1, math.Pow(last, g.order)}}
		most = max(most, allowed.Y[1])
		tasks, titles = append(tasks, []viz.Series{measured, allowed}), append(titles,
			fmt.Sprintf("%s, slope %g", g.name, g.order))
	}
	if len(tasks) == 0 {
		return nil, nil
	}
	var panels []*viz.Figure
	for i, series := range tasks {
		panel, err := viz.Curves(series, &viz.Axes{Title: titles[i], X: "times the size", Y: "times the processor time",
			LogX: true, LogY: true, YRange: decades(1, most), Width: pageWidth / float64(len(growths)),
			Height: 3})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}
