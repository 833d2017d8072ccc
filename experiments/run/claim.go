package run

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"os"
	"slices"
	"strings"

	"bnlab/internal/say"
)

// A Kind says what a claim can tell.
type Kind string

// The kinds. A theorem follows from mathematics and a published row is arithmetic on the paper's own numbers:
// both are regression tests, on which the runner's exit status depends. A finding could have come out otherwise;
// a Statement without a kind is one.
const (
	Finding   Kind = "finding"
	Theorem   Kind = "theorem"
	Published Kind = "published"
)

// Data is the kind of data that a claim is judged on.
type Data string

// Kinds of data. A stand-in is a public data set used in place of one that
// cannot be had; a claim on it shows its numbers and is never judged. Printed are the numbers in the paper itself.
const (
	Real      Data = "real"
	Printed   Data = "printed"
	Simulated Data = "simulated"
	StandIn   Data = "stand-in"
)

// A Prediction is the verdict that we expect.
type Prediction string

// The predictions.
const (
	PredictYes     Prediction = "yes"
	PredictNo      Prediction = "no"
	PredictUnknown Prediction = "unknown"
)

// A Basis is what a prediction rests on; the empty one is that of an unknown verdict.
type Basis string

// Bases that were there before any run: an argument, given in the note, or what the paper reports.
const (
	Theory    Basis = "theory"
	FromPaper Basis = "paper"
)

// Pilot is the basis of a prediction that was made after a run of the same experiment: its size in words, such
// as "60 draws", and the commit that set the prediction.
func Pilot(size, commit string) Basis { return Basis("pilot: " + size + ", " + commit) }

// Afterwards is the basis of a prediction that was set or changed after the results were seen, in this commit.
func Afterwards(commit string) Basis { return Basis("after the results, " + commit) }

// From returns the basis of the prediction, which is none where it is unknown.
func (p Prediction) From(b Basis) Basis {
	if p == PredictUnknown {
		return ""
	}
	return b
}

// BeforeRun reports whether the prediction was made without results of the same experiment.
func (b Basis) BeforeRun() bool { return b == Theory || b == FromPaper }

func (b Basis) valid() bool {
	return b == "" || b.BeforeRun() || strings.HasPrefix(string(b), "pilot: ") ||
		strings.HasPrefix(string(b), "after the results, ")
}

// A Verdict is what the run says.
type Verdict string

// The verdicts. NotJudged stands where data are missing, are a stand-in or cannot tell, or where the profile is
// too small to judge a number.
const (
	Yes       Verdict = "yes"
	No        Verdict = "no"
	NotJudged Verdict = "n/a"
)

// A Statement is a sentence or number of a paper, and what we expect of it.
type Statement struct {
	Claim      string // the sentence, in few words
	Source     string // as in "N06 Table 1"
	Kind       Kind   // Finding when empty
	Data       Data
	Unit       string // of paper and ours; empty for an ordering
	Prediction Prediction
	Basis      Basis  // of a prediction of yes or no
	Note       string // why it is predicted, or what to know about it
	// Measured is true of times and memory, as with [Table.Measure]: ours, and perhaps the verdict, differ between
	// two runs. It stands in run.json.
	Measured bool
}

// A Claim is a statement with its outcome, one row of claims.csv. Numbers are
// kept as written, since some are not numbers (">5000").
type Claim struct {
	Statement
	Paper, Ours string
	P05, P95    string // the band or interval of ours; empty when there is none
	Holds       Verdict
}

// Failed reports whether a regression test, that is, a theorem or arithmetic on published numbers, came out
// against its prediction. A finding never fails: what contradicts its prediction is a result.
func (c Claim) Failed() bool { return c.Kind != Finding && c.Surprising() }

// Surprising reports whether the verdict is the opposite of the prediction.
func (c Claim) Surprising() bool {
	return c.Prediction == PredictYes && c.Holds == No || c.Prediction == PredictNo && c.Holds == Yes
}

func (c Claim) validate() error {
	switch {
	case c.Claim == "" || c.Source == "":
		return say.Errorf("run: claim %q (source %q): a claim has a text and a source", c.Claim, c.Source)
	case !slices.Contains([]Kind{Finding, Theorem, Published}, c.Kind):
		return say.Errorf("run: claim %q: kind is %q, not finding, theorem or published", c.Claim, c.Kind)
	case !slices.Contains([]Data{Real, Printed, Simulated, StandIn}, c.Data):
		return say.Errorf("run: claim %q: data is %q, not real, printed, simulated or stand-in", c.Claim, c.Data)
	case !slices.Contains([]Prediction{PredictYes, PredictNo, PredictUnknown}, c.Prediction):
		return say.Errorf("run: claim %q: prediction is %q, not yes, no or unknown", c.Claim, c.Prediction)
	case !c.Basis.valid():
		return say.Errorf("run: claim %q: basis is %q, not theory, paper, a pilot or after the results", c.Claim,
			c.Basis)
	case c.Kind == Theorem && c.Basis != Theory:
		return say.Errorf("run: claim %q: a theorem is predicted from theory, not %q", c.Claim, c.Basis)
	case !slices.Contains([]Verdict{Yes, No, NotJudged}, c.Holds):
		return say.Errorf("run: claim %q: holds is %q, not yes, no or n/a", c.Claim, c.Holds)
	}
	for _, v := range []string{c.Paper, c.Ours, c.P05, c.P95} {
		if strings.Contains(v, "NaN") {
			return say.Errorf("run: claim %q: a value is NaN", c.Claim)
		}
	}
	return nil
}

var claimsHeader = []string{"claim", "source", "kind", "data", "paper", "ours", "ours_p05", "ours_p95", "unit",
	"prediction", "basis", "holds", "note"}

func marshalClaims(claims []Claim) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(claimsHeader); err != nil {
		return nil, err
	}
	for _, c := range claims {
		err := w.Write([]string{c.Claim, c.Source, string(c.Kind), string(c.Data), c.Paper, c.Ours, c.P05, c.P95,
			c.Unit, string(c.Prediction), string(c.Basis), string(c.Holds), c.Note})
		if err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// readClaims reads a claims.csv. The errors name the file and the line.
func readClaims(path string) ([]Claim, error) {
	rows, err := readRows(path, claimsHeader)
	if err != nil {
		return nil, err
	}
	claims := make([]Claim, 0, len(rows))
	for i, v := range rows {
		c := Claim{
			Statement: Statement{Claim: v[0], Source: v[1], Kind: Kind(v[2]), Data: Data(v[3]), Unit: v[8],
				Prediction: Prediction(v[9]), Basis: Basis(v[10]), Note: v[12]},
			Paper: v[4], Ours: v[5], P05: v[6], P95: v[7], Holds: Verdict(v[11]),
		}
		if err := c.validate(); err != nil {
			return nil, say.Errorf("%s, claim %d: %w", path, i+1, err)
		}
		claims = append(claims, c)
	}
	return claims, nil
}

// readRows returns the rows below this header.
func readRows(path string, header []string) ([][]string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		return nil, say.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], header) {
		return nil, say.Errorf("%s: its columns are not %s", path, strings.Join(header, ","))
	}
	return rows[1:], nil
}

// complete fills in what an experiment may leave out.
func (s Statement) complete() Statement {
	s.Kind = cmp.Or(s.Kind, Finding)
	if s.Kind == Theorem {
		s.Basis = cmp.Or(s.Basis, Theory)
	}
	return s
}
