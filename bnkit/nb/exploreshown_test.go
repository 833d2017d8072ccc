package nb

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/browsertest"
)

// hostileNames are what a name must not do to a page.
var hostileNames = []string{`<img src=x onerror="window.hit=1">`, `</script><script>window.hit=1</script>`, `"'&lt;&`,
	"a\u202eb\u2028c\\n`${window.hit=1}`", `--><!--<script>`}

// Names are shown as they are, and run nothing.
func TestExploreEscapes(t *testing.T) {
	parent, child := bn.Discrete(hostileNames[0], hostileNames[1], hostileNames[2]), bn.Discrete(hostileNames[3],
		hostileNames[4], `</style>`)
	g, err := bn.NewDAG([]string{parent.Name, child.Name}, [][]int{{}, {0}})
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, []bn.Variable{parent, child})
	if err != nil {
		t.Fatal(err)
	}
	e, err := newExplorer(net, &ExploreOptions{Beside: net, Name: hostileNames[0], BesideName: hostileNames[1]})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(e.html, "</script"); n != 1 {
		t.Errorf("%d times </script, want once", n)
	}
	if strings.Contains(e.html, "<img src=x") || strings.Contains(e.html, "<!--") {
		t.Error("a name stands in the page as HTML")
	}
	page := explored(t, e)
	page.Eval(`for (const g of root.querySelectorAll(".state, .name")) click(g); 0`, nil)
	var hit *int
	page.Eval("window.hit || null", &hit)
	if hit != nil {
		t.Error("a name ran as a script")
	}
	if got := text(page, `root.querySelector("svg > g").getAttribute("aria-label")`); got != parent.Name {
		t.Errorf("the first variable is %q, want %q", got, parent.Name)
	}
	want := infer.Evidence{parent.Name: parent.States[1], child.Name: child.States[1]}.String()
	if got := evidenceOf(t, text(page, `root.querySelector("textarea").value`)); got != want {
		t.Errorf("the line of Go means %q, want %q", got, want)
	}
}

