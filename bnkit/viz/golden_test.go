package viz_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/bnkit/viz"
	"bnlab/internal/numtest"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew; look at them before committing")

// pictures are the figures kept in testdata: one of each kind, which a short test draws
// too, and what is hard to draw.
var pictures = []struct {
	name string
	make func() (*viz.Figure, error)
	text string // must stand in the SVG
}{
	{"curves", curves, "shared, published"},
	{"bars", bars, "with knowledge"},
	{"network", sprinkler, "sprinkler"},
	{"cpt", table, "P(grass | sprinkler, rain)"},
	{"intervals", intervals, "95 % credible intervals"},
	{"bound", bound, "P(on | rain=yes) is at most P(on | rain=no)"},
	{"loglog", loglog, "1e−5"},
	{"slanted", slanted, "−5"},
	{"horizontal", horizontal, "−0.25"},
	{"alarm", alarm, "STROKEVOLUME"},
	{"cut", cutTable, "… 6 more rows"},
	{"posteriors", posteriors, "fit B, X-ray positive"},
	{"gauges", gauges, "… 5 more"},
	{"timecourse", timecourse, "start 6, from random tables"},
	{"row", row, "P(grass | sprinkler, rain)"},
	{"tornado", tornado, "exposed to asbestos=level 21"},
	{"soft", soft, "likelihood 0.1 : 0.9"},
	{"adjacency", adjacency, "breathing"},
	{"adjacency-plain", adjacencyPlain, "VENTLUNG"},
	{"effects", effects, "do, 90 % interval"},
	{"plots", plots, "two of three"},
	{"dots", dots, "published"},
	{"trace", trace, "ends of the other starts"},
}

func TestPictures(t *testing.T) {
	for i, p := range pictures {
		if testing.Short() && i >= 4 {
			break
		}
		t.Run(p.name, func(t *testing.T) { checkGolden(t, p.name, p.make, p.text) })
	}
}

// checkGolden compares a figure with the picture in testdata, and checks it as checkPicture does.
func checkGolden(t *testing.T, name string, make func() (*viz.Figure, error), text string) {
	t.Helper()
	fig, got := checkPicture(t, name, make, text)
	golden := filepath.Join("testdata", name+".png")
	if *update {
		if err := fig.Save(golden); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if err := similar(got, want); err != nil {
		made := filepath.Join(t.TempDir(), name+".png")
		if fig.Save(made) == nil {
			os.Rename(made, filepath.Join(os.TempDir(), "viz-"+name+".png"))
		}
		t.Errorf("the picture differs from %s: %v (see %s; -update takes it over)", golden, err,
			filepath.Join(os.TempDir(), "viz-"+name+".png"))
	}
}

// checkPicture makes a figure twice: the files are the same, the SVG has the texts, and nothing is
// cut off. It returns the figure and its PNG, which it keeps in the folder BNLAB_PICTURES, to look at.
func checkPicture(t *testing.T, name string, make func() (*viz.Figure, error), text ...string) (*viz.Figure, []byte) {
	t.Helper()
	fig, err := make()
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("BNLAB_PICTURES"); dir != "" {
		if err := fig.Save(filepath.Join(dir, name+".png")); err != nil {
			t.Fatal(err)
		}
	}
	got, err := fig.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	if at, ok := inkAtEdge(img); ok {
		t.Errorf("ink at the edge, %v of %v", at, img.Bounds().Max)
	}
	svg, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range text {
		checkSVG(t, svg, s)
	}
	again, err := make()
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := again.SVG(); !bytes.Equal(b, svg) {
		t.Error("the second SVG has other bytes")
	}
	if numtest.Full() {
		if b, _ := again.PNG(); !bytes.Equal(b, got) {
			t.Error("the second PNG has other bytes")
		}
	}
	return fig, got
}

// similar compares two PNG files. A point counts as different when a colour differs by
// more than an eighth, which the rounding of another processor does not bring about but
// a shifted line does; one in a thousand may differ.
func similar(got, want []byte) error {
	a, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		return err
	}
	b, err := png.Decode(bytes.NewReader(want))
	if err != nil {
		return err
	}
	if a.Bounds() != b.Bounds() {
		return fmt.Errorf("size %v, was %v", a.Bounds().Max, b.Bounds().Max)
	}
	p, q := pixels(a), pixels(b)
	differ := 0
	for at := 0; at < len(p); at += 4 {
		if apart(p[at:], q[at:]) {
			differ++
		}
	}
	if all := len(p) / 4; differ > all/1000 {
		return fmt.Errorf("%d of %d points", differ, all)
	}
	return nil
}

func pixels(img image.Image) []uint8 {
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out.Pix
}

func apart(a, b []uint8) bool {
	for i := range 3 {
		if d := int(a[i]) - int(b[i]); d > 32 || d < -32 {
			return true
		}
	}
	return false
}

// checkSVG reads the file as XML and looks for a text in it.
func checkSVG(t *testing.T, svg []byte, text string) {
	t.Helper()
	found := text == ""
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the SVG is not XML: %v", err)
		}
		if s, ok := token.(xml.CharData); ok && strings.Contains(string(s), text) {
			found = true
		}
	}
	if !found {
		t.Errorf("the SVG does not have the text %q", text)
	}
}

// inkAtEdge finds a point at the very edge that is not background: something is cut off.
func inkAtEdge(img image.Image) (image.Point, bool) {
	pix, size := pixels(img), img.Bounds().Max
	for y := range size.Y {
		for x := range size.X {
			inside := x > 0 && y > 0 && x < size.X-1 && y < size.Y-1
			if at := 4 * (y*size.X + x); !inside && apart(pix[at:], []uint8{255, 255, 255}) {
				return image.Pt(x, y), true
			}
		}
	}
	return image.Point{}, false
}
