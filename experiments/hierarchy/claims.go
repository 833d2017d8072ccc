package hierarchy

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"bnlab/experiments/run"
)

// The predictions in this package were set before the paper profile first ran, from theory. Where quick runs spoke
// against it they were made unknown in 7ee4078. What depends on arity and length, which the paper does not state, is
// unknown unless theory says more.

// Parts of B06.
const (
	partIntro   = "B06 §1"
	partSearch  = "B06 §2.2"
	partIID     = "B06 §4, IID"
	partSize    = "B06 §4, equivalent sample size"
	partNoise   = "B06 §4, intra-class noise"
	partViolate = "B06 §4, violating links"
	partBrain   = "B06 §4.1"
)

// A judge records claims.
type judge struct {
	*Results
	job           *run.Job
	flat, rfw, pw int
}

// claims judges everything.
func (r *Results) claims(job *run.Job) error {
	j := judge{Results: r, job: job, flat: r.place(flat), rfw: r.place(rfw), pw: r.place(pw)}
	j.counts()
	j.searchClaims()
	v := view{j, r.study(parentWise)}
	for _, judged := range []func() error{v.iidClaims, v.sizeClaims, v.noiseClaims, v.violationClaims} {
		if err := judged(); err != nil {
			return err
		}
	}
	j.printedShare()
	for _, name := range []string{literal, largerC, beside} {
		if err := (view{j, r.study(name)}).furtherClaims(); err != nil {
			return err
		}
	}
	j.trialClaims()
	j.brainClaims()
	return nil
}

// order records an ordering on simulated data.
func (j judge) order(claim, source string, expected run.Prediction, note, paper, ours string, holds bool) {
	j.job.Order(statement(claim, source, expected, note), paper, ours, holds)
}

func statement(claim, source string, expected run.Prediction, note string) run.Statement {
	return run.Statement{Claim: claim, Source: source, Data: run.Simulated, Prediction: expected,
		Basis: expected.From(run.Theory), Note: note}
}

// printed records arithmetic on the paper's own numbers.
func (j judge) printed(claim, source string, expected run.Prediction, note, paper, ours string, holds bool) {
	s := statement(claim, source, expected, note)
	s.Kind, s.Data, s.Basis = run.Published, run.Printed, run.FromPaper
	j.job.Order(s, paper, ours, holds)
}

// above records that search a is above b in a measure at all of these points: paired by network, corrected by Holm.
func (j judge) above(s run.Statement, paper string, p *Panel, a, b int, f measure, points []int) {
	var parts []run.Comparison
	for _, x := range points {
		parts = append(parts, run.Comparison{Name: run.Format(p.X[x]), Differences: p.differences(x, a, b, f)})
	}
	s.Note = join(s.Note, fmt.Sprintf("%s against %s", numbers(p.curve(a, f)), numbers(p.curve(b, f))))
	s.Unit = "points; least and largest mean difference"
	j.job.CompareAll(s, paper, parts...)
}

// graphs is the number of directed acyclic graphs over n nodes (Robinson 1973),
//
//	a(n) = Σ_{k=1..n} (−1)^{k+1} C(n,k) 2^{k(n−k)} a(n−k).
func graphs(n int) *big.Int {
	a := []*big.Int{big.NewInt(1)}
	for m := 1; m <= n; m++ {
		sum := new(big.Int)
		for k := 1; k <= m; k++ {
			term := new(big.Int).Binomial(int64(m), int64(k))
			term.Lsh(term, uint(k*(m-k))).Mul(term, a[m-k])
			if k%2 == 0 {
				term.Neg(term)
			}
			sum.Add(sum, term)
		}
		a = append(a, sum)
	}
	return a[n]
}

// counts are the sizes of search spaces in the introduction.
func (j judge) counts() {
	families := func(n int) float64 { return float64(n) * math.Exp2(float64(n)) }
	exponent := func(n int) int { return len(graphs(n).String()) - 1 }
	j.printed("seven nodes require roughly 1,000 structures to be searched", partIntro, run.PredictYes,
		fmt.Sprintf("counted as family scores, n·2^n, which is what a search of one child at a time needs; there are "+
			"%v directed acyclic graphs", graphs(7)),
		"1000", run.Format(families(7)), math.Abs(families(7)-1000) < 250)
	j.printed("the search space for 70 regions has on the order of 10^23 structures", partIntro, run.PredictYes,
		fmt.Sprintf("counted as family scores, n·2^n; there are about 10^%d directed acyclic graphs", exponent(70)),
		"1e23", fmt.Sprintf("%.1e", families(70)), math.Round(math.Log10(families(70))) == 23)
}

// printedShare is arithmetic on violating links.
func (j judge) printedShare() {
	compliant := 0
	for level, n := range j.Config.Chains {
		compliant += n * (level + 1)
	}
	share := 5 / float64(compliant+5)
	j.printed("five violating links correspond to 20 % of the generative links", partViolate, run.PredictNo,
		"with fifteen compliant links they are a quarter of all, or a third of the fifteen", "0.2", run.Format(share),
		math.Abs(share-0.2) < 0.01)
}

// numbers prints a curve.
func numbers(curve []float64) string {
	var b strings.Builder
	for i, y := range curve {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.3f", y)
	}
	return b.String()
}

// at prints points of a panel.
func (p *Panel) at(points []int) string {
	if len(points) == 0 {
		return "nowhere"
	}
	var list []string
	for _, x := range points {
		list = append(list, run.Format(p.X[x]))
	}
	return "at " + strings.Join(list, ", ")
}
