package independence

import (
	"cmp"
	"slices"
)

// A Pattern is a graph of directed and undirected arcs.
type Pattern struct {
	n        int
	joined   []bool // a·n + b, symmetric
	directed []bool // from·n + to
	rules    Rules
	rank     []int
	// Contradicted are the v-structures that others, the rules, or a cycle stood against.
	Contradicted int
}

// Orient directs the arcs of a skeleton: as rules demand, as v-structures a → c ← b where c is not in the set that
// separates a and b, those of the largest p-value first, and as follows by the rules of Meek (1995).
func (s *Skeleton) Orient(rules Rules, rank []int) *Pattern {
	p := &Pattern{n: s.N, joined: make([]bool, s.N*s.N), directed: make([]bool, s.N*s.N), rules: rules, rank: rank}
	for _, pair := range s.Pairs() {
		p.joined[pair.A*s.N+pair.B] = pair.Adjacent
		p.joined[pair.B*s.N+pair.A] = pair.Adjacent
	}
	for _, demanded := range []bool{true, false} {
		for a := range p.n {
			for b := range p.n {
				switch {
				case !p.joined[a*p.n+b] || p.IsDirected(a, b) || p.IsDirected(b, a):
				case demanded && rules.IsRequired(a, b), !demanded && !rules.Allowed(b, a):
					p.direct(a, b)
				}
			}
		}
	}
	for _, v := range s.colliders(rank) {
		if p.canDirect(v.a, v.c) && p.canDirect(v.b, v.c) {
			p.direct(v.a, v.c)
			p.direct(v.b, v.c)
		} else {
			p.Contradicted++
		}
	}
	p.meek()
	return p
}

// A collider is a v-structure a → c ← b.
type collider struct {
	a, b, c int
	p       float64 // of the independence of a and b
}

func (s *Skeleton) colliders(rank []int) []collider {
	var list []collider
	for _, pair := range s.Pairs() {
		if pair.Adjacent || !pair.Tested {
			continue
		}
		for c := range s.N {
			if s.Adjacent(pair.A, c) && s.Adjacent(pair.B, c) && !slices.Contains(pair.Given, c) {
				list = append(list, collider{pair.A, pair.B, c, pair.P})
			}
		}
	}
	slices.SortFunc(list, func(x, y collider) int {
		low := func(v collider) int { return min(rank[v.a], rank[v.b]) }
		high := func(v collider) int { return max(rank[v.a], rank[v.b]) }
		return cmp.Or(cmp.Compare(y.p, x.p), cmp.Compare(rank[x.c], rank[y.c]), cmp.Compare(low(x), low(y)),
			cmp.Compare(high(x), high(y)))
	})
	return list
}

// IsDirected reports whether the arc is there and has this direction.
func (p *Pattern) IsDirected(from, to int) bool { return p.directed[from*p.n+to] }

// IsUndirected reports whether the two are joined without a direction.
func (p *Pattern) IsUndirected(a, b int) bool {
	return p.joined[a*p.n+b] && !p.IsDirected(a, b) && !p.IsDirected(b, a)
}

func (p *Pattern) direct(from, to int) { p.directed[from*p.n+to] = true }

// canDirect reports whether an arc has the direction or may get it: rules allow it and no directed path leads back.
func (p *Pattern) canDirect(from, to int) bool {
	return p.IsDirected(from, to) || p.IsUndirected(from, to) && p.rules.Allowed(from, to) && !p.reaches(to, from)
}

// reaches reports whether a directed path leads from one to another.
func (p *Pattern) reaches(from, to int) bool {
	seen := make([]bool, p.n)
	stack := []int{from}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v == to {
			return true
		}
		for u := range p.n {
			if p.IsDirected(v, u) && !seen[u] {
				seen[u] = true
				stack = append(stack, u)
			}
		}
	}
	return false
}

// meek directs what follows from the directed arcs, until nothing does.
func (p *Pattern) meek() {
	for changed := true; changed; {
		changed = false
		for a := range p.n {
			for b := range p.n {
				if p.IsUndirected(a, b) && p.follows(a, b) && p.canDirect(a, b) {
					p.direct(a, b)
					changed = true
				}
			}
		}
	}
}

// follows reports whether a — b must be a → b by one of Meek's four rules.
func (p *Pattern) follows(a, b int) bool {
	apart := func(x, y int) bool { return x != y && !p.joined[x*p.n+y] }
	for c := range p.n {
		if p.IsDirected(c, a) && apart(c, b) || p.IsDirected(a, c) && p.IsDirected(c, b) {
			return true // else a new v-structure, or a cycle
		}
		if !p.IsUndirected(a, c) {
			continue
		}
		for d := range p.n {
			switch {
			case p.IsDirected(c, b) && p.IsDirected(d, b) && p.IsUndirected(a, d) && apart(c, d),
				p.IsDirected(c, d) && p.IsDirected(d, b) && p.joined[a*p.n+d] && apart(c, b):
				return true
			}
		}
	}
	return false
}

// Undirected lists the arcs without a direction.
func (p *Pattern) Undirected() [][2]int {
	var list [][2]int
	for a := range p.n {
		for b := a + 1; b < p.n; b++ {
			if p.IsUndirected(a, b) {
				list = append(list, [2]int{a, b})
			}
		}
	}
	return list
}

// Member gives the other arcs directions too, one after another with what follows from it, and returns the parents of
// each variable, ascending. The result is a graph of the class that the pattern stands for if there is one; arcs that
// neither direction fits are left out and counted.
func (p *Pattern) Member() (parents [][]int, left int) {
	all := p.Undirected()
	slices.SortFunc(all, func(x, y [2]int) int {
		low := func(v [2]int) int { return min(p.rank[v[0]], p.rank[v[1]]) }
		high := func(v [2]int) int { return max(p.rank[v[0]], p.rank[v[1]]) }
		return cmp.Or(cmp.Compare(low(x), low(y)), cmp.Compare(high(x), high(y)))
	})
	for _, arc := range all {
		a, b := arc[0], arc[1]
		if p.rank[a] > p.rank[b] {
			a, b = b, a
		}
		switch {
		case !p.IsUndirected(a, b): // it has followed
		case p.canDirect(a, b):
			p.direct(a, b)
		case p.canDirect(b, a):
			p.direct(b, a)
		default:
			left++
		}
		p.meek()
	}
	parents = make([][]int, p.n)
	for to := range p.n {
		for from := range p.n {
			if p.IsDirected(from, to) {
				parents[to] = append(parents[to], from)
			}
		}
	}
	return parents, left
}
