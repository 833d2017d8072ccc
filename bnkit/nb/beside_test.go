package nb

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/browsertest"
)

// shownHTML is what a notebook gets, as a page.
func shownHTML(t *testing.T, show func()) string {
	t.Helper()
	sent := recorder(t)
	show()
	var b strings.Builder
	for _, d := range *sent {
		html, ok := d.Data[protocol.MIMETextHTML].(string)
		if !ok {
			t.Fatalf("shown is %v, no HTML", d.Data)
		}
		b.WriteString(html)
	}
	return b.String()
}

// pageOf is a page with a body, whose background is dark where the reader likes it so.
func pageOf(body string) []byte {
	return []byte(`<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>@media (prefers-color-scheme: dark) { body { background: #111; color: #e0e0e0; } }
body { font: 13px sans-serif; } td, th { padding: 3px 8px; }</style></head><body>` + body + "</body></html>")
}

// A click sorts: numbers by value though they are shown rounded, missing cells last, and the third click undoes it.
func TestTableSorts(t *testing.T) {
	df := dataframe.New(series.New([]string{"b", "a", "d", "c"}, series.String, "name"),
		series.New([]float64{10.00001, math.NaN(), -2, 10.00002}, series.Float, "score"))
	page := browsertest.Open(t, pageOf(shownHTML(t, func() { Table(df, "score"); Table(df) })))
	page.Eval(`globalThis.names = () => [...document.querySelector("tbody").rows].map(
		r => r.cells[0].textContent).join("");
		globalThis.press = i => document.querySelectorAll("th button")[i].click(); 0`, nil)
	for _, tt := range []struct{ press, want string }{{"", "badc"}, {"press(1)", "dbca"}, {"press(1)", "cbda"},
		{"press(1)", "badc"}, {"press(0)", "abcd"}, {"press(0)", "dcba"}, {"press(2)", "dcba"}} {
		if got := text(page, tt.press+"; names()"); got != tt.want {
			t.Errorf("after %s the rows are %s, want %s", tt.press, got, tt.want)
		}
	}
	if got := text(page, `[...document.querySelectorAll("th")].map(h => h.ariaSort).join()`); got !=
		"descending,none,ascending,none" {
		t.Errorf("the columns tell %q", got)
	}
	if got := text(page, `atob(document.querySelector("a").href.split(",")[1])`); got !=
		"name,score\nb,10.00001\na,\nd,-2\nc,10.00002\n" {
		t.Errorf("the file is %q", got)
	}
}

// Names run nothing, in cells, heads, captions, images and links.
func TestTablesEscape(t *testing.T) {
	parent, child := bn.Discrete(hostileNames[0], hostileNames[1], hostileNames[2]), bn.Discrete(hostileNames[1],
		hostileNames[4], hostileNames[0])
	g, err := bn.NewDAG([]string{parent.Name, child.Name}, [][]int{{}, {0}})
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, []bn.Variable{parent, child})
	if err != nil {
		t.Fatal(err)
	}
	df, err := bnkit.CPT(net, child.Name)
	if err != nil {
		t.Fatal(err)
	}
	picture := Must(Network(net, infer.Evidence{parent.Name: parent.States[0]}))
	body := shownHTML(t, func() {
		Table(df, df.Names()[1])
		CompareCPT(net, net, child.Name)
		SideBySide(hostileNames[0], picture, hostileNames[1], df, hostileNames[2], hostileNames)
	})
	if strings.Contains(body, "<img src=x") || strings.Count(body, "</script") != strings.Count(body, sortJS)+
		strings.Count(body, "<div data-bnlab-figure=") {
		t.Error("a name stands in the page as HTML")
	}
	page := browsertest.Open(t, pageOf(body))
	page.Eval(`for (const b of document.querySelectorAll("th button")) b.click(); 0`, nil)
	var hit *int
	page.Eval("window.hit || null", &hit)
	if hit != nil {
		t.Error("a name ran as a script")
	}
	if got := text(page, `document.querySelector("tbody td").textContent`); got != hostileNames[1] {
		t.Errorf("the first state is %q, want %q", got, hostileNames[1])
	}
	if got := text(page, `document.querySelector("figcaption").textContent`); got != hostileNames[0] {
		t.Errorf("the first caption is %q, want %q", got, hostileNames[0])
	}
}

// Two fits of the same rows: differences, their colours and the cases.
func TestCompareCPT(t *testing.T) {
	m, _ := fittedLungs(t)
	other := m.Net.Clone()
	if err := other.SetTable("lung", "smoke | healthy ill\nno | 1 0\nyes | 0.25 0.75"); err != nil {
		t.Fatal(err)
	}
	g, err := compared(m, other, "lung")
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := m.Net.Table("lung")
	if err != nil {
		t.Fatal(err)
	}
	counts, err := m.FamilyCounts("lung")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(g.header, ","); got !=
		"smoke,healthy: a,healthy: b,healthy: b − a,ill: a,ill: b,ill: b − a,cases: a" {
		t.Errorf("the columns are %s", got)
	}
	largest := max(1-fitted.P[0], math.Abs(0.25-fitted.P[2]))
	for row, healthy := range []float64{1, 0.25} {
		d := healthy - fitted.P[2*row]
		if got, opposite := g.shades[row][3], g.shades[row][6]; math.Abs(got-d/largest) > 1e-12 ||
			math.Abs(opposite+got) > 1e-12 {
			t.Errorf("row %d: shades %v and %v, want ±%v", row, got, opposite, d/largest)
		}
		if got, want := g.rows[row][7], number(counts[2*row]+counts[2*row+1]); got != want {
			t.Errorf("row %d: %s cases, want %s", row, got, want)
		}
	}
}

