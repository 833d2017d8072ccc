package viz_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
	"bnlab/internal/numtest"
)

// In whatever network, every text lies in the figure and within one node, clear of the
// other texts and of the bars.
func TestPosteriorsTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	trials := 30
	if !numtest.Full() {
		trials = 6
	}
	for trial := range trials {
		net, beliefs := randomBeliefs(t, rng)
		opts := &viz.NetworkOptions{Horizontal: trial%2 == 1}
		if trial%3 == 2 {
			opts.Targets = []string{net.Variable(rng.IntN(net.Len())).Name}
		}
		f, err := drawBeliefs(net, beliefs, opts)
		if err != nil {
			t.Fatal(err)
		}
		whole := vg.Rectangle{Max: vg.Point{X: f.Width, Y: f.Height}}
		var texts, nodes, bars []piece
		for _, p := range pieces(t, f) {
			switch {
			case p.text != "":
				texts = append(texts, p)
			case strings.Contains(p.style, "stroke:#50647D;stroke-width:0.9"):
				nodes = append(nodes, p)
			case p.at.Max.Y-p.at.Min.Y < 12 && strings.HasPrefix(p.style, "fill:#"):
				bars = append(bars, p)
			}
		}
		if len(nodes) != net.Len() {
			t.Fatalf("trial %d: %d nodes, want %d", trial, len(nodes), net.Len())
		}
		for i, p := range texts {
			if !inside(p.at, whole) {
				t.Errorf("trial %d: %q at %v leaves the figure", trial, p.text, p.at)
			}
			in := 0
			for _, n := range nodes {
				if inside(p.at, n.at) && (!n.round || inEllipse(p.at, n.at)) {
					in++
				}
			}
			legend := strings.HasPrefix(p.text, "beliefs ") || p.text == "observed" || p.text == "soft finding"
			if in != 1 && !legend || in != 0 && legend {
				t.Errorf("trial %d: %q at %v lies in %d nodes", trial, p.text, p.at, in)
			}
			for _, q := range texts[:i] {
				if overlap(p.at, q.at) {
					t.Errorf("trial %d: %q at %v and %q at %v overlap", trial, p.text, p.at, q.text, q.at)
				}
			}
			for _, q := range bars {
				if overlap(p.at, q.at) {
					t.Errorf("trial %d: %q at %v lies on a bar at %v (%s)", trial, p.text, p.at, q.at, q.style)
				}
			}
		}
	}
}

// drawBeliefs draws a network with beliefs beside other options.
func drawBeliefs(net *bn.Network, beliefs []viz.Beliefs, opts *viz.NetworkOptions) (*viz.Figure, error) {
	var o viz.NetworkOptions
	if opts != nil {
		o = *opts
	}
	o.Beliefs = beliefs
	return viz.Network(net, &o)
}

