package hierarchy

import (
	"context"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
)

// termed is family scores with a term for the set of parents.
type termed struct {
	of   structure.Families
	term func(parents []int) float64
}

func (t termed) Variables() []bn.Variable { return t.of.Variables() }

func (t termed) Families(ctx context.Context, child int, sets [][]int) ([]float64, error) {
	scores, err := t.of.Families(ctx, child, sets)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(scores)
	for k, set := range sets {
		out[k] += t.term(set)
	}
	return out, nil
}

// sizeGap is more than scores differ by, and little enough to leave them seven decimals.
const sizeGap = 1e9

// ofSize holds sets of other sizes far below.
func (r *run) ofSize(size int) structure.Families {
	return termed{r.scores, func(parents []int) float64 {
		gap := len(parents) - size
		return -sizeGap * float64(max(gap, -gap))
	}}
}

// withTerm adds a term that depends on the parents by their numbers in the hierarchy.
func (r *run) withTerm(term func(parents []int) float64) structure.Families {
	return termed{r.scores, func(parents []int) float64 { return term(r.variables(parents)) }}
}

// obeying holds sets of parents of j that break the rule far below; the rule looks at no other
// child's parents. (B06 §2.2: the prior for a large α.)
func (r *run) obeying(rule Rule, j int) structure.Families {
	return r.withTerm(func(parents []int) float64 {
		links := make(Links, r.h.Len())
		links[j] = parents
		return -sizeGap * float64(r.h.violationsOf(rule, links, j))
	})
}
