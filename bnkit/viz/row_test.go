package viz_test

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"

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
	a, b := twoLines(t, svg)
	if w := (a[2] - a[0]) - (b[2] - b[0]); math.Abs(w) > 0.5 {
		t.Errorf("widths differ by %v points", w)
	}
	if math.Abs(a[1]-b[1]) > 0.01 || math.Abs(a[3]-b[3]) > 0.01 {
		t.Errorf("heights differ: %v and %v", a, b)
	}
}

// twoLines are the blue data lines of two plots, each from its first to its last point.
func twoLines(t *testing.T, svg []byte) (a, b []float64) {
	t.Helper()
	var lines [][]float64
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
	return lines[0], lines[1]
}

// Where only the first plot has numbers, values are as high in the others: on logarithmic axes too, and beside a label
// of x in two lines.
func TestRowLevels(t *testing.T) {
	const long = "a label of the x axis that is too long for one line of a plot"
	for name, c := range map[string]struct {
		first, second viz.Axes
	}{
		"log y":      {viz.Axes{X: "cases", LogY: true}, viz.Axes{X: "cases", LogY: true}},
		"log both":   {viz.Axes{X: "cases", LogX: true, LogY: true}, viz.Axes{X: "cases", LogX: true, LogY: true}},
		"other x":    {viz.Axes{X: "cases"}, viz.Axes{X: long}},
		"log, other": {viz.Axes{X: "cases", LogY: true}, viz.Axes{X: long, LogY: true}},
		"two titles": {viz.Axes{Title: long, X: "cases"}, viz.Axes{Title: "A", X: "cases"}},
	} {
		c.first.Y, c.second.Y = "mean squared error of outputs", "mean squared error of outputs"
		f, err := viz.Row(plotOf(t, c.first, 90, "one"), plotOf(t, c.second, 90, "one"))
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(svg, []byte(">50<"))+bytes.Count(svg, []byte(">60<")) != 1 {
			t.Errorf("%s: the numbers do not stand once", name)
		}
		a, b := twoLines(t, svg)
		if math.Abs(a[1]-b[1]) > 0.01 || math.Abs(a[3]-b[3]) > 0.01 {
			t.Errorf("%s: one value is at two heights: %v and %v", name, a, b)
		}
		if w := (a[2] - a[0]) - (b[2] - b[0]); math.Abs(w) > 0.5 {
			t.Errorf("%s: widths differ by %v points", name, w)
		}
	}
}

// Names of rows are shared only where they are the same.
func TestRowKeepsNames(t *testing.T) {
	bars := func(rows ...string) *viz.Figure {
		f, err := viz.IntervalBars(rows, []viz.BarSeries{{Name: "p", Values: []float64{0.2, 0.8}}},
			&viz.Axes{Y: "state", X: "probability"})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, c := range []struct {
		second []string
		times  int
	}{{[]string{"beta", "alpha"}, 2}, {[]string{"alpha", "beta"}, 1}} {
		f, err := viz.Row(bars("alpha", "beta"), bars(c.second...))
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(svg, []byte(">alpha<")); got != c.times {
			t.Errorf("beside %v: alpha stands %d times, want %d", c.second, got, c.times)
		}
	}
}

// A shared label of the x axis has lines, for which the row has room.
func TestRowWrapsTheLabel(t *testing.T) {
	label := "a label of many words " + strings.Repeat("that is long ", 15) + "and ends"
	axes := viz.Axes{X: label, Width: 3, Height: 2}
	f, err := viz.Row(plotOf(t, axes, 2, "one"), plotOf(t, axes, 2, "one"))
	if err != nil {
		t.Fatal(err)
	}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(regexp.MustCompile(`<[^>]*>`).ReplaceAll(svg, nil))), " ")
	if !strings.Contains(text, label) {
		t.Errorf("the label is cut: %s", text)
	}
	if bytes.Contains(svg, []byte(">"+label+"<")) || !(f.Height.Points() > 2*72+10) {
		t.Errorf("the label stands in one line, or the row of %v points has no room for more", f.Height.Points())
	}
}

// The label of an x axis stands below its own numbers, also where another panel needs more room below the axis.
func TestRowLabelsAreNear(t *testing.T) {
	text := regexp.MustCompile(`<text x="([-0-9.]+)" y="([-0-9.]+)"[^>]*>([^<]*)<`)
	const long = "a label of the x axis that is too long for one line of a plot, and for two lines of it as well"
	f, err := viz.Row(plotOf(t, viz.Axes{X: long}, 90, "one"), plotOf(t, viz.Axes{X: "cases"}, 90, "one"))
	if err != nil {
		t.Fatal(err)
	}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	var numbers, label float64
	for _, m := range text.FindAllStringSubmatch(string(svg), -1) {
		y, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		switch m[3] {
		case "cases":
			label = y
		case "1", "2":
			numbers = y
		}
	}
	if far := label - numbers; far < 5 || far > 25 {
		t.Errorf("the label is %v points below the numbers (%v and %v)", far, label, numbers)
	}
}

// A diamond on bars and a ring beside dots are both published, and no legend has one for the other.
func TestRowOfReferences(t *testing.T) {
	series := []viz.BarSeries{{Name: "ours", Values: []float64{1, 2}, Reference: []float64{1, 3}}}
	groups := []string{"a", "b"}
	bars, err := viz.Bars(groups, series, nil)
	if err != nil {
		t.Fatal(err)
	}
	series[0].Name = "others"
	dots, err := viz.Dots(groups, series, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		second *viz.Figure
		want   int
	}{{bars, 1}, {dots, 2}} {
		row, err := viz.Row(bars, c.second)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := row.SVG()
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(svg), ">published<"); n != c.want {
			t.Errorf("%d legends with published, want %d", n, c.want)
		}
	}
}

// What the plotting library panics on is an error of Row, as it is one of drawing.
func TestRowOfBadTicks(t *testing.T) {
	bad := func() *viz.Figure {
		f := plotOf(t, viz.Axes{Y: "cases"}, 2, "one")
		f.Plot.Y.Min, f.Plot.Y.Tick.Marker = 0, plot.LogTicks{}
		return f
	}
	if row, err := viz.Row(bad(), bad()); row != nil || err == nil || !strings.Contains(err.Error(), "log scale") {
		t.Errorf("%v, %v", row, err)
	}
}

// Drawing a row leaves its plots as they are: names that it has at the first plot only, others have alone.
func TestRowLeavesPlots(t *testing.T) {
	bars := func() *viz.Figure {
		f, err := viz.IntervalBars([]string{"first", "second"}, []viz.BarSeries{{Values: []float64{1, 2},
			Lo: []float64{0, 1}, Hi: []float64{2, 3}}}, &viz.Axes{Y: "row", Width: 3, Height: 2})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	svg := func(f *viz.Figure) string {
		b, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	left, right := bars(), bars()
	alone := svg(right)
	row, err := viz.Row(left, right)
	if err != nil {
		t.Fatal(err)
	}
	if once := svg(row); strings.Count(once, ">first<") != 1 || svg(row) != once {
		t.Error("the row has the names twice, or is another one when it is drawn again")
	}
	if svg(right) != alone {
		t.Error("the second plot is another one since the row was drawn")
	}
}
