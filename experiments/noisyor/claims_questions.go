package noisyor

import (
	"fmt"
	"math"

	"bnlab/bnkit/knowledge"
	"bnlab/experiments/run"
)

// cautious says in how many of these domains the difference of two learners also passes the test that allows for
// overlapping training sets.
func (j judge) cautious(a, b func(score) knowledge.Learner) string {
	n, _ := j.where(func(s *Study) bool {
		_, test := s.difference(a(s.score), b(s.score))
		return test.P < significance
	})
	return fmt.Sprintf("; %d differences are significant under the test corrected for overlapping training sets", n)
}

// informed are the learners with qualitative constraints.
func informed() []knowledge.Learner {
	return []knowledge.Learner{knowledge.Monotone, knowledge.Synergy, knowledge.MonotoneNoisyOR,
		knowledge.SynergyNoisyOR}
}

// either says whether the first of some pair is significantly better, and whether it is so worse, the tests of all
// pairs corrected by Holm.
func (s *Study) either(pairs ...[2]knowledge.Learner) (better, worse bool) {
	chance, size := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		t, _ := s.difference(p[0], p[1])
		chance[i], size[i] = t.P, t.Difference
		if math.IsNaN(t.P) {
			chance[i] = 1
		}
	}
	for i, told := range run.Holm(chance, significance) {
		better, worse = better || told && size[i] > 0, worse || told && size[i] < 0
	}
	return better, worse
}

