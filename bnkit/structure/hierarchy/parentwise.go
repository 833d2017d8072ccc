package hierarchy

import (
	"context"
	"fmt"

	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/internal/require"
)

// ParentWise, PW-Hier, is the parent-wise assumption and the search under it (B06 §2.2): X_i may be
// a parent of X_j only when an h-parent of X_i is,
//
//	I(Λ^{X_i}, X_j) = 1
//
// For each child the levels are searched from the top. The best set of at most Parents
// variables of a level is recorded and removed, so that sets of different levels are not scored
// together; in the next level those with a recorded h-parent are legal. The last pass finds the best
// subset of all that was recorded.
type ParentWise struct {
	Parents int                    // n, of each level; 0 means 3
	By      structure.ParentSearch // nil means structure.ByCandidates{}
	// Exactly takes the best set of exactly n legal parents, all of them when there are
	// fewer. The paper says “set of n legal parents”, and “at most n × levels” in all; the
	// default is the best set of at most n. Annealing and hill climbing then only add.
	Exactly bool
	// Obedient restricts the last pass to sets that satisfy the assumption themselves. By
	// default it may return any recorded subset, also a parent without its h-parent.
	Obedient bool
}

var (
	_ Search = ParentWise{}
	_ Rule   = ParentWise{}
)

// Allows reports whether the assumption lets parent be a parent of child.
func (p ParentWise) Allows(h *Hierarchy, links Links, parent, child int) bool {
	return isLinked(links, h.above[parent], []int{child})
}

func (p ParentWise) String() string {
	most, last := "at most", "any recorded set"
	if p.Exactly {
		most = "exactly"
	}
	if p.Obedient {
		last = "a set that obeys the assumption"
	}
	return fmt.Sprintf("parent-wise search (PW-Hier), %s %d parents a level, %s in the last pass, parents by %s", most,
		p.parents(), last, searchOrDefault(p.By))
}

func (p ParentWise) assumption() Rule { return p }

func (p ParentWise) parents() int {
	if p.Parents == 0 {
		return 3
	}
	return p.Parents
}

func (p ParentWise) search(ctx context.Context, r *run) (Links, error) {
	if p.Parents < 0 {
		return nil, fmt.Errorf("hierarchy: parent-wise search with %d parents a level; it needs at least 1, and 0 "+
			"means 3", p.Parents)
	}
	h, by := r.h, searchOrDefault(p.By)
	var reports []*Pass
	for level := 1; level <= h.Levels(); level++ {
		reports = append(reports, r.report(fmt.Sprintf("parents of level %d", level)))
	}
	last := r.report("last pass")
	r.expect(h.Len() * (h.Levels() + 1))
	links := make(Links, h.Len())
	err := r.each(h.Len(), func(j int) error {
		recorded := make(Links, h.Len()) // of j only
		recorded[j] = r.required[j]
		for level := 1; level <= h.Levels(); level++ {
			var legal []int
			for _, i := range h.Level(level) {
				if p.Allows(h, recorded, i, j) {
					legal = append(legal, i)
				}
			}
			scores := r.scores
			if p.Exactly {
				scores = r.ofSize(len(r.required[j]) + min(p.parents(), len(r.candidates(j, legal))))
			}
			found, err := r.best(ctx, reports[level-1], scores, by, j, legal, p.parents())
			if err != nil {
				return err
			}
			recorded[j] = require.Union(recorded[j], found)
		}
		scores := r.scores
		if p.Obedient {
			scores = r.obeying(p, j)
		}
		var err error
		links[j], err = r.best(ctx, last, scores, by, j, recorded[j], r.limit(j))
		return err
	})
	if err != nil {
		return nil, err
	}
	if p.Obedient {
		return links, r.mend(ctx, links, p)
	}
	return links, r.mend(ctx, links, nil)
}
