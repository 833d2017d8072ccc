package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bnlab/experiments/run"
)

// An about is what no file says of a notebook. Its figure is below figures/; without one it is the first picture in
// the notebook.
type about struct{ name, question, figure string }

var abouts = []about{
	{"00-quickstart", "How much is expert knowledge worth, and do the data contradict it?",
		"quickstart/quickstart-gain"},
	{"01-sharing", "What is it worth to know which probabilities are equal?", "sharing/n06-fig2-kl"},
	{"02-constraints", "What can one state about parameters, and what does each kind gain?",
		"constraints/n06-classes-kl-1-to-3"},
	{"03-guarantees", "What do right constraints promise, and what do wrong ones cost?",
		"guarantees/n06-thm2-variance"},
	{"04-apn", "What is a hidden variable worth?", "apn/r95-fig4-mse"},
	{"05-timecourse", "Do signs help where variables are hidden?", "timecourse/w00-courses"},
	{"06-noisyor", "What are signs and independent causes worth, in eleven domains?", "noisyor/y13-fig3-auc"},
	{"07-hpm", "Which voxels of the brain may share a response?", "hpm/n06-fig4-processes"},
	{"08-hierarchy", "Does a hierarchy of variables help to find the structure?", "hierarchy/b06-fig2"},
	{"09-scale", "What if the data outgrow this machine's memory?", "scale/scale-seconds"},
	{"10-ask", "Which questions does a fitted network answer, and how surely?", ""},
	{"11-graphs", "Which graph, from any data, and what is knowledge worth in finding it?", "graphs/graphs-alarm"},
	{"12-weigh", "What if the knowledge may be wrong?", "weigh/weigh-truths"},
}

// An entry is a row of the table.
type entry struct {
	about
	notebook *notebook
	paper    string
	minutes  int
	findings map[run.Verdict]int // nil: the notebook has no experiment
}

func entryOf(root string, a about, n *notebook) (entry, error) {
	e := entry{about: a, notebook: n, minutes: n.minutes(), paper: "–"}
	result, err := run.Load(filepath.Join(root, "figures", a.name[3:]))
	if errors.Is(err, os.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return e, err
	}
	claims, err := result.Claims()
	if err != nil {
		return e, err
	}
	if result.Paper != "" {
		e.paper = result.Paper
	}
	e.findings = map[run.Verdict]int{}
	for _, c := range claims {
		if c.Kind == run.Finding {
			e.findings[c.Holds]++
		}
	}
	return e, nil
}

const (
	begin = "<!-- the notebooks: written by go run ./notebooks/internal/index -update -->\n"
	end   = "<!-- end of the notebooks -->\n"
)

// withTable is a page, in a folder of the checkout, with the table as it is now.
func withTable(page []byte, folder string, entries []entry) ([]byte, error) {
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return nil, fmt.Errorf("it has no place for the table, between %q and %q", begin, end)
	}
	to := func(path string) string {
		rel, _ := filepath.Rel(folder, path) // both are relative to the checkout
		return filepath.ToSlash(rel)
	}
	var b strings.Builder
	b.WriteString(before + begin +
		"\n| | | paper | minutes to read | findings that came out | did not | cannot be told |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, e := range entries {
		counts := "– | – | –"
		if e.findings != nil {
			counts = fmt.Sprintf("%d | %d | %d", e.findings[run.Yes], e.findings[run.No], e.findings[run.NotJudged])
		}
		fmt.Fprintf(&b, "| ![%s](%s) | [%s](%s)<br>%s | %s | %d | %s |\n", e.name, to(e.thumbnail()), e.name,
			to("notebooks/"+e.name+".ipynb"), e.question, e.paper, e.minutes, counts)
	}
	return []byte(b.String() + "\n" + end + after), nil
}
