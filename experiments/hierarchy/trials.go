package hierarchy

import (
	"context"
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/experiments/run"
)

// unrelaxed is the family-wise search without the relaxation.
const unrelaxed = "fw"

// byPrior names the search under the prior 1/(1 + αv) of the parent-wise rule.
func byPrior(alpha float64) string { return fmt.Sprintf("prior-%g", alpha) }

// A Trial is what more searches find in one kind of structures at the largest c.
type Trial struct {
	Rule     string
	Searches []string
	Outcomes [][]outcome // by search, run
}

// place is the place of a search.
func (t *Trial) place(name string) int {
	for i, s := range t.Searches {
		if s == name {
			return i
		}
	}
	return -1
}

// differences are those of a measure by network, of search a less search b.
func (t *Trial) differences(a, b string, f measure) []float64 {
	d := values(t.Outcomes[t.place(a)], f)
	for i, v := range values(t.Outcomes[t.place(b)], f) {
		d[i] -= v
	}
	return d
}

// moreSearches are the family-wise search without the relaxation and those under a prior of the parent-wise rule.
func moreSearches(h *hierarchy.Hierarchy, c Config, seed uint64) []search {
	set := &structure.Settings{Workers: 1, Rules: &structure.Rules{MaxParents: c.MaxParents}}
	by := structure.ByCandidates{Anneal: structure.AnnealParents{Seed: seed, Moves: c.Moves}}
	list := []search{{unrelaxed, along(h, hierarchy.FamilyWise{By: by}, set)}}
	for _, alpha := range c.Alphas {
		rule := hierarchy.ParentWise{Parents: c.PerLevel, By: by}
		list = append(list, search{byPrior(alpha), along(h, hierarchy.Prior{Rule: rule, Alpha: alpha, By: by}, set)})
	}
	return list
}

// try compares all searches on each kind of structures.
func (r *Results) try(ctx context.Context, job *run.Job) error {
	c := r.Config
	c.Change = c.Changes[len(c.Changes)-1]
	rules := []string{parentWise, familyWise, literal}
	var scenes []*scene
	for _, rule := range rules {
		s, err := newScene(c, rule, job.Seed)
		if err != nil {
			return err
		}
		h, err := s.tree.hierarchy()
		if err != nil {
			return err
		}
		s.searches = append(s.searches, moreSearches(h, c, job.Seed)...)
		t := &Trial{Rule: rule}
		for _, how := range s.searches {
			t.Searches, t.Outcomes = append(t.Searches, how.name), append(t.Outcomes, make([]outcome, c.SearchRuns))
		}
		scenes, r.Trials = append(scenes, s), append(r.Trials, t)
	}
	return job.Replicates(ctx, "compare more searches", len(rules)*c.SearchRuns,
		func(replicate int, _ *rand.PCG) error {
			k, at := replicate%len(rules), replicate/len(rules)
			outcomes, err := scenes[k].once(ctx, origin{job, trialStreams, replicate})
			for i, o := range outcomes {
				r.Trials[k].Outcomes[i][at] = o
			}
			return err
		})
}

// trialTable is what all searches find, by kind of structures.
func (r *Results) trialTable() *run.Table {
	t := run.NewTable("structures", "search", "accuracy", "precision", "recall", "parents_per_child", "stderr_accuracy",
		"stderr_precision", "stderr_recall", "violating_links", "runs")
	for _, trial := range r.Trials {
		for i, name := range trial.Searches {
			var mean, stderr [3]float64
			for m, one := range measures {
				mean[m], stderr[m] = meanError(values(trial.Outcomes[i], one.of))
			}
			parents, _ := meanError(values(trial.Outcomes[i], parentsOf))
			broken, _ := meanError(values(trial.Outcomes[i], brokenOf))
			t.Append(trial.Rule, name, mean[0], mean[1], mean[2], parents, stderr[0], stderr[1], stderr[2], broken,
				len(trial.Outcomes[i]))
		}
	}
	return t
}

// brokenOf is the number of violating links of a network.
func brokenOf(o outcome) float64 { return float64(o.Broken) / 2 }
