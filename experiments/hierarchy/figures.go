package hierarchy

import (
	"fmt"
	"slices"

	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
)

// xLabels are those of the panels.
var xLabels = [panels]string{
	iid: "c: NMIS difference between the classes", sampleSize: "equivalent sample size",
	noisy: "ρ: noisy entries per table", violating: "links that violate the rule",
}

// titles of the searches in legends.
var titles = map[string]string{flat: "flat", rfw: "RFW-Hier", pw: "PW-Hier"}

// panelFigure is a panel of B06 Figure 2: accuracy, precision and recall, mean ± 2 standard errors. Boxes on
// the axis are where the accuracies of PW-Hier and flat differ significantly.
func (r *Results) panelFigure(p *Panel, label string) (*viz.Figure, error) {
	var row []*viz.Figure
	for m, measure := range measures {
		var series []viz.Series
		low := 1.0
		for i, name := range r.Searches {
			s := viz.Series{Name: titles[name]}
			for x, at := range p.X {
				mean, stderr := meanError(values(p.Outcomes[x][i], measure.of))
				s.X, s.Y = append(s.X, at), append(s.Y, mean)
				s.Lo, s.Hi = append(s.Lo, mean-2*stderr), append(s.Hi, mean+2*stderr)
				low = min(low, mean-2*stderr)
			}
			series = append(series, s)
		}
		if m == 0 {
			boxes, err := r.shaded(p, low)
			if err != nil {
				return nil, err
			}
			series = append(series, boxes...)
		}
		figure, err := viz.Curves(series, &viz.Axes{Title: measure.name, X: label, Y: measure.name, Width: 4.2,
			Height: 3.8})
		if err != nil {
			return nil, err
		}
		row = append(row, figure)
	}
	return viz.Row(row...)
}

// shaded are boxes below a curve, from half way to the last point without significance to half way to the next one.
func (r *Results) shaded(p *Panel, low float64) ([]viz.Series, error) {
	var boxes []viz.Series
	const name = "accuracies of PW-Hier and flat differ (p < 0.05)"
	edge := func(x, next int) float64 {
		if next < 0 || next >= len(p.X) {
			return p.X[x]
		}
		return (p.X[x] + p.X[next]) / 2
	}
	last := false
	for x := range p.X {
		t, err := p.test(x, r.place(pw), r.place(flat), accuracyOf)
		if err != nil {
			return nil, err
		}
		now := t.P < significant
		if now && !last {
			boxes = append(boxes, viz.Series{As: name, X: []float64{edge(x, x-1)}, Y: []float64{low - 0.02},
				Lo: []float64{low - 0.03}, Hi: []float64{low - 0.01}})
		}
		if now {
			b := &boxes[len(boxes)-1]
			if right := edge(x, x+1); right > b.X[0] {
				b.X, b.Y, b.Lo, b.Hi = []float64{b.X[0], right}, slices.Repeat(b.Y[:1], 2), slices.Repeat(b.Lo[:1], 2),
					slices.Repeat(b.Hi[:1], 2)
			}
		}
		last = now
	}
	if len(boxes) > 0 {
		boxes[0].Name, boxes[0].As = name, ""
	}
	return boxes, nil
}

// figure2 is all of B06 Figure 2 as the paper has it, accuracy alone: one panel for each paradigm.
func (r *Results) figure2(study string) (*viz.Figure, error) {
	var row []*viz.Figure
	for k, p := range r.study(study).Panels {
		var series []viz.Series
		low := 1.0
		for i, name := range r.Searches {
			s := viz.Series{Name: titles[name]}
			for x, at := range p.X {
				mean, stderr := meanError(values(p.Outcomes[x][i], accuracyOf))
				s.X, s.Y = append(s.X, at), append(s.Y, mean)
				s.Lo, s.Hi = append(s.Lo, mean-2*stderr), append(s.Hi, mean+2*stderr)
				low = min(low, mean-2*stderr)
			}
			series = append(series, s)
		}
		boxes, err := r.shaded(p, low)
		if err != nil {
			return nil, err
		}
		figure, err := viz.Curves(append(series, boxes...), &viz.Axes{Title: p.Name, X: xLabels[k], Y: "accuracy",
			Width: 4, Height: 3.8})
		if err != nil {
			return nil, err
		}
		row = append(row, figure)
	}
	return viz.Row(row...)
}

