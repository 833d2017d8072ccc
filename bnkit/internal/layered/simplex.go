package layered

import "container/heap"

// A simplex finds whole numbers y, one for each node, that minimise the sum of weight·(y[head] − y[tail]) over
// edges under y[head] − y[tail] ≥ least, by the network simplex method (Gansner et al. 1993, §2.3). A spanning
// tree of tight edges is the basis. The graph is connected and without cycles.
type simplex struct {
	edges []spring
	y     []int
	at    [][]int32 // edges of each node

	// The tree, rooted at node 0. The nodes below v, and v, are order[low[v]] to order[lim[v]].
	parent []int32 // edge to the parent, -1 at the root
	order  []int32
	low    []int32
	lim    []int32
	tree   [][]int32 // edges of the tree at each node
	// net is the weight that leaves the part of the tree below a node, less what enters it. What is inside
	// cancels, so a cut value is a sum over nodes.
	net []int

	next int // where the search for an edge to leave goes on
}

// A spring pulls its ends together, as far as its least length allows.
type spring struct{ tail, head, least, weight int }

func newSimplex(n int, edges []spring) *simplex {
	s := &simplex{edges: edges, y: make([]int, n), at: make([][]int32, n), parent: make([]int32, n), order: make([]int32, 0, n),
		low: make([]int32, n), lim: make([]int32, n), tree: make([][]int32, n), net: make([]int, n)}
	for i, e := range edges {
		s.at[e.tail], s.at[e.head] = append(s.at[e.tail], int32(i)), append(s.at[e.head], int32(i))
	}
	return s
}

// solve runs from values that meet all lengths, found along longest paths. It ends with an optimum, or with the
// best so far when it has looked at about as many edges as budget allows; it returns what is left of that.
func (s *simplex) solve(budget int) int {
	s.longestPaths()
	s.grow()
	for v := range s.y {
		for _, i := range s.at[v] {
			if s.edges[i].tail == v {
				s.net[v] += s.edges[i].weight
			} else {
				s.net[v] -= s.edges[i].weight
			}
		}
	}
	s.number(0)
	for _, v := range s.order { // children come before their parents
		if s.parent[v] >= 0 {
			s.net[s.other(s.parent[v], int(v))] += s.net[v]
		}
	}
	for budget > 0 {
		v := s.leaving()
		if v < 0 {
			break
		}
		enter, work := s.entering(v)
		if enter < 0 { // no bound: cannot be, with weights that are not negative
			break
		}
		budget -= work + s.exchange(v, enter)
	}
	return budget
}

// longestPaths sets each node as low as the nodes before it allow.
func (s *simplex) longestPaths() {
	waits := make([]int, len(s.y))
	for _, e := range s.edges {
		waits[e.head]++
	}
	var ready []int
	for v, n := range waits {
		if n == 0 {
			ready = append(ready, v)
		}
	}
	for k := 0; k < len(ready); k++ {
		for _, i := range s.at[ready[k]] {
			if e := s.edges[i]; e.tail == ready[k] {
				s.y[e.head] = max(s.y[e.head], s.y[e.tail]+e.least)
				if waits[e.head]--; waits[e.head] == 0 {
					ready = append(ready, e.head)
				}
			}
		}
	}
}

// grow makes a tree of tight edges: it begins at node 0, and moves as a whole until the edge with the least slack
// at its border is tight. Nodes outside never move, so slacks differ from the keys of the two heaps by one offset.
func (s *simplex) grow() {
	in := make([]bool, len(s.y))
	offset := 0
	var out, back slacks
	add := func(v int) {
		in[v] = true
		s.y[v] -= offset
		for _, i := range s.at[v] {
			e := s.edges[i]
			if e.tail == v && !in[e.head] {
				heap.Push(&out, slack{s.y[e.head] - s.y[v] - e.least, i})
			} else if e.head == v && !in[e.tail] {
				heap.Push(&back, slack{s.y[v] - s.y[e.tail] - e.least, i})
			}
		}
	}
	add(0)
	for {
		for len(out) > 0 && in[s.edges[out[0].edge].head] {
			heap.Pop(&out)
		}
		for len(back) > 0 && in[s.edges[back[0].edge].tail] {
			heap.Pop(&back)
		}
		if len(out)+len(back) == 0 {
			break
		}
		var i int32
		if len(back) == 0 || len(out) > 0 && out[0].key-offset <= back[0].key+offset {
			offset = out[0].key
			i = out[0].edge
		} else {
			offset = -back[0].key
			i = back[0].edge
		}
		e := s.edges[i]
		s.tree[e.tail], s.tree[e.head] = append(s.tree[e.tail], i), append(s.tree[e.head], i)
		if in[e.tail] {
			add(e.head)
		} else {
			add(e.tail)
		}
	}
	for v := range s.y {
		s.y[v] += offset
	}
}

// number gives the nodes below v, and v, their places in order, and their parents.
func (s *simplex) number(v int) int {
	at, from := s.low[v], s.parent[v]
	if len(s.order) == 0 {
		at, from = 0, -1
		s.order = s.order[:len(s.y)]
	}
	first := at
	type step struct {
		v    int32
		next int32
	}
	stack := []step{{int32(v), 0}}
	s.parent[v], s.low[v] = from, at
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		u := int(top.v)
		if int(top.next) < len(s.tree[u]) {
			i := s.tree[u][top.next]
			top.next++
			if i != s.parent[u] {
				w := s.other(i, u)
				s.parent[w], s.low[w] = i, at
				stack = append(stack, step{int32(w), 0})
			}
			continue
		}
		s.order[at], s.lim[u] = int32(u), at
		at++
		stack = stack[:len(stack)-1]
	}
	return int(at - first)
}

