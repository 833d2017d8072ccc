package weigh

import (
	"errors"
	"math"
	"testing"

	"bnlab/bnkit/constraint"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// ripple has the mean 0 over eight replicates, another one for each series.
func ripple(series, replicate int) float64 {
	return 0.01 * math.Cos(2*math.Pi*float64(replicate*(series%3+1))/8)
}

// made are results in which averaging is better than others by a step, positive or negative, or by nothing beyond
// chance, as the margins have it.
func made(better float64) *Results {
	c := Config{Sizes: []int{10, 40}, Replicates: 8, Strengths: []float64{0.95}, StrengthSize: 40,
		SharingSizes: []int{100, 1000}}
	names := learners(c.Strengths)
	level := map[string]float64{averaged: -margin + 2*better, none: 0, dropped: -margin, priced: -margin,
		withStrength(.95): -margin, all: -margin}
	scores := func(statements []constraint.Constraint, level map[string]float64) *Scores {
		s := newScores(c.Sizes, names, statements, 8)
		for k, l := range names {
			for i := range c.Sizes {
				for replicate := range 8 {
					x := level[l] + ripple(k, replicate)
					auc := .7 + ripple(k, replicate)
					if l == averaged {
						auc += better
					}
					s.Of[l][i] = append(s.Of[l][i], Score{x, auc})
				}
			}
		}
		return s
	}
	r := &Results{Config: c}
	for wrong := range 3 {
		r.Truths = append(r.Truths, &Truths{wrong, scores(said(wrong), level)})
	}
	// Where all that is believed is right.
	const right = 0.5
	keep := map[string]float64{averaged: kept*right + better, all: right, none: 0, dropped: kept * right,
		priced: kept * right, withStrength(.95): kept * right}
	r.Truths[0].Scores = scores(said(0), keep)
	statements := []constraint.Constraint{constraint.Influence{Parent: "irradiat", Child: "recurrence"},
		constraint.Influence{Parent: "age", Child: "recurrence"}}
	for _, name := range []string{"heart", "breast", "iris"} {
		d := &Domain{Name: name, Scores: scores(statements, level)}
		d.After[1] = []float64{0.4 - better, 0.4}
		r.Domains = append(r.Domains, d)
	}
	r.Domains[2].Of = scores(statements, keep).Of
	for _, truth := range []string{n06Truth, eight, fifty} {
		s := &Sharing{truth, map[string][][]float64{}}
		base := 1.0
		if truth != n06Truth {
			base = 1.02
		}
		for k, l := range shares {
			mean := map[string]float64{none: 1, averaged: base - better, picked: base}[l]
			for range c.SharingSizes {
				var kl []float64
				for replicate := range 8 {
					kl = append(kl, mean+ripple(k, replicate))
				}
				s.KL[l] = append(s.KL[l], kl)
			}
		}
		r.Sharing = append(r.Sharing, s)
	}
	r.Interviews = &Interviews{Gain: make(map[string][][]float64)}
	for i, order := range orders {
		for k := range 3 {
			gains := make([]float64, 8)
			for replicate := range gains {
				gains[replicate] = float64(k)*(1+better*float64(1-i)) + ripple(i, replicate)
			}
			r.Gain[order] = append(r.Gain[order], gains)
		}
	}
	return r
}

// worded are results of audits of 4,000 statements each, in which what is claimed to be rare is said f times as often
// as the claim allows, and what is claimed to be common is left unsaid f times as often.
func (r *Results) worded(f float64) {
	r.Words = nil
	for _, n := range verdictCases {
		for _, truth := range verdictTruths {
			said := make([]float64, len(verdictWords))
			switch truth.truth {
			case "inside", "boundary":
				said[0], said[1] = 0.003*f, 0.047*f
			case "partly":
				said[1] = map[int]float64{20: 0.15 * f, 1000: 1 - 0.4*f}[n]
			case "false":
				said[1] = map[int]float64{20: 0.4 * f, 1000: 1 - 0.05*f}[n]
				if truth.statement == "equality" {
					said[5] = map[int]float64{20: 0.05 * f, 1000: 0.01 * f}[n]
				}
				said[4] = map[int]float64{80: 0.15 * f}[n]
			}
			for i, word := range verdictWords {
				r.Words = append(r.Words, VerdictRate{Statement: truth.statement, Truth: truth.truth, Cases: n,
					Word: word, Audits: 4000, Said: said[i]})
			}
		}
	}
}

// opinions are n statements with a probability of .75, of which a share holds.
func opinions(n int, share float64) [][]Opinion {
	var list []Opinion
	for i := range n {
		list = append(list, Opinion{0.75, float64(i) < share*float64(n)})
	}
	return [][]Opinion{list}
}

// TestVerdicts: results for which each rule says yes and no, and some that cannot be told; last, without the data of a
// domain.
func TestVerdicts(t *testing.T) {
	var worlds [][]run.Claim
	for k, better := range []float64{0.1, -0.1, 0, 0.1} {
		r := made(better)
		r.Prior = [][][]Opinion{opinions(200, .77), opinions(200, .5), opinions(200, .83), opinions(99, .5)}[k]
		r.worded([]float64{0.5, 2, 1, 0.5}[k])
		if k == 3 {
			r.Domains[1].Missing = errors.New("not here")
		}
		worlds = append(worlds, runtest.Claims(t, func(job *run.Job) error {
			r.claims(job)
			return nil
		}))
	}
	runtest.Verdicts(t, worlds, map[string]string{
		"nothing wrong: averaging keeps":                      "yes no n/a yes",
		"1 wrong: averaging predicts better than all":         "yes no n/a yes",
		"2 wrong: averaging predicts better than all":         "yes no n/a yes",
		"2 wrong: averaging predicts better than dropping":    "yes no n/a yes",
		"2 wrong, up to 40 cases":                             "yes no n/a yes",
		"whatever is wrong":                                   "yes no n/a yes",
		"averaging predicts better than statements at a":      "yes no n/a yes",
		"of all strengths the default prior predicts":         "yes no n/a yes",
		"in the domains averaging is nowhere worse":           "yes no n/a n/a",
		"where all believed predict better than none":         "yes no n/a n/a",
		"averaging raises the AUC":                            "yes no n/a n/a",
		"over the domains averaging predicts better":          "yes no n/a n/a",
		"breast: of all statements that on irradiation":       "yes no yes n/a",
		"statements drawn from the prior hold as often":       "yes no n/a n/a",
		"N06, 50 states: averaged sharing is closer to the":   "yes no n/a yes",
		"no sharing, 8 states: averaged sharing has at most":  "yes no n/a yes",
		"no sharing, 50 states: averaged sharing has at most": "yes no n/a yes",
		"no sharing in the truth: averaged sharing is closer": "yes no n/a yes",
		"questions in the proposed order":                     "yes no n/a yes",
		"audit: a word against it is said of a true":          "yes no n/a yes",
		"audit: “the data contradict it” is said":             "yes no n/a yes",
		"audit: a word against a false influence":             "yes no n/a yes",
		"audit: a word against an influence that is false in": "yes no n/a yes",
		"audit: “the data support it” is said of a false":     "yes no n/a yes",
		"audit: “holds in the data already” is said of a":     "yes no n/a yes",
	})
}
