package viz

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"bnlab/internal/num"
	"bnlab/internal/say"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A BarSeries is one bar in each group of [Bars], or in each row of [IntervalBars].
type BarSeries struct {
	// Name is the entry in the legend; none when empty.
	Name string
	// Values are the heights, one for each group.
	Values []float64
	// Lo and Hi bound a whisker, as the 5th and 95th percentile; or StdErr is the
	// half length of a whisker around the value. All nil: no whiskers.
	Lo, Hi, StdErr []float64
	// Reference is a mark at each bar, as a published number; NaN where there is
	// none. Nil: no marks.
	Reference []float64
	// Color fills the bars; nil: the next of the palette.
	Color color.Color
}

// Bars draws a group of bars for each name in groups, one bar of each series. Axes
// may be nil; the x axis carries the names, slanted when they are long or many.
//
// It returns an error that names the series and the group when lengths differ, there
// is nothing to draw, a number is not finite, or Lo exceeds Hi.
func Bars(groups []string, series []BarSeries, axes *Axes) (*Figure, error) {
	return newBars(groups, series, axes, false)
}

// Dots draws what [Bars] does as a mark for each value, in the colour and with the marker of its series, and hollow
// ones for references. The y axis need not begin at 0, so that small differences show; groups stand on stripes. What is
// outside the YRange of the axes is not drawn.
func Dots(groups []string, series []BarSeries, axes *Axes) (*Figure, error) {
	return newBars(groups, series, axes, true)
}

func newBars(groups []string, series []BarSeries, axes *Axes, dots bool) (*Figure, error) {
	a, err := axes.defaults()
	if err != nil {
		return nil, err
	}
	if a.LogX || a.LogY {
		return nil, fmt.Errorf("viz: bars and dots need linear axes")
	}
	if len(groups) == 0 || len(series) == 0 {
		return nil, fmt.Errorf("viz: there are no bars to draw")
	}
	looks, err := looksOf(len(series), a, func(i int) (string, color.Color, string) {
		return series[i].Name, series[i].Color, ""
	})
	if err != nil {
		return nil, err
	}
	b := &bars{groups: slices.Clone(groups), looks: looks, dots: dots}
	y := nothing()
	if !dots {
		y.add(0)
	}
	var keys []key
	kind, reference := "bar", false
	if dots {
		kind = "dot"
	}
	for i, s := range series {
		d, err := s.whiskers(i, groups)
		if err != nil {
			return nil, err
		}
		b.series = append(b.series, d)
		for _, values := range [][]float64{d.Values, d.Lo, d.Hi, d.Reference} {
			for _, v := range values {
				if !math.IsNaN(v) {
					y.add(v)
				}
			}
		}
		reference = reference || d.Reference != nil
		if s.Name != "" {
			keys = append(keys, key{s.Name, looks[i].sign(kind), func(c draw.Canvas) { b.sample(c, i) }})
		}
	}
	if reference {
		keys = append(keys, key{"published", "published beside a " + kind, b.sampleReference})
	}
	p := newPlot(a)
	if dots {
		p.Add(stripes(len(groups)))
	}
	p.Add(grid{}, b)
	fit(&p.Y, y, a.YRange, false, true)
	if !dots && y.hi == 0 && a.YRange == [2]float64{} {
		p.Y.Max = 0
	}
	plain := p.X.Tick.Label
	b.label(p, a)
	f := newFigure(p, a, keys)
	f.resize = func(width vg.Length, before vg.Point) vg.Length {
		other := *a
		other.Width = float64(width / vg.Inch)
		p.X.Tick.Label = plain
		b.label(p, &other)
		return width * before.Y / before.X
	}
	return f, nil
}

// whiskers checks a series and returns a copy of it with Lo and Hi for StdErr.
func (s BarSeries) whiskers(i int, groups []string) (BarSeries, error) {
	name := label(s.Name, i)
	if s.StdErr != nil && (s.Lo != nil || s.Hi != nil) {
		return s, say.Errorf("viz: %s has both standard errors and bounds", name)
	}
	if (s.Lo == nil) != (s.Hi == nil) {
		return s, say.Errorf("viz: %s has one bound of its whiskers, two are needed", name)
	}
	for _, c := range []struct {
		what     string
		values   []float64
		required bool
	}{{"value", s.Values, true}, {"lo", s.Lo, false}, {"hi", s.Hi, false}, {"standard error", s.StdErr, false},
		{"reference", s.Reference, false}} {
		if len(c.values) != len(groups) && (c.required || c.values != nil) {
			return s, say.Errorf("viz: %s has %d numbers (%s) for %d groups", name, len(c.values), c.what, len(groups))
		}
		for k, v := range c.values {
			if !num.Finite(v) && !(c.what == "reference" && math.IsNaN(v)) {
				return s, say.Errorf("viz: %s, group %q: %s is %v", name, groups[k], c.what, v)
			}
		}
	}
	out := BarSeries{Name: s.Name, Values: slices.Clone(s.Values), Lo: slices.Clone(s.Lo), Hi: slices.Clone(s.Hi),
		Reference: slices.Clone(s.Reference)}
	for k, e := range s.StdErr {
		if e < 0 {
			return s, say.Errorf("viz: %s, group %q: standard error is %v", name, groups[k], e)
		}
		out.Lo, out.Hi = append(out.Lo, s.Values[k]-e), append(out.Hi, s.Values[k]+e)
	}
	for k := range out.Lo {
		if out.Lo[k] > out.Hi[k] {
			return s, say.Errorf("viz: %s, group %q: lo %v exceeds hi %v", name, groups[k], out.Lo[k], out.Hi[k])
		}
	}
	return out, nil
}

