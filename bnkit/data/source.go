package data

import (
	"context"

	"bnlab/bnkit/bn"
)

// A Source provides cases: a [Table] in memory, or a table of a database
// (package sqldata). Learners and searches ask it for sums over rows and never for the
// rows, so it may be larger than memory.
type Source interface {
	// Variables are those of the columns, in their order. States are numbered as in them.
	Variables() []bn.Variable
	// TotalWeight is the number of rows, or the sum of their weights.
	TotalWeight() float64
	// CountFamilies counts all families in as few passes as the source can. Errors are those
	// of the function CountFamilies, and of the source. A done context ends it with its error.
	CountFamilies(ctx context.Context, families []Family, opts *CountOptions) ([]FamilyCounts, error)
	// DistinctRows returns the different rows of the named columns with their weights, missing
	// cells included. Without names it takes all columns.
	DistinctRows(ctx context.Context, names ...string) (*Table, error)
}

var _ Source = (*Table)(nil)

// CountFamilies counts the rows for the given families in one pass, like the function
// [CountFamilies].
func (t *Table) CountFamilies(ctx context.Context, families []Family, opts *CountOptions) ([]FamilyCounts, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return countFamilies(t, families, opts)
}

// DistinctRows returns the different rows of the named columns, in the order of their first
// appearance, each with the sum of the weights of its copies; see [Table.Distinct].
func (t *Table) DistinctRows(ctx context.Context, names ...string) (*Table, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return t.Distinct(), nil
	}
	part, err := t.Keep(names...)
	if err != nil {
		return nil, err
	}
	return part.Distinct(), nil
}
