package apn

import (
	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// Bands hold 5 to 95 % of the draws.
const squaredError = "mean squared error"

// lines draws curves of those names in their order.
func (c Curves) lines(names ...string) []viz.Series {
	var series []viz.Series
	for _, name := range names {
		one := c.Of(name)
		s := viz.Series{Name: name}
		for i, size := range one.Sizes {
			b := run.NewBand(one.Errors[i])
			s.X, s.Y = append(s.X, float64(size)), append(s.Y, b.Mean)
			s.Lo, s.Hi = append(s.Lo, b.P05), append(s.Hi, b.P95)
		}
		series = append(series, s)
	}
	return series
}

// firstFigure is R95 Figure 4 over many draws of truth and cases.
func (r *Results) firstFigure() (*viz.Figure, error) {
	return looks.Curves(r.First.lines(directName, neuralName, hiddenName, hiddenPriorName, proportionsName,
		stoppedHiddenName), &viz.Axes{
		Title: "R95 Figure 4: predicting the outputs of the 3-1-3 network",
		X:     "training cases", Y: squaredError, LogX: true, LogY: true,
	})
}

// secondFigure is R95 Figure 6 on the left, and the learners of footnote 4 on the right.
func (r *Results) secondFigure() (*viz.Figure, error) {
	axes := viz.Axes{X: "training cases", Y: squaredError, LogX: true, LogY: true, YRange: [2]float64{1e-4, 0.2},
		Width: looks.Page / 2, Height: 4.6}
	structures, knowledge := axes, axes
	structures.Title = "R95 Figure 6: the structure of the insurance network"
	left, err := looks.Curves(r.Second.Curves.lines(trueStructureName, trueStructurePriorName, wideName,
		wideProportionsName, proportionsName, stoppedName), &structures)
	if err != nil {
		return nil, err
	}
	knowledge.Title = "R95 footnote 4: learners without knowledge"
	right, err := looks.Curves(r.Second.Curves.lines(trueStructureName, neuralName, decayedName, errorsTreeName,
		scoreTreeName,
		nearestName, proportionsName, stoppedName), &knowledge)
	if err != nil {
		return nil, err
	}
	return viz.Row(left, right)
}

// thirdFigure is R95 Figure 8.
func (r *Results) thirdFigure() (*viz.Figure, error) {
	return looks.Curves(r.Third.Curves.lines(exactName, sampledName), &viz.Axes{
		Title: "R95 Figure 8: rewards of a partially observed process",
		X:     "training series", Y: squaredError, LogX: true, LogY: true,
	})
}

// jointFigure sets the dynamic network beside the hidden Markov model of the same process.
func (r *Results) jointFigure() (*viz.Figure, error) {
	return looks.Curves(r.Third.Curves.lines(exactName, jointName), &viz.Axes{
		Title: "R95 §6: three hidden variables, or one with their joint states",
		X:     "training series", Y: squaredError, LogX: true, LogY: true,
	})
}

// gradientFigure draws the agreement of estimated and exact gradients over the number of
// samples, a line for each stage of the ascent.
func (r *Results) gradientFigure() (*viz.Figure, error) {
	var series []viz.Series
	for _, g := range r.Third.Gradients {
		if n := len(series); n == 0 || series[n-1].Name != g.stage() {
			series = append(series, viz.Series{Name: g.stage()})
		}
		s, b := &series[len(series)-1], run.NewBand(g.Cosine)
		s.X, s.Y = append(s.X, float64(g.Samples)), append(s.Y, b.Mean)
		s.Lo, s.Hi = append(s.Lo, b.P05), append(s.Hi, b.P95)
	}
	return viz.Curves(series, &viz.Axes{
		Title: "R95 §7: gradients by likelihood weighting",
		X:     "samples for each series", Y: "cosine to the exact gradient", LogX: true,
	})
}

// fourthFigure draws what findings with few parameters need, above the truth of each draw.
func (r *Results) fourthFigure() (*viz.Figure, error) {
	f := r.Fourth
	truth := len(f.Names) - 1
	var series []viz.Series
	for k, name := range f.Names[:truth] {
		s := viz.Series{Name: name}
		for i, size := range f.Sizes {
			above := make([]float64, len(f.NLL[k][i]))
			for replicate, nll := range f.NLL[k][i] {
				above[replicate] = nll - f.NLL[truth][i][replicate]
			}
			b := run.NewBand(above)
			s.X, s.Y = append(s.X, float64(size)), append(s.Y, b.Mean)
			s.Lo, s.Hi = append(s.Lo, b.P05), append(s.Hi, b.P95)
		}
		series = append(series, s)
	}
	series[len(series)-1].Points = true
	return looks.Curves(series, &viz.Axes{
		Title: "R95 §6: noisy-ORs in place of free tables",
		X:     "training cases", Y: "nats per test case above the truth", LogX: true,
	})
}
