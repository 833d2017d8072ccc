package structure

import (
	"context"
	"slices"

	"bnlab/bnkit/bn"
)

// requiring scores families of which each has some parents without being asked.
type requiring struct {
	of    Families
	fixed []int // ascending
}

// require returns s with parents that every family has.
func require(s Families, fixed []int) Families {
	if len(fixed) == 0 {
		return s
	}
	return requiring{s, fixed}
}

// Variables implements [Families].
func (r requiring) Variables() []bn.Variable { return r.of.Variables() }

// Families implements [Families].
func (r requiring) Families(ctx context.Context, child int, sets [][]int) ([]float64, error) {
	whole := make([][]int, len(sets))
	for i, set := range sets {
		whole[i] = union(set, r.fixed)
	}
	return r.of.Families(ctx, child, whole)
}

// union returns the members of two ascending sets, ascending.
func union(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}
