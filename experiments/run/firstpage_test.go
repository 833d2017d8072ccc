package run

import (
	"fmt"
	"strings"
	"testing"
)

// TestFirstPage: of a hundred findings with long texts five lines are left, what contradicts its prediction first, one
// from each source, and short enough for six papers in three minutes.
func TestFirstPage(t *testing.T) {
	long := strings.Repeat("many words ", 100)
	c := chapter{id: "alpha", result: &Result{Record: Record{Paper: "N06 §1"}}}
	for i := range 100 {
		claim := Claim{Statement: Statement{Claim: fmt.Sprintf("claim %d of %s", i, long), Unit: long,
			Source: fmt.Sprintf("N06 §%d", i/40), Kind: Finding, Prediction: PredictUnknown, Note: long}, Ours: long,
			Paper: long, Holds: []Verdict{Yes, No, NotJudged}[i%3]}
		switch i {
		case 88: // does not hold
			claim.Prediction = PredictYes
		case 2:
			claim.Note = long + "; not told apart; " + long
		}
		c.claims = append(c.claims, claim)
	}
	var b strings.Builder
	firstPage(&b, []chapter{c})
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")[2:]
	for i, want := range []string{"- no: claim 88 of", "- no: claim 1 of", "- no: claim 40 of",
		"- cannot be told: claim 2 of", "- yes: claim 0 of"} {
		if len(lines) != 5 || !strings.HasPrefix(lines[i], want) {
			t.Fatalf("%d lines, %q, want %q", len(lines), lines[min(i, len(lines)-1)], want)
		}
	}
	if !strings.Contains(lines[0], "Against the prediction") || strings.Contains(lines[1], "Against") ||
		!strings.HasSuffix(lines[2], "*And 30 more.*") ||
		!strings.Contains(lines[3], " not told apart. *And 32 more.*") {
		t.Error(b.String())
	}
	if n := len(strings.Fields(b.String())); n > 300 {
		t.Errorf("%d words:\n%s", n, b.String())
	}
}
