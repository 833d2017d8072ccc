package viz

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"

	"bnlab/bnkit/bn"
)

func TestTicks(t *testing.T) {
	for _, tt := range []struct {
		name   string
		ticker plot.Ticker
		lo, hi float64
		want   string
	}{
		{"unit", ticks{}, 0, 1, "0 0.2 0.4 0.6 0.8 1.0"},
		{"negative", ticks{}, -6, 9, "−5 0 5"},
		{"thousands", ticks{}, 0, 290000, "0 50,000 100,000 150,000 200,000 250,000"},
		{"far from zero", ticks{}, 1000001, 1000003, "1,000,001.0 1,000,001.5 1,000,002.0 1,000,002.5 1,000,003.0"},
		{"millions", ticks{}, 0, 6e6, "0 1e6 2e6 3e6 4e6 5e6 6e6"},
		{"tiny", ticks{}, 0, 2e-6, "0 5e−7 1.0e−6 1.5e−6 2.0e−6"},
		{"empty", ticks{}, 1, 1, ""},
		{"NaN", ticks{}, math.NaN(), 1, ""},
		{"three decades", logTicks{}, 0.9, 1100, "1 10 100 1,000"},
		{"two decades", logTicks{}, 5, 500, "5 10 20 50 100 200 500"},
		{"half a decade", logTicks{}, 28, 125, "30 50 70 100"},
		{"narrow", logTicks{}, 41, 44, "41.0 41.5 42.0 42.5 43.0 43.5 44.0"},
		{"one label", logTicks{}, 15, 25, "16 18 20 22 24"},
		{"wide", logTicks{}, 1e-10, 1, "1e−10 1e−8 1e−6 0.0001 0.01 1"},
		{"not positive", logTicks{}, 0, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var labels []string
			for _, tick := range tt.ticker.Ticks(tt.lo, tt.hi) {
				if tick.Label != "" {
					labels = append(labels, tick.Label)
				}
			}
			if got := strings.Join(labels, " "); got != tt.want {
				t.Errorf("ticks of %v to %v are %q, want %q", tt.lo, tt.hi, got, tt.want)
			}
		})
	}
}

