package viz

import (
	"bytes"
	"encoding/xml"
	"fmt"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A hinting is an SVG that says more of a mark when a pointer is on it, and how wide its texts are.
type hinting struct {
	*vgsvg.Canvas
	hints  []hinted
	widths []vg.Length // of the texts, in the order of the file
}

type hinted struct {
	at   vg.Rectangle
	text string
}

// mostHints bounds what hints add to a file.
const mostHints = 2000

// hint says what is drawn in a place, where the canvas can; later hints lie above earlier ones.
func hint(c draw.Canvas, at vg.Rectangle, text string) {
	h := hintsOf(c)
	if h == nil || len(h.hints) == mostHints {
		return
	}
	const least = 6 // that a pointer can hit
	if grow := (least - (at.Max.X - at.Min.X)) / 2; grow > 0 {
		at.Min.X, at.Max.X = at.Min.X-grow, at.Max.X+grow
	}
	if grow := (least - (at.Max.Y - at.Min.Y)) / 2; grow > 0 {
		at.Min.Y, at.Max.Y = at.Min.Y-grow, at.Max.Y+grow
	}
	h.hints = append(h.hints, hinted{at, text})
}

// hintsOf is what takes the hints of a canvas, nil where it has none.
func hintsOf(c draw.Canvas) *hinting {
	under := c.Canvas
	for { // a cropped canvas holds the whole one
		cropped, ok := under.(draw.Canvas)
		if !ok {
			break
		}
		under = cropped.Canvas
	}
	h, _ := under.(*hinting)
	return h
}

// FillString implements [vg.Canvas].
func (h *hinting) FillString(f font.Face, at vg.Point, text string) {
	h.widths = append(h.widths, f.Width(text)+surplus(f, text))
	h.Canvas.FillString(f, at, text)
}

// wide says of each text how wide it is, so that it keeps to its place in the font of any reader: where there is none
// of the same widths, letters are drawn narrower or wider.
func (h *hinting) wide(svg []byte) []byte {
	const before = ` transform="scale(1, -1)"` // which vgsvg writes of every text
	parts := bytes.Split(svg, []byte("<text "))
	if len(parts) != len(h.widths)+1 {
		return svg
	}
	var b bytes.Buffer
	b.Write(parts[0])
	for i, width := range h.widths {
		b.WriteString("<text ")
		place, rest, found := bytes.Cut(parts[i+1], []byte(before))
		b.Write(place)
		if found && width > 0 {
			fmt.Fprintf(&b, ` textLength="%.5g" lengthAdjust="spacingAndGlyphs"%s`, width.Points(), before)
		} else if found {
			b.WriteString(before)
		}
		b.Write(rest)
	}
	return b.Bytes()
}

// into adds the hints to an SVG of a height, above everything, as areas that are not seen.
func (h *hinting) into(svg []byte, height vg.Length) []byte {
	end := bytes.LastIndex(svg, []byte("</svg>"))
	if len(h.hints) == 0 || end < 0 {
		return svg
	}
	var b bytes.Buffer
	b.Write(svg[:end])
	b.WriteString("<g fill=\"none\" pointer-events=\"all\">\n")
	for _, of := range h.hints {
		fmt.Fprintf(&b, `<rect x="%.5g" y="%.5g" width="%.5g" height="%.5g"><title>`, of.at.Min.X.Points(),
			(height - of.at.Max.Y).Points(), (of.at.Max.X - of.at.Min.X).Points(), (of.at.Max.Y - of.at.Min.Y).Points())
		xml.EscapeText(&b, []byte(of.text)) // a bytes.Buffer takes everything
		b.WriteString("</title></rect>\n")
	}
	b.WriteString("</g>\n")
	b.Write(svg[end:])
	return b.Bytes()
}
