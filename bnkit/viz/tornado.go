package viz

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/internal/num"
)

// mostSwings is how many bars a tornado has; the narrower ones tell nothing.
const mostSwings = 20

// Tornado draws a horizontal bar from low to high for each name, the widest on top, with a line at the
// answer that the tables give, as bnkit.Sensitivity finds them. Of more than 20 the widest are drawn. Axes may be
// nil; then the height grows with the number of bars.
//
//	df := nb.Must(bnkit.Sensitivity(ctx, model, evidence, "lung", "yes", nil))
//	nb.Show(nb.Must(viz.Tornado(df.Col("entry").Records(), df.Col("low").Float(), df.Col("high").Float(),
//		df.Col("answer").Float()[0], nil)))
//
// It returns an error that names the bar when lengths differ, there is nothing to draw, a number is not finite, or
// low exceeds high.
func Tornado(names []string, low, high []float64, answer float64, axes *Axes) (*Figure, error) {
	a, err := axes.defaults()
	if err != nil {
		return nil, err
	}
	switch {
	case a.LogX || a.LogY:
		return nil, fmt.Errorf("viz: a tornado needs linear axes")
	case len(names) == 0:
		return nil, fmt.Errorf("viz: there are no bars to draw")
	case len(low) != len(names) || len(high) != len(names):
		return nil, fmt.Errorf("viz: %d names have %d low and %d high numbers", len(names), len(low), len(high))
	case !num.Finite(answer):
		return nil, fmt.Errorf("viz: the answer is %v", answer)
	}
	t := &tornado{answer: answer, fill: a.look(0)}
	for i, name := range names {
		if !num.Finite(low[i]) || !num.Finite(high[i]) || low[i] > high[i] {
			return nil, fmt.Errorf("viz: %q goes from %v to %v; give finite numbers, low first", name, low[i], high[i])
		}
		t.bars = append(t.bars, swing{name, low[i], high[i]})
	}
	slices.SortStableFunc(t.bars, func(a, b swing) int {
		switch x, y := a.high-a.low, b.high-b.low; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	t.bars = t.bars[:min(len(t.bars), mostSwings)]
	x := nothing()
	x.add(answer)
	for _, b := range t.bars {
		x.add(b.low)
		x.add(b.high)
	}
	if a.Height == 0 {
		a.Height = 1 + 0.25*float64(len(t.bars))
	}
	p := newPlot(a)
	p.Add(t)
	fit(&p.X, x, a.XRange, false, false)
	t.label(p, a)
	return newFigure(p, a, nil), nil
}

// swing is a bar of a tornado.
type swing struct {
	name      string
	low, high float64
}

// tornado draws the bars, the first on top.
type tornado struct {
	bars   []swing
	answer float64
	fill   look
}

func (t *tornado) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	inside := func(v float64) vg.Length { return x(min(max(v, p.X.Min), p.X.Max)) }
	for _, mark := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if at := x(mark.Value); !mark.IsMinor() && c.ContainsX(at) {
			c.StrokeLine2(draw.LineStyle{Color: rule, Width: 0.5}, at, c.Min.Y, at, c.Max.Y)
		}
	}
	half := min(0.35*(y(1)-y(0)), 12)
	for i, b := range t.bars {
		middle := y(-float64(i))
		box := vg.Rectangle{Min: vg.Point{X: inside(b.low), Y: middle - half},
			Max: vg.Point{X: inside(b.high), Y: middle + half}}
		fillBox(c, box, t.fill.bar())
	}
	if at := x(t.answer); c.ContainsX(at) {
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: 0.9}, at, c.Min.Y, at, c.Max.Y)
	}
}

// label writes the names beside the bars, shortened to half of the figure.
func (t *tornado) label(p *plot.Plot, a *Axes) {
	p.Y.Min, p.Y.Max = 0.5-float64(len(t.bars)), 0.5
	p.Y.Tick.Length, p.Y.Tick.Width, p.Y.Width, p.Y.Padding = 0, 0, 0, 4
	w, _ := inches(a.Width, a.Height)
	marks := make([]plot.Tick, len(t.bars))
	for i, b := range t.bars {
		marks[i] = plot.Tick{Value: -float64(i), Label: shorten(p.Y.Tick.Label, b.name, w/2)}
	}
	p.Y.Tick.Marker = plot.ConstantTicks(marks)
}
