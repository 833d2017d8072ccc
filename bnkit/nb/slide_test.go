package nb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/internal/browsertest"
)

// slid opens a page with a slider; js within it has its shadow root as root, and slideTo.
func slid(t *testing.T, b *block) *browsertest.Page {
	t.Helper()
	all := &block{html: "<script>onerror = e => { window.failed = String(e); };</script>" + b.html}
	page := browsertest.Open(t, []byte(all.file()))
	var failed *string
	page.Eval("window.failed || null", &failed)
	if failed != nil {
		t.Fatalf("the page fails: %s", *failed)
	}
	page.Eval(`globalThis.root = document.querySelector("[data-bnlab-slider]").shadowRoot;
		globalThis.slider = root.querySelector("input");
		globalThis.slideTo = i => { slider.value = i; slider.dispatchEvent(new Event("input")); }; 0`, nil)
	return page
}

// oldAndIll are cases in which 3 of 10 young and 5 of 10 old are ill, and others.
func oldAndIll(t *testing.T) (few, rest dataframe.DataFrame) {
	t.Helper()
	frame := func(youngWell, youngIll, oldWell, oldIll int) dataframe.DataFrame {
		return dataframe.ReadCSV(strings.NewReader("age,ill\n" + strings.Repeat("young,no\n", youngWell) +
			strings.Repeat("young,yes\n", youngIll) + strings.Repeat("old,no\n", oldWell) +
			strings.Repeat("old,yes\n", oldIll)))
	}
	return frame(7, 3, 5, 5), frame(8, 2, 3, 7)
}

// marginFit fits them under a margin.
func marginFit(t *testing.T, few dataframe.DataFrame) func(x float64) (*bnkit.Model, error) {
	t.Helper()
	net, err := bnkit.NewNetwork("[age][ill|age]", few, &bnkit.NetworkOptions{
		States: map[string][]string{"age": {"young", "old"}, "ill": {"no", "yes"}}})
	if err != nil {
		t.Fatal(err)
	}
	return func(x float64) (*bnkit.Model, error) {
		says := constraint.Influence{Parent: "age", Child: "ill", Margin: x}
		return bnkit.Fit(context.Background(), net, few, learn.MAP{Constraints: []constraint.Constraint{says}}, nil)
	}
}

// Moved to each position, by hand or by a key, the slider shows what Go computes there.
func TestSlideMoves(t *testing.T) {
	few, rest := oldAndIll(t)
	fit := marginFit(t, few)
	b, err := newSlider("margin of age", 0, 0.4, fit, &SlideOptions{HeldOut: &rest, Positions: 5, Start: 0.21})
	if err != nil {
		t.Fatal(err)
	}
	page := slid(t, b)
	if got := text(page, "root.querySelector('output').textContent"); got != "0.2" {
		t.Errorf("it starts at %s, want 0.2", got)
	}
	numbers := func() (cells []float64, score float64) {
		var titles []string
		page.Eval(`[...root.querySelectorAll("td.p"), root.querySelector(".mark title")].map(e =>
			e.title || e.textContent)`, &titles)
		for _, s := range titles {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			cells = append(cells, x)
		}
		return cells[:len(cells)-1], cells[len(cells)-1]
	}
	for i, x := range []float64{0, 0.1, 0.2, 0.3, 0.4} {
		page.Eval(fmt.Sprintf("slideTo(%d); 0", i), nil)
		m, err := fit(x)
		if err != nil {
			t.Fatal(err)
		}
		score, err := bnkit.ConditionalLogScore(m, rest, "ill")
		if err != nil {
			t.Fatal(err)
		}
		cells, shown := numbers()
		want := m.Net.CPT(1).P
		for c := range want {
			if len(cells) != len(want) || math.Abs(cells[c]-want[c]) > 1e-9 {
				t.Fatalf("at %v the table is %v, want %v", x, cells, want)
			}
		}
		if math.Abs(shown-score.Average) > 1e-9 {
			t.Errorf("at %v the score is %v, want %v", x, shown, score.Average)
		}
		if apart := cells[3] - cells[1]; math.Abs(apart-max(x, 0.2)) > 1e-6 { // 3/10 and 5/10, or the margin
			t.Errorf("at %v the rows are %v apart", x, apart)
		}
	}
	before, _ := numbers()
	page.Eval("slider.focus(); 0", nil)
	page.Key("Home")
	if after, _ := numbers(); math.Abs(after[1]-0.3) > 1e-6 || math.Abs(before[1]-0.3) < 0.01 {
		t.Errorf("by the key Home P(ill | young) goes from %v to %v, want 0.3", before[1], after[1])
	}
	for expression, want := range map[string]string{
		`slider.getAttribute("aria-valuetext")`:                                      "0",
		`root.querySelector("label[for=" + slider.id + "]").textContent`:             "margin of age",
		`root.querySelector("tbody tr").textContent`:                                 "young0.7000.30010",
		`String(root.querySelector("[role=status]").textContent.includes("at 0.4"))`: "true",
		`String(document.querySelector("img").offsetParent === null)`:                "true",
	} {
		if got := text(page, expression); got != want {
			t.Errorf("%s is %q, want %q", expression, got, want)
		}
	}
	for _, width := range []int{390, 980} {
		page.Resize(width, 800, true)
		var wide float64
		page.Eval("document.scrollingElement.scrollWidth", &wide)
		if int(wide) > width {
			t.Errorf("at a width of %d the page is %v wide", width, wide)
		}
	}
	if got := text(page, `getComputedStyle(root.querySelector(".bnx")).backgroundColor`); got != "rgb(27, 29, 31)" {
		t.Errorf("the dark background is %s", got)
	}
}

