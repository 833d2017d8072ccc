package noisyor

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// figure3 is Y13 Figure 3: the mean AUC with the 5th and 95th percentile over draws, and the height of the
// paper's bar.
func (r *Results) figure3() (*viz.Figure, error) {
	var groups []string
	series := make([]viz.BarSeries, len(knowledge.Learners()))
	for _, s := range r.Studies {
		groups = append(groups, s.label)
		for i, l := range knowledge.Learners() {
			b := run.NewBand(s.AUC[l])
			one := &series[i]
			one.Name = l.String()
			one.Values, one.Lo, one.Hi = append(one.Values, b.Mean), append(one.Lo, b.P05), append(one.Hi, b.P95)
			one.Reference = append(one.Reference, r.reference(mark{domain: s.name, learner: l}))
		}
	}
	return looks.Dots(groups, series, &viz.Axes{
		Title: "Y13 Figure 3: area under the ROC curve, mean and 5 to 95 % of draws", Y: "AUC",
		Width: looks.Page, Height: 4.6,
	})
}

// reference is a published number, NaN for none.
func (r *Results) reference(m mark) float64 {
	if x, ok := r.Published[m]; ok {
		return x
	}
	return math.NaN()
}

// figure4 is Y13 Figure 4, a panel for each domain, with the points of the paper as read by eye.
func (r *Results) figure4() (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, c := range r.Courses {
		var curves, points []viz.Series
		for _, l := range c.Learners {
			mean, stderr := c.mean(l)
			curve := viz.Series{Name: l.String()}
			paper := viz.Series{Points: true, As: l.String()}
			for k, n := range c.Sizes {
				curve.X, curve.Y = append(curve.X, float64(n)), append(curve.Y, mean[k])
				curve.Lo, curve.Hi = append(curve.Lo, mean[k]-2*stderr[k]), append(curve.Hi, mean[k]+2*stderr[k])
				if x, ok := r.Published[mark{c.name, n, l}]; ok {
					paper.X, paper.Y = append(paper.X, float64(n)), append(paper.Y, x)
				}
			}
			curves = append(curves, curve)
			if len(paper.X) > 0 {
				points = append(points, paper)
			}
		}
		if len(points) > 0 {
			points[0].Name = "published, read off the figure"
		}
		panel, err := looks.Curves(append(curves, points...), &viz.Axes{
			Title: c.label + ": AUC, mean ± 2 standard errors", X: "training cases", Y: "AUC",
			YRange: [2]float64{0.1, 1}, Width: looks.Page / 2, Height: 4.2,
		})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// worthFigure is the AUC by training cases averaged over the domains, at the sizes that all have.
func (r *Results) worthFigure() (*viz.Figure, error) {
	var series []viz.Series
	for _, l := range knowledge.Learners() {
		one := viz.Series{Name: l.String()}
		for _, n := range r.Config.WorthSizes {
			if mean, domains := r.meanAt(l, n); domains == len(r.Studies) {
				one.X, one.Y = append(one.X, float64(n)), append(one.Y, mean)
			}
		}
		series = append(series, one)
	}
	return looks.Curves(series, &viz.Axes{Title: "AUC by training cases, mean over the domains", X: "training cases",
		Y: "AUC", LogX: true})
}

// meanAt is the AUC of a learner at a number of training cases, averaged over the domains that
// have it.
func (r *Results) meanAt(l knowledge.Learner, cases int) (mean float64, domains int) {
	for _, c := range r.Values {
		for k, n := range c.Sizes {
			if n == cases {
				at, _ := c.mean(l)
				mean, domains = mean+at[k], domains+1
			}
		}
	}
	if domains == 0 {
		return 0, 0
	}
	return mean / float64(domains), domains
}

// stoppingFigure is by how much Algorithm 1 predicts better than the exact method when it is stopped, averaged over
// the domains and the learners with signs: the AUC and the log score, with many and with few cases.
func (r *Results) stoppingFigure() (*viz.Figure, error) {
	var auc, logScore []viz.Series
	for turned, name := range []string{"ten elevenths of the cases", "one eleventh of the cases"} {
		a, b := viz.Series{Name: name}, viz.Series{Name: name}
		for i, w := range r.Config.ways() {
			if w.exact || w.even || w.starts > 0 || w.iterations == 0 || w.step != r.Config.SweepSteps[0] {
				continue
			}
			var gained, scored []float64
			for _, s := range r.Sweeps {
				for _, l := range informed() {
					stopped, logs := s.skill(i, int(l), turned)
					exact, exactLogs := s.skill(0, int(l), turned)
					gained, scored = append(gained, stopped-exact), append(scored, logs-exactLogs)
				}
			}
			x := float64(w.iterations)
			a.X, a.Y = append(a.X, x), append(a.Y, stat.Mean(gained, nil))
			b.X, b.Y = append(b.X, x), append(b.Y, stat.Mean(scored, nil))
		}
		auc, logScore = append(auc, a), append(logScore, b)
	}
	var panels []*viz.Figure
	for _, p := range []struct {
		title, y string
		series   []viz.Series
	}{{"AUC", "AUC, stopped less exact", auc}, {"Log score", "nats a case, stopped less exact", logScore}} {
		panel, err := viz.Curves(p.series, &viz.Axes{Title: p.title + ": Algorithm 1 stopped early", X: "iterations",
			Y: p.y, LogX: true, Width: looks.Page / 2, Height: 4.2})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}
