package hierarchy

import (
	"fmt"
	"strings"

	"bnlab/experiments/run"
)

// notTheirs goes with every claim on the real data.
const notTheirs = "real data, but not the paper's: ABIDE NYU resting state, 110 regions, autism versus control"

// withoutFiles is why a claim on the real data is not judged.
const withoutFiles = "the ABIDE files are not available; the run says where it looked"

// noSetting is why a claim on many parents is not judged: with a limit of four no search has more.
const noSetting = "no setting has as many parents, under the limit of parents that searches have here"

func join(note, more string) string { return strings.TrimPrefix(note+"; "+more, "; ") }

// brain records an ordering on the real data, or that there are none.
func (j judge) brain(claim, note, paper string, judged func(b *brainStudy) (ours string, holds bool)) {
	s := run.Statement{Claim: claim, Source: partBrain, Data: run.Real, Prediction: run.PredictUnknown,
		Note: join(note, notTheirs)}
	if j.Brain == nil {
		j.job.Missing(s, paper, withoutFiles)
		return
	}
	ours, holds := judged(j.Brain)
	if ours == noSetting {
		j.job.Missing(s, paper, noSetting)
		return
	}
	j.job.Order(s, paper, ours, holds)
}

// brainClaims are about Figure 3.
func (j judge) brainClaims() {
	for _, score := range []struct {
		name, title string
		threshold   float64
	}{{"bde", "BDe", 3.4}, {"acl", "ACL", 4}, {symmetric, "symmetric ACL", 4}} {
		j.brain(
			"with low complexity flat search finds more of the best families than the "+
				"hierarchical searches ("+score.title+")",
			"judged at the fewest parents on average", "flat", func(b *brainStudy) (string, bool) {
				s := b.of(score.name)[0]
				won, tied := s.wins(len(j.Searches))
				return fmt.Sprintf("%s with %.2f parents", j.points(won, tied), s.meanParents()),
					won[j.flat] > max(won[j.rfw], won[j.pw])
			})
		j.brain(fmt.Sprintf("above %g parents PW-Hier finds more of the best families than flat search (%s)",
			score.threshold, score.title),
			"judged at every setting with more parents on average", "PW-Hier", func(b *brainStudy) (string, bool) {
				var list []string
				holds := true
				for _, s := range b.of(score.name) {
					if x := s.meanParents(); x > score.threshold {
						won, _ := s.wins(len(j.Searches))
						list = append(list, fmt.Sprintf("%d to %d with %.2f parents", won[j.pw], won[j.flat], x))
						holds = holds && won[j.pw] > won[j.flat]
					}
				}
				if len(list) == 0 {
					return noSetting, false
				}
				return strings.Join(list, ", "), holds
			})
		j.brain("RFW-Hier is almost always outperformed ("+score.title+")",
			"judged: in nine of ten settings or more another search finds more of the best families", "outperformed",
			func(b *brainStudy) (string, bool) {
				list := b.of(score.name)
				below := 0
				for _, s := range list {
					if won, _ := s.wins(len(j.Searches)); won[j.rfw] < max(won[j.flat], won[j.pw]) {
						below++
					}
				}
				return fmt.Sprintf("in %d of %d", below, len(list)), 10*below >= 9*len(list)
			})
		j.brain("whole scores do not differ qualitatively from the families won ("+score.title+")",
			"judged: at every setting the search with the highest total has the most families", "the same",
			func(b *brainStudy) (string, bool) {
				list := b.of(score.name)
				same := 0
				for _, s := range list {
					won, _ := s.wins(len(j.Searches))
					best := 0
					for k := range j.Searches {
						if s.total(k) > s.total(best) {
							best = k
						}
					}
					if won[best] == max(won[j.flat], won[j.rfw], won[j.pw]) {
						same++
					}
				}
				return fmt.Sprintf("in %d of %d", same, len(list)), same == len(list)
			})
	}
	j.brain("RFW-Hier was incapable of restricting candidate parents to sets where exhaustive search can be used; "+
		"PW-Hier was capable",
		"parent searches that were not exhaustive, over all settings; RFW-Hier restricts candidates to one level and "+
			"to h-parents and h-children, as a level-by-level search requires", "most, few",
		func(b *brainStudy) (string, bool) {
			var other, all [2]int
			for _, s := range b.settings {
				for g := range s.Found {
					for i, k := range []int{j.rfw, j.pw} {
						for by, n := range s.Found[g][k].by {
							all[i] += n
							if by != "exhaustive" {
								other[i] += n
							}
						}
					}
				}
			}
			return fmt.Sprintf("RFW-Hier %d of %d, PW-Hier %d of %d", other[0], all[0], other[1], all[1]),
				2*other[0] > all[0] && 2*other[1] < all[1]
		})
}

// points prints the families won.
func (j judge) points(won []int, tied int) string {
	return fmt.Sprintf("flat %d, RFW-Hier %d, PW-Hier %d (%d ties)", won[j.flat], won[j.rfw], won[j.pw], tied)
}
