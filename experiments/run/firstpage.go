package run

import (
	"fmt"
	"slices"
	"strings"
)

// briefly is how many findings of each verdict the first page shows for a paper, failures first, and in how few words:
// it is to be read in three minutes.
var briefly = [...]struct {
	word    string
	verdict Verdict
	shown   int
}{{"no", No, 3}, {"cannot be told", NotJudged, 1}, {"yes", Yes, 1}}

// A pick is a finding on the first page.
type pick struct {
	id    string
	claim Claim
}

// picks chooses findings of a paper with this verdict: what contradicts its prediction first, and one from each
// source as long as there are others.
func picks(chapters []chapter, paper string, v Verdict, n int) (chosen []pick, all int) {
	var list []pick
	for _, c := range chapters {
		for _, claim := range c.claims {
			if c.paper() == paper && claim.Kind == Finding && claim.Holds == v {
				list = append(list, pick{c.id, claim})
			}
		}
	}
	all = len(list)
	slices.SortStableFunc(list, func(a, b pick) int {
		switch {
		case a.claim.Surprising() == b.claim.Surprising():
			return 0
		case a.claim.Surprising():
			return -1
		}
		return 1
	})
	for len(chosen) < min(n, all) {
		at := slices.IndexFunc(list, func(p pick) bool {
			return !slices.ContainsFunc(chosen, func(q pick) bool { return q.claim.Source == p.claim.Source })
		})
		at = max(at, 0)
		chosen, list = append(chosen, list[at]), slices.Delete(list, at, at+1)
	}
	return chosen, all
}

// firstPage tells of each paper in a few lines.
func firstPage(b *strings.Builder, chapters []chapter) {
	for _, paper := range papersOf(chapters) {
		fmt.Fprintf(b, "\n**%s**\n\n", paper)
		for _, part := range briefly {
			chosen, all := picks(chapters, paper, part.verdict, part.shown)
			for i, p := range chosen {
				fmt.Fprintf(b, "- %s: %s", part.word, p.line())
				if more := all - len(chosen); i == len(chosen)-1 && more > 0 {
					fmt.Fprintf(b, " *And %d more.*", more)
				}
				b.WriteString("\n")
			}
		}
	}
}

// line is the finding in few words: what, where, how large, and why if it did not come out.
func (p pick) line() string {
	c := p.claim
	ours := c.Value()
	if c.Unit != "" && c.Ours != "" {
		ours += " (" + c.Unit + ")"
	}
	s := fmt.Sprintf("%s ([%s](#%s)): ours %s", cell(shorten(c.Claim, 90)), cell(c.Source), p.id,
		cell(shorten(ours, 50)))
	if c.Paper != "" && c.Paper != "–" {
		s += ", paper " + cell(shorten(round(c.Paper), 30))
	}
	s += "."
	if c.Surprising() {
		s += " **Against the prediction.**"
	}
	if c.Holds != Yes && c.Note != "" {
		s += " " + cell(shorten(c.reason(), 60)) + "."
	} else if _, seeds, ok := strings.Cut(c.Note, seedsMark); ok {
		s += " Seeds: " + cell(seeds) + "."
	}
	return strings.ReplaceAll(s, "….", "…")
}

// reasons are words in what says why a verdict is n/a.
var reasons = [...]string{"not told apart", "could be seen", "stand-in data", "no data", "not available", "measured in",
	"judged in the paper profile", "needs ", "is lost"}

// reason is what the note says of why: the first part with such words where nothing is judged, else the note.
func (c Claim) reason() string {
	if c.Holds == NotJudged {
		text, _, _ := strings.Cut(c.Note, seedsMark)
		for _, word := range reasons {
			for part := range strings.SplitSeq(text, "; ") {
				if strings.Contains(part, word) {
					return part
				}
			}
		}
	}
	return c.Note
}
