package viz_test

import (
	"bytes"
	"testing"

	"bnlab/bnkit/viz"
)

// Panels have one legend, with the names of all plots, where a row repeats it. The row is as wide as its plots.
func TestPanels(t *testing.T) {
	plot := func(names ...string) *viz.Figure {
		var list []viz.Series
		for i, name := range names {
			list = append(list, viz.Series{Name: name, X: []float64{1, 2}, Y: []float64{float64(i), 2}})
		}
		f, err := viz.Curves(list, &viz.Axes{Width: 3, Height: 2})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	left, right := plot("without", "tiers"), plot("without", "tiers", "signs")
	for _, c := range []struct {
		of   func(...*viz.Figure) (*viz.Figure, error)
		want map[string]int
	}{
		{viz.Row, map[string]int{"without": 2, "tiers": 2, "signs": 1}},
		{viz.Panels, map[string]int{"without": 1, "tiers": 1, "signs": 1}},
	} {
		f, err := c.of(left, right)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range c.want {
			if got := bytes.Count(svg, []byte(">"+name+"<")); got != want {
				t.Errorf("%q stands %d times, want %d", name, got, want)
			}
		}
		if f.Width != left.Width+right.Width {
			t.Errorf("the row is %v wide", f.Width)
		}
	}
	if _, err := viz.Panels(left, nil); err == nil {
		t.Error("a panel that is nil is no error")
	}
}
