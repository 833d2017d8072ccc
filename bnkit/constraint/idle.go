package constraint

import (
	"slices"
)

// idle drops inequalities that an equality keeps from ever binding: Σ k x = b leaves
// Σ r x ≤ b·max r/k.
func (p *program) idle() (bool, error) {
	if !slices.ContainsFunc(p.relations, func(r relation) bool { return r.atMost }) {
		return false, nil
	}
	cols := p.columns()
	kept := make([]relation, 0, len(p.relations))
	for _, r := range p.relations {
		if !r.atMost || !p.neverBinds(&r, cols) {
			kept = append(kept, r)
		}
	}
	changed := len(kept) < len(p.relations)
	p.relations = kept
	return changed, nil
}

func (p *program) neverBinds(r *relation, cols [][]term) bool {
	first := slices.IndexFunc(r.coef, func(c float64) bool { return c > 0 })
	if first < 0 {
		return r.value >= 0
	}
	for _, t := range cols[r.index[first]] {
		sum := &p.relations[t.relation]
		if sum.atMost || slices.Min(sum.coef) <= 0 {
			continue
		}
		most, covered := 0.0, true
		for i, at := range r.index {
			if r.coef[i] <= 0 {
				continue
			}
			k, ok := slices.BinarySearch(sum.index, at)
			if covered = covered && ok; ok {
				most = max(most, r.coef[i]/sum.coef[k])
			}
		}
		if covered && most*sum.value <= r.value {
			return true
		}
	}
	return false
}
