package run

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Data is the kind of data that a claim is judged on.
type Data string

// Kinds of data. A stand-in is a public data set used in place of one that
// cannot be had; a claim on it shows its numbers and is never judged.
const (
	Real      Data = "real"
	Simulated Data = "simulated"
	StandIn   Data = "stand-in"
)

// An Expectation is what is held true before the run.
type Expectation string

// The expectations. ExpectYes makes the runner fail when the claim does not hold.
const (
	ExpectYes     Expectation = "yes"
	ExpectNo      Expectation = "no"
	ExpectUnknown Expectation = "unknown"
)

// A Verdict is what the run says.
type Verdict string

// The verdicts. NotJudged stands where data are missing, are a stand-in, or the
// profile is too small to judge a number.
const (
	Yes       Verdict = "yes"
	No        Verdict = "no"
	NotJudged Verdict = "n/a"
)

// A Statement is a sentence or number of a paper, as it stands before the run.
type Statement struct {
	Claim    string // the sentence, in few words
	Source   string // as in "N06 Table 1"
	Data     Data
	Unit     string // of paper and ours; empty for an ordering
	Expected Expectation
	Note     string // why it is expected, or what to know about it
}

// A Claim is a statement with its outcome, one row of claims.csv. Numbers are
// kept as written, since some are not numbers (">5000").
type Claim struct {
	Statement
	Paper, Ours string
	P05, P95    string // the band of ours over replicates; empty when there is none
	Holds       Verdict
}

// Failed reports whether the claim was expected to hold and does not.
func (c Claim) Failed() bool { return c.Expected == ExpectYes && c.Holds == No }

func (c Claim) validate() error {
	switch {
	case c.Claim == "" || c.Source == "":
		return fmt.Errorf("run: claim %q (source %q): a claim has a text and a source", c.Claim, c.Source)
	case !slices.Contains([]Data{Real, Simulated, StandIn}, c.Data):
		return fmt.Errorf("run: claim %q: data is %q, not real, simulated or stand-in", c.Claim, c.Data)
	case !slices.Contains([]Expectation{ExpectYes, ExpectNo, ExpectUnknown}, c.Expected):
		return fmt.Errorf("run: claim %q: expected is %q, not yes, no or unknown", c.Claim, c.Expected)
	case !slices.Contains([]Verdict{Yes, No, NotJudged}, c.Holds):
		return fmt.Errorf("run: claim %q: holds is %q, not yes, no or n/a", c.Claim, c.Holds)
	}
	for _, v := range []string{c.Paper, c.Ours, c.P05, c.P95} {
		if strings.Contains(v, "NaN") {
			return fmt.Errorf("run: claim %q: a value is NaN", c.Claim)
		}
	}
	return nil
}

var claimsHeader = []string{"claim", "source", "data", "paper", "ours", "ours_p05", "ours_p95", "unit", "expected",
	"holds", "note"}

func marshalClaims(claims []Claim) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(claimsHeader); err != nil {
		return nil, err
	}
	for _, c := range claims {
		err := w.Write([]string{c.Claim, c.Source, string(c.Data), c.Paper, c.Ours, c.P05, c.P95, c.Unit,
			string(c.Expected), string(c.Holds), c.Note})
		if err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// readClaims reads a claims.csv. The errors name the file and the line.
func readClaims(path string) ([]Claim, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(bytes.NewReader(b))
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], claimsHeader) {
		return nil, fmt.Errorf("%s: the header is not %s", path, strings.Join(claimsHeader, ","))
	}
	claims := make([]Claim, 0, len(rows)-1)
	for i, v := range rows[1:] {
		c := Claim{
			Statement: Statement{Claim: v[0], Source: v[1], Data: Data(v[2]), Unit: v[7], Expected: Expectation(v[8]),
				Note: v[10]},
			Paper: v[3], Ours: v[4], P05: v[5], P95: v[6], Holds: Verdict(v[9]),
		}
		if err := c.validate(); err != nil {
			return nil, fmt.Errorf("%s, claim %d: %w", path, i+1, err)
		}
		claims = append(claims, c)
	}
	return claims, nil
}
