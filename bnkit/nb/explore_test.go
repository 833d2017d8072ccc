package nb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// The same model makes the same bytes, of a modest size, and nothing that asks the network.
func TestExploreBytes(t *testing.T) {
	m, _ := fittedLungs(t)
	opts := &ExploreOptions{Beside: m.Net, Evidence: infer.Evidence{"xray": "dark"}}
	first, err := newExplorer(m, opts)
	if err != nil {
		t.Fatal(err)
	}
	again, err := newExplorer(m, opts)
	if err != nil {
		t.Fatal(err)
	}
	if first.html != again.html {
		t.Error("two explorers of one model differ")
	}
	if n := len(first.html); n > 150_000 {
		t.Errorf("%d bytes for four variables", n)
	}
	if n := strings.Count(exploreJS, "\n"); n > 500 {
		t.Errorf("explore.js has %d lines", n)
	}
	for _, asks := range []string{"http:", "https:", "//cdn", "fetch(", "XMLHttpRequest", "import(", "innerHTML",
		"@import", "url("} {
		for name, s := range map[string]string{"explore.js": exploreJS, "explore.css": exploreCSS,
			"page.js": pageJS, "slide.js": slideJS, "slide.css": slideCSS} {
			if s = strings.ReplaceAll(s, `"http://www.w3.org/2000/svg"`, ""); strings.Contains(s, asks) {
				t.Errorf("%s has %s", name, asks)
			}
		}
	}
	if strings.Contains(pageJS+exploreJS+slideJS, "</script") {
		t.Error("a script ends its own element")
	}
}

// In a notebook it is HTML, elsewhere a line; Path writes a page.
func TestExploreShown(t *testing.T) {
	defer func(s screen) { current = s }(show())
	var got []*protocol.DisplayData
	current = &notebook{send: func(d *protocol.DisplayData) { got = append(got, d) }}
	path := filepath.Join(t.TempDir(), "lungs.html")
	Explore(lungs(t), &ExploreOptions{Path: path})
	if len(got) != 1 || !strings.HasPrefix(got[0].Data[protocol.MIMETextHTML].(string), "<div data-bnlab-explorer=") {
		t.Errorf("shown: %v", got)
	}
	b, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(b), "<!DOCTYPE html>") {
		t.Errorf("the file: %v", err)
	}
	var out strings.Builder
	current = &plain{out: &out, err: &out}
	Explore(lungs(t), nil)
	if out.String() != "[explorer of 2 variables]\n" {
		t.Errorf("as text %q", out.String())
	}
}

func TestExploreErrors(t *testing.T) {
	net, other := lungs(t), lungs(t)
	if err := other.SetTable("lung", "healthy ill\n1 0"); err != nil {
		t.Fatal(err)
	}
	m, _ := fittedLungs(t)
	for _, tt := range []struct {
		name string
		m    bn.Model
		opts *ExploreOptions
		want string
	}{
		{"none", nil, nil, "nb: there is no network"},
		{"another network", net, &ExploreOptions{Beside: m}, "the model beside has another network"},
		{"no network beside", net, &ExploreOptions{Beside: (*bn.Network)(nil)}, "no network beside"},
		{"target", net, &ExploreOptions{Target: "heart"}, `target: `},
		{"evidence", net, &ExploreOptions{Evidence: infer.Evidence{"heart": "weak"}}, `"heart"`},
		{"soft evidence", net, &ExploreOptions{Evidence: infer.Evidence{"heart": infer.Likelihood{"a": 1}}}, `"heart"`},
		{"distribution", net, &ExploreOptions{Evidence: infer.Evidence{"lung": infer.Distribution{"ill": 1}}},
			"evidence: "},
		{"impossible", other, &ExploreOptions{Evidence: infer.Evidence{"lung": "ill"}}, "probability zero"},
	} {
		if _, err := newExplorer(tt.m, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A network that is too wide has answers to single findings, and one too large besides is refused.
func TestExploreWide(t *testing.T) {
	for _, tt := range []struct {
		parents, others int
		want            string
	}{{17, 0, ""}, {17, 190, "too large to compute"}} {
		var names []string
		var vars []bn.Variable
		parents := make([][]int, tt.parents+tt.others+1)
		for v := range parents {
			names = append(names, "v"+string(rune('A'+v/26))+string(rune('a'+v%26)))
			vars = append(vars, bn.Discrete(names[v], "no", "yes"))
			if v > 0 && v <= tt.parents {
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
		e, err := newExplorer(net, nil)
		if tt.want != "" {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%d variables: %v, want %q", len(vars), err, tt.want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(e.html, `"clusters":null`) || len(e.html) > 500_000 {
			t.Errorf("%d bytes for %d variables", len(e.html), len(vars))
		}
		twice := &ExploreOptions{Evidence: infer.Evidence{names[1]: "yes", names[2]: "yes"}}
		if _, err := newExplorer(net, twice); err == nil || !strings.Contains(err.Error(), "one finding at a time") {
			t.Errorf("two findings: %v", err)
		}
	}
}
