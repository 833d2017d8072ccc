package run

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"bnlab/internal/atomicfile"
)

// WriteReport writes out/REPORT.md: the claims of every result in out, those of
// earlier runs included, the paper's value beside ours. ids gives the order. The
// report has no times in it.
func WriteReport(out string, ids []string) error {
	results, err := LoadAll(out, ids)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("# Claims of the papers and our results\n\n")
	b.WriteString("Written by the runner of `experiments`; do not edit. *Expected* was set before the run; *holds* " +
		"is the result. An ordering is judged on the mean curve. A number holds if it lies within our 5 to 95 % band " +
		"over replicates (in brackets) or within two standard errors; numbers are judged in the paper profile only. " +
		"Claims on stand-in data are shown but not judged. Values are rounded here; the CSV files have all digits.\n\n")
	var sections strings.Builder
	b.WriteString("| experiment | paper | profile | seed | claims | hold | do not | not judged | against expectation " +
		"|\n|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range results {
		claims, err := r.Claims()
		if err != nil {
			return err
		}
		id := filepath.Base(r.Dir)
		count := map[Verdict]int{}
		var surprises int
		for _, c := range claims {
			count[c.Holds]++
			if c.Surprising() {
				surprises++
			}
		}
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %d | %d | %d | %d | %d | %d |\n", id, id, dash(r.Paper), r.Profile,
			r.Seed,
			len(claims), count[Yes], count[No], count[NotJudged], surprises)
		section(&sections, id, r, claims)
	}
	b.WriteString(sections.String())
	return atomicfile.WriteFile(filepath.Join(out, "REPORT.md"), []byte(b.String()))
}

// Surprising reports whether the verdict is the opposite of the expectation.
func (c Claim) Surprising() bool {
	return c.Expected == ExpectYes && c.Holds == No || c.Expected == ExpectNo && c.Holds == Yes
}

func section(b *strings.Builder, id string, r *Result, claims []Claim) {
	fmt.Fprintf(b, "\n## %s\n\n%s.", id, cell(r.Title))
	if r.Paper != "" {
		fmt.Fprintf(b, " Paper: %s.", r.Paper)
	}
	if r.Notebook != "" {
		fmt.Fprintf(b, " Notebook: `notebooks/%s.ipynb`.", r.Notebook)
	}
	fmt.Fprintf(b, " Profile %s, seed %d.\n", r.Profile, r.Seed)
	if len(claims) > 0 {
		b.WriteString("\n| claim | source | data | *paper* | ours | unit | expected | holds | note " +
			"|\n|---|---|---|---|---|---|---|---|---|\n")
	}
	for _, c := range claims {
		holds := string(c.Holds)
		if c.Surprising() {
			holds = "**" + holds + "**"
		}
		fmt.Fprintf(b, "| %s | %s | %s | *%s* | %s | %s | %s | %s | %s |\n", cell(c.Claim), cell(c.Source), c.Data,
			cell(dash(round(c.Paper))),
			cell(c.Value()), cell(c.Unit), c.Expected, holds, cell(c.Note))
	}
	for _, name := range r.names(".png") {
		stem := strings.TrimSuffix(name, ".png")
		fmt.Fprintf(b, "\n![%s](%s/%s)\n\n[%s.svg](%s/%s.svg)\n", stem, id, name, stem, id, stem)
	}
	var tables []string
	for _, name := range r.names(".csv") {
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
