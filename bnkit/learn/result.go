package learn

import (
	"errors"
	"fmt"

	"bnlab/bnkit/bn"
)

// FamilyCounts returns the observed counts behind the table of a variable, in the
// order of its entries; nil when the network was not fitted to counts.
func (r *Result) FamilyCounts(name string) ([]float64, error) {
	v, err := r.index(name)
	if err != nil {
		return nil, err
	}
	if r.Net.CPT(v) == nil {
		return nil, fmt.Errorf("learn: %q: %w", name, bn.ErrNotDiscrete)
	}
	if r.Counts == nil {
		return nil, nil
	}
	lo, hi := r.Net.Layout().Family(v)
	return r.Counts[lo:hi:hi], nil
}

// RowStatements returns, for each configuration of a variable's discrete parents, the sentences
// of the statements that bind it.
func (r *Result) RowStatements(name string) ([][]string, error) {
	v, err := r.index(name)
	if err != nil {
		return nil, err
	}
	var configs bn.Configs
	if t := r.Net.CPT(v); t != nil {
		configs = t.Configs()
	} else {
		configs = r.Net.Gaussian(v).Configs()
	}
	rows := make([][]string, configs.Len())
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

func (r *Result) index(name string) (int, error) {
	if r == nil || r.Net == nil {
		return 0, errors.New("learn: there is no network in the result")
	}
	v, err := r.Net.Index(name)
	if err != nil {
		return 0, fmt.Errorf("learn: %w", err)
	}
	return v, nil
}
