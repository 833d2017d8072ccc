package nb

import (
	"strings"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"bnlab/bnkit/viz"
	"bnlab/internal/browsertest"
)

// figureHTML is what Show sends of a picture, as HTML.
func figureHTML(t *testing.T, p picture) string {
	t.Helper()
	sent := recorder(t)
	Show(p)
	s, ok := (*sent)[0].Data[protocol.MIMETextHTML].(string)
	if !ok {
		t.Fatalf("sent %v, want HTML", (*sent)[0].Data)
	}
	return s
}

// A figure is an SVG with text that can be selected and numbers under the pointer; without scripts it is a PNG.
func TestShowSVG(t *testing.T) {
	f, err := viz.Curves([]viz.Series{{Name: hostileNames[0], X: []float64{1, 2}, Y: []float64{1, 2}},
		{Name: "plain", X: []float64{1, 2}, Y: []float64{2, 1}}},
		&viz.Axes{Title: hostileNames[1], X: hostileNames[4], Y: "score", Width: 12, Height: 3})
	if err != nil {
		t.Fatal(err)
	}
	sent := figureHTML(t, f)
	if n := strings.Count(sent, "</script"); n != 1 || strings.Contains(sent, "<!--") ||
		strings.Contains(sent, "<img src=x") {
		t.Errorf("a name stands in the page as HTML: %d times </script", n)
	}
	static := browsertest.Open(t, []byte("<!DOCTYPE html><body>"+sent[:strings.Index(sent, "<script>")]))
	var seen bool
	static.Eval(`(async () => { const img = document.querySelector("img"); await img.decode();
		return img.offsetHeight > 50 && img.alt.includes("figure of 12.0") })()`, &seen)
	if !seen {
		t.Error("without scripts no picture is seen")
	}

	page := browsertest.Open(t, []byte((&block{html: `<div style="width:980px">` + sent + `</div>`}).file()))
	page.Wait(`document.querySelector("svg") && !document.querySelector("img")`, 10*time.Second)
	var got struct {
		Hit, Foreign            bool
		Selected, Alt, Title    string
		Top                     string
		Width, Height, OwnWidth float64
	}
	page.Eval(`(() => {
		const svg = document.querySelector("svg"), box = svg.getBoundingClientRect();
		const text = [...svg.querySelectorAll("text")].find(e => e.textContent === "plain");
		getSelection().selectAllChildren(text);
		const at = text.getBoundingClientRect();
		return {Hit: Boolean(window.hit), Foreign: Boolean(svg.querySelector("img, script, [onerror]")),
			Selected: getSelection().toString(), Alt: svg.getAttribute("aria-label"),
			Title: svg.querySelector("title").textContent,
			Top: document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2).localName,
			Width: box.width, Height: box.height, OwnWidth: svg.viewBox.baseVal.width};
	})()`, &got)
	if got.Hit || got.Foreign {
		t.Error("a name ran or became an element")
	}
	if got.Selected != "plain" || got.Top != "text" {
		t.Errorf("the name in the legend is selected as %q, under the pointer is %q", got.Selected, got.Top)
	}
	if want := visible(f.String(), ""); got.Alt != want {
		t.Errorf("the figure is called %q, want %q", got.Alt, want)
	}
	if want := hostileNames[0] + ": 1 at 1"; got.Title != want {
		t.Errorf("a point says %q, want %q", got.Title, want)
	}
	if got.Width != 980 || got.Height < 244 || got.Height > 246 || got.OwnWidth != 864 { // a quarter as high
		t.Errorf("the figure has %v × %v pixels and %v points of width", got.Width, got.Height, got.OwnWidth)
	}
}

// tooLarge is a picture of many marks.
type tooLarge struct{ *viz.Figure }

func (tooLarge) SVG() ([]byte, error) { return make([]byte, mostSVG+1), nil }

// A picture of many marks is a PNG, and so is one that knows no SVG.
func TestShowPNG(t *testing.T) {
	for _, p := range []picture{tooLarge{figure(t)}, onlyPNG{figure(t)}} {
		sent := recorder(t)
		Show(p)
		d := (*sent)[0]
		if _, ok := d.Data[protocol.MIMEImagePNG].([]byte); !ok || len(d.Data) != 1 {
			t.Errorf("sent %v, want PNG alone", d.Data)
		}
		// Three by two inches at 96 pixels to the inch.
		if got := d.Metadata["image/png"].(map[string]int); got["width"] != 288 || got["height"] != 192 {
			t.Errorf("picture is shown at %v", got)
		}
	}
}

type onlyPNG struct{ f *viz.Figure }

func (p onlyPNG) PNG() ([]byte, error) { return p.f.PNG() }