// bars draws all series.
type bars struct {
	groups []string
	series []BarSeries
	looks  []look
	dots   bool // in place of bars
}

// sample draws the entry of the legend.
func (b *bars) sample(c draw.Canvas, i int) {
	if b.dots {
		b.looks[i].dot(c, c.Center())
		return
	}
	c.SetColor(b.looks[i].bar())
	c.Fill(c.Rectangle.Path())
}

// sampleReference draws the entry of references: a ring as each series with some has it, of the first three.
func (b *bars) sampleReference(c draw.Canvas) {
	const apart = 8
	var rings []look
	for i, s := range b.series {
		if r := b.reference(b.looks[i]); s.Reference != nil && len(rings) < 3 && (b.dots || len(rings) == 0) {
			rings = append(rings, r)
		}
	}
	for i, r := range rings {
		x := apart * (float64(i) - float64(len(rings)-1)/2)
		r.ring(c, c.Center().Add(vg.Point{X: vg.Length(x)}))
	}
}

// reference is the look of the reference of a series: black diamonds on bars, the series' own beside dots.
func (b *bars) reference(l look) look {
	if !b.dots {
		return look{color: ink, marker: "diamond"}
	}
	return l
}

// barColor is that of set i of beliefs, as bars have it.
func barColor(i int) color.NRGBA { return look{color: seriesColor(i)}.bar() }

func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	inside := func(v float64) vg.Length { return y(min(max(v, p.Y.Min), p.Y.Max)) }
	// A bar ends at the edge; a dot beyond it would say another value there.
	shown := func(lo, hi float64) bool { return !b.dots || hi >= p.Y.Min && lo <= p.Y.Max }
	const share = 0.8 // of a group's place that bars fill
	width := (x(1) - x(0)) * share / vg.Length(len(b.series))
	width = min(width, 40)
	for g := range b.groups {
		left := x(float64(g)) - width*vg.Length(len(b.series))/2
		for i, s := range b.series {
			at := left + width*vg.Length(i)
			box := vg.Rectangle{Min: vg.Point{X: at + 0.5, Y: inside(min(0, s.Values[g]))},
				Max: vg.Point{X: at + width - 0.5, Y: inside(max(0, s.Values[g]))}}
			line := draw.LineStyle{Color: ink, Width: 0.9}
			if b.dots {
				box.Min.Y, box.Max.Y = inside(s.Values[g]), inside(s.Values[g])
				line.Color = b.looks[i].color
			} else {
				c.SetColor(b.looks[i].bar())
				c.Fill(box.Path())
			}
			about := strings.TrimPrefix(fmt.Sprintf("%s, %s: %.4g", s.Name, b.groups[g], s.Values[g]), ", ")
			if s.Lo != nil {
				about += fmt.Sprintf(", from %.4g to %.4g", s.Lo[g], s.Hi[g])
			}
			if shown(s.Values[g], s.Values[g]) {
				hint(c, box, about)
			}
			if s.Lo != nil && shown(s.Lo[g], s.Hi[g]) {
				whisker(c, line, at+width/2, inside(s.Lo[g]), inside(s.Hi[g]))
			}
			if s.Reference != nil && num.Finite(s.Reference[g]) && shown(s.Reference[g], s.Reference[g]) {
				b.reference(b.looks[i]).ring(c, vg.Point{X: at + width/2, Y: inside(s.Reference[g])})
			}
			if b.dots && shown(s.Values[g], s.Values[g]) {
				b.looks[i].dot(c, vg.Point{X: at + width/2, Y: inside(s.Values[g])})
			}
		}
	}
	if !b.dots || p.Y.Min < 0 && p.Y.Max > 0 {
		c.StrokeLine2(draw.LineStyle{Color: faint, Width: 0.6}, c.Min.X, inside(0), c.Max.X, inside(0))
	}
}

// label writes the names of the groups on the x axis: in lines when they fit, else
// slanted.
func (b *bars) label(p *plot.Plot, a *Axes) {
	p.X.Min, p.X.Max = -0.5, float64(len(b.groups))-0.5
	p.X.Tick.Length, p.X.Tick.Width, p.X.Width, p.X.Padding = 0, 0, 0, 4
	sty := &p.X.Tick.Label
	w, _ := inches(a.Width, a.Height)
	room := (w-60)/vg.Length(len(b.groups)) - 6
	marks := make([]plot.Tick, len(b.groups))
	for g, name := range b.groups {
		lines := wrap(*sty, name, room)
		marks[g] = plot.Tick{Value: float64(g), Label: strings.Join(lines, "\n")}
		if len(lines) > 3 || strings.Contains(marks[g].Label, "…") && !strings.Contains(name, "…") {
			sty.Rotation = math.Pi / 5
		}
	}
	if sty.Rotation != 0 {
		sty.XAlign, sty.YAlign = draw.XRight, draw.YCenter
		for g, name := range b.groups {
			marks[g].Label = shorten(*sty, name, 160)
		}
	}
	p.X.Tick.Marker = plot.ConstantTicks(marks)
}

// stripes are a pale ground below every other group.
type stripes int

func (n stripes) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	c.SetColor(stripe)
	for g := 1; g < int(n); g += 2 {
		left, right := x(float64(g)-0.5), x(float64(g)+0.5)
		c.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: c.Min.Y}, Max: vg.Point{X: right, Y: c.Max.Y}}.Path())
	}
}
