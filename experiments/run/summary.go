package run

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A chapter is what the report says about one experiment.
type chapter struct {
	id     string
	result *Result
	claims []Claim
	seeds  census
}

// paper is the paper that the experiment reproduces, as in "N06".
func (c chapter) paper() string {
	name, _, _ := strings.Cut(c.result.Paper, " ")
	return cmp.Or(name, "Ours")
}

// count is how many claims of some kind have each verdict.
type count map[Verdict]int

func (n count) all() int { return n[Yes] + n[No] + n[NotJudged] }

// parts are the verdicts in the order in which they are told: failures first.
var parts = [...]struct {
	heading string
	verdict Verdict
}{{"Did not come out", No}, {"Cannot be told", NotJudged}, {"Came out", Yes}}

// summary writes the first page, and for each paper the findings by verdict, failures first.
func summary(b *strings.Builder, chapters []chapter) {
	b.WriteString("# What came out, what did not, what cannot be told\n\n" +
		"A finding could have come out otherwise; theorems and arithmetic on published numbers are tests and stand " +
		"apart. This page has the table and, for each paper, a few findings, with what contradicts its prediction " +
		"first; *Findings by paper* and *All claims* below are complete. Written by the runner of `experiments`; do " +
		"not edit.\n\n" +
		"| paper | findings | came out | did not | cannot be told | against prediction | seeds disagree | theorems " +
		"as predicted | arithmetic as predicted |\n|---|---|---|---|---|---|---|---|---|\n")
	papers := papersOf(chapters)
	for _, paper := range papers {
		findings, surprising, changing, seeds := make(count), 0, 0, false
		for _, c := range chapters {
			seeds = seeds || c.paper() == paper && len(c.seeds.tallies) > 0
			for _, claim := range c.claims {
				if c.paper() != paper || claim.Kind != Finding {
					continue
				}
				findings[claim.Holds]++
				if claim.Surprising() {
					surprising++
				}
				if strings.Contains(claim.Note, seedsMark) {
					changing++
				}
			}
		}
		disagree := "–"
		if seeds {
			disagree = strconv.Itoa(changing)
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %s | %s | %s |\n", paper, findings.all(), findings[Yes],
			findings[No], findings[NotJudged], surprising, disagree, regressions(chapters, paper, Theorem),
			regressions(chapters, paper, Published))
	}
	firstPage(b, chapters)
	b.WriteString("\n# Findings by paper\n\n" +
		"A *finding* is a sentence or number of a paper that could have come out otherwise. *Theorems*, which follow " +
		"from mathematics, and arithmetic on *published* numbers are regression tests. *Cannot be told*: data are " +
		"missing or a stand-in, a comparison is not told apart by its 95 % interval, the paper's difference is below " +
		"what we could have seen, the profile is too small, or it comes out with some seeds and not with others. " +
		"*Seeds disagree*: findings whose verdict is not the same with each of several seeds, `–` where only one has " +
		"run. *Against prediction* is no error, but the more interesting the firmer the basis of the prediction.\n")
	for _, paper := range papers {
		fmt.Fprintf(b, "\n## %s\n", paper)
		for _, part := range parts {
			lines := digest(chapters, paper, part.verdict)
			if len(lines) > 0 {
				fmt.Fprintf(b, "\n%s:\n\n%s\n", part.heading, strings.Join(lines, "\n"))
			}
		}
	}
}

// regressions counts those of a kind that came out as predicted, among those judged.
func regressions(chapters []chapter, paper string, kind Kind) string {
	right, judged := 0, 0
	for _, c := range chapters {
		for _, claim := range c.claims {
			if c.paper() == paper && claim.Kind == kind && claim.Holds != NotJudged {
				judged++
				if !claim.Failed() {
					right++
				}
			}
		}
	}
	if judged == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", right, judged)
}

func papersOf(chapters []chapter) []string {
	var papers []string
	for _, c := range chapters {
		if !slices.Contains(papers, c.paper()) {
			papers = append(papers, c.paper())
		}
	}
	return papers
}

// most claims with one source and verdict stand one by one on the first page.
const most = 3

// A group is the findings of an experiment from one source.
type group struct {
	id, source string
	claims     []Claim // of a verdict
	of         int     // findings, whatever the verdict
}

// groupsOf gathers the findings of a paper with this verdict.
func groupsOf(chapters []chapter, paper string, v Verdict) []*group {
	var groups []*group
	for _, c := range chapters {
		if c.paper() != paper {
			continue
		}
		for _, claim := range c.claims {
			if claim.Kind != Finding {
				continue
			}
			i := slices.IndexFunc(groups, func(g *group) bool { return g.id == c.id && g.source == claim.Source })
			if i < 0 {
				i = len(groups)
				groups = append(groups, &group{id: c.id, source: claim.Source})
			}
			groups[i].of++
			if claim.Holds == v {
				groups[i].claims = append(groups[i].claims, claim)
			}
		}
	}
	return groups
}

// sentences are those of the claims, or the first one when they are many.
func (g *group) sentences(v Verdict) []string {
	if len(g.claims) > most {
		return []string{fmt.Sprintf("%d of %d, such as: %s", len(g.claims), g.of, g.claims[0].sentence(v))}
	}
	var list []string
	for _, claim := range g.claims {
		list = append(list, claim.sentence(v))
	}
	return list
}

// digest lists the findings of a paper with this verdict, those from one source together when they are many.
func digest(chapters []chapter, paper string, v Verdict) []string {
	var lines []string
	for _, g := range groupsOf(chapters, paper, v) {
		for _, text := range g.sentences(v) {
			lines = append(lines, fmt.Sprintf("- [%s](#%s): %s", cell(g.source), g.id, text))
		}
	}
	return lines
}

// sentence is the claim with its size, and why if it did not come out.
func (c Claim) sentence(v Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Paper %s, ours %s", cell(c.Claim), cell(dash(round(c.Paper))), cell(c.Value()))
	if c.Unit != "" {
		fmt.Fprintf(&b, " (%s)", cell(c.Unit))
	}
	b.WriteString(".")
	if c.Surprising() {
		fmt.Fprintf(&b, " **Predicted: %s**, basis: %s.", c.Prediction, dash(string(c.Basis)))
	}
	if v != Yes && c.Note != "" {
		fmt.Fprintf(&b, " %s.", cell(shorten(c.Note, 160)))
	} else if _, seeds, ok := strings.Cut(c.Note, seedsMark); ok {
		fmt.Fprintf(&b, " Seeds: %s.", cell(seeds))
	}
	return b.String()
}

// shorten ends a text after n letters, at a word. A note on seeds is kept.
func shorten(s string, n int) string {
	text, seeds, found := strings.Cut(s, seedsMark)
	text = strings.TrimSuffix(text, "; ")
	if letters := []rune(text); len(letters) > n {
		text = string(letters[:n])
		if i := strings.LastIndex(text, " "); i > 0 {
			text = text[:i]
		}
		text += " …"
	}
	if found {
		text = join(text, seedsMark+seeds)
	}
	return strings.TrimSuffix(text, ".")
}
