package structure

import (
	"context"
	"fmt"
	"math"

	"bnlab/bnkit/structure/internal/rounding"
	"bnlab/internal/say"
)

// Exhaustive tries all sets of candidates, or as many as it must: a set and all that contain
// it are left out when a bound proves that none of them can win (see [bounded]). Sets are tried
// by their number of parents, those of one number in one batch, and in lexicographic order; of
// sets with equal scores the first one is the result, so that there are no parents that add
// nothing.
type Exhaustive struct {
	// MaxSets is the largest number of sets, before any is left out; 0 means 1,048,576, which is
	// 20 candidates without a limit on the number of parents, or 184 with a limit of 3.
	MaxSets int
	// DisablePruning tries all sets, to prove that the bound leaves out none too many.
	DisablePruning bool
}

var _ ParentSearch = Exhaustive{}

// String describes the search.
func (e Exhaustive) String() string {
	if e.DisablePruning {
		return "all sets of parents, none left out"
	}
	return "all sets of parents"
}

// defaultMaxSets is the default of Exhaustive.MaxSets.
const defaultMaxSets = 1 << 20

// Parents implements [ParentSearch]. It returns an error with both numbers when there are more
// sets than MaxSets.
func (e Exhaustive) Parents(ctx context.Context, s Families, child int, candidates []int, limit int) (Parents, error) {
	candidates, limit, err := candidatesOf(s, child, candidates, limit)
	if err != nil {
		return Parents{}, err
	}
	if e.MaxSets < 0 {
		return Parents{}, fmt.Errorf("structure: Exhaustive.MaxSets is %d; give a positive number, or 0 for %d",
			e.MaxSets, defaultMaxSets)
	}
	most := e.MaxSets
	if most == 0 {
		most = defaultMaxSets
	}
	if sets := countSets(len(candidates), limit); sets > float64(most) {
		return Parents{}, say.Errorf("structure: %q has %d candidate parents, which make %.4g sets of at most %d; "+
			"all sets are tried up to %d; bound the number of parents, raise Exhaustive.MaxSets, or search by "+
			"AnnealParents or GreedyParents",
			s.Variables()[child].Name, len(candidates), sets, limit, most)
	}
	bound := boundsOf(s, child)
	if e.DisablePruning {
		bound = nil
	}
	best := Parents{Score: math.Inf(-1), By: "exhaustive"}
	walk := &lattice{s: s, child: child, candidates: candidates, limit: limit, bound: bound}
	err = walk.run(ctx, func(set []int, score float64) {
		best.Scored++
		if rounding.IsBetter(score, best.Score) {
			best.Set, best.Score = set, score
		}
	}, func([]int) float64 { return best.Score })
	if err == nil && best.Set == nil {
		err = say.Errorf("structure: no set of parents of %q has a score above −∞", s.Variables()[child].Name)
	}
	return best, err
}

// countSets is the number of sets of at most limit out of n candidates, Σ_k C(n, k).
func countSets(n, limit int) float64 {
	total, sets := 0.0, 1.0
	for k := 0; k <= limit; k++ {
		total += sets
		sets *= float64(n-k) / float64(k+1)
	}
	return math.Round(total)
}

// A lattice walks through the sets of candidate parents of one child, from the empty set to larger
// ones.
type lattice struct {
	s          Families
	child      int
	candidates []int // ascending
	limit      int
	bound      *bounds // nil to leave out nothing
	most       int     // sets after which to give up; 0 for no bound
}

// run scores sets by their number of parents and, in that, lexicographically, and gives each to
// visit. A set is followed by those with a further, later candidate, unless a bound shows that none
// of them is better than the floor of the set: a score that a set of fewer parents is known to
// have.
func (l *lattice) run(ctx context.Context, visit func(set []int, score float64), floor func(set []int) float64) error {
	tried := 0
	for level, size := [][]int{{}}, 0; len(level) > 0; size++ {
		if tried += len(level); l.most > 0 && tried > l.most {
			return say.Errorf("structure: %q has %d candidate parents, which make more than %d sets of up to %d that "+
				"could be best; bound the number of parents (Rules.MaxParents), or raise MaxSets",
				l.s.Variables()[l.child].Name, len(l.candidates), l.most, size)
		}
		scores, highs, err := l.score(ctx, level)
		if err != nil {
			return err
		}
		for i, set := range level {
			visit(set, scores[i])
		}
		if size == l.limit {
			return nil
		}
		var next [][]int
		for i, set := range level {
			if highs == nil || rounding.IsBetter(highs[i], floor(set)) {
				next = l.extend(next, set, floor(set))
			}
		}
		level = next
	}
	return nil
}

// score returns the scores of sets, and with bounds by counts these too.
func (l *lattice) score(ctx context.Context, sets [][]int) (scores, highs []float64, err error) {
	if l.bound == nil || l.bound.sizesOnly {
		scores, err = scored(ctx, l.s, l.child, sets)
		return scores, nil, err
	}
	return l.bound.scored(ctx, sets)
}

// extend appends the sets with one more candidate, behind the last of the set, that sizes do not
// rule out.
func (l *lattice) extend(next [][]int, set []int, floor float64) [][]int {
	for _, c := range l.candidates {
		if len(set) > 0 && c <= set[len(set)-1] {
			continue
		}
		more := plus(set, c)
		if l.bound == nil || rounding.IsBetter(l.bound.bySize(more), floor) {
			next = append(next, more)
		}
	}
	return next
}
