package viz_test

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"fmt"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"bnlab/bnkit/viz"
)

// A page is what a PDF file holds, as far as these tests ask.
type page struct {
	box      string
	texts    []string // of the lines, in the order of the picture
	sizes    []float64
	scale    float64
	embedded int // fonts with their outlines
}

// readPDF reads the files that Figure.PDF writes; it fails where an object is not at the place that the file says.
func readPDF(t *testing.T, file []byte) page {
	t.Helper()
	_, table, _ := bytes.Cut(file, []byte("\nxref\n"))
	for i, line := range strings.Split(string(table), "\n")[2:] {
		at, err := strconv.Atoi(strings.TrimLeft(strings.TrimSuffix(line, " 00000 n "), "0"))
		if err != nil {
			break
		}
		if want := fmt.Sprintf("%d 0 obj\n", i+1); !bytes.HasPrefix(file[at:], []byte(want)) {
			t.Fatalf("at byte %d is %q, want %q", at, file[at:at+10], want)
		}
	}
	p := page{box: string(regexp.MustCompile(`/MediaBox \[.*?\]`).Find(file))}
	p.embedded = bytes.Count(file, []byte("/FontFile2"))
	var content string
	var maps []map[string]string // of the fonts, in their order
	for _, m := range regexp.MustCompile(`(?s)/Length (\d+) >>\nstream\n`).FindAllSubmatchIndex(file, -1) {
		n, _ := strconv.Atoi(string(file[m[2]:m[3]]))
		z, err := zlib.NewReader(bytes.NewReader(file[m[1] : m[1]+n]))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case bytes.Contains(b, []byte("beginbfchar")):
			letters := make(map[string]string)
			for _, l := range regexp.MustCompile(`<([0-9A-F]{4})> <([0-9A-F]+)>\n`).FindAllStringSubmatch(string(b),
				-1) {
				raw, _ := hex.DecodeString(l[2])
				var units []uint16
				for i := 0; i < len(raw); i += 2 {
					units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
				}
				letters[l[1]] = string(utf16.Decode(units))
			}
			maps = append(maps, letters)
		case bytes.Contains(b, []byte(" Tf\n")):
			content = string(b)
		}
	}
	first := regexp.MustCompile(`(\S+) \S+ \S+ \S+ 0 0 cm`).FindStringSubmatch(content)
	if first == nil {
		t.Fatal("the page has no scale")
	}
	p.scale, _ = strconv.ParseFloat(first[1], 64)
	for _, m := range regexp.MustCompile(`/F(\d+) (\S+) Tf\n.*\n(.*) TJ`).FindAllStringSubmatch(content, -1) {
		font, _ := strconv.Atoi(m[1])
		size, _ := strconv.ParseFloat(m[2], 64)
		text := ""
		for _, part := range regexp.MustCompile(`<([0-9A-F]*)>`).FindAllStringSubmatch(m[3], -1) {
			for i := 0; i < len(part[1]); i += 4 {
				text += maps[font][part[1][i:i+4]]
			}
		}
		p.texts, p.sizes = append(p.texts, text), append(p.sizes, size)
	}
	return p
}

func TestPDF(t *testing.T) {
	for _, p := range pictures {
		fig, err := p.make()
		if err != nil {
			t.Fatal(err)
		}
		file, err := fig.PDF()
		if err != nil {
			t.Fatal(err)
		}
		again, err := fig.PDF()
		if err != nil || !bytes.Equal(file, again) {
			t.Errorf("%s: other bytes the second time (%v)", p.name, err)
		}
		got := readPDF(t, file)
		box := regexp.MustCompile(`[\d.]+`).FindAllString(got.box, -1)
		w, _ := strconv.ParseFloat(box[2], 64)
		h, _ := strconv.ParseFloat(box[3], 64)
		if math.Abs(w-fig.Width.Points()) > 0.001 || math.Abs(h-fig.Height.Points()) > 0.001 {
			t.Errorf("%s: the page is %v, the figure %v × %v", p.name, got.box, fig.Width, fig.Height)
		}
		if got.embedded == 0 || got.scale != 1 {
			t.Errorf("%s: %d fonts embedded, scale %v", p.name, got.embedded, got.scale)
		}
		if !strings.Contains(strings.Join(got.texts, "\n"), p.text) {
			t.Errorf("%s: no %q among %q", p.name, p.text, got.texts)
		}
	}
}

// atEdges tells of the ink in the first and in the last two columns of a picture.
func atEdges(t *testing.T, fig *viz.Figure) (left, right bool, wide int) {
	t.Helper()
	b, err := fig.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	all := img.Bounds()
	ink := func(x int) bool {
		for y := range all.Dy() {
			if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0xF000 {
				return true
			}
		}
		return false
	}
	return ink(0) || ink(1), ink(all.Dx()-1) || ink(all.Dx()-2), all.Dx()
}

// A figure of half its width shows what it showed: with all of its text, and with white at both sides.
func TestNarrow(t *testing.T) {
	for _, p := range pictures {
		if !slices.Contains([]string{"cpt", "slanted", "tornado", "plots", "row", "bound"}, p.name) {
			continue // a PNG takes its time
		}
		fig, err := p.make()
		if err != nil {
			t.Fatal(err)
		}
		file, err := fig.PDF()
		if err != nil {
			t.Fatal(err)
		}
		whole := readPDF(t, file).texts
		fig.Width /= 2
		if left, right, _ := atEdges(t, fig); left || right {
			t.Errorf("%s: at half its width, something is cut off at an edge", p.name)
		}
		if fig.Plot != nil || p.name == "plots" {
			continue // whose text breaks into other lines
		}
		if file, err = fig.PDF(); err != nil {
			t.Fatal(err)
		}
		if got := readPDF(t, file); len(got.texts) != len(whole) || !(got.scale <= 0.51) {
			t.Errorf("%s: %d lines of text at a scale of %v, want %d at half", p.name, len(got.texts), got.scale,
				len(whole))
		}
		if fig.Notes() == nil {
			t.Errorf("%s: nothing tells that the text is small", p.name)
		}
	}
}