// questionClaims judges the sentences of Y13 §5 on our AUC.
func (j judge) questionClaims() {
	none, or, monotone, synergy := is(knowledge.None), is(knowledge.NoisyOR), is(knowledge.Monotone),
		is(knowledge.Synergy)
	all := len(j.Studies)

	var parts []run.Comparison
	for _, l := range informed() {
		for _, c := range j.against(l, knowledge.None) {
			c.Name += ", " + l.String()
			parts = append(parts, c)
		}
	}
	j.counted(finding("all learners with qualitative constraints are better than none", partQ1, run.PredictNo,
		"a free table with a prior is far better than the paper's bars (0.11 to 0.68), and in breast cancer, glass "+
			"and others the data contradict some of the knowledge"), "all domains", len(parts), parts...)
	n, text := j.where(func(s *Study) bool {
		up, _ := s.either([2]knowledge.Learner{knowledge.MonotoneNoisyOR, knowledge.None},
			[2]knowledge.Learner{knowledge.SynergyNoisyOR, knowledge.None})
		return up
	})
	j.testedOver("one of the two combinations is significantly better than none in a majority of domains",
		partQ1, run.PredictUnknown, "right signs reduce variance, wrong ones add bias; both are tested, corrected by "+
			"Holm, as the better one is picked on test results"+j.cautious(combination, none), "all domains", text,
		2*n > all)

	j.counted(finding("noisy-OR is better than no knowledge in almost all domains", partQ2, run.PredictUnknown,
		"judged: in all but two; without signs the sets are a restriction of the free table, right or wrong"+j.cautious(
			or, none)), "almost all", all-2, j.against(knowledge.NoisyOR, knowledge.None)...)
	n, text = j.where(func(s *Study) bool {
		return s.better(knowledge.Monotone, knowledge.NoisyOR) && s.better(knowledge.Synergy, knowledge.NoisyOR)
	})
	j.testedOver("monotonicity and synergy are both significantly better than noisy-OR in 9 domains", partQ2,
		run.PredictNo,
		"judged: in 9 or more. A noisy-OR fitted exactly has few parameters, and no wrong signs"+j.cautious(monotone,
			or), "9", text, n >= 9)

	n, text = j.where(func(s *Study) bool {
		t, _ := s.difference(knowledge.Synergy, knowledge.Monotone)
		return !(t.P < significance)
	})
	j.testedOver("synergy and monotonicity do not differ significantly, but for breast cancer", partQ3, run.PredictNo,
		"judged: in all domains but one. Synergies add little to the signs, but with many draws a test over draws "+
			"finds small differences significant too"+j.cautious(synergy, monotone), "10", text, n >= all-1)
	if s := j.study("breast"); s != nil {
		t, c := s.difference(knowledge.Synergy, knowledge.Monotone)
		u, _ := s.difference(knowledge.Synergy, knowledge.NoisyOR)
		j.tested("breast: synergy is significantly worse than monotonicity and noisy-OR", partQ3, run.PredictUnknown,
			fmt.Sprintf("the data weakly contradict the signs of age and menopause, but not their synergy; p = %.2g "+
				"and %.2g, corrected for overlap %.2g", t.P, u.P, c.P),
			"worse by 0.216 and 0.162", fmt.Sprintf("%+.3f and %+.3f", t.Difference, u.Difference),
			s.better(knowledge.Monotone, knowledge.Synergy) && s.better(knowledge.NoisyOR, knowledge.Synergy))
	}

	added := [2][2]knowledge.Learner{{knowledge.MonotoneNoisyOR, knowledge.Monotone},
		{knowledge.SynergyNoisyOR, knowledge.Synergy}}
	const pairwise = "adding noisy-OR to influences and to synergies, both tested, corrected by Holm"
	n, text = j.where(func(s *Study) bool {
		_, down := s.either(added[:]...)
		return !down
	})
	j.testedOver("the combination is comparable to or better than qualitative constraints alone", partQ4, run.PredictNo,
		"judged: nowhere significantly worse, "+pairwise+"; the sets are wrong in some domains"+
			j.cautious(combination, plain), "all domains", text, n == all)
	n, text = j.where(func(s *Study) bool {
		up, _ := s.either(added[:]...)
		return up
	})
	j.testedOver("the combination significantly improves on qualitative constraints alone in 7 domains", partQ4,
		run.PredictUnknown,
		"judged: in 7 or more, "+pairwise+j.cautious(combination, plain), "7", text, n >= 7)
	j.testedOver("the combination is the better one in a majority of domains", "Y13 §6", run.PredictUnknown,
		"the conclusion; judged: significantly better in more than half, "+pairwise, "majority", text, 2*n > all)
	if s := j.study("breast"); s != nil {
		t, c := s.difference(combination(s.score), plain(s.score))
		j.tested("breast: adding noisy-OR makes a very small dip that is not significant", partQ4, run.PredictUnknown,
			fmt.Sprintf("judged: lower, with p at least 0.05; both learners are picked on test results; p = %.2g, "+
				"corrected for overlap %.2g", t.P, c.P), "dip",
			fmt.Sprintf("%+.3f", t.Difference), t.Difference < 0 && !(t.P < significance))
	}
	n, text = j.where(func(s *Study) bool { return s.better(knowledge.SynergyNoisyOR, knowledge.MonotoneNoisyOR) })
	j.testedOver("with noisy-OR, synergy improves on monotonicity in three domains", partQ4, run.PredictUnknown,
		"judged: significantly, in three or more"+j.cautious(is(knowledge.SynergyNoisyOR),
			is(knowledge.MonotoneNoisyOR)), "3", text, n >= 3)
	n, text = j.where(func(s *Study) bool { return !s.better(knowledge.MonotoneNoisyOR, knowledge.SynergyNoisyOR) })
	j.testedOver("with noisy-OR, synergy is nowhere worse than monotonicity", partQ4, run.PredictUnknown,
		"judged: nowhere significantly", "comparable in the other domains", text, n == all)
	so, not := j.combinationLeads()
	j.settled(finding("the combination performs best in most of the domains", partQ4, run.PredictUnknown,
		"judged: in more than half one of the two combinations leads all others by more than the standard error over "+
			"draws"), "most", so, not, all, all/2+1)
}

