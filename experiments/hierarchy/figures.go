package hierarchy

import (
	"fmt"
	"math"

	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// xLabels are those of the panels.
var xLabels = [panels]string{
	iid: "c (NMIS)", sampleSize: "equivalent sample size", noisy: "ρ: noisy entries per table",
	violating: "links that violate the rule",
}

// titles of the searches in legends.
var titles = map[string]string{flat: "flat", rfw: "RFW-Hier", pw: "PW-Hier"}

// Widths of panels in inches: three or four side by side fill the 980 pixels of a page.
const (
	ofThree = 3.3
	ofFour  = 2.5
)

// panelTitles say what varies.
var panelTitles = [panels]string{iid: "classes differ by c", sampleSize: "equivalent sample size",
	noisy: "noise within a class", violating: "violating links"}

// curves are the mean ± 2 standard errors of a measure by search.
func (r *Results) curves(p *Panel, f measure) []viz.Series {
	var series []viz.Series
	for i, name := range r.Searches {
		s := viz.Series{Name: titles[name]}
		for x, at := range p.X {
			mean, stderr := meanError(values(p.Outcomes[x][i], f))
			s.X, s.Y = append(s.X, at), append(s.Y, mean)
			s.Lo, s.Hi = append(s.Lo, mean-2*stderr), append(s.Hi, mean+2*stderr)
		}
		series = append(series, s)
	}
	return series
}

// measureFigure is a measure other than accuracy in the four panels of B06 Figure 2.
func (r *Results) measureFigure(study, name string, f measure) (*viz.Figure, error) {
	var row []*viz.Figure
	for k, p := range r.study(study).Panels {
		figure, err := looks.Curves(r.curves(p, f), &viz.Axes{Title: panelTitles[k], X: xLabels[k], Y: name,
			YRange: [2]float64{0, 1.04}, Width: ofFour, Height: 2.7})
		if err != nil {
			return nil, err
		}
		row = append(row, figure)
	}
	return viz.Row(row...)
}

// inWords is what the paper says of accuracies.
const inWords = "the paper, in words"

// figure2 is B06 Figure 2 as the paper has it, accuracy alone: one panel for each paradigm, on one scale. Bars below
// the curves are where the accuracies of PW-Hier and flat differ significantly. Diamonds are what the paper says: of
// both ends of c, and between which points PW-Hier is ahead. At c there is also what could be had with more knowledge.
func (r *Results) figure2(study string) (*viz.Figure, error) {
	s := r.study(study)
	const lo, hi, ours, theirs = 0.34, 1.03, 0.42, 0.38
	var row []*viz.Figure
	for k, p := range s.Panels {
		series := r.curves(p, accuracyOf)
		if k == iid {
			series = append(series, s.limits()...)
			series = append(series, viz.Series{Name: inWords, Points: true, X: []float64{0, 0.02},
				Y: []float64{0.5, 1}})
		}
		bars, err := r.shaded(p, ours)
		if err != nil {
			return nil, err
		}
		series = append(series, bars...)
		if ahead, ok := publishedAhead[k]; ok {
			series = append(series, viz.Series{Name: inWords, Points: true, X: ahead[:],
				Y: []float64{theirs, theirs}})
		}
		figure, err := looks.Curves(series, &viz.Axes{Title: panelTitles[k], X: xLabels[k], Y: "accuracy",
			YRange: [2]float64{lo, hi}, Width: ofFour, Height: 3.1})
		if err != nil {
			return nil, err
		}
		row = append(row, figure)
	}
	return viz.Row(row...)
}

// publishedAhead is where B06 §4 says that PW-Hier is more accurate: at ρ of 1 and 2, and with fewer than roughly five
// violating links. Of c it only says "over a wide range".
var publishedAhead = map[int][2]float64{noisy: {1, 2}, violating: {0, 5}}

// limits are the accuracies of those who know the tables of both models, or their links.
func (s *Study) limits() []viz.Series {
	list := []viz.Series{{Name: "true tables known"}, {Name: "true links known"}}
	for x, at := range s.Panels[iid].X {
		for i := range list {
			accuracies := make([]float64, len(s.Known[x]))
			for run, both := range s.Known[x] {
				accuracies[run] = both[i]
			}
			mean, _ := meanError(accuracies)
			list[i].X, list[i].Y = append(list[i].X, at), append(list[i].Y, mean)
		}
	}
	return list
}

// shaded are bars at a height, from half way to the last point without significance to half way to the next one.
func (r *Results) shaded(p *Panel, height float64) ([]viz.Series, error) {
	var bars []viz.Series
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
			bars = append(bars, viz.Series{X: []float64{edge(x, x-1)}, Y: []float64{height}})
		}
		if now {
			b := &bars[len(bars)-1]
			if right := edge(x, x+1); right > b.X[0] {
				b.X, b.Y = []float64{b.X[0], right}, []float64{height, height}
			}
		}
		last = now
	}
	nameFirst(bars, "PW-Hier and flat differ (p < 0.05)")
	return bars, nil
}

// nameFirst names the first of some series, and gives the others its look.
func nameFirst(list []viz.Series, name string) {
	for i := range list {
		if i == 0 {
			list[i].Name = name
		} else {
			list[i].As = name
		}
	}
}

