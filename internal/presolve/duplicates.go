package presolve

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// deduplicate drops relations that say what another says, keeps the tighter of two
// bounds on one sum, makes an equality of two bounds that meet, and adds up the prices of
// an inequality that appears twice.
func (p *Program) deduplicate() (bool, error) {
	if len(p.Relations) < 2 {
		return false, nil
	}
	hash, order := p.scratch.hash[:0], p.scratch.order[:0]
	for k := range p.Relations {
		r := &p.Relations[k]
		unit := r.Coef[0]
		if r.AtMost {
			unit = math.Abs(unit)
		}
		for i := range r.Coef {
			r.Coef[i] /= unit
		}
		r.Value /= unit
		r.Price *= unit
		hash, order = append(hash, r.hash(1)), append(order, k)
	}
	p.scratch.hash, p.scratch.order = hash, order
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(hash[a], hash[b]), a-b) })
	drop := zeroed(p.scratch.drop, len(p.Relations))
	p.scratch.drop = drop
	changed := false
	for at := 1; at < len(order); at++ {
		other, r := &p.Relations[order[at-1]], &p.Relations[order[at]]
		if !r.like(other, 1) {
			continue
		}
		if r.AtMost {
			r.Value = min(other.Value, r.Value)
			r.Price += other.Price
		} else if math.Abs(other.Value-r.Value) > FeasibleTol {
			return false, fmt.Errorf("%w: a sum would have to be both %.6g and %.6g", ErrInfeasible, other.Value,
				r.Value)
		}
		drop[order[at-1]], changed = true, true
	}
	for k := range p.Relations {
		r := &p.Relations[k]
		if drop[k] || !r.AtMost || r.Price > 0 {
			continue
		}
		h := r.hash(-1)
		at, _ := slices.BinarySearchFunc(order, h, func(k int, h uint64) int { return cmp.Compare(hash[k], h) })
		for ; at < len(order) && hash[order[at]] == h; at++ {
			other := &p.Relations[order[at]]
			if drop[order[at]] || !r.like(other, -1) {
				continue
			}
			switch gap := r.Value + other.Value; {
			case gap < -FeasibleTol:
				return false, fmt.Errorf("%w: a sum would have to be at least %.6g and at most %.6g", ErrInfeasible,
					-other.Value, r.Value)
			case gap <= EqualTol:
				drop[order[at]], changed = true, true
				r.AtMost = false
			}
		}
	}
	if changed {
		kept := p.Relations[:0]
		for k, r := range p.Relations {
			if !drop[k] {
				kept = append(kept, r)
			}
		}
		p.Relations = kept
	}
	return changed, nil
}

// hash is the same for relations with the same terms, times sign.
func (r *Relation) hash(sign float64) uint64 {
	h := uint64(fnvOffset)
	if r.AtMost {
		h++
	}
	if r.Price > 0 {
		h = (h ^ rounded(sign*r.Value)) * fnvPrime
	}
	for i, node := range r.Index {
		h = (h ^ uint64(node)) * fnvPrime
		h = (h ^ rounded(sign*r.Coef[i])) * fnvPrime
	}
	return h
}

// like reports whether the terms of r, times sign, are those of s, and for inequalities at a
// price the values.
func (r *Relation) like(s *Relation, sign float64) bool {
	if r.AtMost != s.AtMost || !slices.Equal(r.Index, s.Index) {
		return false
	}
	if (r.Price > 0) != (s.Price > 0) || r.Price > 0 && rounded(r.Value) != rounded(s.Value) {
		return false
	}
	for i, c := range r.Coef {
		if rounded(sign*c) != rounded(s.Coef[i]) {
			return false
		}
	}
	return true
}

// Hashes are those of Fowler, Noll and Vo.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// rounded is x to about twelve digits.
func rounded(x float64) uint64 { return (math.Float64bits(x) + 1<<11) >> 12 }
