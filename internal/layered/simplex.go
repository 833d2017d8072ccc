package layered

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
	s := &simplex{edges: edges, y: make([]int, n), at: make([][]int32, n), parent: make([]int32, n),
		order: make([]int32, 0, n), low: make([]int32, n), lim: make([]int32, n), tree: make([][]int32, n),
		net: make([]int, n)}
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
