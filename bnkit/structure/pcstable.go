package structure

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bnlab/bnkit/structure/internal/independence"
)

// PCStable searches by tests of independence. All pairs start joined; a pair is separated when it is independent given
// some of the neighbours of one of the two, of which more and more are given; what was a neighbour before the sets
// grew counts, so the order of the columns does not matter (Colombo and Maathuis 2014). Then arcs are directed: as
// rules and tiers demand, as v-structures, those first whose ends are separated by the largest p-value, and as follows
// by Meek's rules (1995). Arcs that remain open get directions without a new v-structure, so the graph is one member
// of the Markov equivalence class that was found; Result.DAG.CPDAG shows the class, and Result.PairTests the tests.
//
// Deviation: pcalg and bnlearn take the set that separates a pair first, which depends on the order of the columns
// where several do; here sets of strong neighbours come first, and of the two sides the larger p-value counts.
//
// The score of the result is that of Search's settings; it had no part in the search.
type PCStable struct {
	IndependenceTests
	// FDR controls the false discovery rate of joined pairs at the level Alpha, by the limits of Benjamini and
	// Hochberg (1995; for this search Li and Wang 2009), in place of the error of each test.
	FDR bool
}

var _ Search = PCStable{}

// String describes the search.
func (c PCStable) String() string {
	s := "PC-stable, " + c.IndependenceTests.String()
	if c.FDR {
		s += ", false discovery rate"
	}
	return s
}

// search implements [Search]. It returns errors for settings out of range, cases that were intervened on, and those of
// the source.
func (c PCStable) search(ctx context.Context, p *task) (*outcome, error) {
	t, err := newTesting(c.IndependenceTests, p, "PCStable")
	if err != nil {
		return nil, err
	}
	set := t.settings("tests of independence")
	set.FDR = c.FDR
	skeleton, err := independence.PCStable(ctx, len(p.Scorer.vars), t, p.Limits, set)
	if err != nil {
		return nil, err
	}
	pattern := skeleton.Orient(p.Limits, set.Rank)
	open := pattern.Undirected()
	parents, left := pattern.Member()
	found := &outcome{Parents: parents, Notes: skeletonNotes(skeleton), Tests: pairTests(p.Scorer, skeleton)}
	if n := pattern.Contradicted; n > 0 {
		found.Notes = append(found.Notes, fmt.Sprintf("%d v-structures were contradicted by others or by rules, and "+
			"left out", n))
	}
	if left > 0 {
		found.Notes = append(found.Notes, fmt.Sprintf("%d arcs fitted in neither direction, and were left out", left))
	}
	if len(open) > 0 {
		found.Notes = append(found.Notes, fmt.Sprintf("%d arcs could point either way", len(open)))
	}
	if n := p.weakest(parents, skeleton); n > 0 {
		found.Notes = append(found.Notes, fmt.Sprintf("MaxParents left out the %d arcs with the largest p-values", n))
	}
	return found, nil
}

// weakest removes from variables with too many parents those with the largest p-values.
func (p *task) weakest(parents [][]int, skeleton *independence.Skeleton) (removed int) {
	for v, ps := range parents {
		for len(ps) > p.Limits.MaxParents {
			free := slices.DeleteFunc(slices.Clone(ps), func(u int) bool { return p.Limits.IsRequired(u, v) })
			weak := slices.MaxFunc(free, func(a, b int) int {
				return cmp.Compare(skeleton.Pair(a, v).P, skeleton.Pair(b, v).P)
			})
			ps = slices.DeleteFunc(ps, func(u int) bool { return u == weak })
			removed++
		}
		parents[v] = ps
	}
	return removed
}
