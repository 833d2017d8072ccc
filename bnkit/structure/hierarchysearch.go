package structure

import (
	"context"
	"fmt"

	"bnlab/bnkit/data"
)

// A HierarchicalSearch looks for the parents of the variables of a hierarchy, composites
// included. [FamilyWise], [RelaxedFamilyWise], [ParentWise] and [HierarchyPrior] are those there are.
type HierarchicalSearch interface {
	search(ctx context.Context, r *hierarchyRun) (Links, error)
	assumption() HierarchyRule
	String() string
}

// LearnHierarchical looks for the parents of each variable of a hierarchy in the slice before, in
// cases that are pairs of slices, as [Transitions] makes them of series: columns
// [dbn.At](name, 0) and [dbn.At](name, 1) for each name. Any variable, itself included, may be a
// parent as far as the search and the rules let it (B06 §3: no links within a slice, so no
// cycles). Rules name variables with their slices; required arcs are in every family beside what
// the search finds. Nil settings mean the defaults, a nil search ParentWise{}.
//
// It returns an error for a variable of the cases that is not in the hierarchy, one of the
// hierarchy that is not in the cases (composites too, see [Aggregate]; both wrap
// [bn.ErrUnknownVariable]), a continuous one ([bn.ErrNotDiscrete]), rules it cannot keep, and what the
// score and the search of parents return. A done context ends it with its error.
func LearnHierarchical(ctx context.Context, pairs data.Source, h *Hierarchy, score Score, how HierarchicalSearch,
	set *Settings) (*HierarchicalResult, error) {
	s, err := newScorer(pairs, score, set)
	if err != nil {
		return nil, err
	}
	return LearnHierarchicalFrom(ctx, s, h, how, set)
}

// LearnHierarchicalFrom is [LearnHierarchical] with the counts and the score of a scorer, to share
// counts between runs. Settings.Missing and Settings.Prior are not used.
func LearnHierarchicalFrom(ctx context.Context, s *Scorer, h *Hierarchy, how HierarchicalSearch,
	set *Settings) (*HierarchicalResult, error) {
	return learnHierarchical(ctx, s, h, how, nil, set)
}

// LearnHierarchicalStatic looks for the parents of each variable of a hierarchy among the others, in
// cases with a column for each name, composites included. acyclic says how cycles are kept out; nil
// means ByRepair{}. Errors are those of [LearnHierarchical].
func LearnHierarchicalStatic(ctx context.Context, src data.Source, h *Hierarchy, score Score, how HierarchicalSearch,
	acyclic Acyclic, set *Settings) (*HierarchicalResult, error) {
	s, err := newScorer(src, score, set)
	if err != nil {
		return nil, err
	}
	if acyclic == nil {
		acyclic = ByRepair{}
	}
	return learnHierarchical(ctx, s, h, how, acyclic, set)
}

func learnHierarchical(ctx context.Context, s *Scorer, h *Hierarchy, how HierarchicalSearch, acyclic Acyclic,
	set *Settings) (*HierarchicalResult, error) {
	if h == nil || s == nil {
		return nil, fmt.Errorf("structure: a hierarchical search needs a scorer and a hierarchy")
	}
	if how == nil {
		how = ParentWise{}
	}
	r, err := newHierarchyRun(s, h, acyclic, set)
	if err != nil {
		return nil, err
	}
	links, err := how.search(ctx, r)
	if err != nil {
		return nil, err
	}
	res, err := r.result(ctx, s, how, links)
	if err == nil {
		r.progress(Progress{Done: 1, Score: res.Score, What: "done"})
	}
	return res, err
}

// newScorer returns the scorer of a run.
func newScorer(src data.Source, score Score, set *Settings) (*Scorer, error) {
	if set == nil {
		set = &Settings{}
	}
	return NewScorer(src, score, &ScorerOptions{Missing: set.Missing, Prior: set.Prior, Workers: set.Workers})
}

// searchOrDefault is the search of parents where none is given.
func searchOrDefault(by ParentSearch) ParentSearch {
	if by == nil {
		return ByCandidates{}
	}
	return by
}