func (s *simplex) other(edge int32, v int) int {
	if e := s.edges[edge]; e.tail != v {
		return e.tail
	}
	return s.edges[edge].head
}

// below reports whether w is v or below it.
func (s *simplex) below(v, w int) bool { return s.low[v] <= s.lim[w] && s.lim[w] <= s.lim[v] }

// cut is the change of the sum when the edge from v to its parent gets longer by one.
func (s *simplex) cut(v int) int {
	if s.edges[s.parent[v]].tail == v {
		return s.net[v]
	}
	return -s.net[v]
}

// leaving returns the node whose edge to its parent has the least cut value among a few negative ones, -1 if
// there is none.
func (s *simplex) leaving() int {
	const few = 30
	best, found := -1, 0
	for range s.y {
		v := s.next
		if s.next++; s.next == len(s.y) {
			s.next = 0
		}
		if s.parent[v] >= 0 && s.cut(v) < 0 {
			if best < 0 || s.cut(v) < s.cut(best) {
				best = v
			}
			if found++; found == few {
				break
			}
		}
	}
	return best
}

// entering returns the edge with the least slack that crosses the cut below v against the edge from v to its
// parent, -1 if there is none, and the edges it looked at.
func (s *simplex) entering(v int) (edge int32, work int) {
	up := s.edges[s.parent[v]].tail == v
	edge = -1
	least := 0
	look := func(u int, inside bool) {
		work += len(s.at[u])
		for _, i := range s.at[u] {
			e := s.edges[i]
			// The head is inside if the edge from v goes out, the tail if it comes in.
			end, away := e.tail, e.head
			if up == inside {
				end, away = away, end
			}
			if end != u || s.below(v, away) == inside {
				continue
			}
			if d := s.y[e.head] - s.y[e.tail] - e.least; edge < 0 || d < least || d == least && i < edge {
				edge, least = i, d
			}
		}
	}
	lo, hi := int(s.low[v]), int(s.lim[v])+1
	if 2*(hi-lo) <= len(s.y) {
		for _, u := range s.order[lo:hi] {
			look(int(u), true)
		}
		return edge, work
	}
	for _, u := range s.order[:lo] {
		look(int(u), false)
	}
	for _, u := range s.order[hi:] {
		look(int(u), false)
	}
	return edge, work
}

// shift moves v and what is below it.
func (s *simplex) shift(v, by int) {
	for _, u := range s.order[s.low[v] : s.lim[v]+1] {
		s.y[u] += by
	}
}

// exchange takes the edge from v to its parent out of the tree and another in, and moves what is below v until
// that one is tight. It returns the number of nodes touched.
func (s *simplex) exchange(v int, enter int32) int {
	leave := s.parent[v]
	e := s.edges[enter]
	d := s.y[e.head] - s.y[e.tail] - e.least
	u, w := e.tail, e.head // u is below v
	if s.below(v, w) {
		u, w = w, u
		d = -d
	}
	if d != 0 {
		s.shift(v, d)
	}
	// The weights below: v's part goes from its ancestors to those of w, and its inside hangs from u now.
	part, p := s.net[v], s.other(leave, v)
	top := p
	for ; !s.below(top, w); top = s.other(s.parent[top], top) {
		s.net[top] -= part
	}
	for x := w; x != top; x = s.other(s.parent[x], x) {
		s.net[x] += part
	}
	for x, was := u, 0; ; {
		was, s.net[x] = s.net[x], part-was
		if x == v {
			break
		}
		x = s.other(s.parent[x], x)
	}
	drop := func(at int) {
		list := s.tree[at]
		for k, i := range list {
			if i == leave {
				list[k] = list[len(list)-1]
				s.tree[at] = list[:len(list)-1]
				return
			}
		}
	}
	drop(v)
	drop(p)
	s.tree[u], s.tree[w] = append(s.tree[u], enter), append(s.tree[w], enter)
	return int(s.lim[top]-s.low[top]) + s.number(top)
}

// centre moves parts that may lie anywhere in an interval to its middle.
func (s *simplex) centre() {
	for _, v := range append([]int32(nil), s.order...) {
		if s.parent[v] < 0 || s.net[v] != 0 {
			continue
		}
		enter, _ := s.entering(int(v))
		if enter < 0 {
			continue
		}
		e := s.edges[enter]
		if d := (s.y[e.head] - s.y[e.tail] - e.least) / 2; d > 0 {
			if s.below(int(v), e.head) {
				d = -d
			}
			s.shift(int(v), d)
		}
	}
}

// slack orders edges at the border of the tree, ties by number.
type slack struct {
	key  int
	edge int32
}

type slacks []slack

func (h slacks) Len() int { return len(h) }
func (h slacks) Less(i, j int) bool {
	return h[i].key < h[j].key || h[i].key == h[j].key && h[i].edge < h[j].edge
}
func (h slacks) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *slacks) Push(x any)   { *h = append(*h, x.(slack)) }
func (h *slacks) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
