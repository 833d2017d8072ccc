package sqldata

import "slices"

// A store keeps counts, and finds those that a set of columns is a margin of.
type store struct {
	byColumn map[int][]*cells
	order    []*cells // oldest first
	size     int      // cells
}

// find returns the smallest counts that include the set, nil when there are none.
func (s *store) find(set []int) *cells {
	var list []*cells
	for i, m := range set {
		if of := s.byColumn[m]; i == 0 || len(of) < len(list) {
			list = of
		}
	}
	var best *cells
	for _, t := range list {
		if t.includes(set) && (best == nil || len(t.list) < len(best.list)) {
			best = t
		}
	}
	return best
}

// add keeps counts, and forgets the oldest while there are more than limit cells in all.
func (s *store) add(t *cells, limit int) {
	if len(t.list) > limit {
		return
	}
	if s.byColumn == nil {
		s.byColumn = make(map[int][]*cells)
	}
	s.order = append(s.order, t)
	s.size += len(t.list)
	for _, m := range t.members {
		s.byColumn[m] = append(s.byColumn[m], t)
	}
	for s.size > limit {
		old := s.order[0]
		s.order = s.order[1:]
		s.size -= len(old.list)
		for _, m := range old.members {
			s.byColumn[m] = slices.DeleteFunc(s.byColumn[m], func(t *cells) bool { return t == old })
		}
	}
}
