package viz_test

import (
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
)

func TestCurvesErrors(t *testing.T) {
	nan, one, two := math.NaN(), []float64{1}, []float64{1, 2}
	for _, tt := range []struct {
		name   string
		series []viz.Series
		axes   *viz.Axes
		want   string
	}{
		{"none", nil, nil, "no curves"},
		{"empty", []viz.Series{{Name: "a"}}, nil, `series "a" has no points`},
		{"lengths", []viz.Series{{X: two, Y: one}}, nil, "series 1 has 2 values of x and 1 of y"},
		{"NaN", []viz.Series{{Name: "a", X: two, Y: []float64{1, nan}}}, nil, `series "a", point 2: y is NaN`},
		{"infinite", []viz.Series{{X: []float64{math.Inf(1), 1}, Y: two}}, nil, "point 1: x is +Inf"},
		{"half a band", []viz.Series{{X: two, Y: two, Lo: two}}, nil, "2 lower and 0 upper"},
		{"band length", []viz.Series{{X: two, Y: two, Lo: one, Hi: one}}, nil, "1 lower and 1 upper"},
		{"NaN in band", []viz.Series{{X: one, Y: one, Lo: []float64{nan}, Hi: one}}, nil, "lo is NaN"},
		{"band upside down", []viz.Series{{X: one, Y: one, Lo: []float64{2}, Hi: one}}, nil, "lo 2 exceeds hi 1"},
		{"zero on a log axis", []viz.Series{{X: []float64{0}, Y: one}}, &viz.Axes{LogX: true},
			"logarithmic axis needs more than 0"},
		{"band below a log axis", []viz.Series{{X: one, Y: one, Lo: []float64{-1}, Hi: []float64{0}}},
			&viz.Axes{LogY: true}, "hi is 0"},
		{"color", []viz.Series{{Name: "a", X: one, Y: one, As: "b"}}, nil, `colour of "b", which is no series`},
		{"range", []viz.Series{{X: one, Y: one}}, &viz.Axes{XRange: [2]float64{2, 1}}, "range of x, 2 to 1, is empty"},
		{"NaN range", []viz.Series{{X: one, Y: one}}, &viz.Axes{YRange: [2]float64{0, nan}}, "range of y"},
		{"log range", []viz.Series{{X: one, Y: one}}, &viz.Axes{LogY: true, YRange: [2]float64{0, 1}},
			"needs more than 0"},
		{"size", []viz.Series{{X: one, Y: one}}, &viz.Axes{Width: -1}, "inches"},
		{"NaN size", []viz.Series{{X: one, Y: one}}, &viz.Axes{Height: nan}, "inches"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := viz.Curves(tt.series, tt.axes)
			wantError(t, err, tt.want)
		})
	}
}

func TestBarsErrors(t *testing.T) {
	nan, one := math.NaN(), []float64{1}
	g := []string{"g"}
	for _, tt := range []struct {
		name   string
		groups []string
		series []viz.BarSeries
		axes   *viz.Axes
		want   string
	}{
		{"no groups", nil, []viz.BarSeries{{}}, nil, "no bars"},
		{"no series", g, nil, nil, "no bars"},
		{"lengths", g, []viz.BarSeries{{Name: "a"}}, nil, `series "a" has 0 numbers (value) for 1 groups`},
		{"NaN", g, []viz.BarSeries{{Values: []float64{nan}}}, nil, `series 1, group "g": value is NaN`},
		{"one bound", g, []viz.BarSeries{{Values: one, Lo: one}}, nil, "one bound"},
		{"both", g, []viz.BarSeries{{Values: one, Lo: one, Hi: one, StdErr: one}}, nil, "both"},
		{"upside down", g, []viz.BarSeries{{Values: one, Lo: one, Hi: []float64{0}}}, nil, "exceeds"},
		{"negative error", g, []viz.BarSeries{{Values: one, StdErr: []float64{-1}}}, nil, "standard error is -1"},
		{"infinite mark", g, []viz.BarSeries{{Values: one, Reference: []float64{math.Inf(1)}}}, nil,
			"reference is +Inf"},
		{"log", g, []viz.BarSeries{{Values: one}}, &viz.Axes{LogY: true}, "linear"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := viz.Bars(tt.groups, tt.series, tt.axes)
			wantError(t, err, tt.want)
		})
	}
}

