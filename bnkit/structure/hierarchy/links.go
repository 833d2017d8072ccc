package hierarchy

import (
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// Links are the parents of each variable of a hierarchy, by number: in a dynamic network
// links[j] has i when X_i of a slice is a parent of X_j of the next.
type Links [][]int

// A Rule decides which links a hierarchy allows, given other links: the family-wise,
// the relaxed family-wise or the parent-wise assumption of B06 §2.2. Allows may look at the
// parents of the child and of its h-parents, and at no others. A link from or to a variable
// without h-parents is allowed where the paper asks for a link between h-parents.
type Rule interface {
	Allows(h *Hierarchy, links Links, parent, child int) bool
	String() string
}

// Legal returns the variables that the rule allows as parents of child, ascending.
func (h *Hierarchy) Legal(rule Rule, links Links, child int) []int {
	var legal []int
	for v := range h.names {
		if rule.Allows(h, links, v, child) {
			legal = append(legal, v)
		}
	}
	return legal
}

// Violations returns the number of links that the rule does not allow (v in B06 §2.2).
func (h *Hierarchy) Violations(rule Rule, links Links) int {
	n := 0
	for child := range links {
		n += h.violationsOf(rule, links, child)
	}
	return n
}

// violationsOf counts the parents of one child that the rule does not allow.
func (h *Hierarchy) violationsOf(rule Rule, links Links, child int) int {
	n := 0
	for _, p := range links[child] {
		if !rule.Allows(h, links, p, child) {
			n++
		}
	}
	return n
}

// isLinked is the indicator I of B06 §2: 1 when a variable of parents is a parent of one of
// children, or when either set is empty.
func isLinked(links Links, parents, children []int) bool {
	if len(parents) == 0 || len(children) == 0 {
		return true
	}
	for _, c := range children {
		for _, p := range links[c] {
			if slices.Contains(parents, p) {
				return true
			}
		}
	}
	return false
}

// Links returns the arcs of a graph as links: those of a dynamic network, whose variables are
// named [dbn.At](name, 0) and [dbn.At](name, 1), or those of a static one over plain names. It
// returns an error for a variable of the graph that the hierarchy does not have
// ([bn.ErrUnknownVariable]) and for arcs within a slice of a dynamic network.
func (h *Hierarchy) Links(g *bn.DAG) (Links, error) {
	if g == nil {
		return nil, fmt.Errorf("hierarchy: no graph to read links from")
	}
	number := h.slices()
	links := make(Links, h.Len())
	for v := range g.Len() {
		child, ok := number[g.Name(v)]
		if !ok {
			return nil, say.Errorf("hierarchy: %w: the graph's %q is not in the hierarchy, which has %s",
				bn.ErrUnknownVariable, g.Name(v), say.List(h.names))
		}
		for _, p := range g.Parents(v) {
			parent := number[g.Name(p)]
			if child[1] != -1 && (parent[1] != 0 || child[1] != 1) || child[1] == -1 && parent[1] != -1 {
				return nil, say.Errorf("hierarchy: the arc %s does not lead from one slice to the next",
					structure.Arc{From: g.Name(p), To: g.Name(v)})
			}
			links[child[0]] = append(links[child[0]], parent[0])
		}
	}
	for _, parents := range links {
		slices.Sort(parents)
	}
	return links, nil
}

// clone copies links.
func (l Links) clone() Links {
	c := make(Links, len(l))
	for v, parents := range l {
		c[v] = slices.Clone(parents)
	}
	return c
}

// slices returns the variable and the slice of each name in a network, slice −1 for plain names.
func (h *Hierarchy) slices() map[string][2]int {
	number := make(map[string][2]int)
	for v, name := range h.names {
		number[name] = [2]int{v, -1}
		number[dbn.At(name, 0)], number[dbn.At(name, 1)] = [2]int{v, 0}, [2]int{v, 1}
	}
	return number
}
