package run

import (
	"fmt"
	"html"
	"strings"
)

// Verdicts says, for the last cell of a notebook, what came out, what did not and what cannot be told, from the claims
// of the result: findings by verdict, failures first, each with its size; of many from one source the first, with how
// many they are.
func (r *Result) Verdicts() (string, error) {
	claims, err := r.Claims()
	if err != nil {
		return "", err
	}
	one := []chapter{{id: r.ID, result: r, claims: claims}}
	paper := one[0].paper()
	var b strings.Builder
	for _, part := range parts {
		groups := groupsOf(one, paper, part.verdict)
		n := 0
		for _, g := range groups {
			n += len(g.claims)
		}
		if n == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s (%d):\n", part.heading, n)
		for _, g := range groups {
			for _, text := range g.sentences(part.verdict) {
				fmt.Fprintf(&b, "  - %s: %s\n", g.source, html.UnescapeString(strings.ReplaceAll(text, "**", "")))
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "Theorems as predicted: %s. Arithmetic on published numbers as predicted: %s.",
		regressions(one, paper, Theorem), regressions(one, paper, Published))
	return b.String(), nil
}
