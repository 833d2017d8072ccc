package pdf

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// A subset has the outlines of what is used, also those that these are composed of, and no others.
func TestSubset(t *testing.T) {
	simple := func(x byte) []byte { return []byte{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, x} }
	// Glyph 2 is composed of 1, with two scales, and of 4, with arguments of words: flags 0x60 and 0x01.
	composed := []byte{255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x60, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 4, 0, 0, 0, 0}
	if got := partsOf(composed); !slices.Equal(got, []int{1, 4}) {
		t.Errorf("the parts are %v, want 1 and 4", got)
	}
	var glyf, loca []byte
	glyphs := [][]byte{simple(0), simple(1), composed, simple(3), simple(4)}
	for _, g := range glyphs {
		loca = binary.BigEndian.AppendUint16(loca, uint16(len(glyf)/2))
		glyf = append(glyf, g...)
	}
	loca = binary.BigEndian.AppendUint16(loca, uint16(len(glyf)/2))
	font := assembled(map[string][]byte{"head": make([]byte, 54), "maxp": {0, 1, 0, 0, 0, 5}, "glyf": glyf,
		"loca": loca})
	small, err := subset(font, []sfnt.GlyphIndex{2})
	if err != nil {
		t.Fatal(err)
	}
	tables, err := tablesOf(small)
	if err != nil {
		t.Fatal(err)
	}
	at := func(g int) int { return int(binary.BigEndian.Uint32(tables["loca"][4*g:])) }
	for g, want := range glyphs {
		got := tables["glyf"][at(g):at(g+1)]
		if g == 3 && len(got) > 0 {
			t.Error("glyph 3 is kept, and not used")
		}
		if g != 3 && !bytes.Equal(got, want) {
			t.Errorf("glyph %d is %v, want %v", g, got, want)
		}
	}
	for i := 0; i < len(goregular.TTF); i += 997 { // what is cut short is an error, or a font, but no panic
		subset(goregular.TTF[:i], []sfnt.GlyphIndex{5})
	}
}

// Equal drawings are equal files; numbers that are none do no harm.
func TestDocument(t *testing.T) {
	f, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	draw := func() []byte {
		d := New(200, 100)
		d.Color(color.NRGBA{255, 0, 0, 128})
		d.MoveTo(math.NaN(), math.Inf(1))
		d.LineTo(10, 10)
		d.Stroke()
		d.Image(0, 0, 10, 10, image.NewRGBA(image.Rect(0, 0, 2, 2)))
		if err := d.Text(f, 12, 10, 10, "AVé ≤"); err != nil {
			t.Fatal(err)
		}
		b, err := d.Bytes("title (a)")
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := draw()
	if !bytes.Equal(b, draw()) {
		t.Error("the same drawing is another file")
	}
	for _, never := range []string{"NaN", " Inf", "CreationDate"} {
		if bytes.Contains(b, []byte(never)) {
			t.Errorf("the file has %s", never)
		}
	}
	if err := New(1, 1).Text(nil, 1, 0, 0, "a"); err == nil {
		t.Error("no error without a font")
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", -0.00001: "0", 1: "1", 10: "10", 0.5: "0.5", -2.25: "-2.25",
		1.23456: "1.2346", math.Inf(1): "0"} {
		if got := number(x); got != want {
			t.Errorf("%v is %q, want %q", x, got, want)
		}
	}
}