func TestTicksAt(t *testing.T) {
	axis := &plot.Axis{Min: 0, Max: 2000, Scale: plot.LinearScale{}}
	for _, tt := range []struct {
		name   string
		series []Series
		want   string
	}{
		{"sizes", []Series{{X: []float64{1200, 300.5}}, {X: []float64{300.5, 600}}}, "300.5 600 1,200"},
		{"published points do not count", []Series{{X: []float64{300, 600}}, {X: []float64{900}, Points: true}},
			"300 600"},
		{"crowded", []Series{{X: []float64{1, 600, 601}}}, ""},
		{"many", []Series{{X: []float64{0, 200, 400, 600, 800, 1000, 1200}}}, ""},
		{"long", []Series{{X: []float64{0, 1000.0 / 3}}}, ""},
		{"one", []Series{{X: []float64{1}}}, ""},
	} {
		var labels []string
		if ticks := ticksAt(tt.series, axis); ticks != nil {
			for _, tick := range ticks.Ticks(0, 2000) {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != tt.want {
			t.Errorf("%s: ticks are %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestShortProbability(t *testing.T) {
	for p, want := range map[float64]string{0: "0", 1: "1", 0.5: "0.500", 1e-9: "<0.001", 1 - 1e-9: ">0.999",
		0.0006: "0.001", 0.9994: "0.999"} {
		if got := shortProbability(p); got != want {
			t.Errorf("shortProbability(%v) = %q, want %q", p, got, want)
		}
	}
}

// Every letter this package writes itself, and those that its users need, are in the
// fonts.
func TestGlyphs(t *testing.T) {
	for _, bold := range []bool{false, true} {
		face := font.DefaultCache.Lookup(style(10, ink, bold).Font, 10)
		var buf sfnt.Buffer
		for _, r := range "0123456789e−-.,…→×≤≥≠<>|()ΔθαβωλεΣ²°éüßñ·–½±∞√" {
			if i, err := face.Face.GlyphIndex(&buf, r); err != nil || i == 0 {
				t.Errorf("no letter for %q (bold %v)", r, bold)
			}
		}
	}
}

// The text of a node fits into it.
func TestNodeSize(t *testing.T) {
	for _, n := range []node{
		{name: "A"},
		{name: "a name of some length"},
		{name: strings.Repeat("w", 200)},
		{name: "A", states: stateLines(bn.Discrete("A", "SubStandard", "Normal", "Expert", "Unknown", "e", "f", "g",
			"h", "i"))},
		{name: "temperature", round: true, states: []string{"continuous"}},
	} {
		size := n.size()
		sty := style(sizeText, ink, false)
		texts := map[string]vg.Length{shorten(sty, n.name, nodeName): sty.Width(shorten(sty, n.name, nodeName))}
		for _, line := range n.states {
			texts[line] = style(sizeSmall, ink, false).Width(line)
		}
		for text, w := range texts {
			if w+8 > size.X {
				t.Errorf("%q is %.0f points wide, its node %.0f", text, w, size.X)
			}
		}
		if h := vg.Length(len(n.states))*lineHeight + 14; h > size.Y {
			t.Errorf("%q and %d lines need %.0f points, the node has %.0f", n.name, len(n.states), h, size.Y)
		}
	}
}

func TestStateLines(t *testing.T) {
	if got := strings.Join(stateLines(bn.Discrete("x", "0", "1", "2", "3", "4", "5", "6", "7", "8")),
		"/"); got != "0, 1, 2, 3, 4, 5, 6, … 2 more" {
		t.Errorf("nine states are written %q", got)
	}
	if got := strings.Join(stateLines(bn.Discrete("x", "0", "1", "2", "3", "4", "5", "6", "7")),
		"/"); got != "0, 1, 2, 3, 4, 5, 6, 7" {
		t.Errorf("eight states are written %q", got)
	}
}

// TestShorten compares with taking letters away one by one. Of a name of a megabyte that would take an hour.
func TestShorten(t *testing.T) {
	sty := style(10, ink, false)
	for _, s := range []string{"", "a", "one two three", strings.Repeat("W", 100), strings.Repeat("i", 300),
		strings.Repeat(" ", 90) + "x", strings.Repeat("\u200b", 200) + strings.Repeat("a", 90)} {
		for _, width := range []vg.Length{0, 5, 33, 120, 700} {
			want, r := s, []rune(s)
			for len(r) > 0 && sty.Width(want) > width {
				r = r[:len(r)-1]
				want = strings.TrimRight(string(r), " ") + "…"
				if sty.Width(string(r)+"…") <= width {
					break
				}
			}
			if sty.Width(s) > width && len(r) == 0 {
				want = "…"
			}
			if got := shorten(sty, s, width); got != want {
				t.Errorf("%q to %v: %q, want %q", s, width, got, want)
			}
		}
	}
	if got := shorten(sty, strings.Repeat("W", 1<<20), 50); !strings.HasPrefix(got, "WW") || len(got) > 20 {
		t.Errorf("a megabyte: %.50q", got)
	}
}

func TestWrap(t *testing.T) {
	sty := style(10, ink, false)
	width := sty.Width("one two")
	for s, want := range map[string]string{
		"one two three": "one two/three", "": "", "one": "one", "onetwothreefour five": shorten(sty, "onetwothreefour",
			width) + "/five",
	} {
		if got := strings.Join(wrap(sty, s, width), "/"); got != want {
			t.Errorf("wrap(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestWrapEvenly(t *testing.T) {
	sty := style(10, ink, false)
	if got := strings.Join(wrapEvenly(sty, "aaa bbb ccc ddd", sty.Width("aaa bbb ccc")),
		"/"); got != "aaa bbb/ccc ddd" {
		t.Errorf("two lines are %q", got)
	}
	if got := strings.Join(wrapEvenly(sty, "aaaaaaaaaaaaaaa b", sty.Width("aaaaaaaaaaaaaaa")),
		"/"); got != "aaaaaaaaaaaaaaa/b" {
		t.Errorf("a long word is cut: %q", got)
	}
}
