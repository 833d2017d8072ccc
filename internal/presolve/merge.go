package presolve

import (
	"cmp"
	"slices"
)

// merge joins nodes whose columns are proportional: no relation tells how their common
// mass is divided, so their counts do. (N06 §4.3: so types 4, 8, 10 and 11 divide a sum.)
func (p *Program) merge() (bool, error) {
	cols := p.columns()
	hash := p.scratch.hash[:0]
	order := p.scratch.order[:0] // nodes, those with like columns together
	for node, col := range cols {
		if len(col) > 0 {
			order = append(order, node)
		}
		hash = append(hash, columnHash(col))
	}
	p.scratch.hash, p.scratch.order = hash, order
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(hash[a], hash[b]), a-b)
	})
	n := p.Nodes
	var where []int
	for from := 0; from < len(order); {
		first := cols[order[from]]
		to := from + 1
		for to < len(order) && likeColumns(first, cols[order[to]]) {
			to++
		}
		like := order[from:to]
		if from = to; len(like) < 2 {
			continue
		}
		s := &Split{Old: p.scratch.KeptInts.copyOf(like), scale: p.scratch.keptFloats.Take(len(like)),
			leaves: p.scratch.keptFloats.Take(len(like))}
		leaves := 0.0
		for i, node := range like {
			s.scale[i], s.leaves[i] = cols[node][0].coef/first[0].coef, p.Leaves[node]
			leaves += p.Leaves[node]
		}
		s.Node = p.newNode(leaves)
		p.Steps = append(p.Steps, s)
		if where == nil {
			where = zeroed(p.scratch.where, n)
			p.scratch.where = where
			for i := range where {
				where[i] = -1
			}
		}
		where[s.Old[0]] = s.Node // its column is the mass's
		for _, old := range s.Old[1:] {
			where[old] = -2
		}
	}
	if where == nil {
		return false, nil
	}
	p.rewrite(func(r *Relation, i int) {
		if at := r.Index[i]; at < n {
			switch where[at] {
			case -1:
			case -2:
				r.Coef[i] = 0
			default:
				r.Index[i] = where[at]
			}
		}
	})
	return true, nil
}

// columnHash is the same for columns that are positive multiples of each other.
func columnHash(col []term) uint64 {
	h := uint64(fnvOffset)
	for _, t := range col {
		h = (h ^ uint64(t.relation)) * fnvPrime
		h = (h ^ rounded(t.coef/col[0].coef)) * fnvPrime
	}
	if len(col) > 0 && col[0].coef < 0 {
		h = ^h
	}
	return h
}

// likeColumns reports whether b is a positive multiple of a.
func likeColumns(a, b []term) bool {
	if len(a) != len(b) || !(b[0].coef/a[0].coef > 0) {
		return false
	}
	for i := range a {
		if a[i].relation != b[i].relation || rounded(a[i].coef/a[0].coef) != rounded(b[i].coef/b[0].coef) {
			return false
		}
	}
	return true
}
