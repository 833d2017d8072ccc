package presolve

import (
	"slices"
)

// idle drops inequalities that an equality keeps from ever binding: Σ k x = b leaves
// Σ r x ≤ b·max r/k.
func (p *Program) idle() (bool, error) {
	if !slices.ContainsFunc(p.Relations, func(r Relation) bool { return r.AtMost }) {
		return false, nil
	}
	cols := p.columns()
	kept := make([]Relation, 0, len(p.Relations))
	for _, r := range p.Relations {
		if !r.AtMost || !p.neverBinds(&r, cols) {
			kept = append(kept, r)
		}
	}
	changed := len(kept) < len(p.Relations)
	p.Relations = kept
	return changed, nil
}

func (p *Program) neverBinds(r *Relation, cols [][]term) bool {
	first := slices.IndexFunc(r.Coef, func(c float64) bool { return c > 0 })
	if first < 0 {
		return r.Value >= 0
	}
	for _, t := range cols[r.Index[first]] {
		sum := &p.Relations[t.relation]
		if sum.AtMost || slices.Min(sum.Coef) <= 0 {
			continue
		}
		most, covered := 0.0, true
		for i, at := range r.Index {
			if r.Coef[i] <= 0 {
				continue
			}
			k, ok := slices.BinarySearch(sum.Index, at)
			if covered = covered && ok; ok {
				most = max(most, r.Coef[i]/sum.Coef[k])
			}
		}
		if covered && most*sum.Value <= r.Value {
			return true
		}
	}
	return false
}
