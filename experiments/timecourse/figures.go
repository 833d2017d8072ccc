package timecourse

import (
	"fmt"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"

	"gonum.org/v1/gonum/stat"
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

// Widths of panels in inches: two or three side by side fill the 980 pixels of a page.
const (
	ofTwo   = 5
	ofThree = 3.3
)

// finalFigure is the left side of W00 Figure 2 for the set that is shown: where learning ends from the starts, from
// the least to the greatest with the mean, over the truth (0), and the violation.
func (r *Results) finalFigure(s *study) (*viz.Figure, error) {
	b := s.subjects[r.Config.Shown-1]
	rows := func(f measure, title, x string) (*viz.Figure, error) {
		var starts viz.BarSeries
		for _, name := range shown {
			var values []float64
			for _, o := range s.outcomes[r.place(name)][b.set-1] {
				values = append(values, f(b, o))
			}
			starts.Values = append(starts.Values, stat.Mean(values, nil))
			starts.Lo, starts.Hi = append(starts.Lo, slices.Min(values)), append(starts.Hi, slices.Max(values))
			starts.Reference = append(starts.Reference, 0)
		}
		return viz.IntervalBars(shown, []viz.BarSeries{starts}, &viz.Axes{Title: title, X: x, Width: ofThree,
			Height: 2.1})
	}
	test, err := rows(excessTest, s.name+": test cases", "nats per case worse than the truth")
	if err != nil {
		return nil, err
	}
	train, err := rows(excessTrain, "training cases", "nats per case worse than the truth")
	if err != nil {
		return nil, err
	}
	broken, err := rows(violation, "violation", fmt.Sprintf("violation (at most %g)", s.maximum))
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
		return looks.Curves(series, &viz.Axes{Title: title, X: "iteration", Y: y, LogX: true, Width: ofThree,
			Height: 3})
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

// courseFigure is the mean way over all sets and starts, from the first iteration on, with bands of 90 % of the sets
// for two of the methods: those of all would hide each other.
func (r *Results) courseFigure(f func(b *subject, p point) float64, title, y string, names ...string) (*viz.Figure,
	error) {
	var panels []*viz.Figure
	for _, s := range r.Studies {
		var series []viz.Series
		for _, name := range names {
			c := s.curve(r.place(name), r.Config.Iterations, f)
			one := viz.Series{Name: name}
			for i, iteration := range c.iterations[1:] {
				b := c.bands[i+1]
				one.X, one.Y = append(one.X, float64(iteration)), append(one.Y, b.Mean)
				if name == plainEM || name == hybridB {
					one.Lo, one.Hi = append(one.Lo, b.P05), append(one.Hi, b.P95)
				}
			}
			series = append(series, one)
		}
		panel, err := looks.Curves(series, &viz.Axes{Title: s.name + ": " + title, X: "iteration", Y: y, LogX: true,
			Width: ofTwo, Height: 3.6})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// distanceFigure is where the methods end, over all sets, and how much closer to the truth those with constraints come
// than plain EM, beside the paper's number of each structure.
func (r *Results) distanceFigure(f measure, title, x string, published func(n numbers) float64) (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, s := range r.Studies {
		var distances viz.BarSeries
		for m := range r.Methods {
			b := run.NewBand(s.bySet(m, f))
			distances.Values = append(distances.Values, b.Mean)
			distances.Lo, distances.Hi = append(distances.Lo, b.P05), append(distances.Hi, b.P95)
		}
		panel, err := viz.IntervalBars(r.Methods, []viz.BarSeries{distances}, &viz.Axes{Title: s.name + ": " + title,
			X: x, Width: ofThree, Height: 2.5})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	var names []string
	var closer viz.BarSeries
	for _, s := range r.Studies {
		for _, method := range []string{hybridA, hybridB, exactEM} {
			c := s.compare(r.place(method), r.place(plainEM), f)
			b := run.NewBand(c.percent)
			names = append(names, s.name+", "+method)
			closer.Values, closer.Reference = append(closer.Values, c.mean), append(closer.Reference,
				published(s.published))
			closer.Lo, closer.Hi = append(closer.Lo, b.P05), append(closer.Hi, b.P95)
		}
	}
	panel, err := viz.IntervalBars(names, []viz.BarSeries{closer}, &viz.Axes{Title: "closer than em; line: the paper",
		X: "%, 5 to 95 % of sets", Width: ofThree, Height: 2.5})
	if err != nil {
		return nil, err
	}
	return viz.Row(append(panels, panel)...)
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
		X: "constrained variables known to the learner (%)", Y: "nats per test case", Width: ofTwo, Height: 3.6})
	if err != nil {
		return nil, err
	}
	right, err := viz.Curves(weight, &viz.Axes{Title: softEM + ": violation, ± 2 standard errors",
		X: "weight w of W00 Eq. 4", Y: "violation", LogX: true, Width: ofTwo, Height: 3.6})
	if err != nil {
		return nil, err
	}
	return viz.Row(left, right)
}
