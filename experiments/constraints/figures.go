package constraints

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// figures draws and saves all figures. The classes make rows of panels, as the sections of
// the notebook do.
func (r *Results) figures(job *run.Job) error {
	save := func(name string, f *viz.Figure, err error) error {
		if err != nil {
			return err
		}
		return job.SaveFigure(name, f)
	}
	for _, row := range []struct {
		name        string
		first, last int // scenes
	}{
		{"n06-classes-kl-1-to-3", 0, 2}, {"n06-classes-kl-4-to-6", 3, 5}, {"n06-classes-kl-7-to-9", 6, 8},
		{"n06-classes-kl-10-and-11", 9, 10}, {"n06-classes-kl-12-and-13", 11, 12},
	} {
		f, err := r.Classes.panels(row.first, row.last)
		if err := save(row.name, f, err); err != nil {
			return err
		}
	}
	f, err := r.Classes.removed(10, 100, 1000)
	if err := save("n06-classes-removed", f, err); err != nil {
		return err
	}
	f, err = r.Missing.figure(r.Config)
	if err := save("n06-alg1-missing", f, err); err != nil {
		return err
	}
	f, err = r.States.figure("50 states (N06 §5.1)")
	if err := save("n06-learned-sharing", f, err); err != nil {
		return err
	}
	f, err = r.Rows.figure("24 rows of a small network")
	return save("n06-learned-network", f, err)
}

// add puts a point with its band at the end of a series.
func add(s *viz.Series, x float64, b run.Band) {
	s.X, s.Y = append(s.X, x), append(s.Y, b.Mean)
	s.Lo, s.Hi = append(s.Lo, b.P05), append(s.Hi, b.P95)
}

// panels draws the curves of scenes first to last side by side. The lower edge of a band
// may be far below its mean; it is cut at a quarter of the lowest mean.
func (r *Curves) panels(first, last int) (*viz.Figure, error) {
	var figures []*viz.Figure
	for s := first; s <= last; s++ {
		series := make([]viz.Series, len(Models))
		axes := &viz.Axes{Title: fmt.Sprintf("%s: %s", r.Scenes[s].Class, r.Scenes[s].Title), X: "examples",
			Y:    "KL (nats)",
			LogX: true, LogY: true, YRange: [2]float64{math.Inf(1), 0}, Width: looks.Page / 3, Height: 3}
		for m, model := range Models {
			series[m].Name = model
			for i, size := range r.Sizes {
				b := run.NewBand(r.KL[s][m][i])
				add(&series[m], float64(size), b)
				axes.YRange[0], axes.YRange[1] = min(axes.YRange[0], b.Mean/4), max(axes.YRange[1], b.P95*1.2)
			}
		}
		f, err := looks.Curves(series, axes)
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	return viz.Row(figures...)
}

// removed draws, for each class, what part of the mean divergence the statement removes.
func (r *Curves) removed(sizes ...int) (*viz.Figure, error) {
	var names []string
	for _, s := range r.Scenes {
		names = append(names, s.Class)
	}
	var bars []viz.BarSeries
	for _, size := range sizes {
		one := viz.BarSeries{Name: fmt.Sprintf("%d examples", size)}
		i := slices.Index(r.Sizes, size)
		for s := range r.Scenes {
			one.Values = append(one.Values, 100*(1-r.mean(s, 1, i)/r.mean(s, 0, i)))
		}
		bars = append(bars, one)
	}
	return viz.Bars(names, bars, &viz.Axes{Title: "Reduction of the KL divergence from the truth by a true constraint",
		X: "type of constraint (N06 §4.3)", Y: "% of the mean KL", Width: looks.Page})
}

// figure draws a panel for each size.
func (r *Missing) figure(c Config) (*viz.Figure, error) {
	var figures []*viz.Figure
	for i, size := range c.MissingSizes {
		series := make([]viz.Series, len(MissingModels))
		for m, model := range MissingModels {
			series[m].Name = model
			for f, fraction := range c.Fractions {
				add(&series[m], fraction, run.NewBand(r.KL[f][i][m]))
			}
			series[m].Lo, series[m].Hi = nil, nil // four bands would cover each other
		}
		f, err := looks.Curves(series, &viz.Axes{Title: fmt.Sprintf("%d cases", size), X: "fraction of cells missing",
			Y: "mean KL (nats)", LogY: true, Width: looks.Page / 3, Height: 3.8})
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	return viz.Row(figures...)
}

// figure draws the divergence beside the agreement of the groups.
func (r *Learned) figure(what string) (*viz.Figure, error) {
	kl, ari := make([]viz.Series, len(r.Methods)), make([]viz.Series, len(r.Methods))
	for m, method := range r.Methods {
		kl[m].Name, ari[m].Name = method, method
		for i, size := range r.Sizes {
			add(&kl[m], float64(size), run.NewBand(r.KL[i][m]))
			add(&ari[m], float64(size), run.NewBand(r.ARI[i][m]))
		}
		kl[m].Lo, kl[m].Hi, ari[m].Lo, ari[m].Hi = nil, nil, nil, nil
	}
	left, err := looks.Curves(kl, &viz.Axes{Title: "KL divergence from the truth: " + what, X: "examples",
		Y: "mean KL (nats)", LogX: true, LogY: true, Width: looks.Page / 2, Height: 4})
	if err != nil {
		return nil, err
	}
	right, err := looks.Curves(ari, &viz.Axes{Title: "Agreement with the true groups", X: "examples",
		Y: "mean adjusted Rand index", LogX: true, Width: looks.Page / 2, Height: 4})
	if err != nil {
		return nil, err
	}
	return viz.Row(left, right)
}
