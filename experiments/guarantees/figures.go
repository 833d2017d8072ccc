package guarantees

import (
	"fmt"
	"slices"

	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// varianceFigure draws Theorem 2 divided by θ E[1/N | N ≠ 0], which leaves 1 − 1/s, and
// the simulated differences with the band of the studies: side by side for one distribution,
// a parent configuration, and that without the condition N ≠ 0.
func (r *Results) varianceFigure() (*viz.Figure, error) {
	theory := viz.Series{Name: "theory, 1 − 1/s"}
	for x := 1.0; x <= 6; x += 0.125 {
		theory.X, theory.Y = append(theory.X, x), append(theory.Y, 1-1/x)
	}
	series := []viz.Series{theory}
	add := func(name string, shift float64, s summary, values []float64) {
		at := slices.IndexFunc(series, func(s viz.Series) bool { return s.Name == name })
		if at < 0 {
			at = len(series)
			series = append(series, viz.Series{Name: name, Points: true})
		}
		b, p := run.NewBand(values), &series[at]
		p.X, p.Y = append(p.X, float64(s.s)+shift), append(p.Y, b.Mean/s.scale)
		p.Lo, p.Hi = append(p.Lo, b.P05/s.scale), append(p.Hi, b.P95/s.scale)
	}
	for _, s := range r.Identity {
		if s.dataSets == r.Config.Studies*r.Config.DataSets {
			add(s.setting, -0.07, s, s.difference)
			continue
		}
		add(s.setting, 0, s, s.difference)
		add("the same, unconditionally", 0.07, s, s.all)
	}
	return viz.Curves(series, &viz.Axes{
		Title: "N06 Theorem 2: variance reduction by parameter sharing",
		X:     "number of cells that share the parameter, s",
		Y:     "(Var[ML] − Var[sharing]) / (θ E[1/N])",
	})
}

// classFigure draws what part of the ML variance each class removes.
func (r *Results) classFigure() (*viz.Figure, error) {
	var names []string
	var bars viz.BarSeries
	for _, s := range r.Classes {
		share, stderr := s.removed()
		names = append(names, s.class.label())
		bars.Values, bars.StdErr = append(bars.Values, 100*share), append(bars.StdErr, 200*stderr)
	}
	return viz.Bars(names, []viz.BarSeries{bars}, &viz.Axes{
		Title: "Variance reduction by a correct constraint, by class of N06 §4.3",
		Y:     "% of the summed ML variance, ± 2 standard errors", Height: 4.5,
	})
}

// drawn are the classes of the convergence figure: as many as have a colour each.
var drawn = []int{2, 4, 6, 10, 11}

// convergenceFigure draws the divergence over the number of examples, wrong statements
// on the left, with their levels KL(P, P*), and right ones on the right.
func (r *Results) convergenceFigure() (*viz.Figure, error) {
	wrong, err := r.panel(true, fmt.Sprintf("Wrong constraints, %d of %d classes: to KL(P, P*)", len(drawn),
		len(r.Closest)))
	if err != nil {
		return nil, err
	}
	right, err := r.panel(false, "Correct constraints, the same classes: to 0")
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
		free, name := c.class.number == 0, c.class.name
		if !free && (c.wrong != wrong || !slices.Contains(drawn, c.class.number)) {
			continue
		}
		if !free {
			name = c.class.label()
		}
		mean, stderr := c.mean()
		curve := viz.Series{Name: name, X: x, Y: mean}
		for i, e := range stderr {
			curve.Lo, curve.Hi = append(curve.Lo, mean[i]-2*e), append(curve.Hi, mean[i]+2*e)
		}
		series = append(series, curve)
		if wrong && !free {
			series = append(series, viz.Series{X: []float64{end}, Y: []float64{c.best}, Points: true, As: name})
		}
	}
	if wrong {
		series[len(series)-1].Name = "KL(P, P*), the least that the constraint allows"
	}
	return looks.Curves(series, &viz.Axes{
		Title: title, X: "examples", Y: "mean KL ± 2 standard errors (nats)",
		LogX: true, LogY: true, XRange: [2]float64{x[0] / 1.2, end * 1.3}, YRange: [2]float64{2e-5, 1}, Width: 5,
		Height: 4.2,
	})
}
