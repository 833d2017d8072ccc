package nb

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/browsertest"
)

// randomNet draws a network with tables in which a tenth of the entries is zero.
func randomNet(t *testing.T, rng *rand.Rand, n int) *bn.Network {
	t.Helper()
	names, parents, vars := make([]string, n), make([][]int, n), make([]bn.Variable, n)
	for v := range n {
		names[v] = fmt.Sprintf("v%d", v)
		parents[v] = rng.Perm(v)[:min(v, rng.IntN(4))]
		states := []string{"a", "b", "c", "d"}[:2+rng.IntN(3)]
		vars[v] = bn.Discrete(names[v], states...)
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	for v := range n {
		table := net.CPT(v).Clone()
		for config := range table.Configs().Len() {
			row, sum := table.Row(config), 0.0
			for s := range row {
				row[s] = rng.Float64()
				if rng.IntN(10) == 0 && s > 0 {
					row[s] = 0
				}
				sum += row[s]
			}
			for s := range row {
				row[s] /= sum
			}
		}
		if err := net.SetCPT(table); err != nil {
			t.Fatal(err)
		}
	}
	return net
}

// asked is what the browser answers.
type asked struct {
	P   [][]float64
	Log float64
	MI  map[string]float64
}

// The elimination in the browser is that of package infer: posteriors, the probability of the findings, and
// mutual information, under findings that are states, likelihoods or impossible.
func TestExploreEngine(t *testing.T) {
	page := browsertest.Open(t, []byte("<!DOCTYPE html><title>engine</title>"))
	page.Eval(exploreJS+`;globalThis.answer = (data, weights, target) => {
		const m = data.models[0], ask = data.clusters ? newEngine(data, m.tables) : newSingles(data, m.single);
		const got = ask(weights);
		if (!got) return null;
		const mi = {};
		for (const x of whatMatters(ask, data, weights, target)) mi[data.vars[x.v].name] = x.nats;
		return {P: got.p, Log: got.log, MI: mi};
	}; 0`, nil)
	rng := rand.New(rand.NewPCG(21, 0))
	impossible := 0
	for trial := range 40 {
		net := randomNet(t, rng, 1+rng.IntN(12))
		single := trial%8 == 7
		opts := &ExploreOptions{Target: net.Variable(rng.IntN(net.Len())).Name}
		data, err := newExploreData(net, opts)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 1e-9
		if data.Clusters = data.compile(mostClusterCells); data.Clusters == nil {
			t.Fatalf("trial %d: too wide", trial)
		}
		if single {
			tolerance = 1e-4 // from numbers of six digits, in sums
			data.Clusters = nil
			if data.Models[0].Single, err = singles(net, data.Vars); err != nil {
				t.Fatal(err)
			}
		}
		b, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		engine, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		page.Eval("globalThis.data = "+string(b)+"; 0", nil)
		for range 6 {
			evidence, weights := infer.Evidence{}, make([][]float64, net.Len())
			for v := range net.Len() {
				if rng.IntN(3) > 0 || single && len(evidence) > 0 {
					continue
				}
				of := net.Variable(v)
				if evidence[of.Name] = of.States[rng.IntN(of.Cardinality())]; rng.IntN(2) == 0 {
					l := infer.Likelihood{}
					for _, s := range of.States {
						l[s] = rng.Float64()
					}
					evidence[of.Name] = l
				}
				if weights[v], err = evidence.Weights(of); err != nil {
					t.Fatal(err)
				}
			}
			w, err := json.Marshal(weights)
			if err != nil {
				t.Fatal(err)
			}
			var got *asked
			page.Eval(fmt.Sprintf("answer(data, %s, %d)", w, data.Target), &got)
			want, err := engine.Marginals(evidence)
			if errors.Is(err, infer.ErrImpossibleEvidence) {
				impossible++
				if got != nil {
					t.Errorf("trial %d, %v: an answer to impossible evidence", trial, evidence)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if got == nil {
				t.Errorf("trial %d, %v: no answer", trial, evidence)
				continue
			}
			near := func(what string, got, want float64) {
				if !(math.Abs(got-want) <= tolerance) {
					t.Errorf("trial %d, %v: %s is %v, want %v", trial, evidence, what, got, want)
				}
			}
			for v, p := range want.P {
				for s := range p {
					near(fmt.Sprintf("P(v%d = %d)", v, s), got.P[v][s], p[s])
				}
			}
			log, err := engine.LogProbability(evidence)
			if err != nil {
				t.Fatal(err)
			}
			near("log P(findings)", got.Log, log)
			if single && len(evidence) > 0 {
				continue // nothing is computed beforehand for two findings
			}
			matters, err := engine.Information(evidence, opts.Target)
			if err != nil {
				t.Fatal(err)
			}
			if len(matters) != len(got.MI) {
				t.Errorf("trial %d, %v: the information of %d variables, want %d", trial, evidence, len(got.MI),
					len(matters))
			}
			for _, i := range matters {
				near("I(target; "+i.Variable.Name+")", got.MI[i.Variable.Name], i.MutualInformation)
			}
		}
	}
	if impossible == 0 {
		t.Error("no evidence was impossible: the test misses that")
	}
}

// explored opens a page with explorers; js within it has the shadow root of the first as root.
func explored(t *testing.T, explorers ...*explorer) *browsertest.Page {
	t.Helper()
	var b strings.Builder
	for _, e := range explorers {
		b.WriteString(e.html)
	}
	all := &explorer{html: "<script>onerror = e => { window.failed = String(e); };</script>" + b.String()}
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
	names, vars, parents := make([]string, 18), make([]bn.Variable, 18), make([][]int, 18)
	for v := range names {
		names[v] = fmt.Sprintf("v%02d", v)
		if vars[v] = bn.Discrete(names[v], "no", "yes"); v > 0 {
			parents[0] = append(parents[0], v)
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
	m, _ := fittedLungs(t)
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
