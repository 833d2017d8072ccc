package noisyor

import (
	"math"

	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/metric"
	"bnlab/experiments/run"
)

// A comparison is one that a question of Y13 §5 asks for: of learner a with learner b.
type comparison struct {
	question string
	a, b     func(s score) knowledge.Learner
}

// A score is the AUC of each learner in a domain, ours or the paper's.
type score func(l knowledge.Learner) float64

// score is ours.
func (s *Study) score(l knowledge.Learner) float64 {
	mean, _ := s.mean(l)
	return mean
}

// bars are the paper's.
func (r *Results) bars(domain string) score {
	return func(l knowledge.Learner) float64 { return r.Published[mark{domain: domain, learner: l}] }
}

// is names a learner.
func is(l knowledge.Learner) func(score) knowledge.Learner {
	return func(score) knowledge.Learner { return l }
}

// bestOf is the one of two learners with the higher AUC; the first when they are level.
func bestOf(a, b knowledge.Learner) func(score) knowledge.Learner {
	return func(s score) knowledge.Learner {
		if s(b) > s(a) {
			return b
		}
		return a
	}
}

// plain is the better learner with "only qualitative constraints", and combination that with
// "qualitative and conditional influences", as Y13 §5 says.
func plain(s score) knowledge.Learner { return bestOf(knowledge.Monotone, knowledge.Synergy)(s) }
func combination(s score) knowledge.Learner {
	return bestOf(knowledge.MonotoneNoisyOR, knowledge.SynergyNoisyOR)(s)
}

// comparisons are those of the four questions.
func comparisons() []comparison {
	list := []comparison{}
	for _, l := range []knowledge.Learner{knowledge.Monotone, knowledge.Synergy, knowledge.MonotoneNoisyOR,
		knowledge.SynergyNoisyOR} {
		list = append(list, comparison{"Q1", is(l), is(knowledge.None)})
	}
	for _, pair := range [][2]knowledge.Learner{{knowledge.NoisyOR, knowledge.None},
		{knowledge.Monotone, knowledge.NoisyOR}, {knowledge.Synergy, knowledge.NoisyOR}} {
		list = append(list, comparison{"Q2", is(pair[0]), is(pair[1])})
	}
	return append(list,
		comparison{"Q3", is(knowledge.Synergy), is(knowledge.Monotone)},
		comparison{"Q4", is(knowledge.MonotoneNoisyOR), is(knowledge.Monotone)},
		comparison{"Q4", is(knowledge.SynergyNoisyOR), is(knowledge.Synergy)},
		comparison{"Q4, best against best", combination, plain},
		comparison{"Q4", is(knowledge.SynergyNoisyOR), is(knowledge.MonotoneNoisyOR)})
}

// questionTable answers the four questions in each domain, beside the differences of the paper's own
// bars. P is Student's over draws, resampled_p that of the test that allows for training sets that overlap.
func (r *Results) questionTable() *run.Table {
	t := run.NewTable("question", "domain", "learner_a", "learner_b", "mean_difference", "p", "resampled_p", "verdict",
		"paper_learner_a", "paper_learner_b", "paper_difference", "draws")
	for _, c := range comparisons() {
		for _, d := range r.Domains {
			bars := r.bars(d.name)
			pa, pb := c.a(bars), c.b(bars)
			difference := round(bars(pa) - bars(pb))
			s := r.study(d.name)
			if s == nil {
				t.Append(c.question, d.name, absent, absent, absent, absent, absent, absent, pa.String(), pb.String(),
					difference, 0)
				continue
			}
			a, b := c.a(s.score), c.b(s.score)
			test, cautious := s.difference(a, b)
			t.Append(c.question, d.name, a.String(), b.String(), test.Difference, test.P, cautious.P, verdict(test),
				pa.String(), pb.String(), difference, len(s.AUC[0]))
		}
	}
	return t
}

// verdict puts a test in words.
func verdict(t metric.TTest) string {
	switch {
	case !(t.P < significance):
		return "no significant difference"
	case t.Difference > 0:
		return "better"
	}
	return "worse"
}

// round keeps the three digits of the published bars.
func round(x float64) float64 { return math.Round(1000*x) / 1000 }
