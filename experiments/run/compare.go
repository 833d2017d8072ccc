package run

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/internal/say"
)

// A Comparison is a paired comparison: one difference per replicate, positive where the claim is right.
type Comparison struct {
	Name        string    // of one comparison of several, for [Job.CompareAll]
	Differences []float64 // between two methods on the same data
	Published   float64   // the size of the difference in the paper; 0 when it gives none
}

// Mean returns the mean difference and its standard error, which is infinite for fewer than two pairs.
func (c Comparison) Mean() (mean, stderr float64) {
	n := float64(len(c.Differences))
	if n < 2 {
		return stat.Mean(c.Differences, nil), math.Inf(1)
	}
	mean, sd := stat.MeanStdDev(c.Differences, nil)
	return mean, sd / math.Sqrt(n)
}

// Interval returns the 95 % interval of the mean difference, by Student's t.
func (c Comparison) Interval() (low, high float64) {
	mean, stderr := c.Mean()
	if math.IsInf(stderr, 1) {
		return math.Inf(-1), math.Inf(1)
	}
	half := c.t().Quantile(0.975) * stderr
	return mean - half, mean + half
}

// Detectable returns the smallest true difference that a two-sided test at 5 % finds with probability 80 %, at
// the pairs made and the spread seen: (t₀.₉₇₅ + t₀.₈₀) standard errors.
func (c Comparison) Detectable() float64 {
	_, stderr := c.Mean()
	if math.IsInf(stderr, 1) {
		return stderr
	}
	return (c.t().Quantile(0.975) + c.t().Quantile(0.8)) * stderr
}

// P returns the two-sided p-value of the paired t test that the true difference is zero.
func (c Comparison) P() float64 {
	mean, stderr := c.Mean()
	switch {
	case math.IsInf(stderr, 1) || mean == 0:
		return 1
	case stderr == 0:
		return 0
	}
	return 2 * c.t().Survival(math.Abs(mean/stderr))
}

func (c Comparison) t() distuv.StudentsT {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(c.Differences) - 1)}
}

// judge says whether the claim holds, and why if that cannot be told.
func (c Comparison) judge() (v Verdict, why string) {
	seen := c.Detectable()
	low, high := c.Interval()
	switch {
	case len(c.Differences) < 2:
		return NotJudged, fmt.Sprintf("%d pairs have no standard error", len(c.Differences))
	case c.Published != 0 && math.Abs(c.Published) < seen:
		return NotJudged, fmt.Sprintf("the paper's difference %.3g is below what could be seen", c.Published)
	case low > 0:
		return Yes, ""
	case high < 0:
		return No, ""
	}
	return NotJudged, "not told apart"
}

// Compare records a paired comparison with its size. It holds when the 95 % interval of the mean difference lies
// above zero, does not when the interval lies below, and is not told apart otherwise. A difference of the paper
// that is smaller than what could have been seen (80 % power at 5 %) is not judged. Comparisons are judged in
// both profiles.
func (j *Job) Compare(s Statement, paper string, c Comparison) {
	mean, stderr := c.Mean()
	low, high := c.Interval()
	v, why := c.judge()
	claim := Claim{Statement: s, Paper: paper, Ours: Format(mean), Holds: v}
	if len(c.Differences) == 0 {
		claim.Ours = ""
	}
	if len(c.Differences) > 1 {
		claim.P05, claim.P95 = Format(low), Format(high)
		claim.Note = join(s.Note, why, fmt.Sprintf("mean difference and its 95 %% interval, %d pairs, standard error "+
			"%.2g; differences from %.2g could be seen", len(c.Differences), stderr, c.Detectable()))
	} else {
		claim.Note = join(s.Note, why)
	}
	j.claim(claim)
}

