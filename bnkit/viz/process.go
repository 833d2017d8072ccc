package viz

import (
	"fmt"
	"image/color"
	"slices"

	"bnlab/internal/num"
	"bnlab/internal/say"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Course is what a process adds to a signal over time.
type Course struct {
	// Name is the entry in the legend; none when empty.
	Name string
	// Values are those at the onset and one repetition time later each.
	Values []float64
	// Lo and Hi bound a band around Values, as two standard errors. Both are nil where there
	// is no band.
	Lo, Hi []float64
	// Cluster gives the colour, that of the same cluster on a slice ([SliceClusters]), and the dashes.
	Cluster int
}

// Processes draws the time courses of processes by the seconds since their onset, images being
// imageSeconds apart, over a line at zero. Nil axes, and an empty label of x, stand for labels that
// fit. Many courses are drawn with thin lines.
//
// It returns an error when there are no courses or imageSeconds is not positive, and those of [Curves].
func Processes(courses []Course, imageSeconds float64, axes *Axes) (*Figure, error) {
	a, err := axes.defaults()
	if err != nil {
		return nil, err
	}
	if len(courses) == 0 {
		return nil, fmt.Errorf("viz: there are no processes to draw")
	}
	if !(imageSeconds > 0) || !num.Finite(imageSeconds) {
		return nil, say.Errorf("viz: images are %v seconds apart; give the repetition time, more than 0", imageSeconds)
	}
	if a.LogX || a.LogY {
		return nil, fmt.Errorf("viz: processes have no logarithmic axes")
	}
	if len(a.Palette) > 0 {
		return nil, fmt.Errorf("viz: processes have the colours of their clusters; leave Axes.Palette empty")
	}
	if a.X == "" {
		a.X = "seconds since the onset"
	}
	width := vg.Length(1.5)
	if len(courses) > 12 {
		width = 0.8
	}
	p := newPlot(a)
	p.Add(grid{vertical: true}, zero{})
	var keys []key
	var bands, lines []plot.Plotter
	x, y := nothing(), nothing()
	y.add(0)
	for i, c := range courses {
		s := Series{Name: c.Name, Y: slices.Clone(c.Values), Lo: slices.Clone(c.Lo), Hi: slices.Clone(c.Hi)}
		for k := range c.Values {
			s.X = append(s.X, float64(k)*imageSeconds)
		}
		if err := s.check(i, a); err != nil {
			return nil, err
		}
		for _, values := range [][]float64{s.Y, s.Lo, s.Hi} {
			for _, v := range values {
				y.add(v)
			}
		}
		x.add(0)
		x.add(s.X[len(s.X)-1])
		d := course{s, clusterColor(c.Cluster), clusterDashes(c.Cluster), width}
		if s.Lo != nil {
			bands = append(bands, courseBand{d})
		}
		lines = append(lines, d)
		if c.Name != "" {
			keys = append(keys, key{c.Name, fmt.Sprint(d.color, d.dashes), d.sample})
		}
	}
	fit(&p.X, x, a.XRange, false, false)
	fit(&p.Y, y, a.YRange, false, false)
	p.Add(bands...)
	p.Add(lines...)
	return newFigure(p, a, keys), nil
}

// course is a course with its looks.
type course struct {
	Series
	color  color.NRGBA
	dashes []vg.Length
	width  vg.Length
}

func (d course) lineStyle() draw.LineStyle {
	return draw.LineStyle{Color: d.color, Width: d.width, Dashes: d.dashes}
}

// Plot joins the points.
func (d course) Plot(c draw.Canvas, p *plot.Plot) {
	c.StrokeLines(d.lineStyle(), c.ClipLinesXY(d.points(c, p, d.Y))...)
}

// points are the places of some values of y.
func (d course) points(c draw.Canvas, p *plot.Plot, values []float64) []vg.Point {
	x, y := p.Transforms(&c)
	pts := make([]vg.Point, len(d.X))
	for k := range d.X {
		pts[k] = vg.Point{X: x(d.X[k]), Y: y(values[k])}
	}
	return pts
}

// sample draws the entry of the legend.
func (d course) sample(c draw.Canvas) {
	if d.Lo != nil {
		c.SetColor(withAlpha(d.color, bandAlpha))
		c.Fill(c.Rectangle.Path())
	}
	c.StrokeLine2(d.lineStyle(), c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
}

// courseBand fills the area between Lo and Hi.
type courseBand struct{ course }

func (b courseBand) Plot(c draw.Canvas, p *plot.Plot) {
	lo, hi := b.points(c, p, b.Lo), b.points(c, p, b.Hi)
	slices.Reverse(lo)
	c.FillPolygon(withAlpha(b.color, bandAlpha), c.ClipPolygonXY(append(hi, lo...)))
}

// zero is the line where a process adds nothing.
type zero struct{}

func (zero) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	if at := y(0); c.ContainsY(at) {
		c.StrokeLine2(draw.LineStyle{Color: faint, Width: 0.6}, c.Min.X, at, c.Max.X, at)
	}
}
