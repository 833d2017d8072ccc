package viz_test

import (
	"bytes"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/viz"
)

// colorsIn returns the colours of an SVG in the order of their first use, without those of axes and text.
func colorsIn(t *testing.T, f *viz.Figure, err error) []string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, c := range regexp.MustCompile(`#[0-9A-Fa-f]{6}`).FindAllString(string(svg), -1) {
		c = strings.ToLower(c)
		ours := []string{"#000000", "#ffffff", "#1e1e1e", "#6e6e6e", "#e1e1e1"}
		if !slices.Contains(ours, c) && !slices.Contains(found, c) {
			found = append(found, c)
		}
	}
	slices.Sort(found)
	return found
}

// A colour given to one series leaves those of the others alone; a palette replaces all; published points follow.
func TestColors(t *testing.T) {
	x := make([]float64, 20) // more than 12 points: lines without dots
	for i := range x {
		x[i] = float64(i)
	}
	red, teal := color.RGBA{200, 16, 32, 255}, color.Gray{128}
	series := func(own color.Color, as string) []viz.Series {
		b := viz.Series{Name: "b", X: x, Y: x, Color: own}
		return []viz.Series{{Name: "a", X: x, Y: x}, b, {Name: "c", X: x, Y: x, As: as}}
	}
	bars := func(own color.Color) []viz.BarSeries {
		return []viz.BarSeries{{Name: "a", Values: []float64{1}}, {Name: "b", Values: []float64{2}, Color: own}}
	}
	curves := func(s []viz.Series, a *viz.Axes) []string {
		f, err := viz.Curves(s, a)
		return colorsIn(t, f, err)
	}
	bar := func(s []viz.BarSeries, a *viz.Axes) []string {
		f, err := viz.Bars([]string{"g"}, s, a)
		return colorsIn(t, f, err)
	}
	two := &viz.Axes{Palette: []color.Color{red, teal}}
	for _, tt := range []struct {
		name      string
		got, want []string
	}{
		{"default", curves(series(nil, ""), nil), []string{"#0072b2", "#009e73", "#e69f00"}},
		{"own", curves(series(red, ""), nil), []string{"#0072b2", "#009e73", "#c81020"}},
		{"as", curves(series(red, "b"), nil), []string{"#0072b2", "#c81020"}},
		{"palette", curves(series(nil, ""), two), []string{"#808080", "#c81020"}},
		{"own before palette", curves(series(color.NRGBA{1, 2, 3, 255}, ""), two), []string{"#010203", "#c81020"}},
		{"bars are paler", bar(bars(nil), nil), []string{"#4d9cc9", "#eebc4d"}},
		{"looks", curves(series(nil, ""), &viz.Axes{Looks: map[string]viz.Look{"b": {Color: red}, "z": {Color: teal}}}),
			[]string{"#0072b2", "#009e73", "#c81020"}},
		{"own before looks", curves(series(red, ""), &viz.Axes{Looks: map[string]viz.Look{"b": {Color: teal}}}),
			[]string{"#0072b2", "#009e73", "#c81020"}},
		{"a look without a colour", bar(bars(nil), &viz.Axes{Looks: map[string]viz.Look{"b": {Marker: "plus"}}}),
			[]string{"#4d9cc9", "#eebc4d"}},
		{"a bar's own", bar(bars(red), nil), []string{"#4d9cc9", "#c81020"}},
		{"bars of a palette", bar(bars(nil), two), []string{"#808080", "#c81020"}},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: colours %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}

// Beyond the palette the colours begin again, dashed.
func TestPaletteDashes(t *testing.T) {
	s := []viz.Series{{X: []float64{1, 2}, Y: []float64{1, 2}}, {X: []float64{1, 2}, Y: []float64{2, 1}}}
	f, err := viz.Curves(s, &viz.Axes{Palette: []color.Color{color.Black}})
	if err != nil {
		t.Fatal(err)
	}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(svg), "dasharray") {
		t.Error("the second series has the colour of the first and no dashes")
	}
}

func TestColorErrors(t *testing.T) {
	one := []float64{1}
	bad := &viz.Axes{Palette: []color.Color{color.Black, nil}}
	gray := &viz.Axes{Palette: []color.Color{color.Black}}
	line := viz.Series{Name: "a", X: one, Y: one}
	clear, both := line, line
	looks := func(l viz.Look) func() (*viz.Figure, error) {
		return func() (*viz.Figure, error) {
			return viz.Curves([]viz.Series{line}, &viz.Axes{Looks: map[string]viz.Look{"a": l}})
		}
	}
	clear.Color = color.Transparent
	both.Name, both.Color, both.As = "b", color.Black, "a"
	curves := func(s ...viz.Series) func() (*viz.Figure, error) {
		return func() (*viz.Figure, error) { return viz.Curves(s, nil) }
	}
	for _, tt := range []struct {
		name string
		make func() (*viz.Figure, error)
		want string
	}{
		{"transparent", curves(clear), `colour of series "a" is transparent`},
		{"look", looks(viz.Look{Color: color.Transparent}), `colour of the look of "a" is transparent`},
		{"marker", looks(viz.Look{Marker: "star"}), `marker "star"; the markers are [disc square`},
		{"dash", looks(viz.Look{Dash: []float64{2, 0}}), `a dash of 0 points`},
		{"dashes without end", looks(viz.Look{Dash: []float64{1e-9}}), `give lengths of 0.1 or more`},
		{"both", curves(line, both), "one of Color and As"},
		{"nil in the palette", func() (*viz.Figure, error) {
			return viz.Curves([]viz.Series{line}, bad)
		}, "colour 2 of the palette"},
		{"bars", func() (*viz.Figure, error) {
			return viz.Bars([]string{"g"}, []viz.BarSeries{{Values: one, Color: color.Transparent}}, nil)
		}, "series 1 is transparent"},
		{"slice", func() (*viz.Figure, error) {
			return viz.SliceClusters([]int{1}, []int{1}, []int{1}, gray)
		}, "Palette empty"},
		{"processes", func() (*viz.Figure, error) {
			return viz.Processes([]viz.Course{{Values: one}}, 1, gray)
		}, "Palette empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.make()
			wantError(t, err, tt.want)
		})
	}
}

// A dot beyond the range of the axis is not drawn at its edge, which would be another value; nor are its whisker and
// its reference.
func TestDotsInRange(t *testing.T) {
	svg := func(values, lo, hi, references []float64) []byte {
		f, err := viz.Dots([]string{"a", "b"}, []viz.BarSeries{{Values: values, Lo: lo, Hi: hi, Reference: references}},
			&viz.Axes{YRange: [2]float64{0.5, 1}, Palette: []color.Color{color.NRGBA{255, 1, 2, 255}}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	count := func(b []byte) int { return bytes.Count(bytes.ToUpper(b), []byte("#FF0102")) }
	one := count(svg([]float64{0.7, 0.8}, []float64{0.6, 0.7}, []float64{0.8, 0.9}, []float64{0.7, math.NaN()}))
	beyond := svg([]float64{0.1, 0.8}, []float64{0, 0.7}, []float64{0.2, 0.9}, []float64{1.2, math.NaN()})
	const value, legend = 4, 1 // a dot and three lines, and the ring of what is published
	if n := count(beyond); one != 2*value+1+legend || n != value+legend || bytes.Count(beyond, []byte("<title>")) != 1 {
		t.Errorf("%d marks of two values and a reference, and %d of one value that is shown", one, n)
	}
}