// CompareAll records a sentence about several comparisons, "in each of them", corrected by [Holm] at 5 %. It
// holds when all differences are above zero, does not when one is below, and is not told apart otherwise.
func (j *Job) CompareAll(s Statement, paper string, parts ...Comparison) {
	p := make([]float64, len(parts))
	for i, c := range parts {
		p[i] = c.P()
	}
	above, below := 0, ""
	told := Holm(p, 0.05)
	low, high, seen := math.Inf(1), math.Inf(-1), 0.0
	for i, c := range parts {
		mean, _ := c.Mean()
		seen = max(seen, c.Detectable())
		low, high = min(low, mean), max(high, mean)
		switch {
		case told[i] && mean > 0:
			above++
		case told[i] && mean < 0:
			below = join(below, fmt.Sprintf("opposite: %s, %.3g", c.Name, mean))
		}
	}
	claim := Claim{Statement: s, Paper: paper, Holds: NotJudged}
	switch {
	case len(parts) == 0:
	case below != "":
		claim.Holds = No
	case above == len(parts):
		claim.Holds = Yes
	}
	claim.Ours = fmt.Sprintf("%d of %d", above, len(parts))
	if len(parts) > 0 {
		claim.Ours += fmt.Sprintf("; %.3g to %.3g", low, high)
	}
	claim.Note = join(s.Note, below, "told apart by paired t tests, corrected by Holm at 5 %")
	if seen > 0 && !math.IsInf(seen, 1) {
		claim.Note = join(claim.Note, fmt.Sprintf("differences from %.2g could be seen in each alone", seen))
	}
	if claim.Holds == NotJudged {
		claim.Note = join(claim.Note, "not told apart in the others")
	}
	j.claim(claim)
}

// Holm reports which of several tests are significant at this level together, by the step-down method of Holm
// (1979): the chance that any of them is so wrongly is at most the level.
func Holm(p []float64, level float64) []bool {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if p[a] < p[b] {
			return -1
		} else if p[a] > p[b] {
			return 1
		}
		return 0
	})
	rejected := make([]bool, len(p))
	for rank, i := range order {
		if p[i] > level/float64(len(p)-rank) {
			break
		}
		rejected[i] = true
	}
	return rejected
}

// A Candidate is one of several of which the best is sought.
type Candidate struct {
	Name   string
	Values []float64 // over the same replicates as those of the others; higher is better
}

// Best records that one candidate is the best. It is compared with the best of the others on the mean: a
// distance below its standard error, from paired values, is not told apart.
func (j *Job) Best(s Statement, name string, candidates ...Candidate) {
	var claimed, rival *Candidate
	for i, c := range candidates {
		switch {
		case len(c.Values) != len(candidates[0].Values) || len(c.Values) == 0:
			j.misuse(say.Errorf("run: claim %q: %s has %d values, %s has %d", s.Claim, c.Name, len(c.Values),
				candidates[0].Name, len(candidates[0].Values)))
			return
		case c.Name == name:
			claimed = &candidates[i]
		case rival == nil || stat.Mean(c.Values, nil) > stat.Mean(rival.Values, nil):
			rival = &candidates[i]
		}
	}
	if claimed == nil || rival == nil {
		j.misuse(say.Errorf("run: claim %q: %q is not one of two candidates or more", s.Claim, name))
		return
	}
	lead := Comparison{Differences: make([]float64, len(claimed.Values))}
	for i := range lead.Differences {
		lead.Differences[i] = claimed.Values[i] - rival.Values[i]
	}
	mean, stderr := lead.Mean()
	c := Claim{Statement: s, Paper: name, Holds: verdict(mean > 0), Ours: fmt.Sprintf("%.3g against %.3g of %s",
		stat.Mean(claimed.Values, nil), stat.Mean(rival.Values, nil), rival.Name)}
	if math.Abs(mean) <= stderr {
		c.Holds, c.Note = NotJudged, "not told apart"
	}
	c.Note = join(s.Note, c.Note, fmt.Sprintf("a lead of %.2g with standard error %.2g, %d pairs", mean, stderr,
		len(lead.Differences)))
	j.claim(c)
}
