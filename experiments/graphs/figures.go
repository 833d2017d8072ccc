package graphs

import (
	"fmt"
	"math"
	"strings"

	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
	"bnlab/internal/say"
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

// What a picture of a network shows: knowledge of the graph and signs with searches by tests, and statements on tables.
// Each learner has the same colour in all panels.
var (
	shown       = []string{none, tiers, signs, both, falseTiers, falseSigns, pc, mmhc, grouped}
	shownTables = append([]string{none}, aboutTables...)
)

// networkFigure has a panel for each measure of one network. Bands, from the 5th to the 95th percentile, are those of
// none, and of another learner's difference to none; log scores are differences to none.
func (r *Results) networkFigure(w *Worth, learners []string, banded string) (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, measure := range []string{skeleton, arrowheads, held} {
		unit := "errors"
		if measure == held {
			unit = "log score over none (millinats a case)"
		}
		var list []viz.Series
		for _, l := range learners {
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
				if l == banded || l == none && measure != held {
					s.Lo, s.Hi = append(s.Lo, b.P05), append(s.Hi, b.P95)
				}
			}
			list = append(list, s)
		}
		panel, err := looks.Curves(list, &viz.Axes{Title: w.Network + ", " + measure, X: "training cases", Y: unit,
			LogX: true, Width: looks.Page / 3, Height: 3.4})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// priceFigure is how many cases knowledge is worth in simulated causes, with the band of several.
func (r *Results) priceFigure() (*viz.Figure, error) {
	var panels []*viz.Figure
	sizes := r.Config.Sizes
	ends := []float64{float64(sizes[0]), float64(sizes[len(sizes)-1])}
	for _, measure := range []string{skeleton, arrowheads, held} {
		list := []viz.Series{{Name: "as many", X: ends, Y: ends}}
		for _, l := range []string{tiers, signs, sharing, noisyOR, several} {
			s := viz.Series{Name: l}
			for i, n := range sizes {
				p := r.Causes.price(sizes, l, measure, i)
				s.X, s.Y = append(s.X, float64(n)), append(s.Y, p.Cases)
				if l == several {
					s.Lo, s.Hi = append(s.Lo, p.Low), append(s.Hi, p.High)
				}
			}
			list = append(list, s)
		}
		panel, err := looks.Curves(list, &viz.Axes{Title: simulatedCauses + ", " + measure, X: "training cases",
			Y: "cases that none needs", LogX: true, LogY: true, YRange: [2]float64{ends[0] * 0.9, ends[1] * 1.1},
			Width: looks.Page / 3, Height: 3.4})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// knownFigure is structural EM under what is known, by the share of missing cells; log scores are differences to none.
func (r *Results) knownFigure() (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, measure := range []string{skeleton, arrowheads, held} {
		unit := "errors"
		if measure == held {
			unit = "log score over none (millinats a case)"
		}
		var list []viz.Series
		for _, l := range knowers {
			s := viz.Series{Name: l}
			for i, share := range r.Config.KnownShares {
				values := r.Known.values(l, measure, i)
				if measure == held {
					values = plus(over(values, r.Known.values(none, measure, i)), 1000, 0)
				}
				b := run.NewBand(values)
				s.X, s.Y = append(s.X, share), append(s.Y, b.Mean)
				if l == several || l == none && measure != held {
					s.Lo, s.Hi = append(s.Lo, b.P05), append(s.Hi, b.P95)
				}
			}
			list = append(list, s)
		}
		panel, err := looks.Curves(list, &viz.Axes{Title: "structural EM, " + measure, X: "share of cells missing",
			Y: unit, Width: looks.Page / 3, Height: 3.4})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// namedFigure is how often a named hidden cause has its place.
func (r *Results) namedFigure() (*viz.Figure, error) {
	var list []viz.Series
	for _, l := range namers {
		s := viz.Series{Name: l}
		for i, n := range r.Config.NamedSizes {
			share, low, high := wilson(found(r.Known.Named[l][i]))
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, share)
			if l == none || l == both {
				s.Lo, s.Hi = append(s.Lo, low), append(s.Hi, high)
			}
		}
		list = append(list, s)
	}
	return looks.Curves(list, &viz.Axes{
		Title: "A hidden cause that has a name: three causes above, three effects below",
		X:     "training cases", Y: "share of draws, two with 95 %", LogX: true, YRange: [2]float64{0, 1}})
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
		panel, err := looks.Curves(list, &viz.Axes{Title: fmt.Sprintf("%d cases", r.Config.MissingCases),
			X: "share of cells missing", Y: m.unit, Width: looks.Page / 2, Height: 3.6})
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
	for _, w := range r.networks() {
		if w.Missing != nil {
			continue
		}
		name := "graphs-" + strings.ReplaceAll(w.Network, " ", "-")
		if w != r.Causes {
			list = append(list, drawing{name, func() (*viz.Figure, error) { return r.networkFigure(w, shown, both) }})
		}
		if w.Of[several] != nil {
			list = append(list, drawing{name + "-tables", func() (*viz.Figure, error) {
				return r.networkFigure(w, shownTables, several)
			}})
		}
	}
	list = append(list, []drawing{
		{"graphs-missing", r.missingFigure},
		{"graphs-worth", r.priceFigure},
		{"graphs-known", r.knownFigure},
		{"graphs-named", r.namedFigure},
		{"graphs-hidden", r.hiddenFigure},
		{"graphs-arcs", r.arcFigure},
	}...)
	for _, f := range list {
		figure, err := f.draw()
		if err != nil {
			return say.Errorf("%s: %w", f.name, err)
		}
		if err := job.SaveFigure(f.name, figure); err != nil {
			return err
		}
	}
	return nil
}