// sensitivityFigure is the number of parents a child gets, by length and arity, ± 2 standard errors, with the paper's
// number and the setting chosen.
func (r *Results) sensitivityFigure() (*viz.Figure, error) {
	var row []*viz.Figure
	published := map[string]float64{flat: flatParents, pw: pwParents}
	for i, name := range r.Searches {
		var series []viz.Series
		chosen := viz.Series{Name: "the setting chosen", Points: true}
		first, last := math.Inf(1), 0.0
		for _, arity := range r.Config.Arities {
			s := viz.Series{Name: fmt.Sprintf("%d states", arity)}
			for _, c := range r.Sensitivity {
				if c.Arity != arity {
					continue
				}
				mean, stderr := meanError(values(c.Outcomes[i], parentsOf))
				s.X, s.Y = append(s.X, float64(c.Length)), append(s.Y, mean)
				s.Lo, s.Hi = append(s.Lo, mean-2*stderr), append(s.Hi, mean+2*stderr)
				first, last = min(first, float64(c.Length)), max(last, float64(c.Length))
				if c.Arity == r.Config.Arity && c.Length == r.Config.Length {
					chosen.X, chosen.Y = []float64{float64(c.Length)}, []float64{mean}
				}
			}
			series = append(series, s)
		}
		if parents, ok := published[name]; ok {
			series = append(series, viz.Series{Name: "the paper", X: []float64{first, last},
				Y: []float64{parents, parents}})
		}
		if chosen.X != nil {
			series = append(series, chosen)
		}
		figure, err := looks.Curves(series, &viz.Axes{Title: titles[name], X: "images per series",
			Y: "parents per child", LogX: true, YRange: [2]float64{0, float64(r.Config.MaxParents) + 0.1},
			Width: ofThree, Height: 3.1})
		if err != nil {
			return nil, err
		}
		row = append(row, figure)
	}
	return viz.Row(row...)
}

// figure3 is B06 Figure 3 on the real data: families won against the mean number of parents, with upright lines where
// the paper says that PW-Hier begins to win more.
func (r *Results) figure3() (*viz.Figure, error) {
	return r.brainFigure("families won (ties count for each)", [2]float64{}, func(s *Setting, k int) float64 {
		won, _ := s.wins(len(r.Searches))
		return float64(won[k])
	}, func(score string, _, _, top float64) []viz.Series {
		var lines []viz.Series
		for _, at := range publishedCrossings[score] {
			lines = append(lines, viz.Series{X: []float64{at, at}, Y: []float64{0, top}})
		}
		nameFirst(lines, "the paper: from here on, or between these, PW-Hier wins more")
		return lines
	})
}

// publishedCrossings is from how many parents on PW-Hier wins more families in B06 §4.1: "around 3.4 parents for BDe
// and anywhere from 2 to 4 parents for ACL".
var publishedCrossings = map[string][]float64{"bde": {3.4}, "acl": {2, 4}, symmetric: {2, 4}}

// scoreFigure is what Burge and Lane (B06 §4.1) call graphs that directly plot structure scores and do not show: how
// much higher a family scores on average than that of flat search.
func (r *Results) scoreFigure() (*viz.Figure, error) {
	return r.brainFigure("nats a family over flat search", [2]float64{}, func(s *Setting, k int) float64 {
		return (s.total(k) - s.total(r.place(flat))) / float64(2*len(s.Found[0][k].scores))
	}, nil)
}

// accuracyFigure is how many of the persons held out are told apart, and how many are of the larger class.
func (r *Results) accuracyFigure() (*viz.Figure, error) {
	larger, all := 0.0, 0.0
	for _, c := range r.Brain.classes.test {
		n := float64(len(c.columns[0]))
		larger, all = max(larger, n), all+n
	}
	return r.brainFigure("accuracy on held-out subjects", [2]float64{0.25, 0.75}, func(s *Setting, k int) float64 {
		return s.Right[k]
	}, func(_ string, from, to, _ float64) []viz.Series {
		return []viz.Series{{Name: "always the larger class", X: []float64{from, to},
			Y: []float64{larger / all, larger / all}}}
	})
}

// brainFigure is a number of each search against the mean number of parents, a panel for each score, and what marks
// adds: it is told the score, the range of parents and the greatest number.
func (r *Results) brainFigure(y string, yRange [2]float64, f func(s *Setting, search int) float64,
	marks func(score string, from, to, top float64) []viz.Series) (*viz.Figure, error) {
	var row []*viz.Figure
	for _, score := range []struct{ name, title string }{{"bde", "BDe, by equivalent sample size"},
		{"acl", "ACL, by penalty"}, {symmetric, "symmetric ACL, by penalty"}} {
		var series []viz.Series
		from, to, top := math.Inf(1), 0.0, 0.0
		for k, name := range r.Searches {
			s := viz.Series{Name: titles[name]}
			for _, one := range r.Brain.of(score.name) {
				x, y := one.meanParents(), f(one, k)
				s.X, s.Y = append(s.X, x), append(s.Y, y)
				from, to, top = min(from, x), max(to, x), max(top, y)
			}
			series = append(series, s)
		}
		if marks != nil {
			series = append(series, marks(score.name, from, to, top)...)
		}
		figure, err := looks.Curves(series, &viz.Axes{Title: score.title, X: "mean number of parents", Y: y,
			YRange: yRange, Width: ofThree, Height: 3.1})
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
	for _, m := range measures[1:] {
		list = append(list, figure{"b06-fig2-" + m.name,
			func() (*viz.Figure, error) { return r.measureFigure(parentWise, m.name, m.of) }})
	}
	list = append(list, figure{"b06-truth", r.truthFigure}, figure{"b06-difference", r.differenceFigure})
	if r.Brain != nil {
		list = append(list, figure{"b06-fig3", r.figure3}, figure{"b06-fig3-scores", r.scoreFigure},
			figure{"b06-brain-accuracy", r.accuracyFigure}, figure{"b06-brain-network", r.brainNetworkFigure})
	}
	for _, f := range list {
		picture, err := f.draw()
		if err != nil {
			return say.Errorf("figure %s: %w", f.name, err)
		}
		if err := job.SaveFigure(f.name, picture); err != nil {
			return err
		}
	}
	return nil
}
