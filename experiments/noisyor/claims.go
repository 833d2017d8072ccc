package noisyor

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/experiments/run"
)

// The predictions in this package were set before the paper profile first ran, from the theory, from
// what is known of the data (see package comment), and from one draw of the learners without noisy-OR.
var pilot = run.Pilot("one draw of the learners without noisy-OR", "e090031")

// Parts of Y13.
const (
	partQ1      = "Y13 §5, Q1"
	partQ2      = "Y13 §5, Q2"
	partQ3      = "Y13 §5, Q3"
	partQ4      = "Y13 §5, Q4"
	partFigure3 = "Y13 Figure 3"
	partFigure4 = "Y13 §5, Figure 4"
)

// A judge records claims.
type judge struct {
	*Results
	job *run.Job
}

// claims judges everything.
func (r *Results) claims(job *run.Job) error {
	j := judge{r, job}
	j.domainClaims()
	if err := j.sizeClaims(); err != nil {
		return err
	}
	j.lawClaims()
	j.questionClaims()
	j.barClaims()
	j.figure3Claims()
	j.figure4Claims()
	j.valueClaims()
	j.auditClaims()
	j.duelClaims()
	j.readingClaims()
	return nil
}

// order records an ordering on real data.
func (j judge) order(claim, source string, expected run.Prediction, note, paper, ours string, holds bool) {
	j.job.Order(finding(claim, source, expected, note), paper, ours, holds)
}

// finding is a statement about real data.
func finding(claim, source string, expected run.Prediction, note string) run.Statement {
	return run.Statement{Claim: claim, Source: source, Data: run.Real, Prediction: expected,
		Basis: expected.From(pilot), Note: note}
}

// theorem records what follows from mathematics, checked on the fits to real data.
func (j judge) theorem(claim, source, note, paper, ours string, holds bool) {
	j.job.Order(run.Statement{Claim: claim, Source: source, Kind: run.Theorem, Data: run.Real,
		Prediction: run.PredictYes, Note: note}, paper, ours, holds)
}

// printed records arithmetic on the paper's own numbers.
func (j judge) printed(claim, source string, expected run.Prediction, note, paper, ours string, holds bool) {
	j.job.Order(run.Statement{Claim: claim, Source: source, Kind: run.Published, Data: run.Printed,
		Prediction: expected, Basis: run.FromPaper, Note: note}, paper, ours, holds)
}

// over records an ordering that is about all domains. Where the data of some cannot be had it is
// not judged.
func (j judge) over(claim, source string, expected run.Prediction, note, paper, ours string, holds bool) {
	if lacking := j.lacking(); lacking != "" {
		j.job.Missing(finding(claim, source, expected, note), paper,
			fmt.Sprintf("in %d of %d domains: %s; no data: %s", len(j.Studies), len(j.Domains), ours, lacking))
		return
	}
	j.order(claim, source, expected, note, paper, ours, holds)
}

// tested is order for what is about significance, which a few draws cannot show.
func (j judge) tested(claim, source string, expected run.Prediction, note, paper, ours string, holds bool) {
	if j.job.Profile != run.Paper {
		j.job.Missing(finding(claim, source, expected, note), paper,
			"tests are judged in the paper profile only; here "+ours)
		return
	}
	j.order(claim, source, expected, note, paper, ours, holds)
}

// testedOver is both.
func (j judge) testedOver(claim, source string, expected run.Prediction, note, paper, ours string, holds bool) {
	record := j.tested
	if j.lacking() != "" {
		record = j.over
	}
	record(claim, source, expected, note, paper, ours, holds)
}

// lacking names the domains without data.
func (r *Results) lacking() string {
	var names []string
	for _, d := range r.Domains {
		if d.Missing != nil {
			names = append(names, d.name)
		}
	}
	return strings.Join(names, ", ")
}

// where names the domains in which f holds, as in "3 of 11: car, iris, glass".
func (r *Results) where(f func(s *Study) bool) (n int, text string) {
	var names []string
	for _, s := range r.Studies {
		if f(s) {
			names = append(names, s.name)
		}
	}
	return len(names), list(names, len(r.Studies))
}

// whereBars is where for the paper's own bars.
func (r *Results) whereBars(f func(s score) bool) (n int, text string) {
	var names []string
	for _, d := range r.Domains {
		if f(r.bars(d.name)) {
			names = append(names, d.name)
		}
	}
	return len(names), list(names, len(r.Domains))
}

func list(names []string, of int) string {
	text := fmt.Sprintf("%d of %d", len(names), of)
	if len(names) > 0 && len(names) < of {
		text += ": " + strings.Join(names, ", ")
	}
	return text
}

