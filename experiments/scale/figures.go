package scale

import "bnlab/bnkit/viz"

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
