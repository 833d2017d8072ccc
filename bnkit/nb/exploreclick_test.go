package nb

import (
	"fmt"
	"go/ast"
	"go/parser"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/infer"
	"bnlab/internal/browsertest"
)

// explored opens a page with explorers; js within it has the shadow root of the first as root.
func explored(t *testing.T, explorers ...*block) *browsertest.Page {
	t.Helper()
	var b strings.Builder
	for _, e := range explorers {
		b.WriteString(e.html)
	}
	all := &block{html: "<script>onerror = e => { window.failed = String(e); };</script>" + b.String()}
	page := browsertest.Open(t, []byte(all.file()))
	var failed *string
	page.Eval("window.failed || null", &failed)
	if failed != nil {
		t.Fatalf("the page fails: %s", *failed)
	}
	page.Eval(`globalThis.root = document.querySelector("[data-bnlab-explorer]").shadowRoot;
		globalThis.state = name => [...root.querySelectorAll(".state, .name")].find(
			g => g.getAttribute("aria-label").startsWith(name));
		globalThis.click = e => e.dispatchEvent(new MouseEvent("click", {bubbles: true})); 0`, nil)
	return page
}

func text(page *browsertest.Page, expression string) string {
	var s string
	page.Eval(expression, &s)
	return s
}

// A click makes a state a finding that the bars answer; the line of Go says the same; undoing it brings all back.
func TestExploreClick(t *testing.T) {
	e, err := newExplorer(lungs(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	page := explored(t, e)
	width := func() float64 {
		var w float64
		page.Eval(`Number(state("lung = ill").querySelector(".bar").getAttribute("width"))`, &w)
		return w
	}
	if got := width(); math.Abs(got-5.6) > 1e-9 { // 0.1 of 56 pixels
		t.Errorf("before, the bar is %v wide, want 5.6", got)
	}
	page.Eval(`click(state("xray = dark")); 0`, nil)
	ill := 0.1 * 0.9 / (0.1*0.9 + 0.9*0.05)
	if got := width(); math.Abs(got-56*ill) > 1e-9 {
		t.Errorf("after, the bar is %v wide, want %v", got, 56*ill)
	}
	for expression, want := range map[string]string{
		`state("lung = ill").querySelector(".p").textContent`:      "0.667",
		`state("lung = ill").getAttribute("aria-label")`:           "lung = ill, probability 0.667",
		`state("xray = dark").getAttribute("aria-pressed")`:        "true",
		`String(root.querySelector(".arc").getTotalLength() > 20)`: "true",
		`root.querySelector(".findings").textContent`:              "× xray = dark",
		`root.querySelector(".side p[role=status]").textContent`:   "P(findings) = 0.135",
		`root.querySelector(".matters").textContent`:               "it is observed",
		`root.querySelector(".undo").getAttribute("aria-label")`:   "Undo xray = dark",
		`root.querySelector("textarea").value`: "nb.Table(nb.Must(bnkit.Posterior(model, " +
			`infer.Evidence{"xray": "dark"}, "xray")))`,
		`String(document.querySelector("img").offsetParent === null)`: "true", // the static picture has gone
	} {
		if got := text(page, expression); got != want {
			t.Errorf("%s is %q, want %q", expression, got, want)
		}
	}
	page.Eval(`click(root.querySelector(".undo")); 0`, nil)
	if got := width(); math.Abs(got-5.6) > 1e-9 {
		t.Errorf("undone, the bar is %v wide, want 5.6", got)
	}
	// By keys: from the first name down to healthy and ill, and Enter.
	page.Eval(`root.querySelector("[tabindex='0']").focus(); 0`, nil)
	for _, key := range []string{"Home", "ArrowDown", "ArrowDown", "Enter"} {
		page.Key(key)
	}
	if got := text(page, `root.querySelector(".findings").textContent`); got != "× lung = ill" {
		t.Errorf("by keys, the findings are %q", got)
	}
	matters, err := bnkit.WhatMatters(lungs(t), nil, "xray", nil)
	if err != nil {
		t.Fatal(err)
	}
	page.Eval(`click(root.querySelector(".all")); 0`, nil)
	want := fmt.Sprintf("lung%.4f nats", matters.Col("information").Float()[0])
	if got := text(page, `root.querySelector(".matters").textContent`); got != want {
		t.Errorf("what matters is %q, want %q", got, want)
	}
	// A slider weakens the finding on xray, and the target's answer with it.
	page.Eval(`click(state("xray, open"));
		const s = root.querySelectorAll("input")[0]; s.value = 0.2; s.dispatchEvent(new Event("input")); 0`, nil)
	soft := infer.Evidence{"xray": infer.Likelihood{"clear": 0.2, "dark": 1}}
	post, err := infer.Posterior(lungs(t), soft, "lung")
	if err != nil {
		t.Fatal(err)
	}
	if got := width(); math.Abs(got-56*post.Of("lung")[1]) > 1e-9 {
		t.Errorf("with the slider, the bar is %v wide, want %v", got, 56*post.Of("lung")[1])
	}
	page.Eval(`const pick = root.querySelector("select");
		pick.value = 0; pick.dispatchEvent(new Event("change")); 0`, nil)
	line := text(page, `root.querySelector("textarea").value`)
	if got, want := evidenceOf(t, line), soft.String(); got != want {
		t.Errorf("the line of Go means %q, want %q", got, want)
	}
	if b, err := os.ReadFile("example_test.go"); err != nil || !strings.Contains(string(b), "\t"+line+"\n") {
		t.Errorf("ExampleExplore, which compiles, lacks the line %s (%v)", line, err)
	}
}

// evidenceOf reads the evidence in the line of Go that an explorer offers.
func evidenceOf(t *testing.T, line string) string {
	t.Helper()
	x, err := parser.ParseExpr(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	unquoted := func(e ast.Expr) string {
		s, err := strconv.Unquote(e.(*ast.BasicLit).Value)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return s
	}
	evidence := infer.Evidence{}
	ast.Inspect(x, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, e := range lit.Elts {
			kv := e.(*ast.KeyValueExpr)
			switch v := kv.Value.(type) {
			case *ast.BasicLit:
				evidence[unquoted(kv.Key)] = unquoted(v)
			case *ast.CompositeLit:
				l := infer.Likelihood{}
				for _, e := range v.Elts {
					n := e.(*ast.KeyValueExpr)
					if l[unquoted(n.Key)], err = strconv.ParseFloat(n.Value.(*ast.BasicLit).Value, 64); err != nil {
						t.Fatalf("%s: %v", line, err)
					}
				}
				evidence[unquoted(kv.Key)] = l
			}
		}
		return false
	})
	return evidence.String()
}
