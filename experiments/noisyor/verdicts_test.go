package noisyor

import (
	"errors"
	"math"
	"slices"
	"testing"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/validate"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

const madeDraws = 40

// ripple has the mean 0 over the draws, another one for each learner.
func ripple(l, draw int) float64 { return math.Cos(2 * math.Pi * float64(draw*(l+1)) / madeDraws) }

// A world is what each learner reaches.
type world struct {
	auc, breast, start [6]float64 // by learner: cross-validated, the same in breast cancer, with few cases
	end                [6]float64 // at the end of the curves
	spread             float64    // over draws
	bars               float64    // of none, in every other domain twice the spread more
	climbed            float64    // AUC of Algorithm 1
	p                  [2]float64 // of the statements of the audit
	broken             float64    // of what follows from mathematics, and of margins
}

// claims are those of all eleven domains, or without the data of iris.
func (w world) claims(t *testing.T, lacking bool) []run.Claim {
	t.Helper()
	r := &Results{Published: map[mark]float64{}, Laws: Laws{Broken: w.broken, Unforced: w.broken, Reversed: w.broken}}
	for i, s := range sources() {
		d := &Domain{source: s}
		r.Domains = append(r.Domains, d)
		if lacking && s.name == "iris" {
			d.Missing = errors.New("not here")
			continue
		}
		level := w.auc
		if s.name == "breast" {
			level = w.breast
		}
		var draws []*validate.Result
		for draw := range madeDraws {
			one := &validate.Result{}
			for l := range level {
				x := level[l] + w.spread*ripple(l, draw)
				one.Learners = append(one.Learners, validate.LearnerResult{Candidates: []string{"one"},
					Folds: []validate.FoldResult{{Scores: validate.Scores{AUC: x, HasAUC: true}}}})
			}
			draws = append(draws, one)
		}
		study, err := newStudy(d, Config{Folds: 11}, draws)
		if err != nil {
			t.Fatal(err)
		}
		r.Studies = append(r.Studies, study)
		for _, l := range knowledge.Learners() {
			r.Published[mark{domain: s.name, learner: l}] = 0.7
		}
		r.Published[mark{domain: s.name, learner: knowledge.None}] = w.bars + 2*w.spread*float64(i%2)
		course := &Course{d, knowledge.Learners(), &validate.Curve{Sizes: []int{scarce, 60}}}
		for l := range level {
			var curve validate.LearnerCurve
			for draw := range madeDraws {
				x := w.spread * ripple(l, draw)
				curve.Scores = append(curve.Scores, []validate.Scores{{AUC: w.start[l] + x, HasAUC: true},
					{AUC: w.end[l] - x, HasAUC: true}})
			}
			course.Curve.Learners = append(course.Curve.Learners, curve)
		}
		r.Values = append(r.Values, &Value{Course: course})
		if s.name == "glass" {
			r.Courses = append(r.Courses, course)
			for l, x := range [6]float64{.5, .6, .7, .7, .8, .85} { // as in the first world
				r.Published[mark{"glass", scarce, knowledge.Learner(l)}] = x
				r.Published[mark{"glass", 60, knowledge.Learner(l)}] = max(x, .8)
			}
		}
		if s.name == "breast" {
			irradiat := constraint.Influence{Parent: "irradiat", Child: "recurrence"}
			other := constraint.Influence{Parent: "age", Child: "recurrence"}
			r.Opinions = []Opinion{
				{d, knowledge.Entry{}, learn.Verdict{Statement: irradiat, PValue: 0.75 * w.p[0], HolmPValue: w.p[0],
					HasPValue: true}},
				{d, knowledge.Entry{}, learn.Verdict{Statement: other, PValue: w.p[1], HolmPValue: w.p[1],
					HasPValue: true}}}
			duel := &Duel{Domain: d, Learner: knowledge.SynergyNoisyOR, Exact: []float64{-5, -5},
				Settings: []penaltySetting{{100, 0}, {100, 0.01}}}
			for range duel.Settings {
				duel.Ends = append(duel.Ends, []End{{LogPosterior: -6}, {LogPosterior: -6, Violation: w.broken}})
			}
			for draw := range madeDraws {
				duel.AUC = append(duel.AUC, w.climbed+w.spread*ripple(0, draw))
			}
			convex := *duel
			convex.Learner, convex.AUC = knowledge.Monotone, nil
			if w.broken > 0 { // above the maximum
				convex.Exact, duel.Exact = []float64{-7, -7}, []float64{-7, -7}
			}
			r.Duels = []*Duel{duel, &convex}
		}
	}
	return runtest.Claims(t, func(job *run.Job) error {
		j := judge{r, job}
		j.lawClaims()
		j.questionClaims()
		j.figure3Claims()
		j.figure4Claims()
		j.valueClaims()
		j.auditClaims()
		j.duelClaims()
		return nil
	})
}

// TestVerdicts: results for which each rule says yes, no, and that it cannot be told; last, without the data of one
// domain, what is about all of them.
func TestVerdicts(t *testing.T) {
	yes := world{auc: [6]float64{.5, .6, .7, .7, .8, .85}, breast: [6]float64{.5, .6, .7, .55, .699, .699},
		start: [6]float64{.5, .6, .7, .7, .8, .85}, end: [6]float64{.8, .8, .8, .8, .8, .85}, spread: .004, bars: .1,
		climbed: .699, p: [2]float64{.04, .9}}
	no := world{auc: [6]float64{.85, .6, .55, .62, .5, .45}, breast: [6]float64{.85, .6, .55, .62, .5, .45},
		start: [6]float64{.85, .9, .5, .5, .5, .5}, end: [6]float64{.85, .9, .8, .8, .8, .8}, spread: .004, bars: .85,
		climbed: .8, p: [2]float64{.06, .001}, broken: 1}
	level := [6]float64{.7, .7, .7, .7, .7, .7}
	untold := world{auc: level, breast: [6]float64{.7, .7, .7, .7, .699, .699}, start: level, end: level, spread: .1,
		bars: .55, climbed: .71, p: [2]float64{.2, .9}}
	worlds := [][]run.Claim{yes.claims(t, false), no.claims(t, false), untold.claims(t, false), yes.claims(t, true)}
	runtest.Verdicts(t, worlds, map[string]string{
		"synergies, sub-synergies and influences within":         "yes no yes yes",
		"a noisy-OR makes parents of different sets":             "yes no yes yes",
		"positive monotonicity makes causes reinforce":           "yes no yes yes",
		"all learners with qualitative constraints are better":   "yes no n/a n/a",
		"one of the two combinations is significantly better":    "yes no no n/a",
		"noisy-OR is better than no knowledge":                   "yes no n/a n/a",
		"monotonicity and synergy are both significantly better": "yes no no n/a",
		"synergy and monotonicity do not differ":                 "yes no yes n/a",
		"breast: synergy is significantly worse":                 "yes no no yes",
		"the combination is comparable to or better":             "yes no yes n/a",
		"the combination significantly improves":                 "yes no no n/a",
		"the combination is the better one in a majority":        "yes no no n/a",
		"breast: adding noisy-OR makes a very small dip":         "yes no yes yes",
		"with noisy-OR, synergy improves on monotonicity":        "yes no no n/a",
		"with noisy-OR, synergy is nowhere worse":                "yes no yes n/a",
		"the combination performs best in most":                  "yes no n/a n/a",
		"none is far above the paper's bars":                     "yes no n/a n/a",
		"iris: AUC of none":                                      "no yes no n/a",
		"glass: prior knowledge has a jump start over none":      "yes no n/a yes",
		"glass: prior knowledge has a jump start over noisy-OR":  "yes no n/a yes",
		"glass: prior knowledge converges faster":                "yes no n/a yes",
		"glass: the curve of none":                               "yes no no yes",
		"glass: the curve of synergy+noisy-or":                   "yes no no yes",
		"the synergy-constrained noisy-OR is the most accurate":  "yes no n/a n/a",
		"a noisy-OR decreases the data requirements":             "yes yes n/a n/a",
		"qualitative constraints make for more accurate models":  "yes no n/a n/a",
		"qualitative constraints and a noisy-OR together reduce": "yes no n/a n/a",
		"the audit detects the statement":                        "yes no no yes",
		"the data contradict none of the knowledge":              "yes no yes n/a",
		"Algorithm 1 with growing ω ends at a feasible point, w": "yes no yes yes",
		"no feasible result of Algorithm 1 is above":             "yes no yes yes",
		"no feasible result of Algorithm 1 under synergies":      "yes no yes yes",
		"the exact method predicts as well as Algorithm 1":       "yes no n/a n/a",
	})
}

// TestTables: the rules about tables of counts.
func TestTables(t *testing.T) {
	d := domainsAtHand(t, "iris")[0]
	none, fewer := Size{40, 30}, Size{20, 10}
	for _, want := range []run.Verdict{run.Yes, run.No} {
		r := &Results{Domains: []*Domain{d}, Studies: []*Study{{Domain: d}}, Sizes: map[mark]Size{
			{domain: "iris", learner: knowledge.Synergy}:        none,
			{domain: "iris", learner: knowledge.SynergyNoisyOR}: fewer}}
		claims := runtest.Claims(t, func(job *run.Job) error {
			judge{r, job}.domainClaims()
			return judge{r, job}.sizeClaims()
		})
		for _, c := range claims {
			if c.Claim[:6] != "number" && c.Holds != want {
				t.Errorf("%s: %s, want %s", c.Claim, c.Holds, want)
			}
		}
		one := *d
		one.samples++
		d, fewer = &one, none
	}
}

// TestSettle: at least 9 of 11, with so many told to be so and so many told not to be.
func TestSettle(t *testing.T) {
	for _, c := range []struct {
		so, not int
		want    run.Verdict
	}{{9, 2, run.Yes}, {8, 3, run.No}, {0, 3, run.No}, {8, 2, run.NotJudged}, {0, 0, run.NotJudged}, {11, 0, run.Yes}} {
		if got := settle(c.so, c.not, 11, 9); got != c.want {
			t.Errorf("%d so, %d not: %s, want %s", c.so, c.not, got, c.want)
		}
	}
}

// readingWorld has eleven domains with splits in which each learner's positive cases come out above so many of ten
// negatives; of log scores, by how much Algorithm 1 is above the exact method.
func readingWorld(t *testing.T, bars func(l knowledge.Learner, domain int) float64,
	above func(l knowledge.Learner, domain, split int) int, gain func(domain int) float64) []run.Claim {
	t.Helper()
	config := Config{SweepFolds: 2, SweepIterations: []int{0, 3}, SweepSteps: []float64{1}}
	r := &Results{Config: config, Published: map[mark]float64{}}
	for i, s := range sources() {
		d := &Domain{source: s}
		r.Domains = append(r.Domains, d)
		var splits []*Split
		for n := range 4 {
			split := &Split{Positive: append([]bool{true}, make([]bool, 10)...)}
			for _, w := range config.ways() {
				var scores [][]float64
				logs := make([]float64, 6)
				for _, l := range knowledge.Learners() {
					one := []float64{0.5}
					for k := range 10 {
						x := 0.6
						if k < above(l, i, n) {
							x = 0.4
						}
						one = append(one, x)
					}
					scores = append(scores, one)
					if !w.exact {
						logs[l] = gain(i)
					}
				}
				split.Scores, split.LogScore = append(split.Scores, scores), append(split.LogScore, logs)
			}
			splits = append(splits, split)
		}
		r.Sweeps = append(r.Sweeps, &Sweep{Domain: d, Splits: [2][]*Split{splits, splits}})
		study := &Study{Domain: d}
		for _, l := range knowledge.Learners() {
			r.Published[mark{domain: s.name, learner: l}] = bars(l, i)
			study.Splits = append(study.Splits, []float64{0.65, 0.7, 0.75})
		}
		r.Studies = append(r.Studies, study)
	}
	return runtest.Claims(t, func(job *run.Job) error {
		judge{r, job}.readingClaims()
		return nil
	})
}

// TestReadingVerdicts: n/a, where data are missing or the profile is quick, is in TestWithoutData.
func TestReadingVerdicts(t *testing.T) {
	signs := func(l knowledge.Learner) bool { return slices.Contains(informed(), l) }
	worlds := [][]run.Claim{
		readingWorld(t, func(l knowledge.Learner, i int) float64 { // the bars of those with signs
			if signs(l) {
				return 0.7
			}
			return 0.65 - float64(i%2)/100
		}, func(l knowledge.Learner, _, _ int) int {
			if l == knowledge.NoisyOR {
				return 6
			}
			return 7
		}, func(i int) float64 { return 0.1 + float64(i)/1000 }),
		readingWorld(t, func(l knowledge.Learner, i int) float64 { // the signs do not
			if signs(l) {
				return 0.3 + float64(i%2)/100
			}
			return 0.7
		}, func(l knowledge.Learner, _, _ int) int {
			if l == knowledge.NoisyOR {
				return 8
			}
			return 7
		}, func(i int) float64 { return -0.1 - float64(i)/1000 }),
		readingWorld(t, func(l knowledge.Learner, i int) float64 { // now these, now those
			if signs(l) == (i%2 == 0) {
				return 0.3
			}
			return 0.7 - 0.01*float64(i)
		}, func(l knowledge.Learner, i, n int) int { return 7 + (int(l)+n)%2 },
			func(i int) float64 { return float64(i - 5) }),
	}
	runtest.Verdicts(t, worlds, map[string]string{
		"some reading of the procedure gives":                              "yes no no",
		"the two learners without signs carry most":                        "yes no n/a",
		"most bars of the learners with signs":                             "yes no no",
		"monotonicity and synergy both beat noisy-OR":                      "yes no n/a",
		"Algorithm 1, stopped early, has a better log score than the exac": "yes no n/a",
	})
}
