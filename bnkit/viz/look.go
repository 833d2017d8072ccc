package viz

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
)

// A look is the colour and the dashes of a series.
type look struct {
	color  color.NRGBA
	dashes []vg.Length
	given  bool // by the user, and drawn as it is
}

// bar is the colour of a bar. Ours is paler than a line's, so that whiskers can be seen on it.
func (l look) bar() color.NRGBA {
	if l.given {
		return l.color
	}
	return mix(l.color, white, 0.3)
}

// look returns the look of series i: of the palette, with other dashes when its colours are used up.
func (a *Axes) look(i int) look {
	if len(a.Palette) == 0 {
		return look{color: seriesColor(i), dashes: seriesDashes(i)}
	}
	n := len(a.Palette)
	return look{color: nrgba(a.Palette[i%n]), dashes: dashes[i/n%len(dashes)], given: true}
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
		looks[i] = a.look(next)
		next++ // also past a series with a colour of its own, so that the others keep theirs
		if col != nil {
			if transparent(col) {
				return nil, fmt.Errorf("viz: the colour of %s is transparent", label(name, i))
			}
			looks[i] = look{color: nrgba(col), given: true}
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
			return nil, fmt.Errorf("viz: %s takes the colour of %q, which is no series", label(name, i), as)
		}
		if col != nil {
			return nil, fmt.Errorf("viz: %s has a colour and takes that of %q; give one of Color and As",
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
