package viz

import (
	"errors"
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/metric"
)

// ROC draws ROC curves with their AUC in the legend, and the diagonal. Nil axes, and what is empty
// in them, stand for labels that fit and a picture that is about square. It returns an error when
// there are no curves or one is nil, and those of [Curves].
func ROC(curves []*metric.ROCCurve, axes *Axes) (*Figure, error) {
	if len(curves) == 0 {
		return nil, errors.New("viz: there are no ROC curves to draw")
	}
	var series []Series
	for i, c := range curves {
		if c == nil {
			return nil, fmt.Errorf("viz: ROC curve %d is nil", i+1)
		}
		s := Series{Name: fmt.Sprintf("AUC %.3f", c.AUC)}
		if c.Name != "" {
			s.Name = c.Name + ", " + s.Name
		}
		for _, at := range c.Points {
			s.X, s.Y = append(s.X, at.FalsePositive), append(s.Y, at.TruePositive)
		}
		series = append(series, s)
	}
	return overDiagonal(series, axes, "false positive rate (1 − specificity)", "true positive rate (sensitivity)")
}

// overDiagonal draws curves between 0 and 1 with the diagonal.
func overDiagonal(series []Series, axes *Axes, x, y string) (*Figure, error) {
	var a Axes
	if axes != nil {
		a = *axes
	}
	for _, label := range []struct {
		to   *string
		text string
	}{{&a.X, x}, {&a.Y, y}} {
		if *label.to == "" {
			*label.to = label.text
		}
	}
	for _, size := range []*float64{&a.Width, &a.Height} {
		if *size == 0 {
			*size = 4.8
		}
	}
	for _, r := range []*[2]float64{&a.XRange, &a.YRange} {
		if *r == [2]float64{} {
			*r = [2]float64{-0.02, 1.02}
		}
	}
	f, err := Curves(series, &a)
	if err != nil {
		return nil, err
	}
	if !a.LogX {
		f.Plot.X.Tick.Marker = ticks{}
	}
	f.Plot.Add(diagonal{})
	return f, nil
}

// diagonal is where both coordinates are equal.
type diagonal struct{}

func (diagonal) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	from, to := max(p.X.Min, p.Y.Min, 0), min(p.X.Max, p.Y.Max, 1)
	if from >= to {
		return
	}
	sty := draw.LineStyle{Color: faint, Width: 0.8, Dashes: []vg.Length{3, 3}}
	c.StrokeLine2(sty, x(from), y(from), x(to), y(to))
}
