package main

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
)

// outputsOf returns what the cells of a notebook have printed, as text: a row of a table is a line with its cells
// between bars.
func outputsOf(raw []byte) (string, error) {
	var notebook struct {
		Cells []struct {
			Outputs []struct {
				Text any            `json:"text"`
				Data map[string]any `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(raw, &notebook); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, cell := range notebook.Cells {
		for _, out := range cell.Outputs {
			b.WriteString(joined(out.Text))
			if page := joined(out.Data["text/html"]); page != "" {
				b.WriteString(plainText(page))
			} else {
				b.WriteString(joined(out.Data["text/plain"]))
			}
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}

// joined is a string, or a list of them.
func joined(v any) string {
	if list, ok := v.([]any); ok {
		s := ""
		for _, part := range list {
			s += joined(part)
		}
		return s
	}
	s, _ := v.(string)
	return s
}

var (
	hidden  = regexp.MustCompile(`(?s)<(?:script|style)\b.*?</(?:script|style)>`)
	cellEnd = regexp.MustCompile(`</t[dh]>\s*<t[dh]\b[^>]*>`)
	rowEnd  = regexp.MustCompile(`</tr>`)
	tag     = regexp.MustCompile(`<[^>]*>`)
)

func plainText(page string) string {
	page = cellEnd.ReplaceAllString(hidden.ReplaceAllString(page, ""), " | ")
	page = tag.ReplaceAllString(rowEnd.ReplaceAllString(page, "\n"), "")
	return html.UnescapeString(page)
}

var printed = regexp.MustCompile(`[−+-]?[0-9][0-9,]*(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?`)

// shown returns the n-th number, from 1, behind a text that the cells have printed once.
func shown(outputs, text string, n int) (float64, error) {
	switch strings.Count(outputs, text) {
	case 0:
		return 0, fmt.Errorf("no cell has printed %q", text)
	case 1:
	default:
		return 0, fmt.Errorf("cells have printed %q %d times; write more of it", text, strings.Count(outputs, text))
	}
	_, rest, _ := strings.Cut(outputs, text)
	numbers := printed.FindAllString(rest, n)
	if n < 1 || len(numbers) < n {
		return 0, fmt.Errorf("there is no number %d behind %q", n, text)
	}
	return strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-").Replace(numbers[n-1]), 64)
}
