package run

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"bnlab/internal/atomicfile"
)

// WriteReport writes out/REPORT.md about every result in out, those of earlier runs included: a first page with
// what came out, what did not and what cannot be told, then all claims, the paper's value beside ours. Verdicts that
// change with the seed say so, if [ExecuteSeeds] has run. ids gives the order. The report has no times in it.
//
// A result whose claims cannot be read, as those of an earlier version of the runner, is left out; a sentence says
// which and what to do, here and in the report.
func WriteReport(out string, ids []string) (leftOut []string, err error) {
	results, err := LoadAll(out, ids)
	if err != nil {
		return nil, err
	}
	var chapters []chapter
	for _, r := range results {
		c := chapter{id: filepath.Base(r.Dir), result: r}
		if c.claims, err = readClaims(filepath.Join(r.Dir, "claims.csv")); err != nil {
			leftOut = append(leftOut, fmt.Sprintf("%s is left out: %v; delete the folder %s or run the experiment "+
				"again", c.id, err, r.Dir))
			continue
		}
		if c.seeds, err = r.seeds(); err != nil {
			leftOut = append(leftOut, fmt.Sprintf("the seeds of %s are left out: %v; delete the file or run the seeds "+
				"again", c.id, err))
		}
		c.seeds.mark(r, c.claims)
		chapters = append(chapters, c)
	}
	var b strings.Builder
	summary(&b, chapters)
	for _, sentence := range leftOut {
		b.WriteString("\nNote: " + cell(strings.ReplaceAll(sentence, out+string(filepath.Separator), "")) + ".\n")
	}
	b.WriteString("\n# All claims\n\n" +
		"*Prediction* is followed by its basis: only *theory* and *paper* were there before the run. *Holds* is the " +
		"result, in bold where it contradicts the prediction. A number holds if it lies within our 5 to 95 % " +
		"band over " +
		"replicates (in brackets) or within two standard errors; numbers are judged in the paper profile only. " +
		"The brackets of a paired comparison are its 95 % interval. Values are rounded here; the CSV files have all " +
		"digits.\n")
	for _, c := range chapters {
		section(&b, c)
	}
	return leftOut, atomicfile.WriteFile(filepath.Join(out, "REPORT.md"), []byte(b.String()))
}

func section(b *strings.Builder, of chapter) {
	id, r, claims := of.id, of.result, of.claims
	fmt.Fprintf(b, "\n## %s\n\n%s.", id, cell(r.Title))
	if r.Paper != "" {
		fmt.Fprintf(b, " Paper: %s.", r.Paper)
	}
	if r.Notebook != "" {
		fmt.Fprintf(b, " Notebook: `notebooks/%s.ipynb`.", r.Notebook)
	}
	fmt.Fprintf(b, " Profile %s, seed %d.", r.Profile, r.Seed)
	if seeds := of.seeds.sentence(r, claims); seeds != "" {
		b.WriteString(" " + seeds)
	}
	b.WriteString("\n")
	if len(claims) > 0 {
		b.WriteString("\n| claim | source | kind | data | *paper* | ours | unit | prediction | holds | note " +
			"|\n|---|---|---|---|---|---|---|---|---|---|\n")
	}
	for _, c := range claims {
		holds, prediction := string(c.Holds), string(c.Prediction)
		if c.Surprising() {
			holds = "**" + holds + "**"
		}
		if c.Basis != "" {
			prediction += " (" + string(c.Basis) + ")"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | *%s* | %s | %s | %s | %s | %s |\n", cell(c.Claim), cell(c.Source), c.Kind,
			c.Data, cell(dash(round(c.Paper))), cell(c.Value()), cell(c.Unit), cell(prediction), holds, cell(c.Note))
	}
	for _, name := range r.names(".png") {
		stem := strings.TrimSuffix(name, ".png")
		fmt.Fprintf(b, "\n![%s](%s/%s)\n\n[%s.svg](%s/%s.svg)\n", stem, id, name, stem, id, stem)
	}
	var tables []string
	for _, name := range r.names(".csv") {
		if private(name) {
			continue
		}
		tables = append(tables, fmt.Sprintf("[%s](%s/%s)", name, id, name))
	}
	fmt.Fprintf(b, "\nData: %s.\n", strings.Join(tables, ", "))
}

// Value is ours with its band, rounded for reading.
func (c Claim) Value() string {
	if c.P05 == "" && c.P95 == "" {
		return dash(round(c.Ours))
	}
	return fmt.Sprintf("%s (%s to %s)", round(c.Ours), round(c.P05), round(c.P95))
}

// round keeps four digits of a number and leaves other text alone.
func round(s string) string {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || strings.Contains(s, "Inf") {
		return s
	}
	if len(s) <= 5 {
		return s
	}
	return Format(mustParse(strconv.FormatFloat(x, 'g', 4, 64)))
}

func mustParse(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return x
}

// cell makes text safe inside a table of Markdown.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", ">", "&gt;").Replace(s)
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