// Of a fit that weighs statements it shows how probable each is, and a name runs nothing.
func TestSlideStrength(t *testing.T) {
	few, _ := oldAndIll(t)
	few = few.Rename(hostileNames[0], "ill")
	age, ill := bn.Discrete("age", "young", "old"), bn.Discrete(hostileNames[0], "no", "yes")
	g, err := bn.NewDAG([]string{age.Name, ill.Name}, [][]int{{}, {0}})
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, []bn.Variable{age, ill})
	if err != nil {
		t.Fatal(err)
	}
	fit := func(x float64) (*bnkit.Model, error) {
		return bnkit.Fit(context.Background(), net, few, learn.Averaged{Strengths: []float64{x},
			Constraints: []constraint.Constraint{constraint.Influence{Parent: "age", Child: ill.Name}}}, nil)
	}
	b, err := newSlider(hostileNames[1], 0.1, 0.9, fit, &SlideOptions{Positions: 3})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.html, "</script"); n != 1 || strings.Contains(b.html, "<img src=x") {
		t.Errorf("a name stands in the page as HTML, or %d times </script", n)
	}
	page := slid(t, b)
	for i, x := range []float64{0.1, 0.5, 0.9} {
		m, err := fit(x)
		if err != nil {
			t.Fatal(err)
		}
		page.Eval(fmt.Sprintf("slideTo(%d); 0", i), nil)
		got := text(page, `root.querySelector(".holds .nats").title + " " + (window.hit || "")`)
		if want := strconv.FormatFloat(m.Weighing.Statements[0].After, 'g', -1, 64) + " "; got != want {
			t.Errorf("at %v it holds with probability %q, want %q", x, got, want)
		}
	}
	if got := text(page, `root.querySelector("caption").textContent`); got != "P("+hostileNames[0]+" | age)" {
		t.Errorf("the table is %q", got)
	}
}

// What cannot be shown is an error that says where.
func TestSlideRefuses(t *testing.T) {
	few, rest := oldAndIll(t)
	good := marginFit(t, few)
	never := marginFit(t, few.Filter(dataframe.F{Colname: "ill", Comparator: series.Eq, Comparando: "no"}))
	other, err := bnkit.NewNetwork("[age]", few, nil)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, test := range []struct {
		want      string
		low, high float64
		fit       func(x float64) (*bnkit.Model, error)
		opts      *SlideOptions
	}{
		{"no function", 0, 1, nil, nil},
		{"from 1 to 1", 1, 1, good, nil},
		{"from 0 to NaN", 0, math.NaN(), good, nil},
		{"1 positions", 0, 1, good, &SlideOptions{Positions: 1}},
		{"m = 0: target", 0, 0.4, good, &SlideOptions{Target: "no such"}},
		{"m = 0.5: too strong", 0, 1, func(x float64) (*bnkit.Model, error) {
			if x > 0.4 {
				return nil, errors.New("too strong")
			}
			return good(x)
		}, &SlideOptions{Positions: 3}},
		{"no model", 0, 1, func(float64) (*bnkit.Model, error) { return nil, nil }, nil},
		{"another network", 0, 1, func(x float64) (*bnkit.Model, error) {
			if calls++; calls > 1 {
				return bnkit.ModelOf(other), nil
			}
			return good(x)
		}, nil},
		{"probability zero", 0, 1, func(float64) (*bnkit.Model, error) {
			return never(0) // no young is ill
		}, &SlideOptions{HeldOut: &rest}},
	} {
		if _, err := newSlider("m", test.low, test.high, test.fit, test.opts); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v, want it to say %q", err, test.want)
		}
	}
}
