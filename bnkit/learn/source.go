package learn

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// countSource returns the counts of all tables of the network, as [data.Table.Count] does, from any source, by one
// query. Columns and states are found by name. It returns the errors of Table.Count and of the source.
func countSource(ctx context.Context, net *bn.Network, src data.Source, opts *data.CountOptions) (*data.Counts, error) {
	there := make(map[string]bn.Variable)
	for _, v := range src.Variables() {
		there[v.Name] = v
	}
	var families []data.Family
	var of []int // the variables whose tables they are
	for v := range net.Len() {
		if cpt := net.CPT(v); cpt != nil {
			f := data.Family{Child: cpt.Child.Name}
			for _, parent := range cpt.Parents {
				f.Parents = append(f.Parents, parent.Name)
			}
			families, of = append(families, f), append(of, v)
		}
	}
	found, err := src.CountFamilies(ctx, families, opts)
	if err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	c := &data.Counts{Layout: net.Layout(), Rows: src.TotalWeight(), Skipped: make([]float64, net.Len())}
	c.N = make([]float64, c.Layout.Len())
	for i, v := range of {
		c.Skipped[v] = found[i].Skipped
		if err := renumber(c.Family(v), net.CPT(v), found[i], there); err != nil {
			return nil, fmt.Errorf("learn: %w", err)
		}
	}
	return c, nil
}

// renumber writes the counts of a family as the network numbers its states, which the source
// may have in another order.
func renumber(n []float64, cpt *bn.CPT, found data.FamilyCounts, there map[string]bn.Variable) error {
	members := append(slices.Clone(cpt.Parents), cpt.Child)
	to := make([][]int, len(members)) // by state of the source, −1 for none
	same := true
	for i, v := range members {
		for s, state := range there[v.Name].States {
			at := slices.Index(v.States, state)
			same = same && at == s
			to[i] = append(to[i], at)
		}
	}
	if same && len(n) == len(found.N) {
		copy(n, found.N)
		return nil
	}
	states := make([]int, len(members))
	for cell, count := range found.N {
		if count == 0 {
			continue
		}
		r := len(to[len(cpt.Parents)])
		found.Configs.States(states[:len(cpt.Parents)], cell/r)
		states[len(cpt.Parents)] = cell % r
		for i, v := range members {
			s := states[i]
			if states[i] = to[i][s]; states[i] < 0 {
				_, err := v.StateIndex(there[v.Name].States[s])
				return &data.ValueError{Name: v.Name, Value: there[v.Name].States[s], Err: errors.Unwrap(err)}
			}
		}
		n[cpt.Configs().Index(states[:len(cpt.Parents)])*cpt.Child.Cardinality()+states[len(cpt.Parents)]] += count
	}
	return nil
}
