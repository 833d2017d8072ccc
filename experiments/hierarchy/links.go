package hierarchy

import (
	"math/rand/v2"
	"slices"

	"bnlab/internal/say"
)

// A graph lists the parents (at t) of each variable (at t+1), in ascending order.
type graph [][]int

func (g graph) has(from, to int) bool { return slices.Contains(g[to], from) }

// links counts them.
func (g graph) links() int {
	n := 0
	for _, parents := range g {
		n += len(parents)
	}
	return n
}

func (g graph) add(from, to int) {
	at, _ := slices.BinarySearch(g[to], from)
	g[to] = slices.Insert(g[to], at, from)
}

// isParent reports whether a variable has a child.
func (g graph) isParent(v int) bool {
	return slices.ContainsFunc(g, func(parents []int) bool { return slices.Contains(parents, v) })
}

func (g graph) clone() graph {
	c := make(graph, len(g))
	for v := range g {
		c[v] = slices.Clone(g[v])
	}
	return c
}

// The two rules with which B06 §2.2 constrains links, and a kind of structures under the first of them.
const (
	parentWise = "pw"
	familyWise = "rfw"
	literal    = "literal"
)

// allows reports whether a rule of B06 §2.2 lets a link be:
//
//	pw    the h-parent of the parent is a parent of the child too
//	rfw   both are of one level and there is a link between their h-parents, or one is the h-parent of the other
//
// Where there is no h-parent, the rule asks for nothing.
func (t *tree) allows(rule string, g graph, from, to int) bool {
	up, other := t.above[from], t.above[to]
	if rule != familyWise {
		return up < 0 || g.has(up, to)
	}
	return up == to || other == from || t.level[from] == t.level[to] && (up < 0 || g.has(up, other))
}

// violations counts the links that a rule does not allow.
func (t *tree) violations(rule string, g graph) int {
	n := 0
	for to, parents := range g {
		for _, from := range parents {
			if !t.allows(rule, g, from, to) {
				n++
			}
		}
	}
	return n
}

// attempts bounds how often a random structure is begun anew.
const attempts = 10_000

// randomGraph draws a structure that complies with a rule, in which no parent is a child.
//
//   - pw: so many children of each level, each with a chain of parents from level 1 down to its own level.
//   - rfw: so many links of each level, each between nodes of that level; at level 1 one, below it links
//     between h-children of linked nodes, to different children as long as there are any.
//   - literal: so many links of each level between different parents and different children of that level, and the
//     links that the parent-wise rule then asks for: from each h-parent of a parent to the child.
//
// It returns an error where it finds none.
func (t *tree) randomGraph(rule string, counts []int, src *rand.Rand) (graph, error) {
	for range attempts {
		g := make(graph, len(t.names))
		ok := true
		for v, n := range counts {
			for range n {
				switch rule {
				case parentWise:
					ok = ok && t.addChain(g, v+1, src)
				case literal:
					ok = ok && t.addLiteral(g, v+1, src)
				default:
					ok = ok && t.addBetween(g, v+1, src)
				}
			}
		}
		if ok {
			return g, nil
		}
	}
	return nil, say.Errorf("hierarchy: no structure with %v of each level complies with %s, in %d attempts", counts,
		rule, attempts)
}

// free reports whether a link would keep parents and children apart.
func (g graph) free(from, to int) bool {
	return from != to && len(g[from]) == 0 && !g.isParent(to) && !g.has(from, to)
}

// addChain gives a childless and parentless node of a level a chain of parents.
func (t *tree) addChain(g graph, level int, src *rand.Rand) bool {
	nodes := t.at(level)
	to, last := nodes[src.IntN(len(nodes))], nodes[src.IntN(len(nodes))]
	if len(g[to]) > 0 {
		return false
	}
	for _, from := range t.chain(last) {
		if !g.free(from, to) {
			return false
		}
		g.add(from, to)
	}
	return true
}

// addLiteral adds a link between two nodes of a level, neither of which has such a link yet, and those that the
// parent-wise rule asks for with it.
func (t *tree) addLiteral(g graph, level int, src *rand.Rand) bool {
	var pairs [][2]int
	for _, last := range t.at(level) {
		taken := slices.ContainsFunc(t.at(level), func(v int) bool { return g.has(last, v) })
		if taken || slices.ContainsFunc(t.chain(last), func(from int) bool { return len(g[from]) > 0 }) {
			continue
		}
		for _, to := range t.at(level) {
			if to != last && len(g[to]) == 0 && !g.isParent(to) {
				pairs = append(pairs, [2]int{last, to})
			}
		}
	}
	if len(pairs) == 0 {
		return false
	}
	link := pairs[src.IntN(len(pairs))]
	for _, from := range t.chain(link[0]) {
		g.add(from, link[1])
	}
	return true
}

// addBetween adds a link between two nodes of a level that the relaxed family-wise rule allows.
func (t *tree) addBetween(g graph, level int, src *rand.Rand) bool {
	var fresh, again [][2]int
	for _, to := range t.at(level) {
		for _, from := range t.at(level) {
			switch {
			case !g.free(from, to) || !t.allows(familyWise, g, from, to):
			case len(g[to]) == 0:
				fresh = append(fresh, [2]int{from, to})
			default:
				again = append(again, [2]int{from, to})
			}
		}
	}
	if len(fresh) == 0 {
		fresh = again
	}
	if len(fresh) == 0 {
		return false
	}
	link := fresh[src.IntN(len(fresh))]
	g.add(link[0], link[1])
	return true
}

// violate returns the structure with more links, each to a child of its own, that a rule does not allow. The
// first links are the same whatever their number.
func (t *tree) violate(rule string, g graph, more int, src *rand.Rand) (graph, error) {
	d := g.clone()
	for tries, have := 0, t.violations(rule, g); more > 0; tries++ {
		if tries == attempts {
			return nil, say.Errorf("hierarchy: no room for %d more links that violate %s", more, rule)
		}
		from, to := src.IntN(len(d)), src.IntN(len(d))
		if len(d[to]) > 0 || !d.free(from, to) {
			continue
		}
		d.add(from, to)
		if t.violations(rule, d) != have+1 { // it complies, or makes another one comply
			d[to] = nil
			continue
		}
		have, more = have+1, more-1
	}
	return d, nil
}
