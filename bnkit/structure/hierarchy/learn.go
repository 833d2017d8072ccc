package hierarchy

import (
	"context"
	"fmt"

	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// A Search searches for the parents of the variables of a hierarchy, composites included:
// [FamilyWise], [ParentWise] or [Prior].
type Search interface {
	search(ctx context.Context, r *run) (Links, error)
	assumption() Rule
	String() string
}

// Learn learns the parents of each variable of a hierarchy in the previous slice, from
// cases that are pairs of slices, as [dbn.Series.Transitions] returns: columns
// [dbn.At](name, 0) and [dbn.At](name, 1) for each name. Any variable, itself included, may be a
// parent if the search and the rules allow it (B06 §3: no links within a slice, so no
// cycles). Rules name variables with their slices; required arcs are in every family beside what
// the search finds. Nil settings mean the defaults, a nil search ParentWise{}.
//
// It returns an error for a variable of the cases that is not in the hierarchy, one of the
// hierarchy that is not in the cases (composites too, see [Hierarchy.Aggregate]; both wrap
// [bn.ErrUnknownVariable]), a continuous one ([bn.ErrNotDiscrete]), rules it cannot keep, and what the
// score and the search of parents return. A done context ends it with its error.
func (h *Hierarchy) Learn(ctx context.Context, pairs data.Source, score structure.Score, how Search,
	set *structure.Settings) (*Result, error) {
	s, err := newScorer(pairs, score, set)
	if err != nil {
		return nil, err
	}
	return h.LearnFrom(ctx, s, how, set)
}

// LearnFrom is [Hierarchy.Learn] with the counts and the score of a scorer, to share
// counts between runs. Settings.Missing and Settings.Prior are not used.
func (h *Hierarchy) LearnFrom(ctx context.Context, s *structure.Scorer, how Search,
	set *structure.Settings) (*Result, error) {
	return learn(ctx, s, h, how, false, nil, set)
}

// LearnStatic learns the parents of each variable of a hierarchy among the others, from
// cases with a column for each name, composites included. Arcs point only from earlier to later variables of an
// order, which names all, composites too; [Hierarchy.Names] is one.
//
// With a nil order the search ignores cycles. After each level a repair operator (B06 §2.2) drops from each cycle the
// arc whose loss lowers its child's score least, until no cycle is left. Arcs that then violate the search's
// assumption are dropped too; all are in [Result].Dropped. Errors are those of [Hierarchy.Learn].
func (h *Hierarchy) LearnStatic(ctx context.Context, src data.Source, score structure.Score, how Search,
	order []string, set *structure.Settings) (*Result, error) {
	s, err := newScorer(src, score, set)
	if err != nil {
		return nil, err
	}
	return learn(ctx, s, h, how, true, order, set)
}

func learn(ctx context.Context, s *structure.Scorer, h *Hierarchy, how Search, static bool, order []string,
	set *structure.Settings) (*Result, error) {
	if h == nil || s == nil {
		return nil, fmt.Errorf("hierarchy: a search needs a scorer and a hierarchy")
	}
	if how == nil {
		how = ParentWise{}
	}
	r, err := newRun(s, h, static, order, set)
	if err != nil {
		return nil, err
	}
	links, err := how.search(ctx, r)
	if err != nil {
		return nil, err
	}
	res, err := r.result(ctx, s, how, links)
	if err == nil {
		r.progress(structure.Progress{Done: 1, Score: res.Score, What: "done"})
	}
	return res, err
}

// newScorer returns the scorer of a run.
func newScorer(src data.Source, score structure.Score, set *structure.Settings) (*structure.Scorer, error) {
	if set == nil {
		set = &structure.Settings{}
	}
	s, err := structure.NewScorer(src, score,
		&structure.ScorerOptions{Missing: set.Missing, Prior: set.Prior, Workers: set.Workers})
	if err != nil {
		return nil, err
	}
	return s, s.Discrete()
}

// searchOrDefault is the search of parents where none is given.
func searchOrDefault(by structure.ParentSearch) structure.ParentSearch {
	if by == nil {
		return structure.ByCandidates{}
	}
	return by
}
