package viz

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/internal/say"
)

// IntervalBars draws a row for each name, the first on top, and in it for each series a horizontal bar from Lo to Hi
// and a dot at the value: answers with their intervals. Values, or Lo and Hi, may be nil, and NaN in a row without
// them. Reference is a line across the row; where all are equal they make one line, as the answer in a tornado plot.
// Axes may be nil; then the height grows with the number of bars. nb.Plot draws the frames of bnkit's verbs so.
//
//	fig, err := viz.IntervalBars([]string{"not irradiated", "irradiated"}, []viz.BarSeries{
//		{Name: "seen", Values: []float64{0.25, 0.46}},
//		{Name: "do", Values: []float64{0.28, 0.38}, Lo: []float64{0.24, 0.29}, Hi: []float64{0.34, 0.49}},
//	}, &viz.Axes{X: "P(recurrence)"})
//
// It returns an error that names the series and the row when lengths differ, there is nothing to draw, a number is
// infinite, or Lo exceeds Hi.
func IntervalBars(names []string, series []BarSeries, axes *Axes) (*Figure, error) {
	a, err := axes.defaults()
	if err != nil {
		return nil, err
	}
	if a.LogX || a.LogY {
		return nil, fmt.Errorf("viz: interval bars need linear axes")
	}
	looks, err := looksOf(len(series), a, func(i int) (string, color.Color, string) {
		return series[i].Name, series[i].Color, ""
	})
	if err != nil {
		return nil, err
	}
	b := &intervalBars{names: slices.Clone(names), looks: looks}
	x := nothing()
	var keys []key
	for i, s := range series {
		d, err := s.intervals(i, names)
		if err != nil {
			return nil, err
		}
		b.series = append(b.series, d)
		for _, v := range slices.Concat(d.Values, d.Lo, d.Hi, d.Reference) {
			if !math.IsNaN(v) {
				x.add(v)
			}
		}
		if s.Name != "" {
			keys = append(keys, key{s.Name, b.looks[i].sign("interval"), func(c draw.Canvas) { b.sample(c, i) }})
		}
	}
	if x.lo > x.hi {
		return nil, fmt.Errorf("viz: there are no bars to draw")
	}
	need := 0.9 + float64(len(names))*(0.1+0.17*float64(len(series))) + 0.25*float64(min(len(keys), 1))
	if a.Height == 0 {
		a.Height = need
	}
	p := newPlot(a)
	p.Add(b)
	fit(&p.X, x, a.XRange, false, true)
	b.label(p, a)
	f := newFigure(p, a, keys)
	f.resize = func(width vg.Length, before vg.Point) vg.Length {
		other := *a
		other.Width = float64(width / vg.Inch)
		b.label(p, &other)
		return max(width*before.Y/before.X, min(before.Y, vg.Length(need)*vg.Inch))
	}
	return f, nil
}

// intervals checks a series and returns a copy of it in which each row has all numbers, or NaN.
func (s BarSeries) intervals(i int, names []string) (BarSeries, error) {
	name := label(s.Name, i)
	if s.StdErr != nil {
		return s, say.Errorf("viz: %s has standard errors; give Lo and Hi", name)
	}
	out := BarSeries{Name: s.Name}
	for _, c := range []struct {
		what string
		from []float64
		to   *[]float64
	}{{"value", s.Values, &out.Values}, {"lo", s.Lo, &out.Lo}, {"hi", s.Hi, &out.Hi},
		{"reference", s.Reference, &out.Reference}} {
		switch {
		case c.from == nil:
			*c.to = slices.Repeat([]float64{math.NaN()}, len(names))
			continue
		case len(c.from) != len(names):
			return s, say.Errorf("viz: %s has %d numbers (%s) for %d rows", name, len(c.from), c.what, len(names))
		}
		for k, v := range c.from {
			if math.IsInf(v, 0) {
				return s, say.Errorf("viz: %s, row %q: %s is %v", name, names[k], c.what, v)
			}
		}
		*c.to = slices.Clone(c.from)
	}
	for k := range names {
		if lo, hi := out.Lo[k], out.Hi[k]; lo > hi || math.IsNaN(lo) != math.IsNaN(hi) {
			return s, say.Errorf("viz: %s, row %q: lo is %v and hi %v; give both, the lower first", name, names[k],
				lo, hi)
		}
	}
	return out, nil
}

// intervalBars draws the rows, the first on top.
type intervalBars struct {
	names  []string
	series []BarSeries
	looks  []look
}

func (b *intervalBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	inside := func(v float64) vg.Length { return x(min(max(v, p.X.Min), p.X.Max)) }
	for _, mark := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if at := x(mark.Value); !mark.IsMinor() && c.ContainsX(at) {
			c.StrokeLine2(draw.LineStyle{Color: rule, Width: 0.5}, at, c.Min.Y, at, c.Max.Y)
		}
	}
	row := y(1) - y(0)
	high := min(0.72*row/vg.Length(len(b.series)), 18)
	for k := range b.names {
		top := y(-float64(k)) + high*vg.Length(len(b.series))/2
		for i, s := range b.series {
			middle := top - (vg.Length(i)+0.5)*high
			if !math.IsNaN(s.Lo[k]) {
				fillBox(c, vg.Rectangle{Min: vg.Point{X: inside(s.Lo[k]), Y: middle - 0.42*high},
					Max: vg.Point{X: inside(s.Hi[k]), Y: middle + 0.42*high}}, b.fill(i))
			}
			if s.Values[k] >= p.X.Min && s.Values[k] <= p.X.Max {
				b.dot(c, i, vg.Point{X: x(s.Values[k]), Y: middle})
			}
		}
		for _, s := range b.series {
			if at := x(s.Reference[k]); !math.IsNaN(s.Reference[k]) && c.ContainsX(at) {
				middle := y(-float64(k))
				c.StrokeLine2(draw.LineStyle{Color: ink, Width: 0.9}, at, middle-row/2, at, middle+row/2)
			}
		}
	}
}

// fill is the colour of the bars of a series: paler below dots, so that these can be seen.
func (b *intervalBars) fill(i int) color.NRGBA {
	if known(b.series[i].Values) {
		return mix(b.looks[i].color, white, 0.6)
	}
	return b.looks[i].bar()
}

// known reports whether any row has a number.
func known(x []float64) bool {
	return slices.ContainsFunc(x, func(v float64) bool { return !math.IsNaN(v) })
}

// dot marks a value.
func (b *intervalBars) dot(c draw.Canvas, i int, at vg.Point) {
	fillAndStroke(c, outline(b.looks[i].marker, at, 3), b.looks[i].color, white, 0.7)
}

// sample draws the entry of the legend.
func (b *intervalBars) sample(c draw.Canvas, i int) {
	if known(b.series[i].Lo) {
		fillBox(c, c.Rectangle, b.fill(i))
	}
	if known(b.series[i].Values) {
		b.dot(c, i, c.Center())
	}
}

// label writes the names beside the rows, shortened to half of the figure.
func (b *intervalBars) label(p *plot.Plot, a *Axes) {
	p.Y.Min, p.Y.Max = 0.5-float64(len(b.names)), 0.5
	p.Y.Tick.Length, p.Y.Tick.Width, p.Y.Width, p.Y.Padding = 0, 0, 0, 4
	w, _ := inches(a.Width, a.Height)
	marks := make([]plot.Tick, len(b.names))
	for k, name := range b.names {
		marks[k] = plot.Tick{Value: -float64(k), Label: shorten(p.Y.Tick.Label, name, w/2)}
	}
	p.Y.Tick.Marker = plot.ConstantTicks(marks)
}
