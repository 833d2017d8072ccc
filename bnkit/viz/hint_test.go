package viz_test

import (
	"strconv"
	"strings"
	"testing"

	"bnlab/bnkit/viz"
	"bnlab/internal/numtest"
)

// Marks tell their numbers, in a row of figures too; names are escaped.
func TestHints(t *testing.T) {
	curves, err := viz.Curves([]viz.Series{
		{Name: "a<b", X: []float64{1, 2}, Y: []float64{0.25, 0.12345}, Lo: []float64{0.2, 0.1},
			Hi: []float64{0.3, 0.2}},
		{X: []float64{1}, Y: []float64{3}, Points: true}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	bars, err := viz.Bars([]string{"asia"}, []viz.BarSeries{{Name: "free", Values: []float64{0.7},
		StdErr: []float64{0.1}}, {Values: []float64{-1}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	row, err := viz.Row(curves, bars)
	if err != nil {
		t.Fatal(err)
	}
	svg, err := row.SVG()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, rest := range strings.Split(string(svg), "<title>")[1:] {
		title, _, _ := strings.Cut(rest, "</title>")
		got = append(got, title)
	}
	want := "a&lt;b: 0.25 at 1, from 0.2 to 0.3; a&lt;b: 0.1235 at 2, from 0.1 to 0.2; 3 at 1; " +
		"free, asia: 0.7, from 0.6 to 0.8; asia: -1"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("the hints are\n%s\nwant\n%s", s, want)
	}
}

// Each text keeps its width whatever font a reader has, also one that holds the name of an element.
func TestTextWidths(t *testing.T) {
	bars, err := viz.Bars([]string{"<text >", "iii", "WWW"}, []viz.BarSeries{{Values: []float64{1, 2, 3}}},
		&viz.Axes{Title: "wide", X: "x", Y: "y"})
	if err != nil {
		t.Fatal(err)
	}
	svg, err := bars.SVG()
	if err != nil {
		t.Fatal(err)
	}
	width := func(text string) float64 {
		t.Helper()
		before, _, ok := strings.Cut(string(svg), ">"+text+"</text>")
		_, after, has := strings.Cut(before[strings.LastIndex(before, "<text "):], `textLength="`)
		x, err := strconv.ParseFloat(after[:max(0, strings.IndexByte(after, '"'))], 64)
		if !ok || !has || err != nil {
			t.Fatalf("%q has no width: %v", text, err)
		}
		return x
	}
	// Advance widths of Liberation Sans in thousandths of its size: i 222, W 944; an axis has 9.5 points or less.
	numtest.Close(t, width("WWW")/width("iii"), 944./222, 0, 1e-2)
	if n, w := strings.Count(string(svg), "<text "), strings.Count(string(svg), "textLength="); n != w {
		t.Errorf("%d texts, of which %d have a width", n, w)
	}
	width("wide")
}
