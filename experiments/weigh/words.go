package weigh

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// against is how many of the words of the audit speak against a statement: the first.
const against = 3

// true statements hold inside what they allow or on its boundary.
func isTrue(truth string) bool { return truth == "inside" || truth == "boundary" }

// A share is how often something was said, of so many statements.
type share struct {
	name     string
	said, of float64
}

// interval is that of Wilson at 95 %.
func (s share) interval() (low, high float64) {
	const z = 1.96
	p, n := s.said/s.of, s.of
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, middle-half), min(1, middle+half)
}

// shareOf counts some words at a number of cases, of the statements and truths that are chosen.
func (r *Results) shareOf(cases int, words []string, of func(VerdictRate) bool) share {
	s := share{name: fmt.Sprint(cases)}
	for _, rate := range r.Words {
		if rate.Cases != cases || !of(rate) {
			continue
		}
		if slices.Contains(words, rate.Word) {
			s.said += rate.Said * float64(rate.Audits)
		}
		if rate.Word == verdictWords[0] { // each truth once
			s.of += float64(rate.Audits)
		}
	}
	return s
}

// A limit is a share that is claimed at a number of cases: at most, or at least so much.
type limit struct {
	share
	bound  float64
	atMost bool
}

// limits records a sentence about shares: it holds when each interval lies on the right side of its bound, does not
// when one lies on the wrong side, and cannot be told otherwise.
func limits(job *run.Job, s run.Statement, parts ...limit) {
	ours, right, wrong := "", 0, ""
	for _, p := range parts {
		if p.of == 0 {
			job.Missing(s, "–", "not said of any statement at "+p.name)
			return
		}
		low, high := p.interval()
		if ours != "" {
			ours += ", "
		}
		ours += fmt.Sprintf("%.3f of %.0f at %s", p.said/p.of, p.of, p.name)
		switch {
		case p.atMost && high <= p.bound || !p.atMost && low >= p.bound:
			right++
		case p.atMost && low > p.bound || !p.atMost && high < p.bound:
			wrong = p.name
		}
	}
	s.Note += "; intervals of Wilson at 95 %"
	if right < len(parts) && wrong == "" {
		s.Note += "; ours: " + ours
		job.Missing(s, "–", "not told apart from the bound")
		return
	}
	job.Order(s, "–", ours, wrong == "")
}

func (r *Results) wordClaims(job *run.Job) {
	speak := func(n int, words []string, atMost bool, bound float64, of func(VerdictRate) bool) limit {
		return limit{r.shareOf(n, words, of), bound, atMost}
	}
	against, hardest := verdictWords[:against], verdictWords[:1]
	kind := func(statement, truth string) func(VerdictRate) bool {
		return func(v VerdictRate) bool { return v.Statement == statement && v.Truth == truth }
	}
	whichever := func(v VerdictRate) bool { return isTrue(v.Truth) }
	var fine, never []limit
	for _, n := range verdictCases {
		fine = append(fine, speak(n, against, true, 0.05, whichever))
		never = append(never, speak(n, hardest, true, 0.003, whichever))
	}
	first, last := verdictCases[0], verdictCases[len(verdictCases)-1]
	claim := func(text, note string, parts ...limit) {
		limits(job, statement(text, run.Simulated, "share of audits", run.PredictYes, run.Theory, note), parts...)
	}
	claim("audit: a word against it is said of a true statement in at most 5 % of audits, at each size",
		"p-values adjusted by Holm are at most .05 so often", fine...)
	claim("audit: “the data contradict it” is said of a true statement in at most 0.3 %, at each size",
		"it takes p below .001", never...)
	claim(fmt.Sprintf("audit: a word against a false influence in less than 40 %% at %d cases, in more than 95 %% "+
		"at %d", first, last), "its four contexts differ by .2",
		speak(first, against, true, .4, kind("influence", "false")),
		speak(last, against, false, .95, kind("influence", "false")))
	claim(fmt.Sprintf("audit: a word against an influence that is false in one context in less than 15 %% at %d "+
		"cases, in more than 60 %% at %d", first, last), "by .3 in that context", speak(first, against, true, .15,
		kind("influence", "partly")), speak(last, against, false, .6, kind("influence", "partly")))
	support := []string{"the data support it"}
	claim(fmt.Sprintf("audit: “the data support it” is said of a false equality in less than 5 %% at %d cases, 1 %% "+
		"at %d", first, last), "odds of 20", speak(first, support, true, .05, kind("equality", "false")),
		speak(last, support, true, .01, kind("equality", "false")))
	claim("audit: “holds in the data already” is said of a false statement in less than 15 % at 80 cases",
		"the cases have to lie on the other side", speak(80, verdictWords[4:5], true, .15,
			func(v VerdictRate) bool { return v.Truth == "false" }))
}

func (r *Results) wordTable() *run.Table {
	t := run.NewTable("examples", "statement", "truth", "word", "share_of_audits", "standard_error", "audits")
	for _, v := range r.Words {
		if v.Audits > 0 {
			t.Append(v.Cases, v.Statement, v.Truth, v.Word, v.Said, v.StdErr, v.Audits)
		}
	}
	return t
}

// wordFigure stacks the shares of the words by the number of cases, of true statements and of false ones.
func (r *Results) wordFigure() (*viz.Figure, error) {
	var panels []*viz.Figure
	for _, p := range []struct {
		title string
		of    func(VerdictRate) bool
	}{
		{"true statements", func(v VerdictRate) bool { return isTrue(v.Truth) }},
		{"false in one of four contexts", func(v VerdictRate) bool { return v.Truth == "partly" }},
		{"false statements", func(v VerdictRate) bool { return v.Truth == "false" }},
	} {
		below := make([]float64, len(verdictCases))
		var list []viz.Series
		for _, word := range verdictWords {
			s := viz.Series{Name: word}
			for i, n := range verdictCases {
				one := r.shareOf(n, []string{word}, p.of)
				top := below[i]
				if one.of > 0 {
					top += one.said / one.of
				}
				s.X, s.Y = append(s.X, float64(n)), append(s.Y, top)
				s.Lo, s.Hi = append(s.Lo, below[i]), append(s.Hi, top)
				below[i] = top
			}
			list = append(list, s)
		}
		slices.Reverse(list) // of words that are never said the line of those below is seen
		panel, err := viz.Curves(list, &viz.Axes{Title: p.title, X: "cases", Y: "share of audits, stacked", LogX: true,
			YRange: [2]float64{0, 1}, Width: looks.Page / 3, Height: 4})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}
