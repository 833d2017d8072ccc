package constraint

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// deduplicate drops relations that say what another says, keeps the tighter of two
// bounds on one sum, makes an equality of two bounds that meet, and adds up the prices of
// an inequality that stands twice.
func (p *program) deduplicate() (bool, error) {
	if len(p.relations) < 2 {
		return false, nil
	}
	hash, order := p.scratch.hash[:0], p.scratch.order[:0]
	for k := range p.relations {
		r := &p.relations[k]
		unit := r.coef[0]
		if r.atMost {
			unit = math.Abs(unit)
		}
		for i := range r.coef {
			r.coef[i] /= unit
		}
		r.value /= unit
		r.price *= unit
		hash, order = append(hash, r.hash(1)), append(order, k)
	}
	p.scratch.hash, p.scratch.order = hash, order
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(hash[a], hash[b]), a-b) })
	drop := zeroed(p.scratch.drop, len(p.relations))
	p.scratch.drop = drop
	changed := false
	for at := 1; at < len(order); at++ {
		other, r := &p.relations[order[at-1]], &p.relations[order[at]]
		if !r.like(other, 1) {
			continue
		}
		if r.atMost {
			r.value = min(other.value, r.value)
			r.price += other.price
		} else if math.Abs(other.value-r.value) > feasibleTol {
			return false, fmt.Errorf("%w: a sum would have to be both %.6g and %.6g", errInfeasible, other.value,
				r.value)
		}
		drop[order[at-1]], changed = true, true
	}
	for k := range p.relations {
		r := &p.relations[k]
		if drop[k] || !r.atMost || r.price > 0 {
			continue
		}
		h := r.hash(-1)
		at, _ := slices.BinarySearchFunc(order, h, func(k int, h uint64) int { return cmp.Compare(hash[k], h) })
		for ; at < len(order) && hash[order[at]] == h; at++ {
			other := &p.relations[order[at]]
			if drop[order[at]] || !r.like(other, -1) {
				continue
			}
			switch gap := r.value + other.value; {
			case gap < -feasibleTol:
				return false, fmt.Errorf("%w: a sum would have to be at least %.6g and at most %.6g", errInfeasible,
					-other.value, r.value)
			case gap <= equalTol:
				drop[order[at]], changed = true, true
				r.atMost = false
			}
		}
	}
	if changed {
		kept := p.relations[:0]
		for k, r := range p.relations {
			if !drop[k] {
				kept = append(kept, r)
			}
		}
		p.relations = kept
	}
	return changed, nil
}

// hash is the same for relations with the same terms, times sign.
func (r *relation) hash(sign float64) uint64 {
	h := uint64(fnvOffset)
	if r.atMost {
		h++
	}
	if r.price > 0 {
		h = (h ^ rounded(sign*r.value)) * fnvPrime
	}
	for i, node := range r.index {
		h = (h ^ uint64(node)) * fnvPrime
		h = (h ^ rounded(sign*r.coef[i])) * fnvPrime
	}
	return h
}

// like reports whether the terms of r, times sign, are those of s, and for inequalities at a
// price the values.
func (r *relation) like(s *relation, sign float64) bool {
	if r.atMost != s.atMost || !slices.Equal(r.index, s.index) {
		return false
	}
	if (r.price > 0) != (s.price > 0) || r.price > 0 && rounded(r.value) != rounded(s.value) {
		return false
	}
	for i, c := range r.coef {
		if rounded(sign*c) != rounded(s.coef[i]) {
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
