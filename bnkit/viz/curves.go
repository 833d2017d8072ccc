package viz

import (
	"fmt"
	"image/color"

	"bnlab/internal/num"
	"bnlab/internal/say"

	"gonum.org/v1/plot"
)

// A Series is a curve or a set of points.
type Series struct {
	// Name is the entry in the legend; none when empty.
	Name string
	// X and Y are the points, in the order in which a line joins them.
	X, Y []float64
	// Lo and Hi bound a band around Y, as the 5th and 95th percentile over
	// replicates. Both are nil where there is no band.
	Lo, Hi []float64
	// Points draws a hollow mark at each point, as for published numbers, with [Lo, Hi] as whiskers,
	// in place of a line through them.
	Points bool
	// Color draws the series; nil: that of [Axes].Looks, or the next of the palette. The colours of
	// the other series do not depend on it.
	Color color.Color
	// As names another series whose look is used, as for published points of a
	// curve. Empty: a look of its own.
	As string
}

// Curves draws series over common axes; nil axes stand for linear ones without
// labels. Series differ in dashes and markers too. A line
// with at most 12 points has a mark at each. On a logarithmic axis, a
// band that reaches 0 ends where the axis does.
//
// It returns an error that names the series and the point when lengths differ, a
// series is empty, a number is not finite, Lo exceeds Hi, or a number is not positive
// on a logarithmic axis; and for colours that cannot be seen.
func Curves(series []Series, axes *Axes) (*Figure, error) {
	a, err := axes.defaults()
	if err != nil {
		return nil, err
	}
	if len(series) == 0 {
		return nil, fmt.Errorf("viz: there are no curves to draw")
	}
	looks, err := looksOf(len(series), a, func(i int) (string, color.Color, string) {
		return series[i].Name, series[i].Color, series[i].As
	})
	if err != nil {
		return nil, err
	}
	p := newPlot(a)
	p.Add(grid{vertical: true})
	var keys []key
	var bands, lines, marks []plot.Plotter
	x, y := nothing(), nothing()
	for i, s := range series {
		if err := s.check(i, a); err != nil {
			return nil, err
		}
		d := newDrawn(s, looks[i])
		for k := range d.X {
			x.add(d.X[k])
			y.add(d.Y[k])
			if d.Lo != nil {
				if !a.LogY || d.Lo[k] > 0 {
					y.add(d.Lo[k])
				}
				y.add(d.Hi[k])
			}
		}
		if d.Lo != nil && !d.Points {
			bands = append(bands, band{d})
		}
		kind := "line"
		if !d.Points {
			lines = append(lines, line{d})
		} else {
			marks, kind = append(marks, points{d}), "points"
		}
		if s.Name != "" {
			keys = append(keys, key{s.Name, d.sign(kind), d.sample})
		}
	}
	fit(&p.X, x, a.XRange, a.LogX, false)
	fit(&p.Y, y, a.YRange, a.LogY, true)
	if t := ticksAt(series, &p.X); t != nil {
		p.X.Tick.Marker = t
	}
	p.Add(bands...)
	p.Add(lines...)
	p.Add(marks...)
	return newFigure(p, a, keys), nil
}

// label names a series for an error.
func label(name string, i int) string {
	if name == "" {
		return fmt.Sprintf("series %d", i+1)
	}
	return fmt.Sprintf("series %q", name)
}

func (s Series) check(i int, a *Axes) error {
	name := label(s.Name, i)
	if len(s.X) == 0 {
		return say.Errorf("viz: %s has no points", name)
	}
	if len(s.Y) != len(s.X) {
		return say.Errorf("viz: %s has %d values of x and %d of y", name, len(s.X), len(s.Y))
	}
	if (s.Lo == nil) != (s.Hi == nil) || s.Lo != nil && (len(s.Lo) != len(s.X) || len(s.Hi) != len(s.X)) {
		return say.Errorf("viz: %s has %d points, a band of %d lower and %d upper values", name, len(s.X), len(s.Lo),
			len(s.Hi))
	}
	for _, c := range []struct {
		what   string
		values []float64
		log    bool
	}{{"x", s.X, a.LogX}, {"y", s.Y, a.LogY}, {"lo", s.Lo, false}, {"hi", s.Hi, a.LogY}} {
		for k, v := range c.values {
			if !num.Finite(v) {
				return say.Errorf("viz: %s, point %d: %s is %v", name, k+1, c.what, v)
			}
			if c.log && !(v > 0) {
				return say.Errorf("viz: %s, point %d: %s is %v, a logarithmic axis needs more than 0", name, k+1,
					c.what, v)
			}
		}
	}
	for k := range s.Lo {
		if s.Lo[k] > s.Hi[k] {
			return say.Errorf("viz: %s, point %d: lo %v exceeds hi %v", name, k+1, s.Lo[k], s.Hi[k])
		}
	}
	return nil
}
