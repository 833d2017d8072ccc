package noisyor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/knowledge"
	"bnlab/experiments/run"
)

// settle is the verdict on a sentence about at least so many of several, of which some are told to be so and some
// are told not to be.
func settle(so, not, of, least int) run.Verdict {
	switch {
	case so >= least:
		return run.Yes
	case of-not < least:
		return run.No
	}
	return run.NotJudged
}

// settled records a sentence about at least so many of several. A verdict of n/a says that too many are not told
// apart; where the data of some domains cannot be had nothing is judged.
func (j judge) settled(s run.Statement, paper string, so, not []string, of, least int) {
	ours := list(so, of)
	if len(not) > 0 {
		ours += "; not " + list(not, of)
	}
	v := settle(len(so), len(not), of, least)
	if lacking := j.lacking(); lacking != "" {
		j.job.Missing(s, paper, fmt.Sprintf("here %s; no data: %s", ours, lacking))
		return
	}
	if v == run.NotJudged {
		j.job.Missing(s, paper, fmt.Sprintf("%s; %d not told apart", ours, of-len(so)-len(not)))
		return
	}
	j.job.Order(s, paper, ours, v == run.Yes)
}

// counted is settled for comparisons, each told by a paired t test, corrected by Holm.
func (j judge) counted(s run.Statement, paper string, least int, parts ...run.Comparison) {
	so, not := told(parts)
	s.Note = strings.TrimPrefix(s.Note+"; paired t tests over draws, corrected by Holm at 5 %", "; ")
	j.settled(s, paper, so, not, len(parts), least)
}

// told names the comparisons that are told to be above zero and those below it, by Holm's method.
func told(parts []run.Comparison) (above, below []string) {
	p := make([]float64, len(parts))
	for i, c := range parts {
		p[i] = c.P()
	}
	for i, yes := range run.Holm(p, significance) {
		switch mean, _ := parts[i].Mean(); {
		case yes && mean > 0:
			above = append(above, parts[i].Name)
		case yes:
			below = append(below, parts[i].Name)
		}
	}
	return above, below
}

// compared is a paired comparison over all domains, which is not judged where the data of some cannot be had.
func (j judge) compared(s run.Statement, paper string, differences []float64) {
	if lacking := j.lacking(); lacking != "" {
		j.job.Missing(s, paper, "no data: "+lacking)
		return
	}
	j.job.Compare(s, paper, run.Comparison{Differences: differences})
}

// less is a less b, by replicate.
func less(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}

// against compares learner a with learner b in each domain, by draw.
func (r *Results) against(a, b knowledge.Learner) []run.Comparison {
	var parts []run.Comparison
	for _, s := range r.Studies {
		parts = append(parts, run.Comparison{Name: s.name, Differences: less(s.AUC[a], s.AUC[b])})
	}
	return parts
}

// leads reports whether values are above zero by more than their standard error, and whether they are below by more.
func leads(differences []float64) (above, below bool) {
	mean, stderr := run.Comparison{Differences: differences}.Mean()
	return mean > stderr, -mean > stderr
}

// combinationLeads names the domains in which one of the two combinations leads all other learners, each by more than
// the standard error over draws, and those in which another learner leads both. Nothing is picked on test results.
func (r *Results) combinationLeads() (so, not []string) {
	others := []knowledge.Learner{knowledge.None, knowledge.NoisyOR, knowledge.Monotone, knowledge.Synergy}
	for _, s := range r.Studies {
		best, beaten := false, false
		behind := make(map[knowledge.Learner]int)
		for _, c := range []knowledge.Learner{knowledge.MonotoneNoisyOR, knowledge.SynergyNoisyOR} {
			ahead := 0
			for _, o := range others {
				above, below := leads(less(s.AUC[c], s.AUC[o]))
				if above {
					ahead++
				}
				if below {
					behind[o]++
					beaten = beaten || behind[o] == 2
				}
			}
			best = best || ahead == len(others)
		}
		switch {
		case best:
			so = append(so, s.name)
		case beaten:
			not = append(not, s.name)
		}
	}
	return so, not
}

// at are the AUCs of a learner at a place of the curve by draw, NaN where there is none.
func (c *Course) at(l knowledge.Learner, size int) []float64 {
	var values []float64
	for i := range c.Learners {
		if c.Learners[i] != l {
			continue
		}
		for _, draw := range c.Curve.Learners[i].Scores {
			x := math.NaN()
			if draw[size].HasAUC {
				x = draw[size].AUC
			}
			values = append(values, x)
		}
	}
	return values
}

// ahead compares learner a with learner b at a place of the curve, by draw; draws without AUC are left out.
func (c *Course) ahead(a, b knowledge.Learner, size int) run.Comparison {
	out := run.Comparison{Name: fmt.Sprintf("%s, %s", c.name, a)}
	for _, x := range less(c.at(a, size), c.at(b, size)) {
		if !math.IsNaN(x) {
			out.Differences = append(out.Differences, x)
		}
	}
	return out
}

// converged is the number of cases from which on a learner's mean curve over these draws stays near its end.
func (c *Course) converged(l knowledge.Learner, draws []int) int {
	curve := make([]float64, len(c.Sizes))
	for k := range curve {
		all, some := c.at(l, k), []float64(nil)
		for _, i := range draws {
			if !math.IsNaN(all[i]) {
				some = append(some, all[i])
			}
		}
		curve[k] = stat.Mean(some, nil)
	}
	return c.Sizes[settledAt(curve)]
}

// resamples are those of the draws of a curve, by which we say how sure it is where it settles.
const resamples = 400

// faster is the share of resampled curves in which both combinations settle no later than those without signs.
func (c *Course) faster(src rand.Source) float64 {
	r, n := rand.New(src), len(c.at(knowledge.None, 0))
	draws, count := make([]int, n), 0
	for range resamples {
		for i := range draws {
			draws[i] = r.IntN(n)
		}
		at := func(l knowledge.Learner) int { return c.converged(l, draws) }
		if max(at(knowledge.MonotoneNoisyOR), at(knowledge.SynergyNoisyOR)) <=
			min(at(knowledge.None), at(knowledge.NoisyOR)) {
			count++
		}
	}
	return float64(count) / resamples
}