// A notebook inserts output as text and makes its scripts anew; one that is not trusted leaves them out.
func TestExploreInNotebook(t *testing.T) {
	e, err := newExplorer(lungs(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	page := browsertest.Open(t, []byte("<!DOCTYPE html><body data-jp-theme-light=false><div id=out></div>"))
	b, err := json.Marshal(e.html)
	if err != nil {
		t.Fatal(err)
	}
	page.Eval(fmt.Sprintf("globalThis.out = document.querySelector('#out'); out.innerHTML = %s; 0", b), nil)
	if got := text(page, `out.querySelector("img").alt + (out.innerText || " no text")`); got !=
		"the network with the probability of each state; explorer of 2 variables no text" {
		t.Errorf("without scripts there is %q", got)
	}
	var seen bool
	page.Eval(`out.querySelector("img").decode().then(() => out.querySelector("img").offsetHeight > 50)`, &seen)
	if !seen {
		t.Error("without scripts the picture is not seen")
	}
	page.Eval(`const made = document.createElement("script"), given = out.querySelector("script");
		made.textContent = given.textContent; given.replaceWith(made); 0`, nil)
	got := text(page, `const host = out.querySelector("div"); host.getAttribute("data-theme") + " " +
		host.shadowRoot.querySelectorAll(".bar").length`)
	if got != "dark 4" {
		t.Errorf("the explorer is %q, want \"dark 4\"", got)
	}
}

// A network that is too wide has one finding at a time; a table that is too large is not shown.
func TestExploreOneFinding(t *testing.T) {
	net := tooWide(t)
	if err := net.SetTable("v02", "no yes\n0.25 0.75"); err != nil {
		t.Fatal(err)
	}
	e, err := newExplorer(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	page := explored(t, e)
	page.Eval(`click(state("v01 = yes")); click(state("v02 = yes")); click(state("v00, open")); 0`, nil)
	for expression, want := range map[string]string{
		`root.querySelector(".findings").textContent`:            "× v02 = yes",
		`root.querySelector(".side p[role=status]").textContent`: "P(findings) = 0.75",
		`root.querySelector(".matters").textContent`:             "known without findings only",
		`root.querySelector(".tables").textContent`:              "Its table is too large to be shown.",
	} {
		if got := text(page, expression); got != want {
			t.Errorf("%s is %q, want %q", expression, got, want)
		}
	}
}

// Continuous variables are drawn, and hidden ones are not asked for.
func TestExploreContinuousAndHidden(t *testing.T) {
	net, err := bn.New("[lung][xray|lung][cough|lung][grey|lung]", bn.Discrete("lung", "healthy", "ill"),
		bn.Discrete("xray", "clear", "dark"), bn.Discrete("cough", "no", "yes"), bn.Continuous("grey"))
	if err != nil {
		t.Fatal(err)
	}
	if err := net.SetTable("cough", "lung | no yes\nhealthy | 0.8 0.2\nill | 0.1 0.9"); err != nil {
		t.Fatal(err)
	}
	m := bnkit.ModelOf(net)
	m.Hidden = []string{"lung"}
	e, err := newExplorer(m, &ExploreOptions{Target: "xray"})
	if err != nil {
		t.Fatal(err)
	}
	page := explored(t, e)
	page.Eval(`click(state("grey, continuous")); click(state("cough = yes")); 0`, nil)
	for expression, want := range map[string]string{
		`root.querySelector(".matters").textContent`: "", // cough is observed, lung hidden
		`root.querySelector(".panel").textContent`:   "",
		`root.querySelector(".spoken").textContent`:  "xray: clear 0.500; dark 0.500",
		`state("lung = ill").getAttribute("aria-label") + root.querySelectorAll("ellipse").length`: "lung = ill, " +
			"probability 0.8181",
	} {
		if got := text(page, expression); got != want {
			t.Errorf("%s is %q, want %q", expression, got, want)
		}
	}
}

// Two models answer the same findings, several explorers of one notebook keep apart, and a table has its cases and
// statements.
func TestExploreBeside(t *testing.T) {
	fitted, df := fittedLungs(t)
	ill := []string{"ill"}
	m, err := bnkit.Fit(t.Context(), fitted.Net, df, learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{
		constraint.AtMost{Var: "lung", States: ill, P: 0.9}, constraint.AtLeast{Var: "lung", States: ill, P: 0.01},
		constraint.AtMost{Var: "lung", Given: bn.Given{"smoke": "no"}, States: ill, P: 0.8},
		constraint.AtMost{Var: "lung", Given: bn.Given{"smoke": "yes"}, States: ill, P: 0.95},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain := m.Net.Clone()
	if err := plain.SetTable("smoke", "no yes\n0.5 0.5"); err != nil {
		t.Fatal(err)
	}
	e, err := newExplorer(m, &ExploreOptions{Name: "informed", Beside: plain, BesideName: "plain", Target: "lung",
		Evidence: infer.Evidence{"xray": "dark"}})
	if err != nil {
		t.Fatal(err)
	}
	page := explored(t, e, e)
	var answers []string
	for _, of := range []bn.Model{m, bnkit.ModelOf(plain)} {
		post, err := infer.Posterior(of.Network(), infer.Evidence{"xray": "dark"}, "smoke")
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, fmt.Sprintf("%.3f", post.Of("smoke")[1]))
	}
	both := text(page, `[...state("smoke = yes").querySelectorAll(".p")].map(t => t.textContent).join()`)
	if want := strings.Join(answers, ","); both != want {
		t.Errorf("the models answer %q, want %q", both, want)
	}
	page.Eval(`click(state("lung, open")); 0`, nil)
	got := text(page, `root.querySelector(".tables table").textContent`)
	for _, has := range []string{"informed: P(lung | smoke)", "(34)", "cases"} {
		if !strings.Contains(got, has) {
			t.Errorf("the table lacks %q: %q", has, got)
		}
	}
	const last = `[...root.querySelector(".tables tbody").rows].map(r => r.lastElementChild.textContent).join("; ")`
	if got, want := text(page, last), "1–3; 1, 2, 4"; got != want {
		t.Errorf("the rows are bound by %q, want %q", got, want)
	}
	var ids []string
	page.Eval(`globalThis.roots = [...document.querySelectorAll("[data-bnlab-explorer]")].map(h => h.shadowRoot);
		roots.map(r => r.querySelector("select").id)`, &ids)
	if len(ids) != 2 || ids[0] == ids[1] {
		t.Errorf("two explorers have the ids %q", ids)
	}
	if got := text(page, `roots[1].querySelector(".panel").textContent`); got != "" {
		t.Errorf("a click in one explorer opened %q in the other", got)
	}
}