func TestNetworkErrors(t *testing.T) {
	net, err := gardenNet()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		net  *bn.Network
		opts viz.NetworkOptions
		want string
	}{
		{"nil", nil, viz.NetworkOptions{}, "no network"},
		{"shaded", net, viz.NetworkOptions{Shaded: []string{"snow"}}, `unknown variable "snow"`},
		{"colors", net, viz.NetworkOptions{Colors: map[string]color.Color{"snow": color.Black}},
			`unknown variable "snow"`},
		{"nil color", net, viz.NetworkOptions{Colors: map[string]color.Color{"rain": nil}}, `colour of "rain" is nil`},
		{"label", net, viz.NetworkOptions{ArcLabels: map[[2]string]string{{"rain", "snow"}: "+"}},
			`unknown variable "snow"`},
		{"reversed label", net, viz.NetworkOptions{ArcLabels: map[[2]string]string{{"grass", "rain"}: "+"}},
			`no arc from "grass" to "rain"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := viz.Network(tt.net, &tt.opts)
			wantError(t, err, tt.want)
		})
	}
	_, err = viz.Graph[*bn.DAG](nil, nil)
	wantError(t, err, "no graph")
}

func TestCPTErrors(t *testing.T) {
	good, err := bn.NewCPT(bn.Discrete("x", "a", "b"), bn.Discrete("p", "c", "d"))
	if err != nil {
		t.Fatal(err)
	}
	bad := good.Clone()
	bad.P[1] = math.NaN()
	for _, tt := range []struct {
		name string
		cpt  *bn.CPT
		opts viz.CPTOptions
		want string
	}{
		{"nil", nil, viz.CPTOptions{}, "no table"},
		{"NaN", bad, viz.CPTOptions{}, "is not a probability"},
		{"counts", good, viz.CPTOptions{Counts: []float64{1}}, "1 counts for a table of 4 entries"},
		{"negative count", good, viz.CPTOptions{Counts: []float64{1, -1, 0, 0}}, "count 2"},
		{"NaN count", good, viz.CPTOptions{Counts: []float64{1, 1, 0, math.NaN()}}, "count 4"},
		{"half an interval", good, viz.CPTOptions{Lo: make([]float64, 4)},
			"4 lower and 0 upper ends for a table of 4 entries"},
		{"few intervals", good, viz.CPTOptions{Lo: make([]float64, 2), Hi: make([]float64, 2)}, "2 lower and 2 upper"},
		{"interval upside down", good, viz.CPTOptions{Lo: []float64{0, .5, 0, 0}, Hi: []float64{0, .4, 0, 0}},
			"interval 2"},
		{"interval above 1", good, viz.CPTOptions{Lo: make([]float64, 4), Hi: []float64{0, 0, 0, 1.01}}, "interval 4"},
		{"NaN interval", good, viz.CPTOptions{Lo: []float64{math.NaN(), 0, 0, 0}, Hi: make([]float64, 4)},
			"interval 1"},
		{"statements", good, viz.CPTOptions{Statements: [][]string{nil}}, "statements for 1 rows of a table of 2"},
		{"rows", good, viz.CPTOptions{MaxRows: -1}, "-1 rows"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := viz.CPT(tt.cpt, &tt.opts)
			wantError(t, err, tt.want)
		})
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	fig, err := bars()
	if err != nil {
		t.Fatal(err)
	}
	if err := fig.SaveBoth(dir, "bars"); err != nil {
		t.Fatal(err)
	}
	wantError(t, fig.Save(filepath.Join(dir, "bars.eps")), "must end in .png, .svg or .pdf")
	wantError(t, fig.Save(filepath.Join(dir, "no such directory", "bars.png")), "no such directory")
	if err := os.Mkdir(filepath.Join(dir, "taken.png"), 0o755); err != nil {
		t.Fatal(err)
	}
	wantError(t, fig.Save(filepath.Join(dir, "taken.png")), "taken.png")
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != "bars.png bars.svg taken.png" {
		t.Errorf("the directory has %s", got)
	}
}

// What cannot be drawn is an error, not a panic.
func TestUndrawable(t *testing.T) {
	fig, err := viz.Curves([]viz.Series{{X: []float64{-1, 1}, Y: []float64{0, 1}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fig.Plot.X.Scale = plot.LogScale{}
	if _, err := fig.PNG(); err == nil {
		t.Error("a negative number on a logarithmic axis is drawn")
	}
	_, err = (&viz.Figure{Width: 1, Height: 1}).PNG()
	wantError(t, err, "empty")
	_, err = viz.FromPlot(nil, 0, 0).SVG()
	wantError(t, err, "empty")
	_, err = viz.FromPlot(plot.New(), -1, 1).SVG()
	wantError(t, err, "cannot be")
	_, err = viz.FromPlot(plot.New(), 1e4, 1e4).PNG()
	wantError(t, err, "too large")
	_, err = viz.Row()
	wantError(t, err, "needs figures")
	_, err = viz.Row(nil)
	wantError(t, err, "empty")
}

// The caller's data and plot stay as they are, and later changes of the data change
// nothing.
func TestCopies(t *testing.T) {
	x, y, lo, hi := []float64{1, 2}, []float64{1, 2}, []float64{0, 1}, []float64{2, 3}
	fig, err := viz.Curves([]viz.Series{{Name: "a", X: x, Y: y, Lo: lo, Hi: hi}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	x[0], y[0], lo[0], hi[0] = 9, 9, 9, 9
	after, err := fig.SVG()
	if err != nil || string(before) != string(after) {
		t.Errorf("a change of the data shows in the figure (error %v)", err)
	}
	fig.Plot.Title.Text = "Styled later"
	fig.Height = 2 * vg.Inch
	svg, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, svg, "Styled later")
	if got := fig.String(); got != "Styled later (figure of 6.5 × 2.0 inches)" {
		t.Errorf("the figure is %q", got)
	}
}

// Names may hold anything.
func TestStrangeNames(t *testing.T) {
	for _, name := range []string{"<&>\"'", "a\x01b", "a\xffb", "two\nlines", strings.Repeat("long ", 200), "日本語",
		"%d"} {
		net, err := bn.New("[A]", bn.Discrete("A", name, "b"))
		if err != nil {
			t.Fatal(err)
		}
		fig, err := viz.Network(net, &viz.NetworkOptions{Title: name, ShowStates: true})
		if err != nil {
			t.Fatal(err)
		}
		table, err := viz.CPT(net.CPT(0), nil)
		if err != nil {
			t.Fatal(err)
		}
		curve, err := viz.Curves([]viz.Series{{Name: name, X: []float64{1}, Y: []float64{1}}},
			&viz.Axes{Title: name, X: name, Y: name})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []*viz.Figure{fig, table, curve} {
			svg, err := f.SVG()
			if err != nil {
				t.Fatal(err)
			}
			checkSVG(t, svg, "")
			if testing.Short() {
				continue
			}
			if _, err := f.PNG(); err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "viz: ") {
		t.Errorf("error is %v, want one of viz with %q", err, want)
	}
}
