package weigh

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// isTrueOf reports whether a statement of that truth is true.
func isTrueOf(truth string) bool { return truth == "inside" || truth == "boundary" }

// saidOf is how often a word is said of true or of false statements, in so many audits.
func saidOf(rates []VerdictRate, n int, word string, ofTrue bool) (said float64, audits int) {
	for _, r := range rates {
		if r.Cases == n && r.Word == word && isTrueOf(r.Truth) == ofTrue {
			said += r.Said * float64(r.Audits)
			audits += r.Audits
		}
	}
	return said / float64(audits), audits
}

// verdictTable is the table of docs/verdicts.md.
func verdictTable(rates []VerdictRate) string {
	head, rule := "| word |", "|---|"
	for _, n := range verdictCases {
		head += fmt.Sprintf(" n = %d: true | false |", n)
		rule += "--:|--:|"
	}
	text := head + "\n" + rule + "\n"
	for _, word := range verdictWords {
		text += "| " + word + " |"
		for _, n := range verdictCases {
			for _, ofTrue := range []bool{true, false} {
				said, _ := saidOf(rates, n, word, ofTrue)
				text += fmt.Sprintf(" %.1f |", 100*said)
			}
		}
		text += "\n"
	}
	return text
}

// TestVerdictTable: the table of the docs is that of the rates in testdata, VerdictRates(ctx, 1, 240, nil).
func TestVerdictTable(t *testing.T) {
	rates := verdictRatesRead(t)
	page, err := os.ReadFile("../../docs/verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := verdictTable(rates); !strings.Contains(string(page), want) {
		t.Errorf("docs/verdicts.md has another table than\n%s", want)
	}
}

// Other draws say the same words about as often as the table has it.
func TestVerdictRates(t *testing.T) {
	old := verdictRatesRead(t)
	steps := 0
	rates, err := VerdictRates(t.Context(), 2, 8, func(done, total int) { steps = 10*done + total })
	if err != nil || steps != 44 || len(rates) != len(old) {
		t.Fatalf("%v, %d steps, %d rates", err, steps, len(rates))
	}
	for _, n := range verdictCases {
		for _, word := range verdictWords {
			for _, ofTrue := range []bool{true, false} {
				want, many := saidOf(old, n, word, ofTrue)
				got, few := saidOf(rates, n, word, ofTrue)
				p := (want*float64(many) + 1) / float64(many+2)
				if off := math.Sqrt(p * (1 - p) * (1/float64(few) + 1/float64(many))); !(math.Abs(got-want) < 5*off) {
					t.Errorf("n = %d, %q of statements that are true (%v): %.3f of %d, in the table %.3f", n, word,
						ofTrue, got, few, want)
				}
			}
		}
	}
}

func verdictRatesRead(t *testing.T) []VerdictRate {
	t.Helper()
	f, err := os.Open("testdata/verdict-words.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rates []VerdictRate
	for _, row := range rows[1:] {
		r := VerdictRate{Statement: row[0], Truth: row[1], Word: row[3]}
		var errs [3]error
		r.Cases, errs[0] = strconv.Atoi(row[2])
		r.Said, errs[1] = strconv.ParseFloat(row[4], 64)
		r.Audits, errs[2] = strconv.Atoi(row[5])
		if i := slices.IndexFunc(errs[:], func(err error) bool { return err != nil }); i >= 0 {
			t.Fatal(errs[i])
		}
		rates = append(rates, r)
	}
	return rates
}
