package weigh

import (
	"fmt"
	"slices"

	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// shown are the learners of the figures beside none.
var shown = []string{averaged, all, dropped, priced}

// gains are curves of log scores over that of none in millinats, with 95 % intervals.
func (s *Scores) gains(names []string) []viz.Series {
	var list []viz.Series
	for _, l := range names {
		one := viz.Series{Name: l}
		for i, size := range s.Sizes {
			if len(s.Of[l][i]) == 0 {
				continue
			}
			c := run.Comparison{Differences: s.gain(l, none, i)}
			mean, _ := c.Mean()
			low, high := c.Interval()
			one.X, one.Y = append(one.X, float64(size)), append(one.Y, 1000*mean)
			one.Lo, one.Hi = append(one.Lo, 1000*low), append(one.Hi, 1000*high)
		}
		list = append(list, one)
	}
	return list
}

// truthFigure has a panel for each number of wrong statements.
func (r *Results) truthFigure(names []string) (*viz.Figure, error) {
	var panels []*viz.Figure
	var all []viz.Series
	for _, t := range r.Truths {
		all = append(all, t.gains(names)...)
	}
	for _, t := range r.Truths {
		panel, err := looks.Curves(t.gains(names), &viz.Axes{Title: fmt.Sprintf("%d of %d statements wrong", t.Wrong,
			len(t.Statements)), X: "training cases", Y: "log score over none (millinats a case)", LogX: true,
			YRange: looks.Range(all),
			Width:  looks.Page / 3, Height: 3.6})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// domainFigure are the gains in the domains that have a size, in millinats with standard errors.
func (r *Results) domainFigure(size int) (*viz.Figure, error) {
	var groups []string
	series := make([]viz.BarSeries, len(shown))
	for _, d := range r.Domains {
		if d.Missing != nil {
			continue
		}
		at := slices.Index(d.Sizes, size)
		if at < 0 {
			continue
		}
		groups = append(groups, d.Name)
		for i, l := range shown {
			mean, stderr := run.Comparison{Differences: d.gain(l, none, at)}.Mean()
			series[i].Name = l
			series[i].Values, series[i].StdErr = append(series[i].Values, 1000*mean),
				append(series[i].StdErr, 1000*stderr)
		}
	}
	if len(groups) == 0 {
		return nil, nil
	}
	return looks.Dots(groups, series, &viz.Axes{Title: fmt.Sprintf("%d training cases: log score over none, with "+
		"standard errors", size), Y: "millinats a case", Width: looks.Page, Height: 4})
}

// leastShown is how many statements a bin has to have to be shown, leastOpinions to be judged.
const leastShown = 20

// holdsFigure is the calibration of the probability that a statement holds.
func (r *Results) holdsFigure() (*viz.Figure, error) {
	series := []viz.Series{{Name: "as often as stated", X: []float64{0, 1}, Y: []float64{0, 1}}}
	add := func(name string, list []Opinion) {
		s := viz.Series{Name: name, Points: true}
		for _, b := range binned(list) {
			if b.N >= leastShown {
				s.X, s.Y = append(s.X, b.Mean), append(s.Y, b.Share)
				s.Lo, s.Hi = append(s.Lo, max(0, b.Share-2*b.stderr())), append(s.Hi, min(1, b.Share+2*b.stderr()))
			}
		}
		if len(s.X) > 0 {
			series = append(series, s)
		}
	}
	add(fmt.Sprintf("bins of %d statements and more, ± 2 standard errors", leastShown), r.opinions())
	return viz.Curves(series, &viz.Axes{Title: "Do statements hold as often as stated?",
		X: "probability that it holds, after the data", Y: "share that hold", XRange: [2]float64{0, 1},
		YRange: [2]float64{0, 1}, Width: 5.2, Height: 4.6})
}

// sharingFigure has a panel for each kind of truth.
func (r *Results) sharingFigure() (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, s := range r.Sharing {
		var list []viz.Series
		for _, l := range []string{averaged, picked} {
			one := viz.Series{Name: l}
			for i, size := range r.Config.SharingSizes {
				mean, low, high := s.ratio(l, i)
				one.X, one.Y = append(one.X, float64(size)), append(one.Y, mean)
				one.Lo, one.Hi = append(one.Lo, low), append(one.Hi, high)
			}
			list = append(list, one)
		}
		panel, err := looks.Curves(list, &viz.Axes{Title: s.Truth, X: "training cases",
			Y: "KL over that of no sharing", LogX: true, YRange: [2]float64{0.6, 1.8},
			Width: looks.Page / 3, Height: 3.6})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// interviewFigure are learning curves in the number of questions.
func (r *Results) interviewFigure() (*viz.Figure, error) {
	var list []viz.Series
	for _, order := range orders {
		s := viz.Series{Name: order}
		for k, gains := range r.Gain[order] {
			c := run.Comparison{Differences: gains}
			mean, _ := c.Mean()
			low, high := c.Interval()
			if k == 0 {
				low, high = 0, 0
			}
			s.X, s.Y = append(s.X, float64(k)), append(s.Y, 1000*mean)
			s.Lo, s.Hi = append(s.Lo, 1000*low), append(s.Hi, 1000*high)
		}
		list = append(list, s)
	}
	return looks.Curves(list, &viz.Axes{Title: fmt.Sprintf("An expert beside %d cases", r.Config.InterviewCases),
		X: "questions asked", Y: "log score gained (millinats a case)"})
}

// figures draws and saves.
func (r *Results) figures(job *run.Job) error {
	list := []struct {
		name string
		draw func() (*viz.Figure, error)
	}{
		{"weigh-truths", func() (*viz.Figure, error) { return r.truthFigure(shown) }},
		{"weigh-strengths", func() (*viz.Figure, error) {
			names := []string{averaged}
			for _, s := range r.Config.Strengths {
				names = append(names, withStrength(s))
			}
			return r.truthFigure(names)
		}},
		{"weigh-holds", r.holdsFigure},
		{"weigh-sharing", r.sharingFigure},
		{"weigh-elicit", r.interviewFigure},
		{"verdict-words", r.wordFigure},
	}
	for _, size := range r.Config.Sizes {
		list = append(list, struct {
			name string
			draw func() (*viz.Figure, error)
		}{fmt.Sprintf("weigh-domains-%d", size), func() (*viz.Figure, error) { return r.domainFigure(size) }})
	}
	for _, f := range list {
		figure, err := f.draw()
		if err != nil {
			return say.Errorf("%s: %w", f.name, err)
		}
		if figure == nil {
			continue
		}
		if err := job.SaveFigure(f.name, figure); err != nil {
			return err
		}
	}
	return nil
}
