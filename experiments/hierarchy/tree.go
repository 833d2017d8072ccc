package hierarchy

import (
	"fmt"
	"slices"

	"bnlab/bnkit/structure/hierarchy"
)

// A tree is a balanced hierarchy of variables, numbered level by level.
type tree struct {
	names []string
	above []int // the h-parent, −1 at level 1
	level []int // from 1
	first []int // variables of level v are first[v-1] to first[v]−1
}

// newTree makes the tree in which each node has so many children: branches[0] nodes at level 1. B06 §3.1 has
// 3, 3, 5. Nodes are named by their way: 2 is below the root, 2.1 below 2.
func newTree(branches []int) *tree {
	t := &tree{first: []int{0}}
	for v, n := range branches {
		if v == 0 {
			for i := range n {
				t.add(fmt.Sprint(i+1), -1, 1)
			}
		} else {
			for up := t.first[v-1]; up < t.first[v]; up++ {
				for i := range n {
					t.add(fmt.Sprintf("%s.%d", t.names[up], i+1), up, v+1)
				}
			}
		}
		t.first = append(t.first, len(t.names))
	}
	return t
}

func (t *tree) add(name string, above, level int) {
	t.names, t.above, t.level = append(t.names, name), append(t.above, above), append(t.level, level)
}

// levels is the number of levels.
func (t *tree) levels() int { return len(t.first) - 1 }

// at lists the variables of a level, from 1.
func (t *tree) at(level int) []int {
	var list []int
	for v := t.first[level-1]; v < t.first[level]; v++ {
		list = append(list, v)
	}
	return list
}

// below lists the h-children.
func (t *tree) below(v int) []int {
	var list []int
	for w, up := range t.above {
		if up == v {
			list = append(list, w)
		}
	}
	return list
}

// chain lists the nodes from level 1 down to v.
func (t *tree) chain(v int) []int {
	var list []int
	for ; v >= 0; v = t.above[v] {
		list = append(list, v)
	}
	slices.Reverse(list)
	return list
}

// hierarchy is the tree as package structure knows it.
func (t *tree) hierarchy() (*hierarchy.Hierarchy, error) {
	last := t.first[t.levels()-1]
	var composites []hierarchy.Composite
	for v := range last {
		c := hierarchy.Composite{Name: t.names[v]}
		for _, w := range t.below(v) {
			c.Of = append(c.Of, t.names[w])
		}
		composites = append(composites, c)
	}
	return hierarchy.New(t.names[last:], composites...)
}