// domainClaims judges the reconstruction against Table 2.
func (j judge) domainClaims() {
	n, text := j.where(func(s *Study) bool {
		rows := s.Cases.Rows()
		if s.drawn > 0 {
			rows = min(rows, s.drawn)
		}
		return rows == s.samples && s.Net.Len()-1 == s.parents
	})
	j.printed("the domains have the parents and the rows of Table 2", "Y13 Table 2", run.PredictYes,
		"of the domains with data; the rows were chosen to match", "all", text, n == len(j.Studies))
}

// sizeClaims judges §4 on the numbers of inequalities and parameters.
func (j judge) sizeClaims() error {
	const most = 12
	var full, sets []string
	doubles, linear := true, true
	one := 0 // inequalities of one pair
	last := 0
	for n := 2; n <= most; n += 2 {
		a, b, err := growth(n)
		if err != nil {
			return err
		}
		if n == 2 {
			one = b
		}
		doubles = doubles && a >= 4*last // two more parents
		linear = linear && b == one*n/2
		full, sets, last = append(full, fmt.Sprint(a)), append(sets, fmt.Sprint(b)), a
	}
	j.job.Order(run.Statement{
		Claim:  "number of inequalities: exponential in the parents; with a noisy-OR linear in the sets",
		Source: "Y13 §4", Kind: run.Theorem, Data: run.Simulated, Unit: "inequalities", Prediction: run.PredictYes,
		Note: "2, 4, … 12 parents in synergistic pairs, every parent with an influence",
	}, "exponential, linear", strings.Join(full, ", ")+" against "+strings.Join(sets, ", "), doubles && linear)
	var names []string
	for _, d := range j.Domains {
		without, with := j.Sizes[mark{domain: d.name, learner: knowledge.Synergy}],
			j.Sizes[mark{domain: d.name, learner: knowledge.SynergyNoisyOR}]
		if with.Inequalities < without.Inequalities && with.Parameters < without.Parameters {
			names = append(names, d.name)
		}
	}
	j.theorem("a noisy-OR reduces parameters and inequalities in every domain", "Y13 §1 and §4",
		"each has two sets or more", "reduces", list(names, len(j.Domains)), len(names) == len(j.Domains))
	return nil
}

// lawClaims judges the appendices on fits to all cases.
func (j judge) lawClaims() {
	const rounding = 1e-8
	fits := fmt.Sprintf("the fits to all cases of %d domains; judged: at most %g", len(j.Studies), rounding)
	j.theorem("synergies, sub-synergies and influences within a set hold in the whole table", "Y13 appendix B",
		fits, "preserved", fmt.Sprintf("violated by at most %.2g", j.Laws.Broken),
		j.Laws.Broken <= rounding)
	j.theorem("a noisy-OR makes parents of different sets sub-synergistic", "beyond Y13 appendix B",
		"the difference is a product of two effects, so a synergy must lie within one set. "+fits, "–",
		fmt.Sprintf("violated by at most %.2g", j.Laws.Unforced), j.Laws.Unforced <= rounding)
	j.theorem("positive monotonicity makes causes reinforce each other", "Y13 appendix A",
		"in one direction only and for all causes jointly, as the appendix proves. "+fits,
		"reinforce", fmt.Sprintf("violated by at most %.2g", j.Laws.Reversed), j.Laws.Reversed <= rounding)
}

// auditClaims judges whether violated statements are found.
func (j judge) auditClaims() {
	claim := "the audit detects the statement that the data violate: irradiat and recurrence"
	note := "46 % of the patients with irradiation have a recurrence, 25 % of the others, opposite to the sign in " +
		"the paper; judged: p below 0.05, corrected for the number of the domain's statements (Holm), as for the " +
		"audit's words"
	for _, o := range j.Opinions {
		if s, ok := o.Verdict.Statement.(constraint.Influence); ok && o.name == "breast" && s.Parent == "irradiat" {
			j.order(claim, "Y13 §4", run.PredictYes, note, "can determine",
				fmt.Sprintf("p = %.3g, corrected %.3g: %s", o.PValue, o.HolmPValue, o.Words),
				o.HasPValue && o.HolmPValue < significance)
		}
	}
	var names []string
	var chance []float64
	alone := 0
	for _, o := range j.Opinions {
		if !o.HasPValue {
			continue
		}
		names, chance = append(names, o.name+": "+o.Verdict.Statement.String()), append(chance, o.PValue)
		if o.PValue < significance {
			alone++
		}
	}
	var told []string
	for i, yes := range run.Holm(chance, significance) {
		if yes {
			told = append(told, names[i])
		}
	}
	names = told
	slices.Sort(names)
	j.over("the data contradict none of the knowledge", "beyond Y13 §5", run.PredictNo,
		"there are known conflicts, and many statements are assumptions; judged: no p below 0.05, corrected by "+
			"Holm; without correction "+fmt.Sprintf("%d, of which one in twenty tests would be by chance", alone),
		"–", fmt.Sprintf("%d of %d statements: %s", len(names), len(j.Opinions), strings.Join(names, "; ")),
		len(names) == 0)
}
