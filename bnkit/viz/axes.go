package viz

import (
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"

	"bnlab/internal/num"
	"bnlab/internal/say"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Axes are the title, labels, scales and size of a plot. Nil, or the zero value, means linear axes
// without labels.
type Axes struct {
	// Title stands above the figure. X and Y label the axes; they name the unit, as
	// in "KL to the truth (nats)".
	Title, X, Y string
	// LogX and LogY make an axis logarithmic; its data must be positive.
	LogX, LogY bool
	// XRange and YRange are the least and the greatest value shown. The zero value
	// fits the data; a linear y axis then begins at 0 when the data come near it.
	XRange, YRange [2]float64
	// Width and Height are in inches; zero stands for 6.5 and 4.
	Width, Height float64
	// Palette holds the colours of the series of [Curves], [Bars] and what draws with them,
	// in order; series beyond them begin again, with other dashes and markers. Empty: our colours.
	Palette []color.Color
	// Looks are how series are drawn, by their names; series without an entry take the palette's.
	Looks map[string]Look
}

// defaults returns the axes to use for nil, and an error for a range or a size that
// cannot be drawn.
func (a *Axes) defaults() (*Axes, error) {
	if a == nil {
		return &Axes{}, nil
	}
	for _, r := range []struct {
		name string
		at   [2]float64
		log  bool
	}{{"x", a.XRange, a.LogX}, {"y", a.YRange, a.LogY}} {
		if r.at == [2]float64{} {
			continue
		}
		if !num.Finite(r.at[0]) || !num.Finite(r.at[1]) || !(r.at[0] < r.at[1]) {
			return nil, say.Errorf("viz: the range of %s, %v to %v, is empty", r.name, r.at[0], r.at[1])
		}
		if r.log && !(r.at[0] > 0) {
			return nil, say.Errorf("viz: the range of %s begins at %v, a logarithmic axis needs more than 0", r.name,
				r.at[0])
		}
	}
	for _, size := range []float64{a.Width, a.Height} {
		if !(size >= 0 && size <= 200) {
			return nil, say.Errorf("viz: a figure cannot be %v inches wide or high", size)
		}
	}
	for i, col := range a.Palette {
		if col == nil || transparent(col) {
			return nil, fmt.Errorf("viz: colour %d of the palette is nil or transparent", i+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Looks)) {
		if err := a.Looks[name].check(name); err != nil {
			return nil, err
		}
	}
	c := *a
	c.Palette, c.Looks = slices.Clone(a.Palette), maps.Clone(a.Looks)
	return &c, nil
}

// extent is a range that grows with the data.
type extent struct{ lo, hi float64 }

func nothing() extent { return extent{math.Inf(1), math.Inf(-1)} }

func (e *extent) add(x float64) { e.lo, e.hi = min(e.lo, x), max(e.hi, x) }

// fit sets range, scale and ticks of an axis. A linear axis gets room beyond the
// data; fromZero lets it begin or end at 0 when data come near.
func fit(axis *plot.Axis, data extent, fixed [2]float64, log, fromZero bool) {
	if log {
		axis.Scale = plot.LogScale{}
		axis.Tick.Marker = logTicks{}
		if data.lo == data.hi {
			data = extent{data.lo / 2, data.hi * 2}
		}
		room := math.Pow(data.hi/data.lo, 0.03)
		data = extent{data.lo / room, data.hi * room}
	} else {
		axis.Tick.Marker = ticks{}
		span := data.hi - data.lo
		if span == 0 {
			span = max(math.Abs(data.hi), 1) / 2
		}
		lo, hi := data.lo-0.04*span, data.hi+0.04*span
		if fromZero && data.lo >= 0 && data.lo < data.hi/3 {
			lo = 0
		}
		if fromZero && data.hi <= 0 && data.hi > data.lo/3 {
			hi = 0
		}
		data = extent{lo, hi}
	}
	axis.Min, axis.Max = data.lo, data.hi
	if fixed != [2]float64{} {
		axis.Min, axis.Max = fixed[0], fixed[1]
	}
}

// grid draws faint lines behind the data at the labelled ticks.
type grid struct{ vertical bool }

func (g grid) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := draw.LineStyle{Color: rule, Width: 0.5}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if at := y(t.Value); !t.IsMinor() && c.ContainsY(at) {
			c.StrokeLine2(line, c.Min.X, at, c.Max.X, at)
		}
	}
	if !g.vertical {
		return
	}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if at := x(t.Value); !t.IsMinor() && c.ContainsX(at) {
			c.StrokeLine2(line, at, c.Min.Y, at, c.Max.Y)
		}
	}
}

// newFigure draws a plot below its title and a legend in rows, which therefore
// never covers data.
func newFigure(p *plot.Plot, a *Axes, keys []key) *Figure {
	f := fromPlot(p, a.Width, a.Height)
	f.subplot, f.keys = &subplot{f}, keys
	f.draw = func(c draw.Canvas) { f.subplot.draw(c, shared{}) }
	f.bare = func(c draw.Canvas) { f.subplot.draw(c, shared{legend: true}) }
	f.resize = func(width vg.Length, before vg.Point) vg.Length { return width * before.Y / before.X }
	f.settled = f.Width
	return f
}

// overhang is how far names below the x axis would reach beyond a left edge.
func overhang(p plot.Plot, c draw.Canvas, edge vg.Length) vg.Length {
	data := p.DataCanvas(c)
	left := edge
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if at := data.X(p.X.Norm(t.Value)); !t.IsMinor() && data.ContainsX(at) {
			left = min(left, at+p.X.Tick.Label.Rectangle(t.Label).Min.X)
		}
	}
	return edge - left
}
