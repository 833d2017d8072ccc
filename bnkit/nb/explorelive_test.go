package nb

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// tooWide is a network whose first variable has seventeen parents.
func tooWide(t *testing.T) *bn.Network {
	t.Helper()
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
	p := net.CPT(0).P
	for row := range len(p) / 2 {
		p[2*row+1] = 0.05 + 0.9*float64(bits.OnesCount(uint(row)))/17
		p[2*row] = 1 - p[2*row+1]
	}
	return net
}

// While its cell runs, a network that is too wide takes several findings, which the cell answers; after that, one.
func TestExploreLive(t *testing.T) {
	net := tooWide(t)
	e, err := newExplorer(net, &ExploreOptions{Live: true, Target: "v00"})
	if err != nil {
		t.Fatal(err)
	}
	if small, err := newExplorer(lungs(t), &ExploreOptions{Live: true}); err != nil || small.live != "" {
		t.Errorf("a small network asks its cell (%v)", err)
	}
	live, err := newLiveExplorer(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	page := explored(t, e)
	page.Eval(`globalThis.sent = []; globalThis.to = {};
		globalThis.gonb_comm = {subscribe: (a, f) => { to[a] = f; }, send: (a, v) => sent.push(a, v)};
		click(state("v00 = yes")); click(state("v01 = yes")); 0`, nil)
	if got := text(page, `root.querySelector(".side p[role=status]").textContent`); !strings.HasPrefix(got, "Asking") {
		t.Errorf("before the answer the status is %q", got)
	}
	var sent []string
	page.Eval("sent", &sent)
	if len(sent) != 4 || sent[0] != e.live+"/question" || sent[2] != sent[0] {
		t.Fatalf("it sends %q, want two questions", sent)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var deliver func(string)
	var told []string
	ended := make(chan struct{})
	ready := make(chan struct{})
	go func() {
		live.serve(ctx, e.live, func(_ string, f func(string)) { deliver = f; close(ready) },
			func(a, v string) { told = append(told, a, v) })
		close(ended)
	}()
	<-ready
	deliver(sent[1])
	deliver(sent[3])
	cancel()
	<-ended
	if len(told) != 6 {
		t.Fatalf("the cell sends %q", told)
	}
	pass := func(i int) {
		b, err := json.Marshal(told[2*i+1])
		if err != nil {
			t.Fatal(err)
		}
		page.Eval(fmt.Sprintf("to[%q](%q, %s); 0", told[2*i], told[2*i], b), nil)
	}
	pass(0) // of one finding: late
	pass(1)
	evidence := infer.Evidence{"v00": "yes", "v01": "yes"}
	post, err := infer.Posterior(net, evidence, "v02")
	if err != nil {
		t.Fatal(err)
	}
	var width float64
	page.Eval(`Number(state("v02 = yes").querySelector(".bar").getAttribute("width"))`, &width)
	if want := 56 * post.Of("v02")[1]; math.Abs(width-want) > 1e-9 || want < 29 {
		t.Errorf("the bar is %v wide, want %v", width, want)
	}
	if got := text(page, `root.querySelector(".findings").textContent`); got != "× v00 = yes× v01 = yes" {
		t.Errorf("the findings are %q", got)
	}
	pass(2) // the end
	if got := text(page, `click(state("v03 = yes")), click(state("v04 = yes")),
			root.querySelector(".findings").textContent`); got != "× v04 = yes" {
		t.Errorf("after the cell has ended the findings are %q", got)
	}
	for _, question := range []string{"", `{"target":99}`, `{"findings":[[0,[1]]],"target":0}`,
		`{"findings":[[0,[1,null]]],"target":0}`, `{"findings":[[null,[1,0]]],"target":0}`, `{"target":null}`} {
		if got := live.answer(question); !strings.Contains(got, `"error":"`) {
			t.Errorf("%q is answered by %s", question, got)
		}
	}
}
