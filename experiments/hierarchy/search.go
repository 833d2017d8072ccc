package hierarchy

import (
	"context"

	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
)

// Names of the searches, as tables have them.
const (
	flat = "flat"
	rfw  = familyWise
	pw   = parentWise
)

// A search learns the parents of every variable from a scorer of pairs.
type search struct {
	name string
	run  func(ctx context.Context, s *structure.Scorer) (*found, error)
}

// found are the parents by child, with the score of each family, how many families were looked at, and how
// many times parents were looked for by which kind of search.
type found struct {
	graph  graph
	scores []float64
	scored int
	by     map[string]int
}

// newSearches returns flat, rfw and pw over a hierarchy, whose variables stand in the pairs in its order. All
// three find at most so many parents of a child.
func newSearches(h *hierarchy.Hierarchy, c Config, most int, seed uint64, workers int) []search {
	set := &structure.Settings{Workers: workers, Rules: &structure.Rules{MaxParents: most}}
	by := structure.ByCandidates{Anneal: structure.AnnealParents{Seed: seed, Moves: c.Moves}}
	return []search{
		{flat, func(ctx context.Context, s *structure.Scorer) (*found, error) {
			r, err := s.LearnDynamic(ctx, structure.GreedyParents{}, set)
			if err != nil {
				return nil, err
			}
			f := &found{scored: r.Scored, by: make(map[string]int)}
			for _, p := range r.Parents {
				f.graph, f.scores = append(f.graph, p.Set), append(f.scores, p.Score)
				f.by[p.By]++
			}
			return f, nil
		}},
		{rfw, along(h, hierarchy.FamilyWise{Relaxed: true, By: by, SameLevel: true}, set)},
		{pw, along(h, hierarchy.ParentWise{Parents: c.PerLevel, By: by}, set)},
	}
}

// along is a search along a hierarchy.
func along(h *hierarchy.Hierarchy, how hierarchy.Search, set *structure.Settings) func(context.Context,
	*structure.Scorer) (*found, error) {
	return func(ctx context.Context, s *structure.Scorer) (*found, error) {
		r, err := h.LearnFrom(ctx, s, how, set)
		if err != nil {
			return nil, err
		}
		f := &found{graph: graph(r.Links), by: make(map[string]int)}
		for _, family := range r.Families {
			f.scores = append(f.scores, family.Score)
		}
		for _, pass := range r.Passes {
			f.scored += pass.Scored
			for search, families := range pass.By {
				f.by[search] += families
			}
		}
		return f, nil
	}
}
