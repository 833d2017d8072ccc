package viz

import (
	"image/color"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colours of Okabe and Ito ("Color universal design", 2008); their yellow is left out, as it cannot be seen as a
// line on white. The first four differ in lightness too (CIE L* 46, 71, 58 and 30), so that bars can be told apart in
// grey; that of the others is between.
var palette = []color.NRGBA{
	blue,
	{230, 159, 0, 255}, // orange
	{0, 158, 115, 255}, // bluish green
	{70, 70, 70, 255},  // grey, nearly black
	vermilion,
	sky,
	purple,
}

// Colours of the palette that have names elsewhere.
var (
	blue      = color.NRGBA{0, 114, 178, 255}
	vermilion = color.NRGBA{213, 94, 0, 255}
	sky       = color.NRGBA{86, 180, 233, 255}
	purple    = color.NRGBA{204, 121, 167, 255} // reddish
)

// dashes tell lines apart without colours. There are five, and seven colours and markers, so that 35 series differ.
var dashes = [][]vg.Length{nil, {6, 2.5}, {1.5, 2}, {7, 2, 1.5, 2}, {3, 1.5}}

// Colors of everything that is not data.
var (
	ink   = color.NRGBA{30, 30, 30, 255}
	faint = color.NRGBA{110, 110, 110, 255}
	rule  = color.NRGBA{225, 225, 225, 255}
	white = color.NRGBA{255, 255, 255, 255}

	stripe = color.NRGBA{245, 245, 245, 255}
)

// Sizes of text in points.
const (
	sizeTitle = 11
	sizeText  = 9.5
	sizeSmall = 8.5
)

// colorOf returns the colour of series i, as [Curves] and [Bars] give them.
func colorOf(i int) color.Color { return seriesColor(i) }

func seriesColor(i int) color.NRGBA { return palette[i%len(palette)] }

func seriesDashes(i int) []vg.Length { return dashes[i%len(dashes)] }

func withAlpha(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// mix returns a share t of b in a.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	ch := func(x, y uint8) uint8 { return uint8(float64(x) + t*(float64(y)-float64(x)) + 0.5) }
	return color.NRGBA{ch(a.R, b.R), ch(a.G, b.G), ch(a.B, b.B), 255}
}

// style returns a text style; text is drawn with its left end on the base line
// unless aligned otherwise.
func style(size vg.Length, c color.Color, bold bool) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return text.Style{Color: c, Font: f, Handler: words{plot.DefaultTextHandler}}
}

// newPlot returns a plot in the style of this package.
func newPlot(a *Axes) *plot.Plot {
	p := plot.New()
	p.Title.Text = a.Title
	p.Title.Padding = 6
	p.Title.TextStyle = style(sizeTitle, ink, true)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Legend.TextStyle = style(sizeText, ink, false)
	for _, axis := range []struct {
		*plot.Axis
		label string
	}{{&p.X, a.X}, {&p.Y, a.Y}} {
		axis.Label.Text = axis.label
		axis.Label.TextStyle.Font = style(sizeText, ink, false).Font
		axis.Label.TextStyle.Handler = words{plot.DefaultTextHandler}
		axis.Label.TextStyle.Color = ink
		axis.Label.Padding = 3
		axis.Tick.Label.Font = style(sizeSmall, ink, false).Font
		axis.Tick.Label.Handler = words{plot.DefaultTextHandler}
		axis.Tick.Label.Color = ink
		axis.Tick.Length = 4
		axis.LineStyle = draw.LineStyle{Color: faint, Width: 0.6}
		axis.Tick.LineStyle = draw.LineStyle{Color: faint, Width: 0.6}
		axis.Padding = 0
	}
	return p
}