func BenchmarkPosteriors(b *testing.B) {
	g, _, _, err := randomGraph(rand.New(rand.NewPCG(1, 0)), 27)
	if err != nil {
		b.Fatal(err)
	}
	vars, p := make([]bn.Variable, g.Len()), map[string][]float64{}
	for v := range vars {
		vars[v] = bn.Discrete(g.Name(v), "low", "middle", "high")
		p[g.Name(v)] = []float64{0.2, 0.3, 0.5}
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		b.Fatal(err)
	}
	beliefs := []viz.Beliefs{{Name: "before", P: p}, {Name: "after", P: p}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := drawBeliefs(net, beliefs, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// randomBeliefs draws a network of both kinds of variables and up to three beliefs with
// evidence.
func randomBeliefs(t *testing.T, rng *rand.Rand) (*bn.Network, []viz.Beliefs) {
	t.Helper()
	n := 1 + rng.IntN(12)
	names, parents, vars := make([]string, n), make([][]int, n), make([]bn.Variable, n)
	word := func(what string, k int) string {
		return fmt.Sprint(what, k, strings.Repeat("m", rng.IntN(10)*rng.IntN(4)))
	}
	for v := range n {
		names[v] = word("v", v)
		vars[v] = bn.Continuous(names[v])
		if rng.IntN(4) > 0 {
			states := make([]string, 1+rng.IntN(11))
			for s := range states {
				states[s] = word("s", s)
			}
			vars[v] = bn.Discrete(names[v], states...)
		}
		for _, p := range rng.Perm(v)[:min(v, rng.IntN(3))] {
			if vars[p].IsDiscrete() || !vars[v].IsDiscrete() {
				parents[v] = append(parents[v], p)
			}
		}
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	beliefs := make([]viz.Beliefs, 1+rng.IntN(3))
	for i := range beliefs {
		b := viz.Beliefs{Name: fmt.Sprintf("beliefs %d", i+1), P: map[string][]float64{}, Evidence: bn.Given{},
			Soft: map[string]string{}}
		for _, v := range vars {
			switch {
			case rng.IntN(4) == 0 && v.IsDiscrete():
				b.Evidence[v.Name] = v.States[rng.IntN(v.Cardinality())]
			case rng.IntN(3) == 0 && !v.IsDiscrete():
				b.Evidence[v.Name] = fmt.Sprint(rng.NormFloat64())
			case rng.IntN(5) > 0 && v.IsDiscrete():
				b.P[v.Name] = distribution(rng, v.Cardinality())
			}
			if _, ok := b.Evidence[v.Name]; !ok && rng.IntN(4) == 0 {
				b.Soft[v.Name] = word("likelihood 0.1 : 0.9 : 0.", i)
			}
		}
		beliefs[i] = b
	}
	return net, beliefs
}

func distribution(rng *rand.Rand, n int) []float64 {
	p, sum := make([]float64, n), 0.0
	for s := range p {
		p[s] = math.Pow(rng.ExpFloat64(), 3)
		sum += p[s]
	}
	for s := range p {
		p[s] /= sum
	}
	return p
}

// Bars are as long as the probabilities, and marks stand at what is observed.
func TestPosteriorsBars(t *testing.T) {
	f, err := posteriors()
	if err != nil {
		t.Fatal(err)
	}
	const first, second = "fill:#4D9CC9", "fill:#EEBC4D"
	got := map[string][]float64{}
	var left, full vg.Length
	marks, texts := []vg.Rectangle{}, map[string]vg.Rectangle{}
	for _, p := range pieces(t, f)[6:] { // after the background, the title and the legend
		switch w, h := p.at.Max.X-p.at.Min.X, p.at.Max.Y-p.at.Min.Y; {
		case p.text != "":
			texts[p.text] = p.at
		case p.style == first || p.style == second:
			if p.at.Min.X != left {
				t.Errorf("a bar begins at %v, its track at %v", p.at.Min.X, left)
			}
			got[p.style] = append(got[p.style], float64(w/full))
		case math.Abs(float64(h)-9) < 0.01: // the track of a line
			if left, full = p.at.Min.X, w; full < 49.99 {
				t.Errorf("a track is %v points long, want at least 50", full)
			}
		case math.Abs(float64(w)-5) < 0.01:
			marks = append(marks, p.at)
		}
	}
	for style, want := range map[string][]float64{
		first:  {0.7, 0.3, 0.9998, 0.0002, 0.88, 0.12},
		second: {0.52, 0.48, 0.62, 0.38, 1}, // none for a probability of 0
	} {
		if len(got[style]) != len(want) {
			t.Fatalf("%s: bars %v, want %v", style, got[style], want)
		}
		for i, p := range want {
			if math.Abs(got[style][i]-p) > 1e-4 { // the file has five digits
				t.Errorf("%s: bar %d is %v long, want %v", style, i, got[style][i], p)
			}
		}
	}
	if len(marks) != 1 {
		t.Fatalf("%d marks, want 1", len(marks))
	}
	if y := texts["positive"]; !(marks[0].Max.X < y.Min.X && marks[0].Max.Y < y.Max.Y+2 && marks[0].Min.Y > y.Min.Y-3) {
		t.Errorf("the mark is at %v, the observed state at %v", marks[0], y)
	}
}

// Of many states the most probable stay, in their order, and the rest is summed.
func TestPosteriorsMany(t *testing.T) {
	states := strings.Fields("a b c d e f g h i j")
	net, err := bn.New("[X]", bn.Discrete("X", states...))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		beliefs []viz.Beliefs
		want    string
	}{
		{"one", []viz.Beliefs{{P: map[string][]float64{"X": {.01, .15, .02, .15, .1, .1, .1, .16, .03, .18}}}},
			"X 0.150 b 0.150 d 0.100 e 0.100 f 0.100 g 0.160 h 0.180 j 0.060 … 3 more"},
		{"equals", []viz.Beliefs{{P: map[string][]float64{"X": {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}}}},
			"X 0.100 a 0.100 b 0.100 c 0.100 d 0.100 e 0.100 f 0.100 g 0.300 … 3 more"},
		{"observed", []viz.Beliefs{{Evidence: bn.Given{"X": "j"}}},
			"X 0 a 0 b 0 c 0 d 0 e 0 f 1 j 0 … 3 more"},
		{"two", []viz.Beliefs{{Name: "u", P: map[string][]float64{"X": {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}}},
			{Name: "v", Evidence: bn.Given{"X": "j"}}},
			"u v X 0 0.100 a 0 0.100 b 0 0.100 c 0 0.100 d 0 0.100 e 0 0.100 f 1 0.100 j 0 0.300 … 3 more"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := drawBeliefs(net, tt.beliefs, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range pieces(t, f) {
				if p.text != "" {
					got = append(got, p.text)
				}
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("texts %q, want %q", s, tt.want)
			}
		})
	}
}

func TestPosteriorsErrors(t *testing.T) {
	net, err := gardenNet()
	if err != nil {
		t.Fatal(err)
	}
	p := func(name string, x ...float64) viz.Beliefs { return viz.Beliefs{P: map[string][]float64{name: x}} }
	e := func(name, at string) viz.Beliefs { return viz.Beliefs{Evidence: bn.Given{name: at}} }
	contradiction := viz.Beliefs{Name: "fit", P: map[string][]float64{"rain": {0.5, 0.5}},
		Evidence: bn.Given{"rain": "yes"}}
	for _, tt := range []struct {
		name    string
		net     *bn.Network
		beliefs []viz.Beliefs
		opts    *viz.NetworkOptions
		is      error
		want    string
	}{
		{"no network", nil, []viz.Beliefs{{}}, nil, nil, "no network"},
		{"many", net, make([]viz.Beliefs, 8), nil, nil, "at most 7"},
		{"no name", net, []viz.Beliefs{{Name: "a"}, {}}, nil, nil, "beliefs 2 have no name"},
		{"unknown", net, []viz.Beliefs{p("snow", 1)}, nil, bn.ErrUnknownVariable, `beliefs 1: `},
		{"continuous", net, []viz.Beliefs{p("growth", 1)}, nil, bn.ErrNotDiscrete, `"growth"`},
		{"states", net, []viz.Beliefs{p("rain", 1)}, nil, nil, `"rain" has 2 states, 1 probabilities`},
		{"NaN", net, []viz.Beliefs{p("rain", math.NaN(), 1)}, nil, nil, `NaN for "no" is no probability`},
		{"negative", net, []viz.Beliefs{p("rain", 1.1, -0.1)}, nil, nil, `1.1 for "no"`},
		{"sum", net, []viz.Beliefs{p("rain", 0.5, 0.4)}, nil, nil, "sum to 0.9"},
		{"unknown evidence", net, []viz.Beliefs{e("snow", "yes")}, nil, bn.ErrUnknownVariable, "evidence"},
		{"unknown state", net, []viz.Beliefs{e("rain", "some")}, nil, bn.ErrUnknownState, "evidence"},
		{"no number", net, []viz.Beliefs{e("growth", "tall")}, nil, nil, `"growth" is continuous and cannot be "tall"`},
		{"NaN value", net, []viz.Beliefs{e("growth", "NaN")}, nil, nil, `cannot be "NaN"`},
		{"contradiction", net, []viz.Beliefs{contradiction}, nil, nil,
			`beliefs "fit": "rain" is observed as "yes", which has the probability 0.5`},
		{"unknown target", net, []viz.Beliefs{{}}, &viz.NetworkOptions{Targets: []string{"snow"}},
			bn.ErrUnknownVariable, "targets"},
		{"unknown soft finding", net, []viz.Beliefs{{Soft: map[string]string{"snow": "≥1"}}}, nil,
			bn.ErrUnknownVariable, "soft finding"},
		{"twice", net, []viz.Beliefs{{Soft: map[string]string{"rain": "≥yes"}, Evidence: bn.Given{"rain": "yes"}}},
			nil, nil, `"rain" is observed and has a soft finding`},
		{"shaded", net, []viz.Beliefs{{}}, &viz.NetworkOptions{Shaded: []string{"snow"}}, bn.ErrUnknownVariable,
			"shaded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := drawBeliefs(tt.net, tt.beliefs, tt.opts)
			wantError(t, err, tt.want)
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v does not wrap %v", err, tt.is)
			}
		})
	}
}

// Graphs have no tables to believe in, and strengths of arcs are another drawing.
func TestBeliefsElsewhere(t *testing.T) {
	net, err := lungNet()
	if err != nil {
		t.Fatal(err)
	}
	with := func() *viz.NetworkOptions { return &viz.NetworkOptions{Beliefs: []viz.Beliefs{{}}} }
	_, err = viz.Graph(net.DAG(), with())
	wantError(t, err, "no beliefs")
	_, err = viz.Compare(net.DAG(), net.DAG(), with())
	wantError(t, err, "no beliefs")
	both := with()
	both.Strengths = map[[2]string]float64{{"smoke", "cancer"}: 1, {"cancer", "xray"}: 1}
	_, err = viz.Network(net, both)
	wantError(t, err, "no strengths")
}

// Later changes of what was given change nothing.
func TestPosteriorsCopies(t *testing.T) {
	net, err := lungNet()
	if err != nil {
		t.Fatal(err)
	}
	b := []viz.Beliefs{{Name: "a", P: map[string][]float64{"smoke": {0.7, 0.3}},
		Evidence: bn.Given{"xray": "positive"}}}
	f, err := drawBeliefs(net, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	b[0].P["smoke"][0], b[0].Evidence["xray"], b[0].Name = 0.1, "negative", "b"
	if after, err := f.SVG(); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a change of the beliefs shows in the figure (error %v)", err)
	}
}
