package viz

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"bnlab/internal/say"
)

// words measures and aligns texts by the letters that are drawn, also by those that come from other fonts.
type words struct{ text.Handler }

// Box implements [text.Handler].
func (w words) Box(s string, of font.Font) (width, height, depth vg.Length) {
	width, height, depth = w.Handler.Box(s, of)
	return width + surplus(w.Cache().Lookup(of, of.Size), s), height, depth
}

// Draw implements [text.Handler].
func (w words) Draw(c vg.Canvas, s string, sty text.Style, at vg.Point) {
	w.Handler.Draw(aligned{c, vg.Length(sty.XAlign)}, s, sty, at)
}

// An aligned canvas mends the place of lines that are wider, or narrower, than their font says.
type aligned struct {
	vg.Canvas
	share vg.Length // of a line that stands left of its place, negative
}

// FillString implements [vg.Canvas].
func (c aligned) FillString(f font.Face, at vg.Point, s string) {
	if c.share != 0 {
		at.X += c.share * surplus(f, s)
	}
	c.Canvas.FillString(f, at, s)
}

// A piece of a text is drawn by one face: that of the text or, a letter that this lacks, another one. Where no font
// has the letter, the face is none; letter is then what has to be named, 0 for what is not seen anyway.
type piece struct {
	face   font.Face
	text   string
	letter rune
	width  vg.Length
}

// surplus is by how much a text is wider than its face says.
func surplus(f font.Face, s string) vg.Length {
	pieces := piecesOf(f, s)
	if pieces == nil {
		return 0
	}
	width := -f.Width(s)
	for _, p := range pieces {
		width += p.width
	}
	return width
}

// piecesOf divides a text; nil where its face has all letters.
func piecesOf(f font.Face, s string) []piece {
	var pieces []piece
	begin := 0 // of what the face has
	whole := func(end int) {
		if begin < end {
			pieces = append(pieces, piece{face: f, text: s[begin:end], width: f.Width(s[begin:end])})
		}
	}
	for i, r := range s {
		if has(f, r) {
			continue
		}
		whole(i)
		_, n := utf8.DecodeRuneInString(s[i:])
		begin = i + n
		pieces = append(pieces, other(f.Font.Size, r))
	}
	if pieces != nil {
		whole(len(s))
	}
	return pieces
}

// has tells whether a face draws a letter; control characters are left to it.
func has(f font.Face, r rune) bool {
	if r < utf8.RuneSelf || unicode.IsControl(r) || f.Face == nil {
		return true
	}
	i, err := f.Face.GlyphIndex(nil, r)
	return err != nil || i != 0
}

// other is a letter in a font of the system, the room for a box where none has it.
func other(size vg.Length, r rune) piece {
	switch {
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector):
		return piece{}
	case unicode.IsSpace(r):
		return piece{width: size * breadth(r)}
	}
	if g := systemFonts.find(r); g.font != nil {
		return piece{face: font.Face{Font: font.Font{Size: size}, Face: g.font}, text: string(r),
			width: size * vg.Length(g.advance)}
	}
	return piece{letter: r, width: size * breadth(r)}
}

// breadth is how wide a letter is that no font here has, as a share of the size.
func breadth(r rune) vg.Length {
	if ideographic(r) || r >= 0x1F000 {
		return 1
	}
	return 0.6
}

func ideographic(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo) ||
		0x3000 <= r && r <= 0x303F || 0xFF00 <= r && r <= 0xFFEF
}

// A lettered canvas is a PNG with letters that the face of a text lacks.
type lettered struct {
	*vgimg.Canvas
	lacking []rune // letters that no font here has, in the order of the picture
}

// FillString implements [vg.Canvas].
func (c *lettered) FillString(f font.Face, at vg.Point, s string) {
	pieces := piecesOf(f, s)
	if pieces == nil {
		c.Canvas.FillString(f, at, s)
		return
	}
	for _, p := range pieces {
		switch {
		case p.face.Face != nil:
			c.Canvas.FillString(p.face, at, p.text)
		case p.letter != 0:
			letterBox(c, at, p.width, f.Font.Size)
			if !slices.Contains(c.lacking, p.letter) {
				c.lacking = append(c.lacking, p.letter)
			}
		}
		at.X += p.width
	}
}

// letterBox stands for a letter.
func letterBox(c vg.Canvas, at vg.Point, width, size vg.Length) {
	line := 0.06 * size
	x, y := [2]vg.Length{at.X + line, at.X + width - line}, [2]vg.Length{at.Y, at.Y + 0.7*size}
	for _, side := range []vg.Rectangle{
		{Min: vg.Point{X: x[0], Y: y[0]}, Max: vg.Point{X: x[1], Y: y[0] + line}},
		{Min: vg.Point{X: x[0], Y: y[1] - line}, Max: vg.Point{X: x[1], Y: y[1]}},
		{Min: vg.Point{X: x[0], Y: y[0] + line}, Max: vg.Point{X: x[0] + line, Y: y[1] - line}},
		{Min: vg.Point{X: x[1] - line, Y: y[0] + line}, Max: vg.Point{X: x[1], Y: y[1] - line}},
	} {
		c.Fill(side.Path())
	}
}

// lackingNote names letters that no font here has, and a package of fonts where one is known to have the first.
func lackingNote(letters []rune) string {
	names := make([]string, len(letters))
	for i, r := range letters {
		names[i] = string(r)
	}
	fonts := "fonts-noto-core"
	switch r := letters[0]; {
	case ideographic(r):
		fonts = "fonts-noto-cjk"
	case r >= 0x1F000:
		fonts = "fonts-symbola"
	}
	what, them := "letters", "them"
	if len(letters) == 1 {
		what, them = "letter", "it"
	}
	return fmt.Sprintf("the %s %s cannot be drawn in PNG and PDF: no font here has %s; install one, such as %s", what,
		say.List(names), them, fonts)
}
