package hierarchy

import (
	"context"
	"fmt"
	"slices"

	"bnlab/bnkit/structure"
)

// FamilyWise is the family-wise assumption and the search under it (B06 §2.2): X_i may be a
// parent of X_j only in the same level, and only when an h-parent of X_i is a parent of an h-parent
// of X_j,
//
//	I(Λ^{X_i}, Λ^{X_j}) = 1 and Λ_i = Λ_j
//
// Levels are searched from the top, each under the links found above it.
type FamilyWise struct {
	By structure.ParentSearch // nil means structure.ByCandidates{}
	// Relaxed makes it RFW-Hier, in which a variable's h-parents and h-children may be its parents too
	// (B06 §2.2):
	//
	//	I(Λ^{X_i}, Λ^{X_j}) = 1 or X_i ∈ Λ_{X_j} ∪ Λ^{X_j}
	//
	// As written this drops the condition on levels altogether: every variable without h-parents
	// may be a parent of any, and any of it. That is the default.
	Relaxed bool
	// SameLevel keeps, where Relaxed, the family-wise condition that other parents are of the child's level,
	// the narrower reading of the paper.
	SameLevel bool
}

var (
	_ Search = FamilyWise{}
	_ Rule   = FamilyWise{}
)

// Allows reports whether the assumption lets parent be a parent of child.
func (f FamilyWise) Allows(h *Hierarchy, links Links, parent, child int) bool {
	if f.Relaxed && (slices.Contains(h.below[child], parent) || slices.Contains(h.above[child], parent)) {
		return true
	}
	return (f.Relaxed && !f.SameLevel || h.level[parent] == h.level[child]) &&
		isLinked(links, h.above[parent], h.above[child])
}

func (f FamilyWise) String() string {
	kind := "family-wise search"
	if f.Relaxed {
		kind = "relaxed family-wise search (RFW-Hier)"
		if f.SameLevel {
			kind += ", within a level but for h-parents and h-children"
		}
	}
	return fmt.Sprintf("%s, parents by %s", kind, searchOrDefault(f.By))
}

func (f FamilyWise) search(ctx context.Context, r *run) (Links, error) {
	return r.byLevels(ctx, f, searchOrDefault(f.By))
}

func (f FamilyWise) assumption() Rule { return f }

// byLevels searches the parents of the variables of each level among those that the rule allows
// given the links of the levels above.
func (r *run) byLevels(ctx context.Context, rule Rule, by structure.ParentSearch) (Links, error) {
	links := make(Links, r.h.Len())
	r.expect(r.h.Len())
	for level := 1; level <= r.h.Levels(); level++ {
		children := r.h.Level(level)
		report := r.report(fmt.Sprintf("level %d", level))
		err := r.each(len(children), func(k int) error {
			j := children[k]
			var err error
			links[j], err = r.best(ctx, report, r.scores, by, j, r.h.Legal(rule, links, j), r.limit(j))
			return err
		})
		if err != nil {
			return nil, err
		}
		if err := r.mend(ctx, links, rule); err != nil {
			return nil, err
		}
	}
	return links, nil
}
