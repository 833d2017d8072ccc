package viz_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"bnlab/bnkit/viz"
)

// A piece is something drawn, as read from an SVG file: its place, and its text or style.
type piece struct {
	at    vg.Rectangle
	round bool // an ellipse
	text  string
	style string
}

var (
	corner   = regexp.MustCompile(`(-?[0-9.]+),(-?[0-9.]+)`)
	arcRadii = regexp.MustCompile(`A[0-9.]+,[0-9.]+`)
)

// pieces reads an SVG file. The place of a text is that of its letters without room for
// accents, by the widths of the font.
func pieces(t *testing.T, f *viz.Figure) (out []piece) {
	t.Helper()
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) vg.Length {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return vg.Length(x)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "path" && start.Name.Local != "text" {
			continue
		}
		attr := map[string]string{}
		for _, a := range start.Attr {
			attr[a.Name.Local] = a.Value
		}
		p := piece{style: attr["style"]}
		if start.Name.Local == "path" {
			p.round = strings.Count(attr["d"], "C") == 4
			p.at.Min, p.at.Max = vg.Point{X: 1e9, Y: 1e9}, vg.Point{X: -1e9, Y: -1e9}
			for _, m := range corner.FindAllStringSubmatch(arcRadii.ReplaceAllString(attr["d"], ""), -1) {
				x, y := number(m[1]), number(m[2])
				p.at.Min = vg.Point{X: min(p.at.Min.X, x), Y: min(p.at.Min.Y, y)}
				p.at.Max = vg.Point{X: max(p.at.Max.X, x), Y: max(p.at.Max.Y, y)}
			}
			out = append(out, p)
			continue
		}
		if err := d.DecodeElement(&p.text, &start); err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(p.style, "font-size:")
		size, _, _ := strings.Cut(rest, "px")
		sty := text.Style{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: number(size)},
			Handler: plot.DefaultTextHandler}
		if strings.Contains(p.style, "font-weight:bold") {
			sty.Font.Weight = xfont.WeightBold
		}
		x, y := number(attr["x"]), -number(attr["y"])
		p.at = vg.Rectangle{Min: vg.Point{X: x, Y: y},
			Max: vg.Point{X: x + sty.Width(p.text), Y: y + 0.7*sty.Font.Size}}
		out = append(out, p)
	}
}

func inside(a, b vg.Rectangle) bool {
	return a.Min.X >= b.Min.X && a.Min.Y >= b.Min.Y && a.Max.X <= b.Max.X && a.Max.Y <= b.Max.Y
}

// inEllipse reports whether the corners of a lie in the ellipse that touches the sides of b.
func inEllipse(a, b vg.Rectangle) bool {
	centre := b.Min.Add(b.Max).Scale(0.5)
	far := func(x, y vg.Length) bool {
		return math.Hypot(float64((x-centre.X)/(b.Max.X-centre.X)), float64((y-centre.Y)/(b.Max.Y-centre.Y))) > 1
	}
	return !far(a.Min.X, a.Min.Y) && !far(a.Max.X, a.Min.Y) && !far(a.Min.X, a.Max.Y) && !far(a.Max.X, a.Max.Y)
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