// barClaims judges the same sentences on the paper's own bars, which have no tests.
func (j judge) barClaims() {
	all := len(j.Domains)
	own := func(claim string, expected run.Prediction, note, paper string, holds func(n int) bool,
		f func(s score) bool) {
		n, text := j.whereBars(f)
		j.printed("the paper's own bars: "+claim, partFigure3, expected, note, paper, text, holds(n))
	}
	own("all learners with qualitative constraints are better than none", run.PredictYes,
		"bars were read off the figure to about 0.002", "all domains", func(n int) bool { return n == all },
		func(s score) bool {
			for _, l := range informed() {
				if s(l) <= s(knowledge.None) {
					return false
				}
			}
			return true
		})
	own("monotonicity and synergy are better than noisy-OR in 9 domains", run.PredictYes,
		"judged: in 9 or more; bars have no tests", "9", func(n int) bool { return n >= min(9, all) },
		func(s score) bool {
			return s(knowledge.Monotone) > s(knowledge.NoisyOR) && s(knowledge.Synergy) > s(knowledge.NoisyOR)
		})
	own("the combination is nowhere lower than qualitative constraints alone", run.PredictNo,
		"it is 0.040 lower in heart and 0.006 lower in Pima, where the text says comparable or better", "all domains",
		func(n int) bool { return n == all }, func(s score) bool {
			return s(combination(s)) >= s(plain(s))
		})
	own("the combination is higher than qualitative constraints alone in 7 domains", run.PredictYes,
		"judged: in 7 or more; bars have no tests", "7", func(n int) bool { return n >= min(7, all) },
		func(s score) bool {
			return round(s(combination(s))-s(plain(s))) > 0
		})
	if bars := j.bars("breast"); bars(knowledge.None) > 0 {
		dip := round(bars(combination(bars)) - bars(plain(bars)))
		j.printed("the paper's own bars: the combination is lower in breast cancer", partFigure3, run.PredictNo,
			"the text reports a very small dip there, the bars show a rise", "dip", fmt.Sprintf("%+.3f", dip), dip < 0)
	}
	own("with noisy-OR, synergy is higher than monotonicity in three domains", run.PredictYes,
		"judged: by more than 0.04 in three or more, because the text speaks of significance", "3",
		func(n int) bool { return n >= min(3, all) }, func(s score) bool {
			return round(s(knowledge.SynergyNoisyOR)-s(knowledge.MonotoneNoisyOR)) > 0.04
		})
}

// figure3Claims sets every bar of Figure 3 beside our band.
func (j judge) figure3Claims() {
	for _, d := range j.Domains {
		for _, l := range knowledge.Learners() {
			bar := j.Published[mark{domain: d.name, learner: l}]
			st := run.Statement{Claim: fmt.Sprintf("%s: AUC of %s", d.name, l), Source: partFigure3, Data: run.Real,
				Unit: "AUC", Prediction: run.PredictUnknown,
				Note: "the paper's parents, cut points, prior and split are unknown"}
			if l == knowledge.None {
				st.Prediction, st.Basis = run.PredictNo, pilot
				st.Note = "a free table that is learned does better from its observed cells alone"
			}
			s := j.study(d.name)
			if s == nil {
				j.job.Missing(st, run.Format(bar), d.why())
				continue
			}
			b := run.NewBand(s.Splits[l]) // the paper's bar is one split too
			j.job.Number(st, bar, b.Mean, b)
		}
	}
	var above []float64
	least := math.Inf(1)
	for _, s := range j.Studies {
		gap := s.score(knowledge.None) - j.bars(s.name)(knowledge.None)
		above, least = append(above, gap-0.05), min(least, gap)
	}
	s := finding("none is far above the paper's bars", partFigure3, run.PredictYes, fmt.Sprintf(
		"judged: by more than 0.05, paired by domain, as a bar is one split; by %.3f at least", least))
	s.Unit = "AUC above 0.05"
	j.compared(s, "bars of 0.11 to 0.68", above)
}
