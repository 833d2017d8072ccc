package viz

import (
	"bytes"
	"encoding/binary"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"bnlab/internal/numtest"
)

// Advance widths of Go Regular, which has letters that Liberation Sans lacks, as read from its table hmtx with
// Python; 2048 to the size.
const (
	cup  = 1472. / 2048 // ∪
	subN = 933. / 2048  // ₙ
)

// onlyFonts lets no other fonts be found than those in a new folder, by their names, and counts how often it is asked.
func onlyFonts(t *testing.T, files map[string][]byte) (asked *int) {
	t.Helper()
	dir, asked := t.TempDir(), new(int)
	for name, b := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := systemFonts
	t.Cleanup(func() { systemFonts = before })
	systemFonts = &fontFinder{folders: func() []string {
		*asked++
		return []string{filepath.Join(dir, "none such"), dir}
	}}
	return asked
}

// fontTable is where a table of a font begins, and its entry in the directory.
func fontTable(t *testing.T, b []byte, tag string) (begin uint32, entry []byte) {
	t.Helper()
	for i := range int(binary.BigEndian.Uint16(b[4:])) {
		if entry = b[12+16*i:][:16]; string(entry[:4]) == tag {
			return binary.BigEndian.Uint32(entry[8:]), entry
		}
	}
	t.Fatalf("the font has no table %q", tag)
	return 0, nil
}

// withoutOutline is Go Regular with nothing to draw for a glyph, as fonts of colour emoji are; its loca is short.
func withoutOutline(t *testing.T, glyph uint32) []byte {
	b := bytes.Clone(goregular.TTF)
	begin, _ := fontTable(t, b, "loca")
	copy(b[begin+2*glyph:][:2], b[begin+2*glyph+2:][:2])
	return b
}

// shifted is Go Regular with tables that begin at odd bytes, in a collection too.
func shifted(collection bool) []byte {
	var b []byte
	if collection {
		b = append(b, "ttcf\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x10"...)
	}
	begin, n := len(b), int(binary.BigEndian.Uint16(goregular.TTF[4:]))
	b = append(b, goregular.TTF[:12+16*n]...)
	b = append(b, 0)
	b = append(b, goregular.TTF[12+16*n:]...)
	for i := range n {
		offset := b[begin+12+16*i+8:][:4]
		binary.BigEndian.PutUint32(offset, binary.BigEndian.Uint32(offset)+uint32(begin)+1)
	}
	return b
}

// A letter that the embedded font lacks is as wide as in the font that has it, and is drawn.
func TestLettersOfOtherFonts(t *testing.T) {
	for name, files := range map[string]map[string][]byte{
		"plain": {"deep/er/go.TTF": goregular.TTF},
		"broken": {"a.ttf": []byte("no font"), "b.otf": nil, "c.ttc": goregular.TTF[:9000],
			"go.ttf": goregular.TTF},
		"shifted":    {"go.ttf": shifted(false)},
		"collection": {"go.ttc": shifted(true)},
		"outlined":   {"a.ttf": withoutOutline(t, 621), "b.ttf": goregular.TTF}, // 621 is ∪
	} {
		t.Run(name, func(t *testing.T) {
			asked := onlyFonts(t, files)
			sty := style(10, ink, false)
			a, b := sty.Width("A, äΩж"), sty.Width("B")
			if *asked != 0 {
				t.Error("fonts are looked for without need")
			}
			numtest.Close(t, float64(sty.Width("A, äΩж∪B")), float64(a+10*cup+b), 0, 1e-9)
			numtest.Close(t, float64(sty.Width("ₙ")), 10*subN, 0, 1e-9)
			numtest.Close(t, float64(sty.Width("∪\nA, äΩж")), float64(a), 0, 1e-9) // the wider line
			if *asked != 1 {
				t.Errorf("the folders are listed %d times", *asked)
			}
			top, foot, lacking := drawLetters("∪")
			if top || !foot || lacking != nil {
				t.Errorf("a cup is drawn with a lid: %v, a foot: %v; lacking %q", top, foot, lacking)
			}
		})
	}
}

// drawLetters draws a letter at 50 points, and tells whether the middle of its upper and of its lower edge are ink.
func drawLetters(s string) (top, foot bool, lacking []rune) {
	c := &lettered{Canvas: vgimg.NewWith(vgimg.UseWH(100, 100), vgimg.UseDPI(72))}
	f := style(50, ink, false).Font
	face := font.DefaultCache.Lookup(f, f.Size)
	c.SetColor(ink)
	c.FillString(face, vg.Point{X: 20, Y: 20}, s)
	x := 20 + int(piecesOf(face, s)[0].width/2)
	return inked(c.Image(), x, 40, 55), inked(c.Image(), x, 70, 85), c.lacking
}

// inked tells whether something is drawn in a column of pixels.
func inked(img image.Image, x, from, to int) bool {
	for y := from; y < to; y++ {
		if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
			return true
		}
	}
	return false
}

