package nb

import (
	"regexp"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
)

// Of $25k-$50k MathJax would make a formula in a page that nbconvert writes: all text that is shown as HTML stands in
// elements that it leaves alone.
func TestNamesAreNoFormulas(t *testing.T) {
	const income = "$25k-$50k"
	df := dataframe.New(series.New([]string{income, "$50k-$75k"}, series.String, income))
	net, err := bn.New("["+income+"]", bn.Discrete(income, "$0-$25k", income))
	if err != nil {
		t.Fatal(err)
	}
	for name, show := range map[string]func(){
		"table":   func() { Table(df) },
		"columns": func() { Head(df, 1) },
		"beside":  func() { SideBySide(income, df, income, []string{income}) },
		"claims": func() {
			Claims(claimTable(claimsHeader + income + ",s1,finding,real,1,2,,yes,theory,yes,n1\n"))
		},
		"explorer": func() { Explore(net, nil) },
		"tables":   func() { CompareCPT(net, net, income) },
	} {
		page := shownHTML(t, show)
		if !strings.Contains(page, income) {
			t.Errorf("%s: the name is not shown:\n%s", name, page)
		}
		if text := typeset(page); text != "" {
			t.Errorf("%s: MathJax reads %q of\n%s", name, text, page)
		}
	}
	if got := typeset(`<p>a</p><p class="x tex2jax_ignore">b<br><b>c</b></p><script>d</script>e`); got != "ae" {
		t.Errorf("of the example MathJax reads %q", got)
	}
}

var (
	scripts = regexp.MustCompile(`(?s)<script>.*?</script>`)
	tags    = regexp.MustCompile(`<(/?)([a-z0-9]+)([^>]*)>`)
)

// typeset is the text of a page that MathJax reads.
func typeset(page string) string {
	page = scripts.ReplaceAllString(page, "")
	var read strings.Builder
	depth, ignored, end := 0, 0, 0 // ignored is the depth of the element that MathJax leaves alone
	for _, m := range tags.FindAllStringSubmatchIndex(page, -1) {
		if ignored == 0 {
			read.WriteString(page[end:m[0]])
		}
		end = m[1]
		name, rest := page[m[4]:m[5]], page[m[6]:m[7]]
		switch {
		case name == "br" || name == "img" || strings.HasSuffix(rest, "/"):
		case m[2] < m[3]:
			if depth == ignored {
				ignored = 0
			}
			depth--
		default:
			depth++
			if ignored == 0 && strings.Contains(rest, "tex2jax_ignore") {
				ignored = depth
			}
		}
	}
	return strings.TrimSpace(read.String() + page[end:])
}
