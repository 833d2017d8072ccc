package nb

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/internal/english"
	"bnlab/internal/say"
)

// Claims displays what came out of an experiment and what did not: a count, then one by one what contradicts the
// paper, then, folded, what cannot be told, what came out, and what is a test. Of each claim it shows the data, the
// paper's number and ours, what was predicted and the note.
//
//	nb.Claims(nb.Must(run.Notebook(ctx, sharing.Experiment{})))
//
// A finding could have come out otherwise. Theorems and arithmetic on published numbers are tests; one that fails
// stands first. ClaimTable returns a row for each claim, with the columns claim, source, kind (finding, theorem or
// published), data, paper, ours, unit, prediction, basis, holds (yes, no or n/a) and note; a String method tells what
// has computed it. Outside a notebook what
// did not come out is printed, and how much the rest is.
func Claims(result interface {
	ClaimTable() (dataframe.DataFrame, error)
}) {
	groups, err := claimGroups(Must(result.ClaimTable()))
	NoError(err)
	page, text := claimsHTML(groups), claimsText(groups)
	if s, ok := result.(fmt.Stringer); ok { // what computed it
		page += "<p" + verbatim + "><small>" + html.EscapeString(visible(s.String(), "")) + "</small></p>\n"
		text += "\n" + visible(s.String(), "") + "\n"
	}
	show().folded(page, text)
}

// A claim is a row of the table.
type claim struct{ text, source, kind, data, paper, ours, prediction, basis, holds, note string }

// against reports whether the verdict is the opposite of the prediction.
func (c claim) against() bool {
	return c.prediction == "yes" && c.holds == "no" || c.prediction == "no" && c.holds == "yes"
}

// A claimGroup is the claims that stand under one heading.
type claimGroup struct {
	heading string
	open    bool
	claims  []claim
}

// claimGroups sorts the claims, failures first.
func claimGroups(df dataframe.DataFrame) ([]claimGroup, error) {
	columns := map[string][]string{}
	for _, name := range []string{"claim", "source", "kind", "data", "paper", "ours", "unit", "prediction", "basis",
		"holds", "note"} {
		if !slices.Contains(df.Names(), name) {
			return nil, say.Errorf("nb: the table of claims has no column %q, only %s", name,
				say.List(df.Names()))
		}
		columns[name] = df.Col(name).Records()
	}
	groups := []claimGroup{{heading: "Tests that failed", open: true}, {heading: "Did not come out", open: true},
		{heading: "Cannot be told"}, {heading: "Came out"}, {heading: "Theorems, and arithmetic on published numbers"}}
	for i := range df.Nrow() {
		of := func(name string) string {
			if df.Col(name).Elem(i).IsNA() {
				return ""
			}
			return visible(columns[name][i], "")
		}
		c := claim{of("claim"), of("source"), of("kind"), of("data"), of("paper"), of("ours"), of("prediction"),
			of("basis"), of("holds"), of("note")}
		if unit := of("unit"); unit != "" {
			c.ours += " " + unit
		}
		at := slices.Index([]string{"no", "n/a", "yes"}, c.holds) + 1
		switch {
		case at == 0:
			return nil, say.Errorf("nb: claim %q holds %q, not yes, no or n/a", c.text, c.holds)
		case c.kind != "finding" && c.against():
			at = 0
		case c.kind != "finding":
			at = 4
		}
		groups[at].claims = append(groups[at].claims, c)
	}
	return slices.DeleteFunc(groups, func(g claimGroup) bool { return len(g.claims) == 0 }), nil
}

// claimTally is the count in one sentence.
func claimTally(groups []claimGroup) string {
	var findings, tests, against int
	words := map[string]string{"Did not come out": "did not come out", "Cannot be told": "cannot be told",
		"Came out": "came out"}
	var parts []string
	failed := 0
	for _, g := range groups {
		if word, ok := words[g.heading]; ok {
			findings += len(g.claims)
			parts = append(parts, fmt.Sprintf("%d %s", len(g.claims), word))
			for _, c := range g.claims {
				if c.against() {
					against++
				}
			}
			continue
		}
		tests += len(g.claims)
		if g.open {
			failed = len(g.claims)
		}
	}
	s := "No findings."
	if findings > 0 {
		s = fmt.Sprintf("Of %s %s; %d against prediction.", english.Count(findings, "finding"),
			strings.Join(parts, ", "), against)
	}
	if tests > 0 {
		s += fmt.Sprintf(" Of %s %d failed.", english.Count(tests, "test"), failed)
	}
	return s
}

// claimColumns have widths in percent: Jupyter makes columns without them equally wide, so that notes are tall.
var claimColumns = []struct {
	name  string
	width int
}{{"claim", 23}, {"data", 9}, {"paper", 9}, {"ours", 18}, {"predicted", 10}, {"note", 31}}

func claimsHTML(groups []claimGroup) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<p"+verbatim+"><b>%s</b></p>\n", html.EscapeString(claimTally(groups)))
	for _, g := range groups {
		open := ""
		if g.open {
			open = " open"
		}
		fmt.Fprintf(&b, "<details"+verbatim+"%s><summary>%s (%d)</summary>\n<table style=\"width:100%%\"><thead><tr>",
			open, html.EscapeString(g.heading), len(g.claims))
		for _, c := range claimColumns {
			fmt.Fprintf(&b, "<th style=\"text-align:left;width:%d%%\">%s</th>", c.width, c.name)
		}
		b.WriteString("</tr></thead><tbody>\n")
		for _, c := range g.claims {
			predicted := html.EscapeString(c.predicted())
			if c.against() {
				predicted = "<b>" + predicted + "</b>"
			}
			b.WriteString("<tr>")
			for _, cell := range []string{
				html.EscapeString(c.text) + "<br><small>" + html.EscapeString(c.source) + "</small>",
				html.EscapeString(c.data), html.EscapeString(c.paper), html.EscapeString(c.ours), predicted,
				html.EscapeString(c.note)} {
				fmt.Fprintf(&b, `<td style="text-align:left;vertical-align:top;overflow-wrap:break-word">%s</td>`, cell)
			}
			b.WriteString("</tr>\n")
		}
		b.WriteString("</tbody></table></details>\n")
	}
	return b.String()
}

// predicted is the prediction with what it rests on.
func (c claim) predicted() string {
	if c.basis == "" {
		return c.prediction
	}
	return c.prediction + ", " + c.basis
}

func claimsText(groups []claimGroup) string {
	var b strings.Builder
	b.WriteString(claimTally(groups) + "\n")
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s (%d)", g.heading, len(g.claims))
		if !g.open {
			continue
		}
		b.WriteString(":\n")
		for _, c := range g.claims {
			fmt.Fprintf(&b, "  - %s: %s. Paper %s, ours %s; %s data; predicted: %s.", c.source, c.text, c.paper, c.ours,
				c.data, c.predicted())
			if c.note != "" {
				fmt.Fprintf(&b, " %s.", strings.TrimSuffix(c.note, "."))
			}
			b.WriteString("\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n") + "\n"
}
