// Package require scores families that have some parents whatever a search finds.
package require

import (
	"context"
	"slices"

	"bnlab/bnkit/bn"
)

// Families are the scores of families, as structure.Families.
type Families interface {
	Variables() []bn.Variable
	Families(ctx context.Context, child int, sets [][]int) ([]float64, error)
}

// Scores are those of families of which each has some parents without being asked.
type Scores struct {
	Of    Families
	Fixed []int // ascending
}

// Parents returns s with parents that every family has.
func Parents(s Families, fixed []int) Families {
	if len(fixed) == 0 {
		return s
	}
	return Scores{s, fixed}
}

// Variables are those of the scores.
func (r Scores) Variables() []bn.Variable { return r.Of.Variables() }

// Families scores the child given each of the sets together with the fixed parents.
func (r Scores) Families(ctx context.Context, child int, sets [][]int) ([]float64, error) {
	whole := make([][]int, len(sets))
	for i, set := range sets {
		whole[i] = Union(set, r.Fixed)
	}
	return r.Of.Families(ctx, child, whole)
}

// Union returns the members of two ascending sets, ascending.
func Union(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}