// A width in millimetres is that of the file, and text of 8 points has 8.
func TestSetWidth(t *testing.T) {
	for i, p := range pictures {
		fig, err := p.make()
		if err != nil {
			t.Fatal(err)
		}
		if err := fig.SetWidth(85, 8); err != nil {
			t.Fatal(err)
		}
		const points = 85 / 25.4 * 72
		file, err := fig.PDF()
		if err != nil {
			t.Fatal(err)
		}
		got := readPDF(t, file)
		if !strings.Contains(got.box, fmt.Sprintf(" %.4f ", points)) {
			t.Errorf("%s: %s, want %v points", p.name, got.box, points)
		}
		svg, err := fig.SVG()
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf(`<svg width="%.4gpt"`, points); !bytes.Contains(svg, []byte(want)) {
			t.Errorf("%s: no %s in the SVG", p.name, want)
		}
		if i < 4 { // a PNG takes its time
			left, right, wide := atEdges(t, fig)
			if left || right || math.Abs(float64(wide)-points/72*192) > 7 {
				t.Errorf("%s: cut off at an edge, or %d pixels wide", p.name, wide)
			}
		}
		small := strings.Join(fig.Notes(), " ")
		if is := 9.5 * got.scale; (is < 7.9) != strings.HasPrefix(small, "text has ") || is > 8.001 {
			t.Errorf("%s: text of %v points; notes: %q", p.name, is, small)
		}
		if fig.Plot != nil && math.Abs(9.5*got.scale-8) > 0.001 {
			t.Errorf("%s: text of a plot has %v points", p.name, 9.5*got.scale)
		}
	}
}

// A wide table keeps its text and has white beside it; rows of a tornado plot keep their height.
func TestSetWidthOfRows(t *testing.T) {
	fig, err := table()
	if err != nil {
		t.Fatal(err)
	}
	before := fig.Height
	if err := fig.SetWidth(300, 0); err != nil {
		t.Fatal(err)
	}
	if fig.Height != before || fig.Notes() != nil {
		t.Errorf("a wide table: %v high, was %v; %q", fig.Height, before, fig.Notes())
	}
	if fig, err = tornado(); err != nil {
		t.Fatal(err)
	}
	before = fig.Height
	if err := fig.SetWidth(85, 0); err != nil {
		t.Fatal(err)
	}
	if math.Abs(float64(fig.Height-before)) > 1e-9 {
		t.Errorf("20 rows in %v points, were in %v", fig.Height, before)
	}
	for _, bad := range [][2]float64{{0, 0}, {-85, 0}, {math.NaN(), 0}, {3000, 0}, {85, 1}, {85, math.NaN()}} {
		if err := fig.SetWidth(bad[0], bad[1]); err == nil {
			t.Errorf("no error for %v mm and %v points", bad[0], bad[1])
		}
	}
	wantError(t, (*viz.Figure)(nil).SetWidth(85, 8), "empty")
	if err := fig.Save(filepath.Join(t.TempDir(), "Figure 1.PDF")); err != nil {
		t.Error(err)
	}
}

// Names below bars that stood in a line break into two in less room.
func TestSetWidthOfNames(t *testing.T) {
	names := []string{"after surgery", "before surgery", "no surgery", "not known"}
	fig, err := viz.Bars(names, []viz.BarSeries{{Values: []float64{1, 2, 3, 4}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		millimetres float64
		whole       bool
	}{{165, true}, {90, false}, {165, true}} {
		if err := fig.SetWidth(c.millimetres, 0); err != nil {
			t.Fatal(err)
		}
		file, err := fig.PDF()
		if err != nil {
			t.Fatal(err)
		}
		if texts := readPDF(t, file).texts; slices.Contains(texts, names[1]) != c.whole {
			t.Errorf("in %v mm: %q", c.millimetres, texts)
		}
	}
}

// Letters that the embedded font lacks are drawn, or named, as in PNG.
func TestPDFLetters(t *testing.T) {
	fig, err := viz.Bars([]string{"重力", "a \u2192 b"}, []viz.BarSeries{{Values: []float64{1, 2}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fig.PNG(); err != nil {
		t.Fatal(err)
	}
	notes := fig.Notes()
	file, err := fig.PDF()
	if err != nil {
		t.Fatal(err)
	}
	if got := readPDF(t, file).texts; !slices.Equal(fig.Notes(), notes) || slices.Contains(got, "重力") {
		t.Errorf("texts %q, notes %q, want %q", got, fig.Notes(), notes)
	}
}

func ExampleFigure_SetWidth() {
	fig, err := curves()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := fig.SetWidth(85, 8); err != nil { // a column of a journal
		fmt.Println(err)
		return
	}
	fmt.Println(fig) // fig.Save("figure1.pdf")
	// Output:
	// Sharing parameters pays when data are scarce (figure of 3.3 × 2.1 inches)
}
