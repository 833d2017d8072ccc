package posterior

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// A family is a set of parents, as bits, and exp of its score, relative to the best one of the child.
type family struct {
	set    uint64
	weight wide
}

// families are all families of each child that the rules allow, best first, and the logarithm that was taken out
// of their product.
type families struct {
	of    [][]family
	scale float64
}

// mostFamilies bounds the families that are scored in all.
const mostFamilies = 8 << 20

// batch is the most families that are scored at a time.
const batch = 4096

// parentsFor is the bound on parents when the rules have none.
func parentsFor(n int) int {
	switch {
	case n <= 8:
		return max(n-1, 0)
	case n <= 20:
		return 4
	}
	return 3
}

// score scores all families.
func (t *task) score(ctx context.Context) (*families, error) {
	n := len(t.vars)
	total := 0.0
	for v := range n {
		total += countSets(len(t.candidates(v)), t.limits.MaxParents-len(t.limits.Required[v]))
	}
	if total > mostFamilies {
		return nil, fmt.Errorf("posterior: %d variables with at most %d parents have %.3g families, and at most %d "+
			"are scored; lower Rules.MaxParents, or forbid arcs", n, t.limits.MaxParents, total, mostFamilies)
	}
	f := &families{of: make([][]family, n)}
	highs, errs := make([]float64, n), make([]error, n)
	pool.Each(n, t.workers, func(v int) {
		f.of[v], highs[v], errs[v] = t.list(ctx, v)
		t.report(0.3*float64(v+1)/float64(n), "families")
	})
	for v, err := range errs {
		switch {
		case err != nil:
			return nil, err
		case len(f.of[v]) == 0:
			return nil, say.Errorf("posterior: no set of parents of %q within the rules has a score above −∞",
				t.vars[v].Name)
		}
		f.scale += highs[v]
	}
	return f, nil
}

// candidates are the variables that may be parents of v and need not be.
func (t *task) candidates(v int) []int {
	var out []int
	for u := range t.vars {
		if u != v && t.limits.Allowed(u, v) && !t.limits.IsRequired(u, v) {
			out = append(out, u)
		}
	}
	return out
}

// list returns the families of one child whose score is above −∞, best first, and the best score.
func (t *task) list(ctx context.Context, v int) ([]family, float64, error) {
	fixed := t.limits.Required[v]
	sets := subsets(t.candidates(v), t.limits.MaxParents-len(fixed))
	for i, set := range sets {
		if len(fixed) > 0 {
			sets[i] = append(slices.Clone(set), fixed...)
			slices.Sort(sets[i])
		}
	}
	scores := make([]float64, 0, len(sets))
	for part := range slices.Chunk(sets, batch) {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		some, err := t.from.Families(ctx, v, part)
		if err != nil {
			return nil, 0, err
		}
		scores = append(scores, some...)
	}
	high := math.Inf(-1)
	for i, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 1) {
			return nil, 0, say.Errorf("posterior: the score of %q given the parents %v is %v; scores must be numbers, "+
				"or −∞ for what cannot be", t.vars[v].Name, t.names(sets[i]), s)
		}
		high = max(high, s)
	}
	var list []family
	for i, s := range scores {
		if !math.IsInf(s, -1) {
			set := uint64(0)
			for _, p := range sets[i] {
				set |= 1 << p
			}
			list = append(list, family{set, wideExp(s - high)})
		}
	}
	slices.SortFunc(list, compareFamilies)
	return list, high, nil
}

// compareFamilies sorts the best first.
func compareFamilies(a, b family) int {
	return cmp.Or(cmp.Compare(b.weight.e, a.weight.e), cmp.Compare(b.weight.m, a.weight.m), cmp.Compare(a.set, b.set))
}

// names of variables by number.
func (t *task) names(of []int) []string {
	out := make([]string, len(of))
	for i, v := range of {
		out[i] = t.vars[v].Name
	}
	return out
}

// subsets lists the subsets of ascending items with at most limit members; those with the same members but the last
// stand together, as [structure.Families] counts them fastest.
func subsets(items []int, limit int) [][]int {
	out := [][]int{{}}
	from := 0
	for size := 1; size <= min(limit, len(items)); size++ {
		to := len(out)
		for _, set := range out[from:to] {
			for _, x := range items {
				if len(set) == 0 || x > set[len(set)-1] {
					out = append(out, append(slices.Clone(set), x))
				}
			}
		}
		from = to
	}
	return out
}

// countSets is the number of subsets.
func countSets(n, limit int) float64 {
	total, sets := 0.0, 1.0
	for k := 0; k <= min(limit, n); k++ {
		total += sets
		sets *= float64(n-k) / float64(k+1)
	}
	return math.Round(total)
}

// members are the places of the bits, ascending.
func members(set uint64) []int {
	out := make([]int, 0, bits.OnesCount64(set))
	for ; set != 0; set &= set - 1 {
		out = append(out, bits.TrailingZeros64(set))
	}
	return out
}
