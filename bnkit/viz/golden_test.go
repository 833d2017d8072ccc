package viz_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/bnkit/viz"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew; look at them before committing")

// pictures are the figures kept in testdata: one of each kind, and what is hard to draw.
var pictures = []struct {
	name string
	make func() (*viz.Figure, error)
	text string // must stand in the SVG
}{
	{"curves", curves, "shared, published"},
	{"loglog", loglog, "1e−5"},
	{"bars", bars, "with knowledge"},
	{"slanted", slanted, "−5"},
	{"network", sprinkler, "sprinkler"},
	{"horizontal", horizontal, "−0.25"},
	{"alarm", alarm, "STROKEVOLUME"},
	{"cpt", table, "P(grass | sprinkler, rain)"},
	{"cut", cutTable, "… 6 more rows"},
	{"row", row, "P(grass | sprinkler, rain)"},
}

func TestPictures(t *testing.T) {
	for _, p := range pictures {
		t.Run(p.name, func(t *testing.T) {
			fig, err := p.make()
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", p.name+".png")
			if *update {
				if err := fig.Save(golden); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			got, err := fig.PNG()
			if err != nil {
				t.Fatal(err)
			}
			if err := similar(got, want); err != nil {
				made := filepath.Join(t.TempDir(), p.name+".png")
				if fig.Save(made) == nil {
					os.Rename(made, filepath.Join(os.TempDir(), "viz-"+p.name+".png"))
				}
				t.Errorf("the picture differs from %s: %v (see %s; -update takes it over)", golden, err, filepath.Join(os.TempDir(), "viz-"+p.name+".png"))
			}
			svg, err := fig.SVG()
			if err != nil {
				t.Fatal(err)
			}
			checkSVG(t, svg, p.text)
			again, err := p.make()
			if err != nil {
				t.Fatal(err)
			}
			if b, _ := again.PNG(); !bytes.Equal(b, got) {
				t.Error("the second PNG has other bytes")
			}
			if b, _ := again.SVG(); !bytes.Equal(b, svg) {
				t.Error("the second SVG has other bytes")
			}
		})
	}
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
	differ := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if apart(a.At(x, y), b.At(x, y)) {
				differ++
			}
		}
	}
	if all := a.Bounds().Dx() * a.Bounds().Dy(); differ > all/1000 {
		return fmt.Errorf("%d of %d points", differ, all)
	}
	return nil
}

func apart(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, bl2, _ := b.RGBA()
	for _, d := range []int{int(r) - int(r2), int(g) - int(g2), int(bl) - int(bl2)} {
		if max(d, -d) > 0xffff/8 {
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

// Nothing is cut off: the outermost points of every picture are background.
func TestMargins(t *testing.T) {
	for _, p := range pictures {
		fig, err := p.make()
		if err != nil {
			t.Fatal(err)
		}
		b, err := fig.PNG()
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if at, ok := inkAtEdge(img); ok {
			t.Errorf("%s: ink at the edge, %v of %v", p.name, at, img.Bounds().Max)
		}
	}
}

func inkAtEdge(img image.Image) (image.Point, bool) {
	r := img.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if x == r.Min.X+1 && y > r.Min.Y && y < r.Max.Y-1 {
				x = r.Max.X - 1
			}
			if apart(img.At(x, y), color.White) {
				return image.Pt(x, y), true
			}
		}
	}
	return image.Point{}, false
}
