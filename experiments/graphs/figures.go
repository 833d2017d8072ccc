package graphs

import (
	"fmt"
	"math"

	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
)

// Names of the two ways to say how probable an arc is.
const (
	posteriorName = "posterior probability"
	bootstrapName = "bootstrap strength"
)

// wilson is a share of ones, with its 95 % interval.
func wilson(values []float64) (share, low, high float64) {
	const z = 1.96
	n := float64(len(values))
	for _, x := range values {
		share += x / n
	}
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	low, high = middle-half, middle+half
	if share == 0 {
		low = 0
	}
	if share == 1 {
		high = 1
	}
	return share, max(0, low), min(1, high)
}

// shown are the learners of the figures. Each has the same colour in all; the band is that of none, so that the others'
// lines can be seen.
var shown = []string{none, tiers, signs, both, falseTiers, falseSigns, pc, mmhc, grouped}

// networkFigure has a panel for each measure of one network. Bands are those of none, from the 5th to the 95th
// percentile; log scores are differences to none.
func (r *Results) networkFigure(w *Worth) (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, measure := range []string{skeleton, arrowheads, held} {
		unit := measure
		if measure == held {
			unit = "log score over none (millinats a case)"
		}
		var list []viz.Series
		for _, l := range shown {
			if w.Of[l] == nil {
				continue
			}
			s := viz.Series{Name: l}
			for i, n := range r.Config.Sizes {
				values := w.values(l, measure, i)
				if measure == held {
					values = plus(over(values, w.values(none, measure, i)), 1000, 0)
				}
				b := run.NewBand(values)
				s.X, s.Y = append(s.X, float64(n)), append(s.Y, b.Mean)
				if l == none && measure != held {
					s.Lo, s.Hi = append(s.Lo, b.P05), append(s.Hi, b.P95)
				}
			}
			list = append(list, s)
		}
		panel, err := viz.Curves(list, &viz.Axes{Title: w.Network, X: "training cases", Y: unit, LogX: true,
			Width: 4.2, Height: 4.2})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// over are differences of pairs.
func over(a, b []float64) []float64 {
	d := make([]float64, min(len(a), len(b)))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}

// missingFigure are skeleton errors and log scores by the share of missing cells.
func (r *Results) missingFigure() (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, m := range []struct{ measure, unit string }{
		{skeleton, "skeleton errors"}, {held, "held-out log score (nats a case)"},
	} {
		var list []viz.Series
		for _, p := range policies {
			s := viz.Series{Name: p}
			for i, share := range r.Config.Shares {
				b := bandOf(r.Gaps.Of[p][i], m.measure)
				s.X, s.Y = append(s.X, share), append(s.Y, b.Mean)
				if p == structuralEM {
					s.Lo, s.Hi = append(s.Lo, b.P05), append(s.Hi, b.P95)
				}
			}
			list = append(list, s)
		}
		panel, err := viz.Curves(list, &viz.Axes{Title: fmt.Sprintf("%d cases", r.Config.MissingCases),
			X: "share of cells missing", Y: m.unit, Width: 4.8, Height: 3.8})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// hiddenFigure is how often the planted cause is found.
func (r *Results) hiddenFigure() (*viz.Figure, error) {
	s := viz.Series{Name: "proposed above the three effects, 95 %"}
	for i, n := range r.Config.HiddenSizes {
		share, low, high := wilson(exact(r.Hidden[i]))
		s.X, s.Y = append(s.X, float64(n)), append(s.Y, share)
		s.Lo, s.Hi = append(s.Lo, low), append(s.Hi, high)
	}
	return viz.Curves([]viz.Series{s}, &viz.Axes{Title: "A hidden cause of three effects", X: "training cases",
		Y: "share of draws", LogX: true, YRange: [2]float64{0, 1}})
}

// leastShown is how many arcs a bin has to have to be shown, leastArcs to be judged.
const leastShown = 20

// arcFigure is the calibration of what is said of arcs.
func (r *Results) arcFigure() (*viz.Figure, error) {
	series := []viz.Series{{Name: "as often as said", X: []float64{0, 1}, Y: []float64{0, 1}}}
	add := func(name string, list []Opinion) {
		s := viz.Series{Name: name, Points: true}
		for _, b := range binned(list) {
			if b.N >= leastShown {
				s.X, s.Y = append(s.X, b.Mean), append(s.Y, b.Share)
				s.Lo = append(s.Lo, max(0, min(b.Share, b.Share-2*b.stderr())))
				s.Hi = append(s.Hi, min(1, b.Share+2*b.stderr()))
			}
		}
		if len(s.X) > 0 {
			series = append(series, s)
		}
	}
	add(posteriorName, r.Posterior)
	add(bootstrapName, r.Bootstrap)
	return viz.Curves(series, &viz.Axes{Title: "Are arcs there as often as said?", X: "said of the arc",
		Y: "share that are there, ± 2 standard errors", XRange: [2]float64{0, 1}, YRange: [2]float64{0, 1},
		Width: 5.6, Height: 5})
}

// figures draws and saves.
func (r *Results) figures(job *run.Job) error {
	type drawing struct {
		name string
		draw func() (*viz.Figure, error)
	}
	var list []drawing
	for _, w := range r.Worth {
		if w.Missing == nil {
			draw := func() (*viz.Figure, error) { return r.networkFigure(w) }
			list = append(list, drawing{"graphs-" + w.Network, draw})
		}
	}
	list = append(list, []drawing{
		{"graphs-missing", r.missingFigure},
		{"graphs-hidden", r.hiddenFigure},
		{"graphs-arcs", r.arcFigure},
	}...)
	for _, f := range list {
		figure, err := f.draw()
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := job.SaveFigure(f.name, figure); err != nil {
			return err
		}
	}
	return nil
}