// What no font here has is a box, and named once; what is not seen takes no room.
func TestLettersOfNoFont(t *testing.T) {
	for name, files := range map[string]map[string][]byte{
		"none":       nil,
		"others":     {"go.txt": goregular.TTF, "LastResort.otf": goregular.TTF, "a.ttf": []byte("no font")},
		"no outline": {"a.ttf": withoutOutline(t, 621)},
	} {
		t.Run(name, func(t *testing.T) {
			onlyFonts(t, files)
			top, foot, lacking := drawLetters("∪∪")
			if !top || !foot || string(lacking) != "∪" {
				t.Errorf("a box has an upper edge: %v, a lower one: %v; lacking %q", top, foot, string(lacking))
			}
			sty := style(10, ink, true)
			for s, want := range map[string]vg.Length{"∪": 6, "重力": 20, "\U0001F600": 10, "重\uFE0F": 10, "\u3000": 10,
				"A重": sty.Width("A") + 10} {
				numtest.Close(t, float64(sty.Width(s)), float64(want), 0, 1e-9)
			}
		})
	}
}

// The plainest font comes first, whatever the order of the names.
func TestPlainFontsFirst(t *testing.T) {
	asked := onlyFonts(t, map[string][]byte{"Aa-BoldItalic.ttf": goregular.TTF, "Ab-Bold.ttf": goregular.TTF,
		"y/Ac-Regular.ttf": goregular.TTF, "x/Ad.otf": goregular.TTF})
	var names []string
	for _, path := range fontFiles(systemFonts.folders()) {
		names = append(names, filepath.Base(path))
	}
	if want := []string{"Ad.otf", "Ac-Regular.ttf", "Ab-Bold.ttf", "Aa-BoldItalic.ttf"}; !slices.Equal(names, want) {
		t.Errorf("the fonts are %q, want %q (asked %d times)", names, want, *asked)
	}
}

// A figure names letters that no font has, once; the places of texts are by the widths that are drawn.
func TestFigureOfOtherLetters(t *testing.T) {
	figure := func(title string) *Figure {
		t.Helper()
		f, err := Curves([]Series{{Name: "重力", X: []float64{1, 2}, Y: []float64{1, 2}}},
			&Axes{Title: title, X: "重", Y: "力 ∪"})
		if err != nil {
			t.Fatal(err)
		}
		if notes := f.Notes(); notes != nil {
			t.Errorf("before it is drawn the figure notes %q", notes)
		}
		if _, err := f.PNG(); err != nil {
			t.Fatal(err)
		}
		return f
	}
	onlyFonts(t, map[string][]byte{"go.ttf": goregular.TTF})
	f := figure("∪∪∪∪∪∪ ₙ")
	want := "the letters 重, 力 cannot be drawn in PNG and PDF: no font here has them; install one, such as " +
		"fonts-noto-cjk"
	if got := f.Notes(); len(got) != 1 || got[0] != want {
		t.Errorf("the figure notes %q, want %q", got, want)
	}
	middle, width := textPlace(t, f, "∪∪∪∪∪∪ ₙ")
	plain, _ := textPlace(t, figure("AAA"), "AAA")
	numtest.Close(t, middle, plain, 0.02, 0)
	bold := style(sizeTitle, ink, true)
	numtest.Close(t, width, sizeTitle*(6*cup+subN)+float64(bold.Width(" ")), 0.02, 0)

	// The names of an axis and of its groups are centred too.
	bars := func(name string) *Figure {
		t.Helper()
		f, err := Bars([]string{name}, []BarSeries{{Values: []float64{1}}}, &Axes{X: name + name, Width: 5})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, times := range []int{1, 2} {
		middle, _ := textPlace(t, bars("∪∪∪ₙ"), strings.Repeat("∪∪∪ₙ", times))
		plain, _ := textPlace(t, bars("AAA"), strings.Repeat("AAA", times))
		numtest.Close(t, middle, plain, 0.02, 0)
	}

	onlyFonts(t, nil)
	f = figure("\U0001F600")
	f.Plot.X.Label.Text, f.Plot.Y.Label.Text = "", ""
	if _, err := f.PNG(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(f.Notes(), " "); !strings.Contains(got, "\U0001F600") || strings.Contains(got, "∪") {
		t.Errorf("drawn anew the figure notes %q", got)
	}
	onlyFonts(t, nil)
	if got := lackingNote([]rune{'∪'}); got !=
		"the letter ∪ cannot be drawn in PNG and PDF: no font here has it; install one, such as fonts-noto-core" {
		t.Errorf("a letter alone is noted as %q", got)
	}
}

// textPlace reads the middle and the width of a text from the SVG.
func textPlace(t *testing.T, f *Figure, s string) (middle, width float64) {
	t.Helper()
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(svg), ">"+s+"</text>")
	if !ok {
		t.Fatalf("the SVG has no text %q", s)
	}
	tag := before[strings.LastIndex(before, "<text "):]
	x, width := attribute(t, tag, "x"), attribute(t, tag, "textLength")
	return x + width/2, width
}

func attribute(t *testing.T, tag, name string) float64 {
	t.Helper()
	_, after, _ := strings.Cut(tag, " "+name+`="`)
	value, _, _ := strings.Cut(after, `"`)
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
