package nb

import (
	_ "embed"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/internal/say"
)

// sortJS lets a click on the name of a column sort a table.
//
//go:embed table.js
var sortJS string

// mostCSV is how many bytes a table gives to its link.
const mostCSV = 64 << 10

// verbatim keeps MathJax out of an element: $25k-$50k is no formula. Pages of nbconvert know the first name, of MathJax
// 2 and 3, notebooks the second.
const verbatim = ` class="tex2jax_ignore mathjax_ignore"`

// html writes an HTML table. What governs its looks is part of each cell, because notebooks leave style sheets out,
// and colours are transparent, so that they suit a dark background too.
func (g grid) html() string {
	var b strings.Builder
	sorts := ""
	if len(g.rows) > 1 {
		sorts = " data-bnlab-sort"
	}
	b.WriteString(`<div` + verbatim + ` style="overflow-x:auto"><table` + sorts + ">\n")
	if g.caption != "" {
		b.WriteString(`<caption style="text-align:left">` + html.EscapeString(g.caption) + "</caption>\n")
	}
	b.WriteString("<thead><tr>")
	for i, name := range g.header {
		b.WriteString(`<th scope="col" style="` + g.align(i) + `">` + html.EscapeString(name) + "</th>")
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for i, row := range g.rows {
		b.WriteString("<tr>")
		for k, c := range row {
			style, title := g.align(k), ""
			if g.shades != nil {
				style += background(g.shades[i][k])
			}
			if g.numeric[k] && g.exact[i][k] != "" && g.exact[i][k] != c {
				title = ` title="` + html.EscapeString(g.exact[i][k]) + `"`
			}
			b.WriteString(`<td style="` + style + `"` + title + ">" + html.EscapeString(c) + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table></div>\n")
	link := g.link()
	if g.foot != "" || link != "" {
		b.WriteString("<p" + verbatim + ">" + html.EscapeString(g.foot))
		if g.foot != "" && link != "" {
			b.WriteString(" · ")
		}
		b.WriteString(link + "</p>\n")
	}
	if sorts != "" {
		b.WriteString("<script>" + sortJS + "</script>\n")
	}
	return b.String()
}

func (g grid) align(column int) string {
	if g.numeric[column] {
		return "text-align:right;white-space:nowrap" // 1e-07 has a hyphen
	}
	return "text-align:left"
}

// background is blue above zero and orange below it, faint enough for dark letters and for light ones.
func background(shade float64) string {
	switch {
	case shade > 0:
		return fmt.Sprintf(";background:rgba(86,180,233,%.2f)", 0.5*shade)
	case shade < 0:
		return fmt.Sprintf(";background:rgba(230,130,40,%.2f)", -0.5*shade)
	}
	return ""
}

// link holds the rows that are shown as a file; "" where there are none, or too many.
func (g grid) link() string {
	if len(g.rows) == 0 || g.exact == nil {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(g.header)
	w.WriteAll(g.exact) // and flushes; a strings.Builder takes everything
	if b.Len() > mostCSV {
		return ""
	}
	return `<a style="color:inherit" download="table.csv" href="data:text/csv;charset=utf-8;base64,` +
		base64.StdEncoding.EncodeToString([]byte(b.String())) + `">CSV</a>`
}

// color shades the cells of columns by their values.
func (g *grid) color(df dataframe.DataFrame, columns []string) error {
	for _, name := range columns {
		at := slices.Index(df.Names(), name)
		switch {
		case at < 0:
			return say.Errorf("nb: there is no column %q to colour; the frame has %s", name,
				say.List(df.Names()))
		case at >= len(g.header):
			return say.Errorf("nb: column %q, to be coloured, is beyond the %d that are shown", name, len(g.header))
		case !g.numeric[at]:
			return say.Errorf("nb: column %q holds no numbers to colour", name)
		}
		g.shade(at, df.Col(name).Float()[:len(g.rows)])
	}
	return nil
}

// shade gives the cells of a column their shades: 0 at the end next to zero and 1 at the other, or both sides of zero
// alike where there are both.
func (g *grid) shade(column int, x []float64) {
	if g.shades == nil {
		g.shades = make([][]float64, len(g.rows))
		for i := range g.shades {
			g.shades[i] = make([]float64, len(g.header))
		}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	for i, v := range x {
		switch {
		case math.IsNaN(v) || lo >= hi && !math.IsInf(v, 0): // all are alike
		case math.IsInf(v, 0):
			g.shades[i][column] = math.Copysign(1, v)
		case lo < 0 && hi > 0:
			g.shades[i][column] = v / max(-lo, hi)
		case lo >= 0:
			g.shades[i][column] = (v/2 - lo/2) / (hi/2 - lo/2)
		default:
			g.shades[i][column] = -(hi/2 - v/2) / (hi/2 - lo/2)
		}
	}
}
