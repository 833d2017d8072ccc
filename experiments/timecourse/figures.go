package timecourse

import (
	"fmt"
	"slices"
	"strconv"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
)

// structureFigure is one half of W00 Figure 1 as we rebuilt it, what is observed on grey.
func (s *study) structureFigure() (*viz.Figure, error) {
	opts := &viz.NetworkOptions{Title: fmt.Sprintf("%s: %d training cases", s.name, s.trainCases), ShowStates: true,
		ArcLabels: make(map[[2]string]string)}
	for _, v := range s.net.Variables() {
		if !slices.Contains(s.hidden, v.Name) {
			opts.Shaded = append(opts.Shaded, v.Name)
		}
	}
	for _, f := range s.influences {
		sign := "+"
		if f.Sign == constraint.Negative {
			sign = "−"
		}
		opts.ArcLabels[[2]string{f.Parent, f.Child}] = sign
	}
	return viz.Network(s.net, opts)
}

// shown are the methods of the figures of courses; the paper shows the first and one of the
// next two.
var shown = []string{plainEM, hybridA, hybridB, exactEM}

// finalFigure is the left side of W00 Figure 2 for the set that is shown: where learning
// ends from each start, over the truth (0), and the violation.
func (r *Results) finalFigure(s *study) (*viz.Figure, error) {
	b := s.subjects[r.Config.Shown-1]
	starts := make([]string, len(b.starts))
	for i := range starts {
		starts[i] = strconv.Itoa(i + 1)
	}
	bars := func(f measure, title, y string) (*viz.Figure, error) {
		var series []viz.BarSeries
		for _, name := range shown {
			one := viz.BarSeries{Name: name}
			for _, o := range s.outcomes[r.place(name)][b.set-1] {
				one.Values = append(one.Values, f(b, o))
			}
			series = append(series, one)
		}
		return viz.Bars(starts, series, &viz.Axes{Title: title, X: "start", Y: y, Width: 4.2, Height: 3.6})
	}
	test, err := bars(excessTest, s.name+": test cases, excess over the truth", "nats per case")
	if err != nil {
		return nil, err
	}
	train, err := bars(excessTrain, "training cases", "nats per case")
	if err != nil {
		return nil, err
	}
	broken, err := bars(violation, fmt.Sprintf("violation (at most %g)", s.maximum), "violation")
	if err != nil {
		return nil, err
	}
	return viz.Row(test, train, broken)
}

// timecourseFigure is the right side of W00 Figure 2: the way from the first start of the
// set that is shown.
func (r *Results) timecourseFigure(s *study) (*viz.Figure, error) {
	b := s.subjects[r.Config.Shown-1]
	lines := func(f func(b *subject, p point) float64, title, y string) (*viz.Figure, error) {
		var series []viz.Series
		for _, name := range shown {
			one := viz.Series{Name: name}
			for _, p := range s.outcomes[r.place(name)][b.set-1][0].course[1:] {
				one.X, one.Y = append(one.X, float64(p.iteration)), append(one.Y, f(b, p))
			}
			series = append(series, one)
		}
		return viz.Curves(series, &viz.Axes{Title: title, X: "iteration", Y: y, LogX: true, Width: 4.2, Height: 3.6})
	}
	test, err := lines(testPoint, s.name+": test cases, excess over the truth", "nats per case")
	if err != nil {
		return nil, err
	}
	train, err := lines(trainPoint, "training cases", "nats per case")
	if err != nil {
		return nil, err
	}
	broken, err := lines(violationPoint, "violation", "violation")
	if err != nil {
		return nil, err
	}
	return viz.Row(test, train, broken)
}

// courseFigure is the mean way over all sets and starts, from the first iteration on.
func (r *Results) courseFigure(f func(b *subject, p point) float64, title, y string, names ...string) (*viz.Figure,
	error) {
	var panels []*viz.Figure
	for _, s := range r.Studies {
		var series []viz.Series
		for _, name := range names {
			c := s.curve(r.place(name), r.Config.Iterations, f)
			one := viz.Series{Name: name}
			for i, iteration := range c.iterations[1:] {
				one.X, one.Y = append(one.X, float64(iteration)), append(one.Y, c.bands[i+1].Mean)
			}
			series = append(series, one)
		}
		panel, err := viz.Curves(series, &viz.Axes{Title: s.name + ": " + title, X: "iteration", Y: y, LogX: true,
			Width: 5.2})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// distanceFigure is where the methods end, over all sets.
func (r *Results) distanceFigure(f measure, title, y string) (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, s := range r.Studies {
		var bars viz.BarSeries
		for m := range r.Methods {
			b := run.NewBand(s.bySet(m, f))
			bars.Values, bars.Lo, bars.Hi = append(bars.Values, b.Mean), append(bars.Lo, b.P05), append(bars.Hi, b.P95)
		}
		panel, err := viz.Bars(r.Methods, []viz.BarSeries{bars}, &viz.Axes{Title: s.name + ": " + title, Y: y,
			Width: 5.2})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// sweepFigure is the distance from the truth over the share of constrained variables that
// the learner is told about, and the violation over the weight.
func (r *Results) sweepFigure() (*viz.Figure, error) {
	var share, weight []viz.Series
	for _, s := range r.Studies {
		settings := sweepSettings(len(s.children()))
		byShare, byWeight := viz.Series{Name: s.name}, viz.Series{Name: s.name}
		for i, set := range settings {
			_, excess, broken := s.swept(i)
			switch set.method {
			case exactEM:
				mean, stderr := meanError(excess)
				byShare.X, byShare.Y = append(byShare.X, 100*set.share), append(byShare.Y, mean)
				byShare.Lo, byShare.Hi = append(byShare.Lo, mean-2*stderr), append(byShare.Hi, mean+2*stderr)
			case softEM:
				mean, stderr := meanError(broken)
				byWeight.X, byWeight.Y = append(byWeight.X, set.weight), append(byWeight.Y, mean)
				byWeight.Lo, byWeight.Hi = append(byWeight.Lo, max(0, mean-2*stderr)),
					append(byWeight.Hi, mean+2*stderr)
			}
		}
		share, weight = append(share, byShare), append(weight, byWeight)
	}
	left, err := viz.Curves(share, &viz.Axes{Title: exactEM + ": distance from the truth, ± 2 standard errors",
		X: "constrained variables known to the learner (%)", Y: "nats per test case", Width: 5.2})
	if err != nil {
		return nil, err
	}
	right, err := viz.Curves(weight, &viz.Axes{Title: softEM + ": violation, ± 2 standard errors",
		X: "weight w of W00 Eq. 4", Y: "violation", LogX: true, Width: 5.2})
	if err != nil {
		return nil, err
	}
	return viz.Row(left, right)
}
