package incomplete

import (
	"context"
	"errors"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// expected is a source of expected counts.
type expected struct {
	vars   []bn.Variable // hidden ones among them
	index  map[string]int
	weight float64 // of all cases
	count  func(families [][]int) ([][]float64, error)
}

var _ data.Source = (*expected)(nil)

// Variables implements [data.Source].
func (e *expected) Variables() []bn.Variable { return e.vars }

// TotalWeight implements [data.Source].
func (e *expected) TotalWeight() float64 { return e.weight }

// CountFamilies implements [data.Source] by expected counts.
func (e *expected) CountFamilies(ctx context.Context, families []data.Family, _ *data.CountOptions) (
	[]data.FamilyCounts, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, asked := make([]data.FamilyCounts, len(families)), make([][]int, len(families))
	for i, f := range families {
		cards := make([]int, len(f.Parents))
		for j, name := range append(f.Parents[:len(f.Parents):len(f.Parents)], f.Child) {
			v, ok := e.index[name]
			if !ok {
				return nil, say.Errorf("incomplete: %w %q", bn.ErrUnknownVariable, name)
			}
			if asked[i] = append(asked[i], v); j < len(cards) {
				cards[j] = e.vars[v].Cardinality()
			}
		}
		var err error
		if out[i].Configs, err = bn.NewConfigs(cards...); err != nil {
			return nil, say.Errorf("incomplete: %w", err)
		}
	}
	counts, err := e.count(asked)
	for i, n := range counts {
		out[i].N = n
	}
	return out, err
}

// DistinctRows implements [data.Source]: there are none.
func (e *expected) DistinctRows(context.Context, ...string) (*data.Table, error) {
	return nil, errors.New("incomplete: expected counts have no rows; take the table that they are of")
}
