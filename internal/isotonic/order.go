package isotonic

import (
	"slices"

	"bnlab/internal/say"
	"bnlab/internal/spare"
)

// An Order is a partial order of entries, prepared for any number of regressions. It
// does not change and may be used by several goroutines at once.
type Order struct {
	class []int // by entry: entries on a cycle are one class; classes are numbered upwards
	// Arcs lead from class from[e] up to class to[e], sorted. Those out of class c are
	// out[c] ≤ e < out[c+1]; those into it are into[c].
	from, to []int
	out      []int
	into     [][]int
	parts    []part
	spaces   spare.List[*scratch]
}

// A part is a connected piece of the order.
type part struct {
	classes []int // upwards
	entries []int
	isChain bool
}

// NewOrder returns the order of the entries 0, …, n−1 in which x_a ≤ x_b for every arc
// {a, b}. The members of a cycle are equal. It returns an error if an arc leaves the
// range.
func NewOrder(n int, arcs [][2]int) (*Order, error) {
	above := make([][]int, max(n, 0))
	for _, arc := range arcs {
		a, b := arc[0], arc[1]
		if a < 0 || a >= n || b < 0 || b >= n {
			return nil, say.Errorf("isotonic: arc %v among %d entries", arc, n)
		}
		above[a] = append(above[a], b)
	}
	class, count := condense(above)
	o := &Order{class: class, out: make([]int, count+1), into: make([][]int, count)}
	ordered := make([][2]int, 0, len(arcs))
	for _, arc := range arcs {
		if a, b := class[arc[0]], class[arc[1]]; a != b {
			ordered = append(ordered, [2]int{a, b})
		}
	}
	slices.SortFunc(ordered, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for e, arc := range slices.Compact(ordered) {
		o.from, o.to = append(o.from, arc[0]), append(o.to, arc[1])
		o.out[arc[0]+1] = e + 1
		o.into[arc[1]] = append(o.into[arc[1]], e)
	}
	for c := range count {
		o.out[c+1] = max(o.out[c+1], o.out[c])
	}
	o.parts = o.pieces()
	o.spaces.Fresh = func() *scratch { return newScratch(o) }
	return o, nil
}

// condense numbers the strongly connected components of a graph such that arcs lead from
// lower to higher numbers (Tarjan 1972).
func condense(above [][]int) (class []int, count int) {
	n := len(above)
	class = make([]int, n)
	visited, low := make([]int, n), make([]int, n) // times from 1 on
	onStack := make([]bool, n)
	var stack []int
	clock := 0
	var visit func(v int)
	visit = func(v int) {
		clock++
		visited[v], low[v] = clock, clock
		stack, onStack[v] = append(stack, v), true
		for _, u := range above[v] {
			if visited[u] == 0 {
				visit(u)
				low[v] = min(low[v], low[u])
			} else if onStack[u] {
				low[v] = min(low[v], visited[u])
			}
		}
		if low[v] < visited[v] {
			return
		}
		for {
			u := stack[len(stack)-1]
			stack, onStack[u] = stack[:len(stack)-1], false
			class[u] = count
			if u == v {
				break
			}
		}
		count++
	}
	for v := range n {
		if visited[v] == 0 {
			visit(v)
		}
	}
	for v := range class {
		class[v] = count - 1 - class[v] // found from the top down
	}
	return class, count
}

// pieces are the connected pieces of the order of classes.
func (o *Order) pieces() []part {
	root := make([]int, len(o.into)) // the lowest class known to be in the same piece
	for c := range root {
		root[c] = c
	}
	find := func(c int) int {
		for root[c] != c {
			root[c] = root[root[c]]
			c = root[c]
		}
		return c
	}
	for e, a := range o.from {
		a, b := find(a), find(o.to[e])
		root[max(a, b)] = min(a, b)
	}
	var parts []part
	of := make([]int, len(root))
	for c := range root {
		r := find(c)
		if r == c {
			of[c] = len(parts)
			parts = append(parts, part{isChain: true})
		}
		p := &parts[of[r]]
		if k := len(p.classes); k > 0 && p.isChain {
			below := p.classes[k-1]
			_, p.isChain = slices.BinarySearch(o.to[o.out[below]:o.out[below+1]], c)
		}
		p.classes = append(p.classes, c)
	}
	for i, c := range o.class {
		p := &parts[of[find(c)]]
		p.entries = append(p.entries, i)
	}
	return parts
}

// Solve writes to dst the x that minimises Σ w_p (x_p − y_p)² under the order. Chains are
// pooled as in Workspace.Chain; other pieces of the order are split by minimum cuts, see
// cut.go. dst may be y.
//
// An entry of weight zero is not identified: it gets the middle between the largest
// value below it and the smallest above it, the extremes of its connected piece of the
// order where there is none. In a piece without weights every entry gets the plain mean
// of y over it.
//
// The slices have one entry for each of the order; it panics otherwise. Errors are those
// of Workspace.Chain. The cost is O(s) for chains and at most s cuts otherwise.
func (o *Order) Solve(dst, y, w []float64) error {
	if len(dst) != len(o.class) {
		panic("isotonic: slices do not fit the order")
	}
	if err := check(dst, y, w); err != nil {
		return err
	}
	s := o.spaces.Take()
	defer o.spaces.Give(s)
	clear(s.w)
	clear(s.y)
	for i, c := range o.class {
		s.w[c] += w[i]
		s.y[c] += w[i] * y[i]
	}
	for c, weight := range s.w {
		if weight > 0 {
			s.y[c] /= weight
		}
	}
	for _, p := range o.parts {
		weight, mean := 0.0, 0.0
		for _, i := range p.entries {
			weight += w[i]
			mean += y[i] / float64(len(p.entries))
		}
		switch {
		case weight == 0:
			for _, c := range p.classes {
				s.x[c] = mean
			}
		case p.isChain:
			if err := s.chain(p.classes); err != nil {
				return err
			}
		default:
			members := append(s.members[:0], p.classes...)
			s.split(members)
			s.interpolate(p.classes)
		}
	}
	for i, c := range o.class {
		dst[i] = s.x[c]
	}
	return nil
}

// chain solves a piece whose classes are each above the one before.
func (s *scratch) chain(classes []int) error {
	y, w := s.supply[:0], s.demand[:0]
	for _, c := range classes {
		y, w = append(y, s.y[c]), append(w, s.w[c])
	}
	if err := s.pooled.Chain(y, y, w); err != nil {
		return err
	}
	for i, c := range classes {
		s.x[c] = y[i]
	}
	return nil
}

// interpolate gives classes without weight the middle of their bounds, and takes away
// what rounding left of violations.
func (s *scratch) interpolate(classes []int) {
	o := s.order
	first := slices.IndexFunc(classes, func(c int) bool { return s.w[c] > 0 })
	least, most := s.x[classes[first]], s.x[classes[first]]
	for _, c := range classes {
		if s.w[c] > 0 {
			least, most = min(least, s.x[c]), max(most, s.x[c])
		}
	}
	lo, hi := s.supply, s.demand
	for _, c := range classes {
		lo[c] = least
		for _, e := range o.into[c] {
			lo[c] = max(lo[c], lo[o.from[e]])
		}
		if s.w[c] > 0 {
			s.x[c] = max(s.x[c], lo[c])
			lo[c] = s.x[c]
		}
	}
	for _, c := range slices.Backward(classes) {
		hi[c] = max(most, lo[c])
		for _, above := range o.to[o.out[c]:o.out[c+1]] {
			hi[c] = min(hi[c], hi[above])
		}
		if s.w[c] > 0 {
			hi[c] = s.x[c]
		} else {
			s.x[c] = lo[c]/2 + hi[c]/2
		}
	}
}