// Of many rows those that differ most are shown, in their order.
func TestCompareCPTRows(t *testing.T) {
	var states []string
	for i := range 70 {
		states = append(states, "s"+string(rune('A'+i/26))+string(rune('a'+i%26)))
	}
	net, err := bn.New("[site][ill|site]", bn.Discrete("site", states...), bn.Discrete("ill", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	other := net.Clone()
	for config := 6; config < 70; config++ { // 64 rows
		copy(other.CPT(1).Row(config), []float64{0.4, 0.6})
	}
	g, err := compared(net, other, "ill")
	if err != nil {
		t.Fatal(err)
	}
	if len(g.rows) != 64 || g.rows[0][0] != states[6] || g.rows[63][0] != states[69] ||
		g.foot != "the 64 of 70 rows that differ most" {
		t.Errorf("%d rows from %v, %q", len(g.rows), g.rows[0], g.foot)
	}
}

func TestTableErrors(t *testing.T) {
	net := lungs(t)
	wide, err := bn.New("[lung][smoke][xray|lung:smoke]", bn.Discrete("lung", "healthy", "ill"),
		bn.Discrete("smoke", "no", "yes"), bn.Discrete("xray", "clear", "dark"))
	if err != nil {
		t.Fatal(err)
	}
	grey, err := bn.New("[lung][xray|lung]", bn.Discrete("lung", "healthy", "ill"), bn.Discrete("xray", "grey", "dark"))
	if err != nil {
		t.Fatal(err)
	}
	level, err := bn.New("[xray]", bn.Continuous("xray"))
	if err != nil {
		t.Fatal(err)
	}
	compare := func(a, b bn.Model, name string) func() error {
		return func() error { _, err := compared(a, b, name); return err }
	}
	beside := func(parts ...any) func() error { return func() error { _, err := partsOf(parts); return err } }
	color := func(names ...string) func() error {
		return func() error {
			g, err := newGrid(frame(), 20)
			if err != nil {
				t.Fatal(err)
			}
			return g.color(frame(), names)
		}
	}
	for _, tt := range []struct {
		do   func() error
		want string
	}{
		{compare(nil, net, "lung"), "model a: there is no network"},
		{compare(net, (*bn.Network)(nil), "lung"), "model b: there is no network"},
		{compare(net, net, "heart"), `"heart"`},
		{compare(net, wide, "xray"), `"xray" has 1 parent in model a and 2 in model b`},
		{compare(net, grey, "xray"), `"xray" has other states`},
		{compare(level, net, "xray"), "bnkit.Coefficients"},
		{beside(), "nothing to show"},
		{beside("a", "b", frame()), `"a" and "b" follow each other`},
		{beside(frame(), "b"), `"b" has nothing after it`},
		{beside(frame(), nil), "argument 2 of SideBySide is nil"},
		{beside(frame().Select("none")), "carries an error"},
		{color("scores"), `no column "scores" to colour; the frame has name, score, n, ok`},
		{color("score", "name"), `"name" holds no numbers`},
	} {
		if err := tt.do(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// Shades: white next to zero, and both sides of zero alike.
func TestShade(t *testing.T) {
	for _, tt := range []struct{ x, want []float64 }{
		{[]float64{0, 0.5, 1}, []float64{0, 0.5, 1}},
		{[]float64{-1, -3, -2}, []float64{0, -1, -0.5}},
		{[]float64{-1, 2, math.NaN()}, []float64{-0.5, 1, 0}},
		{[]float64{4, 4}, []float64{0, 0}},
		{[]float64{1, 2, math.Inf(-1)}, []float64{0, 1, -1}},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, []float64{-1, 1}},
	} {
		g := grid{header: []string{"x"}, rows: make([][]string, len(tt.x))}
		g.shade(0, tt.x)
		for i, want := range tt.want {
			if got := g.shades[i][0]; math.Abs(got-want) > 1e-12 {
				t.Errorf("%v: shade %d is %v, want %v", tt.x, i, got, want)
			}
		}
	}
}

// On a phone the parts stand one below the other and none makes the page wider; on a screen they stand in a row.
func TestSideBySideWidths(t *testing.T) {
	m, df := fittedLungs(t)
	other := m.Net.Clone()
	if err := other.SetTable("stage", "lung | 1 2 3\nhealthy | 0.7 0.2 0.1\nill | 0.1 0.3 0.6"); err != nil {
		t.Fatal(err)
	}
	body := shownHTML(t, func() {
		SideBySide("before", Must(Network(m)), "after", Must(Network(m, infer.Evidence{"xray": "dark"})), "cases", df)
		CompareCPT(m, other, "stage")
		Table(Must(bnkit.CPT(m, "lung")), "lung=healthy", "lung=ill")
	})
	page := browsertest.Open(t, pageOf(body))
	for _, tt := range []struct {
		width int
		dark  bool
		want  string
	}{{980, false, "in a row"}, {980, true, "in a row"}, {380, false, "below"}, {380, true, "below"}} {
		page.Resize(tt.width, 900, tt.dark)
		got := text(page, `globalThis.figures = [...document.querySelectorAll("figure")]; figures.some(
			f => f.getBoundingClientRect().right > innerWidth) ||
			document.documentElement.scrollWidth > innerWidth ? "too wide" :
			figures[0].offsetTop === figures[1].offsetTop ? "in a row" : "below"`)
		if got != tt.want {
			t.Errorf("at %d pixels the parts are %s, want %s", tt.width, got, tt.want)
		}
		if dir := os.Getenv("BNLAB_PICTURES"); dir != "" {
			name := map[bool]string{true: "dark", false: "light"}[tt.dark] + map[bool]string{true: "-phone",
				false: ""}[tt.width < 900]
			if err := os.WriteFile(filepath.Join(dir, "tables-"+name+".png"), page.Screenshot(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
