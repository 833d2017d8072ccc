package viz_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/learn"
	"bnlab/bnkit/viz"
)

// plots are panels that share a legend and labels, with every marker.
func plots() (*viz.Figure, error) {
	looks := make(map[string]viz.Look)
	names := []string{"disc", "square", "triangle", "diamond", "wedge", "cross", "plus"}
	for i, name := range names {
		looks[name] = viz.Look{Color: viz.Color(i), Marker: name, Dash: []float64{6, 1 + float64(i)}}
	}
	var panels []*viz.Figure
	for _, title := range []string{"one", "two of three", "three, with a title that is longer than one line is wide"} {
		var list []viz.Series
		for i, name := range names {
			s := viz.Series{Name: name, X: []float64{10, 100, 1000}}
			for k := range s.X {
				s.Y = append(s.Y, math.Exp2(float64(-k))+float64(i)/8)
			}
			list = append(list, s)
		}
		list = append(list, viz.Series{Name: "published", X: []float64{50}, Y: []float64{1}, Points: true,
			As: "square"})
		panel, err := viz.Curves(list, &viz.Axes{Title: title, X: "training cases", Y: "KL (nats)", LogX: true,
			Width: 4, Height: 3, Looks: looks})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}

// dots have whiskers, published values and a series of negative ones.
func dots() (*viz.Figure, error) {
	nan := math.NaN()
	return viz.Dots([]string{"Heart", "Breast", "a domain with a long name"}, []viz.BarSeries{
		{Name: "none", Values: []float64{0.1, 0.2, -0.3}, StdErr: []float64{0.05, 0.1, 0.1},
			Reference: []float64{nan, 0.4, -0.1}},
		{Name: "monotone", Values: []float64{0.3, 0.25, -0.2}},
	}, &viz.Axes{Title: "Dots", Y: "gain (nats)"})
}

// climbed is a fit of three starts, of which the second is the best and the third failed.
func climbed() *learn.Result {
	r := &learn.Result{Method: "EM", Starts: 3, Best: 2}
	for i := range 9 {
		l := -100 - 50*math.Exp(-float64(i))
		r.Trace = append(r.Trace, learn.Step{Iteration: i, LogLikelihood: l, Objective: l - 10})
	}
	r.Ends = []learn.End{{Step: learn.Step{Iteration: 5, LogLikelihood: -120, Objective: -130}, Iterations: 5},
		{Step: r.Trace[8], Iterations: 8}, {Failed: "no case is possible", Iterations: 2}}
	return r
}

func trace() (*viz.Figure, error) { return viz.Trace(climbed(), &viz.Axes{Title: "EM"}) }

// The trace has the best start, the objective where it differs, the ends of starts that ended, and what was kept.
func TestTrace(t *testing.T) {
	names := func(r *learn.Result) []string {
		f, err := viz.Trace(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, name := range []string{"log-likelihood", "log-likelihood, start 2", "objective",
			"ends of the other starts", "kept"} {
			if bytes.Contains(svg, []byte(">"+name+"<")) {
				found = append(found, name)
			}
		}
		return found
	}
	alone := climbed()
	alone.Ends, alone.Best = alone.Ends[1:2], 1
	for i := range alone.Trace {
		alone.Trace[i].Objective = alone.Trace[i].LogLikelihood
	}
	held := climbed()
	held.Kept = 4
	for i := range held.Trace {
		held.Trace[i].HeldOut = -50
	}
	for _, c := range []struct {
		of   *learn.Result
		want int
		last string
	}{{climbed(), 3, "ends of the other starts"}, {alone, 1, "log-likelihood"}, {held, 4, "kept"}} {
		if got := names(c.of); len(got) != c.want || got[len(got)-1] != c.last {
			t.Errorf("the legend has %q, want %d names, the last %q", got, c.want, c.last)
		}
	}
	for want, of := range map[string]*learn.Result{
		"there is no fit":              nil,
		"its tables are a closed form": {Method: "maximum likelihood", Trace: []learn.Step{{Iteration: 1}}},
		"give pseudocounts":            {Method: "EM", Ends: []learn.End{{}}},
	} {
		_, err := viz.Trace(of, nil)
		wantError(t, err, want)
	}
}

// TestTraceOfStart has held-out cases by which the start is kept, on a logarithmic axis, and a fit of no iterations.
func TestTraceOfStart(t *testing.T) {
	text := func(r *learn.Result, a *viz.Axes) string {
		f, err := viz.Trace(r, a)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		return string(svg)
	}
	r := climbed()
	r.Kept, r.Ends[1].Iterations = 0, 51
	for i := range r.Trace {
		r.Trace[i].HeldOut = -50
	}
	svg := text(r, nil)
	if !strings.Contains(svg, ">kept: the start<") || strings.Contains(svg, "Inf") || strings.Contains(svg, "NaN") {
		t.Error("the start is kept, and there is no mark of it")
	}
	start := &learn.Result{Method: "EM", Starts: 1, Best: 1, Trace: r.Trace[:1], Ends: []learn.End{{Step: r.Trace[0]}}}
	if text(start, &viz.Axes{LogX: true}) != text(start, nil) {
		t.Error("an axis of nothing but 0 is logarithmic")
	}
}

// The legend's sample of what is published has the forms and colours of the rings beside the dots.
func TestPublishedLegend(t *testing.T) {
	fig, err := dots()
	if err != nil {
		t.Fatal(err)
	}
	svg, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	// A ring of the first series, hollow and blue: two in the plot and one in the legend; none is black.
	if n := strings.Count(string(svg), "fill:none;stroke:#0072B2;stroke-width:1.2"); n != 3 {
		t.Errorf("%d blue rings, want 3", n)
	}
	if n := strings.Count(string(svg), "stroke-width:1.2"); n != 3 {
		t.Errorf("%d rings, want 3", n)
	}
}
