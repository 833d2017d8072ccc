package layered

import "container/heap"

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
