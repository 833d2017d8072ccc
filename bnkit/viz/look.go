package viz

import (
	"fmt"
	"image/color"
	"slices"

	"bnlab/internal/num"
	"bnlab/internal/say"

	"gonum.org/v1/plot/vg"
)

// A Look is how a series is drawn. Series that have one name in several figures look the same in all where their
// [Axes] share a table of looks.
type Look struct {
	// Color of lines, marks and bars; nil: the next of the palette.
	Color color.Color
	// Dash are the lengths of the strokes and the gaps of a line in points, each at least 0.1, in turn; nil: a solid
	// line.
	Dash []float64
	// Marker is the form of marks: "disc", "square", "triangle", "wedge" (a triangle on its point), "diamond", "plus"
	// or "cross"; empty: a disc.
	Marker string
}

// leastDash bounds how many strokes a line is made of.
const leastDash = 0.1

// A look is the colour, the dashes and the marker of a series.
type look struct {
	color  color.NRGBA
	dashes []vg.Length
	marker string
	given  bool // by the user, and drawn as it is
}

// sign tells the looks in a legend apart: two series that are drawn alike, as one kind, have the same.
func (l look) sign(kind string) string { return fmt.Sprint(kind, l.color, l.dashes, l.marker) }

// bar is the colour of a bar. Ours is paler than a line's, so that whiskers can be seen on it.
func (l look) bar() color.NRGBA {
	if l.given {
		return l.color
	}
	return mix(l.color, white, 0.3)
}

// look returns the look of series i: of the palette, with the dashes and the marker of its place.
func (a *Axes) look(i int) look {
	l := look{color: seriesColor(i), dashes: seriesDashes(i), marker: markers[i%len(markers)]}
	if n := len(a.Palette); n > 0 {
		l.color, l.given = nrgba(a.Palette[i%n]), true
	}
	return l
}

// named returns the look that the table has for a series of a name, which would have the look l.
func (a *Axes) named(name string, l look) look {
	own, ok := a.Looks[name]
	if !ok {
		return l
	}
	if own.Color != nil {
		l.color, l.given = nrgba(own.Color), false
	}
	l.dashes, l.marker = nil, own.Marker
	for _, length := range own.Dash {
		l.dashes = append(l.dashes, vg.Length(length))
	}
	if l.marker == "" {
		l.marker = markers[0]
	}
	return l
}

// check returns an error for a look that cannot be drawn.
func (l Look) check(name string) error {
	if l.Color != nil && transparent(l.Color) {
		return say.Errorf("viz: the colour of the look of %q is transparent", name)
	}
	for _, length := range l.Dash {
		if !num.Finite(length) || !(length >= leastDash) {
			return say.Errorf("viz: the look of %q has a dash of %v points; give lengths of %v or more", name, length,
				leastDash)
		}
	}
	if l.Marker != "" && !slices.Contains(markers, l.Marker) {
		return say.Errorf("viz: the look of %q has the marker %q; the markers are %v", name, l.Marker, markers)
	}
	return nil
}

// looksOf gives each of n series its look. own returns the colour that a series asks for, or nil, and the name of
// the series whose look it takes, or nothing.
func looksOf(n int, a *Axes, own func(i int) (name string, col color.Color, as string)) ([]look, error) {
	looks := make([]look, n)
	named := make(map[string]look)
	next := 0
	for i := range n {
		name, col, as := own(i)
		if as != "" {
			continue
		}
		looks[i] = a.named(name, a.look(next))
		next++ // also past a series with a look of its own, so that the others keep theirs
		if col != nil {
			if transparent(col) {
				return nil, say.Errorf("viz: the colour of %s is transparent", label(name, i))
			}
			looks[i].color, looks[i].given = nrgba(col), true
		}
		if _, ok := named[name]; !ok {
			named[name] = looks[i]
		}
	}
	for i := range n {
		name, col, as := own(i)
		if as == "" {
			continue
		}
		l, ok := named[as]
		if !ok {
			return nil, say.Errorf("viz: %s takes the colour of %q, which is no series", label(name, i), as)
		}
		if col != nil {
			return nil, say.Errorf("viz: %s has a colour and takes that of %q; give one of Color and As",
				label(name, i), as)
		}
		looks[i] = l
	}
	return looks, nil
}

func nrgba(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

// transparent reports whether nothing would be seen.
func transparent(c color.Color) bool {
	_, _, _, alpha := c.RGBA()
	return alpha == 0
}
