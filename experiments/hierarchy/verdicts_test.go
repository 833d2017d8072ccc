package hierarchy

import (
	"slices"
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// A world says what searches find at a point of a panel.
type world func(panel int, x float64, search string) (accuracy, precision, recall, parents float64)

// asPrinted is what B06 §4 says.
func asPrinted(panel int, x float64, search string) (accuracy, precision, recall, parents float64) {
	hier := search != flat
	accuracy, precision, recall, parents = 0.8, 0.4, 1, 1
	if hier {
		accuracy, precision, parents = 0.9, 0.9, 0.3
	}
	switch panel {
	case iid:
		accuracy = 0.5 + (accuracy-0.5)*x/0.02
		if hier {
			accuracy = min(0.5+25*x, 0.98)
		}
	case sampleSize:
		parents *= 1 + x/500
		precision -= x / 2500
		if hier {
			precision += x / 5000
		}
	case noisy:
		accuracy -= 0.02 * x
		if hier {
			accuracy -= 0.02 * x
			recall -= 0.05 * x
		}
	case violating:
		accuracy = 0.84
		if hier {
			accuracy = 0.9 - 0.012*x
		}
	}
	return accuracy, precision, recall, parents
}

// opposite exchanges the searches, raises what should fall and lets nothing degrade.
func opposite(panel int, x float64, search string) (accuracy, precision, recall, parents float64) {
	other := pw
	if search != flat {
		other = flat
	}
	accuracy, precision, recall, parents = asPrinted(panel, x, other)
	switch panel {
	case sampleSize:
		parents, precision = 2-x/1000, precision+x/1000
		if search != flat {
			precision -= x / 1000
		}
	case noisy:
		accuracy = 0.6 + 0.02*x
		if search != flat {
			accuracy += 0.1 * (x - 4) / 8
		}
		if x >= 1 && x <= 2 && search == flat {
			accuracy += 0.1
		}
	case violating:
		accuracy = 0.8
		if search != flat {
			accuracy = 0.9
		}
	}
	return accuracy, precision, recall, 3 * parents
}

// chance is a world in which nothing can be told.
func chance(int, float64, string) (accuracy, precision, recall, parents float64) {
	return 0.5, 0.5, 0.5, 1
}

// results are those of a world, with a little noise around the same means, so that differences have standard errors.
func (w world) results(best float64) *Results {
	c := ConfigFor(run.Paper)
	c.Arity, c.Length, c.Runs, c.FamilyRuns, c.OtherRuns = 5, 300, 20, 20, 20
	r := &Results{Config: c, Searches: []string{flat, rfw, pw}, Studies: studies(c)}
	draw := func(panel int, x float64, search string, replicate int) outcome {
		accuracy, precision, recall, parents := w(panel, x, search)
		const links = 1_000_000
		noise := 1.004 - 0.008*float64(replicate%2)
		if search != flat {
			noise = 1.004 - 0.008*float64(replicate/2%2)
		}
		o := outcome{Accuracy: accuracy * noise, Found: links, Right: int(links * precision * noise),
			Parents: parents * noise}
		o.True = int(links * precision / recall)
		return o
	}
	for _, s := range r.Studies {
		s.Panels = newPanels(s, len(r.Searches))
		for k, p := range s.Panels {
			for x, at := range p.X {
				for i, name := range r.Searches {
					for n := range p.Outcomes[x][i] {
						p.Outcomes[x][i][n] = draw(k, at, name, n)
					}
				}
			}
		}
		s.Known = make([][]known, len(c.Changes))
		for x := range s.Known {
			s.Known[x] = slices.Repeat([]known{{1, best}}, s.Runs)
		}
	}
	return r
}

// TestPanelVerdicts: every sentence on the panels has data for which it says yes, no and n/a, but for the two numbers.
func TestPanelVerdicts(t *testing.T) {
	var worlds [][]run.Claim
	for _, one := range []struct {
		world
		known float64
	}{{asPrinted, 0.95}, {opposite, 0.95}, {chance, 0.5}} {
		r := one.results(one.known)
		worlds = append(worlds, runtest.Claims(t, func(job *run.Job) error {
			j := judge{Results: r, job: job, flat: r.place(flat), rfw: r.place(rfw), pw: r.place(pw)}
			v := view{j, r.study(parentWise)}
			for _, judged := range []func() error{v.iidClaims, v.sizeClaims, v.noiseClaims, v.violationClaims,
				view{j, r.study(literal)}.furtherClaims, view{j, r.study(largerC)}.furtherClaims,
				view{j, r.study(beside)}.furtherClaims} {
				if err := judged(); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	runtest.Verdicts(t, worlds, map[string]string{
		"PW-Hier's accuracy is significantly higher":                   "yes no n/a",
		"PW-Hier has a higher structural precision":                    "yes no n/a",
		"RFW-Hier has a higher structural precision":                   "yes no n/a",
		"structures that comply with the relaxed":                      "yes no n/a",
		"PW-Hier's precision drops less quickly":                       "yes no n/a",
		"as ρ increases class discrimination":                          "yes no n/a",
		"when ρ is 1 or 2":                                             "yes no n/a",
		"as more randomizations occur":                                 "yes no n/a",
		"the structural precision of PW-Hier always":                   "yes no n/a",
		"PW-Hier's recall diminishes":                                  "yes no n/a",
		"as violating links increase":                                  "yes no n/a",
		"at roughly five violating links":                              "yes no n/a",
		"PW-Hier's performance degrades gradually":                     "yes no n/a",
		"when c = 0.02 classification is trivial":                      "yes no no",
		"approximately one parent":                                     "yes no yes",
		"approximately 0.3 parents":                                    "yes no no",
		"as the equivalent sample size increases the search adds more": "yes no n/a",
		"this decreases the precision of both classifiers":             "yes no n/a",
	})
}
