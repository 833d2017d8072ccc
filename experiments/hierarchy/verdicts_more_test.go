package hierarchy

import (
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// trialResults have a precision and an accuracy for each search, and so many violating links.
func trialResults(precision map[string]float64, broken int) *Results {
	r := &Results{Config: Config{Alphas: []float64{1, 1e6}}, Searches: []string{flat, rfw, pw}}
	for _, rule := range []string{parentWise, familyWise, literal} {
		trial := &Trial{Rule: rule, Searches: []string{flat, rfw, pw, unrelaxed, byPrior(1), byPrior(1e6)}}
		for i, name := range trial.Searches {
			var runs []outcome
			for n := range 10 {
				p := precision[name] + 0.01*float64((n>>(i%3))%2)
				runs = append(runs, outcome{Accuracy: p, Found: 1000, Right: int(1000 * p), True: 1000, Broken: broken})
			}
			trial.Outcomes = append(trial.Outcomes, runs)
		}
		r.Trials = append(r.Trials, trial)
	}
	return r
}

// TestTrialVerdicts: of the searches and priors that the paper defines.
func TestTrialVerdicts(t *testing.T) {
	var worlds [][]run.Claim
	for _, r := range []*Results{
		trialResults(map[string]float64{flat: 0.3, rfw: 0.4, pw: 0.5, unrelaxed: 0.6, byPrior(1): 0.7}, 0),
		trialResults(map[string]float64{flat: 0.7, rfw: 0.6, pw: 0.5, unrelaxed: 0.4, byPrior(1): 0.3}, 3),
		trialResults(map[string]float64{}, 3),
	} {
		worlds = append(worlds, runtest.Claims(t, func(job *run.Job) error {
			judge{Results: r, job: job}.trialClaims()
			return nil
		}))
	}
	runtest.Verdicts(t, worlds, map[string]string{
		"the family-wise search without relaxation": "yes no n/a",
		"the relaxed assumption does not limit":     "yes no n/a",
		"a small α is promising":                    "yes no n/a",
		"with α = 1e+06 the prior":                  "yes no no",
	})
}

// TestTimeVerdicts: by the clock, and by families scored.
func TestTimeVerdicts(t *testing.T) {
	var worlds [][]run.Claim
	for _, own := range []Time{
		{Dataset: simulatedName, Score: "bde", Search: 1, Scored: 20, Seconds: []float64{2, 2.2, 2.4}},
		{Dataset: simulatedName, Score: "bde", Search: 1, Scored: 5, Seconds: []float64{0.5, 0.4, 0.6}},
		{}, // no data
	} {
		base := Time{Dataset: simulatedName, Score: "bde", Scored: 10, Seconds: []float64{1, 1.1, 1}}
		r := &Results{Searches: []string{flat, rfw, pw}, Times: []Time{base, own}}
		worlds = append(worlds, runtest.Claims(t, func(job *run.Job) error {
			judge{Results: r, job: job}.longerClaims(simulatedName, run.Simulated, 1)
			return nil
		}))
	}
	runtest.Verdicts(t, worlds, map[string]string{"RFW-Hier runs longer than flat search": "yes no n/a"})
}

// brainOf has two settings of each score, with one parent and with five: the searches' scores in them, flat, RFW-Hier
// and PW-Hier, and how many of their searches of parents were not exhaustive, of ten.
func brainOf(few, many [3]float64, greedy [3]int) *brainStudy {
	b := &brainStudy{}
	for _, score := range []string{"bde", "acl", symmetric} {
		for i, scores := range [][3]float64{few, many} {
			s := &Setting{Score: score, Right: make([]float64, 3)}
			for g := range s.Found {
				for k, x := range scores {
					f := &found{graph: make(graph, 10),
						by: map[string]int{"greedy": greedy[k], "exhaustive": 10 - greedy[k]}}
					for v := range f.graph {
						f.graph[v] = []int{1, 2, 3, 4, 5}[:1+4*i]
						f.scores = append(f.scores, x)
					}
					s.Found[g] = append(s.Found[g], f)
				}
			}
			b.settings = append(b.settings, s)
		}
	}
	return b
}

// TestBrainVerdicts: of the sentences on Figure 3. Without data they are n/a.
func TestBrainVerdicts(t *testing.T) {
	differs := brainOf([3]float64{1, 3, 2}, [3]float64{3, 4, 2}, [3]int{0, 0, 10})
	for _, s := range differs.settings { // one family outweighs those that RFW-Hier wins
		s.Found[0][0].scores[0] += 100
	}
	printed := brainOf([3]float64{3, 1, 2}, [3]float64{2, 1, 3}, [3]int{0, 10, 0})
	var worlds [][]run.Claim
	for _, brain := range []*brainStudy{printed, differs, nil} {
		r := &Results{Searches: []string{flat, rfw, pw}, Brain: brain}
		worlds = append(worlds, runtest.Claims(t, func(job *run.Job) error {
			judge{Results: r, job: job, flat: 0, rfw: 1, pw: 2}.brainClaims()
			return nil
		}))
	}
	runtest.Verdicts(t, worlds, map[string]string{
		"with low complexity flat search":       "yes no n/a",
		"above 3.4 parents PW-Hier":             "yes no n/a",
		"above 4 parents PW-Hier":               "yes no n/a",
		"RFW-Hier is almost always":             "yes no n/a",
		"whole scores do not differ":            "yes no n/a",
		"RFW-Hier was incapable of restricting": "yes no n/a",
	})
}
