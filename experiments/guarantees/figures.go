package guarantees

import (
	"fmt"
	"slices"

	"bnlab/bnkit/viz"
)

// varianceFigure draws Theorem 2 as curves over s, and the simulated differences with the
// band of the studies.
func (r *Results) varianceFigure() (*viz.Figure, error) {
	var names []string
	for _, s := range r.Identity {
		if !slices.Contains(names, s.setting) {
			names = append(names, s.setting)
		}
	}
	var series []viz.Series
	for _, name := range names {
		curve := viz.Series{Name: name}
		points := viz.Series{Name: "simulated", Style: viz.Points, As: name}
		for _, s := range r.Identity {
			if s.setting != name {
				continue
			}
			b := s.band()
			points.X, points.Y = append(points.X, float64(s.s)), append(points.Y, b.Mean)
			points.Lo, points.Hi = append(points.Lo, b.P05), append(points.Hi, b.P95)
			if curve.X == nil {
				full := s.theory / (1 - 1/float64(s.s))
				for x := 1.0; x <= 6; x += 0.125 {
					curve.X, curve.Y = append(curve.X, x), append(curve.Y, full*(1-1/x))
				}
			}
		}
		series = append(series, curve, points)
	}
	return viz.Curves(series, &viz.Axes{
		Title: "N06 Theorem 2: variance that sharing removes",
		X:     "times that the parameter is shared (s)",
		Y:     "Var[ML] − Var[sharing]: theory, and 5 to 95 % of studies",
	})
}

// classFigure draws what part of the ML variance each class removes.
func (r *Results) classFigure() (*viz.Figure, error) {
	var names []string
	var bars viz.BarSeries
	for _, s := range r.Classes {
		share, stderr := s.removed()
		names = append(names, s.class)
		bars.Values, bars.StdErr = append(bars.Values, 100*share), append(bars.StdErr, 200*stderr)
	}
	return viz.Bars(names, []viz.BarSeries{bars}, &viz.Axes{
		Title: "Variance that a right statement removes, by class of N06 §4.3",
		Y:     "% of the summed ML variance, ± 2 standard errors", Height: 4.5,
	})
}

// drawn are the classes of the convergence figure, which would be crowded by all.
var drawn = []string{"2 sharing", "4 sum sharing", "5 ratio sharing", "6 sharing across", "10 order of sums", "11 upper bound"}

// convergenceFigure draws the divergence over the number of examples, wrong statements
// on the left, with their levels KL(P, P*), and right ones on the right.
func (r *Results) convergenceFigure() (*viz.Figure, error) {
	wrong, err := r.panel(true, "Wrong statements: to KL(P, P*)")
	if err != nil {
		return nil, err
	}
	right, err := r.panel(false, "Right statements: to 0")
	if err != nil {
		return nil, err
	}
	return viz.Row(wrong, right)
}

func (r *Results) panel(wrong bool, title string) (*viz.Figure, error) {
	var series []viz.Series
	x := make([]float64, len(r.Config.Examples))
	for i, n := range r.Config.Examples {
		x[i] = float64(n)
	}
	end := 1.6 * x[len(x)-1]
	for _, c := range r.Courses {
		free := len(c.statements) == 0
		if !free && (c.wrong != wrong || !slices.Contains(drawn, c.class)) {
			continue
		}
		mean, _ := c.mean()
		series = append(series, viz.Series{Name: c.class, X: x, Y: mean})
		if wrong && !free {
			series = append(series, viz.Series{X: []float64{end}, Y: []float64{c.best}, Style: viz.Points, As: c.class})
		}
	}
	if wrong {
		series[len(series)-1].Name = "KL(P, P*)"
	}
	return viz.Curves(series, &viz.Axes{
		Title: title, X: "examples", Y: fmt.Sprintf("mean KL to the truth (nats), %d samples", r.Config.Samples),
		LogX: true, LogY: true, XRange: [2]float64{x[0] / 1.2, end * 1.3}, YRange: [2]float64{2e-5, 1}, Width: 5.2, Height: 5,
	})
}
