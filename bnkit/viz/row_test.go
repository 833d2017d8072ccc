package viz_test

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"testing"

	"bnlab/bnkit/viz"
)

// plotOf has a line for each name, the first from 1 to the top.
func plotOf(t *testing.T, a viz.Axes, top float64, names ...string) *viz.Figure {
	t.Helper()
	var list []viz.Series
	for i, name := range names {
		list = append(list, viz.Series{Name: name, X: []float64{1, 2}, Y: []float64{1 + float64(i)/10, top}})
	}
	if a.Width == 0 {
		a.Width, a.Height = 3, 2
	}
	f, err := viz.Curves(list, &a)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Plots in a row share their legend, labels and numbers where these are the same, and only there.
func TestRowShares(t *testing.T) {
	plot := func(y string, top float64, names ...string) *viz.Figure {
		return plotOf(t, viz.Axes{X: "cases", Y: y}, top, names...)
	}
	looks := map[string]viz.Look{"one": {Dash: []float64{2, 1}}, "two": {Marker: "cross"}}
	table := func(names ...string) *viz.Figure {
		return plotOf(t, viz.Axes{Looks: looks, Palette: nil}, 2, names...)
	}
	for _, c := range []struct {
		name string
		of   []*viz.Figure
		want map[string]int
	}{
		{"alike", []*viz.Figure{plot("AUC", 7, "one"), plot("AUC", 7, "one"), plot("AUC", 7, "one")},
			map[string]int{"cases": 1, "AUC": 1, "one": 1, "6": 1}},
		{"other ranges", []*viz.Figure{plot("AUC", 7, "one"), plot("AUC", 7.5, "one")},
			map[string]int{"cases": 1, "AUC": 1, "one": 1, "6": 2}},
		{"other y", []*viz.Figure{plot("AUC", 7, "one"), plot("nats", 7, "one")},
			map[string]int{"cases": 1, "AUC": 1, "nats": 1, "one": 1, "6": 2}},
		{"more names", []*viz.Figure{plot("AUC", 7, "one", "two"), plot("AUC", 7, "one", "two", "three")},
			map[string]int{"one": 1, "two": 1, "three": 1}},
		{"a name with two looks", []*viz.Figure{plot("AUC", 7, "one", "two"), plot("AUC", 7, "two", "one")},
			map[string]int{"one": 2, "two": 2}},
		{"a look with two names", []*viz.Figure{plot("AUC", 7, "one", "two"), plot("AUC", 7, "one", "three")},
			map[string]int{"one": 2, "two": 1, "three": 1}},
		{"no name in both", []*viz.Figure{plot("AUC", 7, "one"), plot("AUC", 7, "two")},
			map[string]int{"one": 1, "two": 1}},
		{"one plot", []*viz.Figure{plot("AUC", 7, "one")}, map[string]int{"cases": 1, "AUC": 1, "one": 1}},
		{"looks by name", []*viz.Figure{table("one"), table("one")}, map[string]int{"one": 1}},
	} {
		f, err := viz.Row(c.of...)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		for word, want := range c.want {
			if got := bytes.Count(svg, []byte(">"+word+"<")); got != want {
				t.Errorf("%s: %q stands %d times, want %d", c.name, word, got, want)
			}
		}
	}
	if _, err := viz.Row(plot("AUC", 2, "one"), nil); err == nil {
		t.Error("a panel that is nil is no error")
	}
}

// A row of plots keeps its width up to that of a page, is made narrower up to a point, and continues below then.
func TestRowFitsThePage(t *testing.T) {
	for _, c := range []struct {
		widths        []float64
		width, height float64 // inches
	}{
		{[]float64{3, 3}, 6, 2},
		{[]float64{5, 5.2}, 10.2, 2},
		{[]float64{6, 8}, 10.2, 2},
		{[]float64{3.4, 3.4, 3.4, 3.4, 3.4}, 10.2, 2}, // each keeps exactly 0.6 of its width
		{[]float64{3.5, 3.5, 3.5, 3.5, 3.5}, 10.2, 4}, // 3 and 2
		{[]float64{20}, 20, 2},
	} {
		var list []*viz.Figure
		for _, w := range c.widths {
			list = append(list, plotOf(t, viz.Axes{Width: w, Height: 2, X: "x"}, 2, ""))
		}
		f, err := viz.Row(list...)
		if err != nil {
			t.Fatal(err)
		}
		w, h := f.Width.Points()/72, f.Height.Points()/72
		if math.Abs(w-c.width) > 1e-9 || math.Abs(h-c.height) > 1e-9 {
			t.Errorf("%v make %v × %v inches, want %v × %v", c.widths, w, h, c.width, c.height)
		}
	}
}

// Data areas are equally wide and high, though only the first plot has a label and numbers, and one title has two
// lines.
func TestRowDataAreas(t *testing.T) {
	axes := viz.Axes{X: "cases", Y: "AUC"}
	first, second := axes, axes
	first.Title, second.Title = "A", "A title that is too long for one line of a plot, and so has two"
	f, err := viz.Row(plotOf(t, first, 2, "one"), plotOf(t, second, 2, "one"))
	if err != nil {
		t.Fatal(err)
	}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]float64 // the two data lines, from their first to their last point
	for _, m := range regexp.MustCompile(`<path d="M([0-9.]+),([0-9.]+)L([0-9.]+),([0-9.]+)"\s+style="[^"]*#0072B2`).
		FindAllSubmatch(svg, -1) {
		var at []float64
		for _, s := range m[1:] {
			x, err := strconv.ParseFloat(string(s), 64)
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, x)
		}
		if at[1] != at[3] { // not the sample of the legend
			lines = append(lines, at)
		}
	}
	if len(lines) != 2 {
		t.Fatalf("%d lines: %v\n%s", len(lines), lines, svg)
	}
	a, b := lines[0], lines[1]
	if w := (a[2] - a[0]) - (b[2] - b[0]); math.Abs(w) > 0.5 {
		t.Errorf("widths differ by %v points", w)
	}
	if math.Abs(a[1]-b[1]) > 0.01 || math.Abs(a[3]-b[3]) > 0.01 {
		t.Errorf("heights differ: %v and %v", a, b)
	}
}
