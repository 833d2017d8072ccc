package dbn_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/learn"
)

// TestFittedString: a fit prints its network, each table once, and leaves out large tables.
func TestFittedString(t *testing.T) {
	net := must(dbn.New("[big|big[t-1]][sensor|big]", bn.Discrete("big", strings.Split("abcdefghijklmnopq", "")...),
		bn.Discrete("sensor", "off", "on")))(t)
	s := must(net.Sample([]int{5, 5}, rand.NewPCG(1, 0)))(t)
	text := must(dbn.Fit(t.Context(), net, s, learn.MAP{Pseudocount: 1}, nil))(t).String()
	for want, times := range map[string]int{
		"2 series of 10 slices in all": 1, "[big|big[t-1]][sensor|big]\n": 1, "log-likelihood": 1,
		"big[0]\n": 1, "big[1]\n": 0, "2 larger tables are not shown": 1,
	} {
		if n := strings.Count(text, want); n != times {
			t.Errorf("%q stands there %d times, want %d:\n%s", want, n, times, text)
		}
	}
	for _, none := range []*dbn.Fitted{nil, {}, {Net: &dbn.Network{}}} {
		if got := none.String(); got != "no dynamic network" {
			t.Errorf("a fit without a network prints %q", got)
		}
	}
	whole := (&dbn.Fitted{Net: must(dbn.New("[x|x[t-1]]", bn.Continuous("x")))(t)}).String()
	if want := "[x|x[t-1]]\nx[0] = 0, sd 1\nx[1] = 0 + 0·x[0], sd 1"; whole != want {
		t.Errorf("a network alone prints\n%s\nwant\n%s", whole, want)
	}
}

// TestFromTemplate: a model string and a template make the network again, and others are refused
// before a table is made.
func TestFromTemplate(t *testing.T) {
	net := must(dbn.New("[rain|rain[t-1]][umbrella|rain][umbrella[0]|rain]", bn.Discrete("rain", "no", "yes"),
		bn.Discrete("umbrella", "no", "yes")))(t)
	if err := net.SetTable("rain[1]", "rain[0] | no yes\nno | 0.9 0.1\nyes | 0.25 0.75"); err != nil {
		t.Fatal(err)
	}
	again := must(dbn.FromTemplate(net.String(), net.Template()))(t)
	if again.String() != net.String() {
		t.Errorf("%s became %s", net, again)
	}
	for i := range net.Template().Len() {
		if a, b := net.Template().CPT(i).String(), again.Template().CPT(i).String(); a != b {
			t.Errorf("table\n%sbecame\n%s", a, b)
		}
	}
	again.Template().CPT(0).P[0] = 0
	if net.Template().CPT(0).P[0] == 0 {
		t.Error("the template is shared")
	}
	for model, want := range map[string]string{
		"":                                 "",
		"[rain|rain[t-1]]":                 `"umbrella"`,
		"[rain|rain[t-1]][umbrella|rain]":  "the template is",
		"[rain|rain[t-1]][umbrella|rain][": "position",
	} {
		if _, err := dbn.FromTemplate(model, net.Template()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", model, err, want)
		}
	}
	if _, err := dbn.FromTemplate("[x]", nil); err == nil {
		t.Error("no template is no error")
	}
}
