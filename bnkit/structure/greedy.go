package structure

import (
	"context"
	"math"
	"slices"

	"bnlab/bnkit/structure/internal/count"
	"bnlab/bnkit/structure/internal/rounding"
)

// GreedyParents is hill climbing over the parents of one child: from no parents, it makes the best
// addition of a candidate or removal of a parent as long as the score rises. It takes one batch of
// families per change, and one more.
//
// Additions whose table would have more than 2²⁴ entries are skipped. Ties are broken in favour of
// removals, and then of the first candidate. (B06 §2, "flat structure search", without reversals.)
type GreedyParents struct{}

var _ ParentSearch = GreedyParents{}

// String describes the search.
func (GreedyParents) String() string { return "greedy climb" }

// Parents implements [ParentSearch]. The limit bounds additions.
func (GreedyParents) Parents(ctx context.Context, s Families, child int, candidates []int, limit int) (Parents, error) {
	candidates, limit, err := candidatesOf(s, child, candidates, limit)
	if err != nil {
		return Parents{}, err
	}
	scores, err := s.Families(ctx, child, [][]int{{}})
	if err != nil {
		return Parents{}, err
	}
	return ascend(ctx, s, child, candidates, limit, Parents{Set: []int{}, Score: scores[0], Scored: 1, By: "greedy"})
}

// ascend goes greedily upwards from a set of parents.
func ascend(ctx context.Context, s Families, child int, candidates []int, limit int, at Parents) (Parents, error) {
	came := -1 // the last change is not looked at again: undoing it leads back
	for {
		var sets [][]int
		var changed []int
		for _, p := range at.Set {
			if p != came {
				sets, changed = append(sets, minus(at.Set, p)), append(changed, p)
			}
		}
		if len(at.Set) < limit {
			for _, c := range candidates {
				if _, isParent := slices.BinarySearch(at.Set, c); isParent || c == came {
					continue
				}
				if set := plus(at.Set, c); cellsOf(s, child, set) <= count.MaxCells {
					sets, changed = append(sets, set), append(changed, c)
				}
			}
		}
		scores, err := scored(ctx, s, child, sets)
		if err != nil {
			return Parents{}, err
		}
		at.Scored += len(sets)
		best, bestScore := -1, math.Inf(-1)
		for i, score := range scores {
			if rounding.IsBetter(score, bestScore) {
				best, bestScore = i, score
			}
		}
		if best < 0 || !rounding.IsBetter(bestScore, at.Score) {
			return at, nil
		}
		at.Set, at.Score, came = sets[best], bestScore, changed[best]
	}
}
