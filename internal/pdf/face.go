package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A face is an embedded font, with the letters that were drawn.
type face struct {
	font *sfnt.Font
	em   fixed.Int26_6
	used map[sfnt.GlyphIndex]rune
	buf  sfnt.Buffer
}

func newFace(f *sfnt.Font) (*face, error) {
	if f == nil {
		return nil, errors.New("pdf: there is no font")
	}
	return &face{font: f, em: fixed.Int26_6(f.UnitsPerEm()), used: make(map[sfnt.GlyphIndex]rune)}, nil
}

// show returns the operand of TJ for a text: glyphs, and between them what they move together, in thousandths.
func (f *face) show(text string) (string, error) {
	var b strings.Builder
	b.WriteString("[<")
	var last sfnt.GlyphIndex
	for i, r := range text {
		g, err := f.font.GlyphIndex(&f.buf, r)
		if err != nil {
			return "", err
		}
		if i > 0 {
			kern, err := f.font.Kern(&f.buf, last, g, f.em, xfont.HintingNone)
			if err != nil && !errors.Is(err, sfnt.ErrNotFound) {
				return "", err
			}
			if kern != 0 && err == nil {
				fmt.Fprintf(&b, ">%s<", number(-1000*float64(kern)/float64(f.em)))
			}
		}
		fmt.Fprintf(&b, "%04X", g)
		if _, ok := f.used[g]; !ok {
			f.used[g] = r
		}
		last = g
	}
	b.WriteString(">]")
	return b.String(), nil
}

// write embeds the font (ISO 32000-1, 9.7: a composite font whose codes are glyphs) and returns its number.
func (f *face) write(w *writer) (int, error) {
	var raw bytes.Buffer
	if _, err := f.font.WriteSourceTo(&f.buf, &raw); err != nil {
		return 0, err
	}
	glyphs := slices.Sorted(maps.Keys(f.used))
	file, err := subset(raw.Bytes(), glyphs)
	if err != nil {
		return 0, err
	}
	name, err := f.font.Name(&f.buf, sfnt.NameIDPostScript)
	if err != nil {
		name = "Font"
	}
	name = "BNLABX+" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, name)
	thousandths := func(x fixed.Int26_6) int { return int(1000*float64(x)/float64(f.em) + 0.5) }
	var widths, codes strings.Builder
	for _, g := range glyphs {
		wide, err := f.font.GlyphAdvance(&f.buf, g, f.em, xfont.HintingNone)
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(&widths, "%d [%s] ", g, number(1000*float64(wide)/float64(f.em)))
		fmt.Fprintf(&codes, "<%04X> <", g)
		for _, u := range utf16.Encode([]rune{f.used[g]}) {
			fmt.Fprintf(&codes, "%04X", u)
		}
		codes.WriteString(">\n")
	}
	met, err := f.font.Metrics(&f.buf, f.em, xfont.HintingNone)
	if err != nil {
		return 0, err
	}
	box, err := f.font.Bounds(&f.buf, f.em, xfont.HintingNone)
	if err != nil {
		return 0, err
	}
	font, below, descriptor, program, unicode := w.next(), w.next(), w.next(), w.next(), w.next()
	w.stream(program, fmt.Sprintf("/Length1 %d", len(file)), file)
	w.object(descriptor, fmt.Sprintf("<< /Type /FontDescriptor /FontName /%s /Flags 32 /FontBBox [%d %d %d %d] "+
		"/ItalicAngle 0 /Ascent %d /Descent %d /CapHeight %d /StemV 80 /FontFile2 %d 0 R >>", name,
		thousandths(box.Min.X), -thousandths(box.Max.Y), thousandths(box.Max.X), -thousandths(box.Min.Y),
		thousandths(met.Ascent), -thousandths(met.Descent), thousandths(met.CapHeight), program))
	w.object(below, fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo << /Registry "+
		"(Adobe) "+
		"/Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R /W [%s] /CIDToGIDMap /Identity >>", name,
		descriptor, &widths))
	w.stream(unicode, "", []byte(toUnicode(codes.String(), len(glyphs))))
	w.object(font, fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts "+
		"[%d 0 R] /ToUnicode %d 0 R >>", name, below, unicode))
	return font, nil
}

// toUnicode is the map from glyphs to letters, by which a reader searches and copies.
func toUnicode(codes string, n int) string {
	var b strings.Builder
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry " +
		"(Adobe) " +
		"/Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	lines := strings.SplitAfter(codes, "\n")[:n]
	for part := range slices.Chunk(lines, 100) {
		fmt.Fprintf(&b, "%d beginbfchar\n%sendbfchar\n", len(part), strings.Join(part, ""))
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.String()
}
