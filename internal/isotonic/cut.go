package isotonic

// A scratch is what one call of Order.Solve works with. All slices but flow, members and
// queue are by class.
type scratch struct {
	order          *Order
	pooled         Workspace
	w, y, x        []float64
	supply, demand []float64 // what is still to be sent and to be taken
	flow           []float64 // by arc, downwards
	set            []int     // the number of the set that is being split
	sets           int
	level, next    []int // steps from a supply, the next arc to try
	members, queue []int
}

func newScratch(o *Order) *scratch {
	n := len(o.into)
	float := func() []float64 { return make([]float64, n) }
	integer := func() []int { return make([]int, n) }
	return &scratch{order: o, w: float(), y: float(), x: float(), supply: float(), demand: float(),
		flow: make([]float64, len(o.from)), set: integer(), level: integer(), next: integer(),
		members: integer(), queue: integer()}
}

// split solves the regression over the members of a set, which stand upwards, and
// reorders them. With a their weighted mean, it looks for the lower set L with the
// largest
//
//	Σ_{p in L} w_p (a − y_p).
//
// If that is 0, x = a solves it. Otherwise x ≤ a in L, x ≥ a outside, and both sides are
// solved by themselves. L is the side of the supplies in a minimum cut: classes below a
// supply w(a − y), those above it demand w(y − a), and flow runs downwards. Rounding
// cannot cut wrongly for good: a cut counts only if the means of its sides are in order.
// (Maxwell and Muckstadt 1985; Spouge, Wan and Wilbur 2003.)
func (s *scratch) split(members []int) {
	mean, _ := s.mean(members)
	s.sets++
	for _, c := range members {
		s.x[c] = mean
		s.set[c] = s.sets
		d := s.w[c] * (mean - s.y[c])
		s.supply[c], s.demand[c] = max(d, 0), max(-d, 0)
		clear(s.flow[s.order.out[c]:s.order.out[c+1]])
	}
	if len(members) == 1 {
		return
	}
	s.saturate(members)
	lower := partition(members, func(c int) bool { return s.level[c] >= 0 }, s.queue)
	below, weightBelow := s.mean(members[:lower])
	above, weightAbove := s.mean(members[lower:])
	if !(weightBelow > 0 && weightAbove > 0 && below < above) {
		return
	}
	s.split(members[:lower])
	s.split(members[lower:])
}

// mean is the weighted mean of the members, and their weight.
func (s *scratch) mean(members []int) (mean, weight float64) {
	for _, c := range members {
		weight += s.w[c]
		mean += s.w[c] * s.y[c]
	}
	if weight > 0 {
		mean /= weight
	}
	return mean, weight
}

// partition moves the members for which in holds to the front, keeps the order on both
// sides, and returns how many they are.
func partition(members []int, in func(c int) bool, buffer []int) int {
	front, rest := 0, buffer[:0]
	for _, c := range members {
		if in(c) {
			members[front] = c
			front++
		} else {
			rest = append(rest, c)
		}
	}
	copy(members[front:], rest)
	return front
}

// saturate sends as much as possible from supplies to demands, by shortest paths (Dinic
// 1970), and leaves level ≥ 0 at the classes that a rest of supply can still reach. It
// ends without a tolerance: a path takes all of a supply, a demand or a flow, exactly.
func (s *scratch) saturate(members []int) {
	for s.reach(members) {
		for _, c := range members {
			s.next[c] = 0
		}
		for _, c := range members {
			if s.supply[c] > 0 {
				s.supply[c] = s.send(c, s.supply[c])
			}
		}
	}
}

// reach sets the levels, and returns whether there is a demand at one.
func (s *scratch) reach(members []int) bool {
	o := s.order
	queue := s.queue[:0]
	for _, c := range members {
		s.level[c] = -1
		if s.supply[c] > 0 {
			s.level[c] = 0
			queue = append(queue, c)
		}
	}
	demand := false
	for i := 0; i < len(queue); i++ {
		c := queue[i]
		demand = demand || s.demand[c] > 0
		for k := range s.arcs(c) {
			if e, u := s.arc(c, k); s.set[u] == s.set[c] && s.level[u] < 0 && (o.to[e] == c || s.flow[e] > 0) {
				s.level[u] = s.level[c] + 1
				queue = append(queue, u)
			}
		}
	}
	return demand
}

// arcs is the number of arcs at class c: those into it, which take any flow down, and
// then those out of it, back along which flow can be undone.
func (s *scratch) arcs(c int) int {
	o := s.order
	return len(o.into[c]) + o.out[c+1] - o.out[c]
}

// arc is the k-th arc at class c and the class at its other end.
func (s *scratch) arc(c, k int) (e, other int) {
	o := s.order
	if k < len(o.into[c]) {
		e = o.into[c][k]
		return e, o.from[e]
	}
	e = o.out[c] + k - len(o.into[c])
	return e, o.to[e]
}

// send moves an amount from class c to demands at higher levels and returns what finds
// none.
func (s *scratch) send(c int, left float64) float64 {
	taken := min(left, s.demand[c])
	s.demand[c] -= taken
	left -= taken
	o := s.order
	for ; left > 0 && s.next[c] < s.arcs(c); s.next[c]++ {
		e, u := s.arc(c, s.next[c])
		if s.set[u] != s.set[c] || s.level[u] != s.level[c]+1 {
			continue
		}
		if o.to[e] == c {
			rest := s.send(u, left)
			s.flow[e] += left - rest
			left = rest
		} else {
			part := min(left, s.flow[e])
			rest := s.send(u, part)
			s.flow[e] -= part - rest
			left -= part - rest
		}
		if left == 0 {
			break
		}
	}
	return left
}