// sensitivityFigure is the number of parents a child gets by flat search, by length and arity.
func (r *Results) sensitivityFigure() (*viz.Figure, error) {
	var row []*viz.Figure
	for i, name := range r.Searches {
		var series []viz.Series
		for _, arity := range r.Config.Arities {
			s := viz.Series{Name: fmt.Sprintf("%d states", arity)}
			for _, c := range r.Sensitivity {
				if c.Arity == arity {
					mean, _ := meanError(values(c.Outcomes[i], parentsOf))
					s.X, s.Y = append(s.X, float64(c.Length)), append(s.Y, mean)
				}
			}
			series = append(series, s)
		}
		figure, err := viz.Curves(series, &viz.Axes{Title: titles[name], X: "images per series",
			Y: "parents per child", LogX: true, Width: 4.2, Height: 3.8})
		if err != nil {
			return nil, err
		}
		row = append(row, figure)
	}
	return viz.Row(row...)
}

// figure3 is B06 Figure 3 on the real data: families won against the mean number of parents.
func (r *Results) figure3() (*viz.Figure, error) {
	return r.brainFigure("families won (ties count for each)", func(s *Setting, k int) float64 {
		won, _ := s.wins(len(r.Searches))
		return float64(won[k])
	})
}

// scoreFigure is what Burge and Lane (B06 §4.1) call graphs that directly plot structure scores and do not show: how
// much higher a family scores on average than that of flat search.
func (r *Results) scoreFigure() (*viz.Figure, error) {
	return r.brainFigure("nats a family over flat search", func(s *Setting, k int) float64 {
		return (s.total(k) - s.total(r.place(flat))) / float64(2*len(s.Found[0][k].scores))
	})
}

// accuracyFigure is how many of the persons held out are told apart.
func (r *Results) accuracyFigure() (*viz.Figure, error) {
	return r.brainFigure("accuracy on held-out subjects", func(s *Setting, k int) float64 { return s.Right[k] })
}

func (r *Results) brainFigure(y string, f func(s *Setting, search int) float64) (*viz.Figure, error) {
	var row []*viz.Figure
	for _, score := range []struct{ name, title string }{{"bde", "BDe, by equivalent sample size"},
		{"acl", "ACL, by penalty"}, {symmetric, "symmetric ACL, by penalty"}} {
		var series []viz.Series
		for k, name := range r.Searches {
			s := viz.Series{Name: titles[name]}
			for _, one := range r.Brain.of(score.name) {
				s.X, s.Y = append(s.X, one.meanParents()), append(s.Y, f(one, k))
			}
			series = append(series, s)
		}
		figure, err := viz.Curves(series, &viz.Axes{Title: "ABIDE NYU, " + score.title, X: "mean number of parents",
			Y: y, Width: 4.6, Height: 4})
		if err != nil {
			return nil, err
		}
		row = append(row, figure)
	}
	return viz.Row(row...)
}

// figures draws and saves what there are data for.
func (r *Results) figures(job *run.Job) error {
	type figure struct {
		name string
		draw func() (*viz.Figure, error)
	}
	list := []figure{
		{"b06-fig2", func() (*viz.Figure, error) { return r.figure2(parentWise) }},
		{"b06-fig2-rfw-structures", func() (*viz.Figure, error) { return r.figure2(familyWise) }},
		{"b06-fig2-literal", func() (*viz.Figure, error) { return r.figure2(literal) }},
		{"b06-fig2-larger-c", func() (*viz.Figure, error) { return r.figure2(largerC) }},
		{"b06-fig2-next-setting", func() (*viz.Figure, error) { return r.figure2(beside) }},
		{"b06-sensitivity", r.sensitivityFigure},
	}
	for k, p := range r.study(parentWise).Panels {
		list = append(list, figure{"b06-fig2-" + p.Name,
			func() (*viz.Figure, error) { return r.panelFigure(p, xLabels[k]) }})
	}
	list = append(list, figure{"b06-truth", r.truthFigure})
	for i, name := range r.Searches {
		list = append(list, figure{"b06-network-" + name, func() (*viz.Figure, error) { return r.networkFigure(i) }},
			figure{"b06-difference-" + name, func() (*viz.Figure, error) { return r.differenceFigure(i) }})
	}
	if r.Brain != nil {
		list = append(list, figure{"b06-fig3", r.figure3}, figure{"b06-fig3-scores", r.scoreFigure},
			figure{"b06-brain-accuracy", r.accuracyFigure}, figure{"b06-brain-network", r.brainNetworkFigure})
	}
	for _, f := range list {
		picture, err := f.draw()
		if err != nil {
			return fmt.Errorf("figure %s: %w", f.name, err)
		}
		if err := job.SaveFigure(f.name, picture); err != nil {
			return err
		}
	}
	return nil
}
