package learn

import (
	"errors"
	"fmt"

	"bnlab/bnkit/bn"
)

// FamilyCounts returns the observed counts behind the table of a variable, in the
// order of its entries; nil when the network was not fitted to counts.
func (r *Result) FamilyCounts(name string) ([]float64, error) {
	v, err := r.discrete(name)
	if err != nil || r.Counts == nil {
		return nil, err
	}
	lo, hi := r.Net.Layout().Family(v)
	return r.Counts[lo:hi:hi], nil
}

// RowStatements returns, for each parent configuration of a variable, the sentences
// of the statements that bind it.
func (r *Result) RowStatements(name string) ([][]string, error) {
	v, err := r.discrete(name)
	if err != nil {
		return nil, err
	}
	rows := make([][]string, r.Net.CPT(v).Configs().Len())
	for _, s := range r.Statements {
		bounds, err := s.Bind(r.Net)
		if err != nil {
			return nil, fmt.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			for _, row := range b.Links {
				if row.Var == v {
					rows[row.Config] = append(rows[row.Config], s.String())
				}
			}
		}
	}
	return rows, nil
}

func (r *Result) discrete(name string) (int, error) {
	if r == nil || r.Net == nil {
		return 0, errors.New("learn: there is no network in the result")
	}
	v, err := r.Net.Index(name)
	if err != nil {
		return 0, fmt.Errorf("learn: %w", err)
	}
	if r.Net.CPT(v) == nil {
		return 0, fmt.Errorf("learn: %q: %w", name, bn.ErrNotDiscrete)
	}
	return v, nil
}
