package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// newTrellis finds levels and numbers the variables by them.
func newTrellis(names []string, above [][]int) (*Hierarchy, error) {
	g, err := bn.NewDAG(names, above)
	if err != nil {
		return nil, say.Errorf("hierarchy: the composites contain each other: %w", err)
	}
	level := make([]int, len(names))
	for _, v := range g.Order() {
		level[v] = 1
		for _, a := range above[v] {
			level[v] = max(level[v], level[a]+1)
		}
	}
	old := make([]int, len(names)) // of each variable in the new order
	for v := range old {
		old[v] = v
	}
	slices.SortStableFunc(old, func(a, b int) int { return level[a] - level[b] })
	to := make([]int, len(names))
	for v, o := range old {
		to[o] = v
	}
	h := &Hierarchy{index: make(map[string]int, len(names)), below: make([][]int, len(names))}
	for v, o := range old {
		if v == 0 || level[o] > h.level[v-1] {
			h.first = append(h.first, v)
		}
		h.names, h.level, h.index[names[o]] = append(h.names, names[o]), append(h.level, level[o]), v
		up := make([]int, len(above[o]))
		for i, a := range above[o] {
			up[i] = to[a]
		}
		slices.Sort(up)
		h.above = append(h.above, up)
		for _, a := range up {
			h.below[a] = append(h.below[a], v)
		}
	}
	h.first = append(h.first, len(names))
	for v, below := range h.below {
		if len(below) == 1 {
			h.notes = append(h.notes, fmt.Sprintf("composite %q has a single h-child, %q", h.names[v],
				h.names[below[0]]))
		}
	}
	return h, nil
}

// Levels is the number of levels, levels(Λ) in B06 §2.1.
func (h *Hierarchy) Levels() int { return len(h.first) - 1 }

// LevelOf returns the level of variable v, 1 for a root.
func (h *Hierarchy) LevelOf(v int) int { return h.level[v] }

// Level returns the variables of a level, Λ(level) in B06 §2.1. It panics unless level is 1 to
// Levels.
func (h *Hierarchy) Level(level int) []int {
	vars := make([]int, h.first[level]-h.first[level-1])
	for i := range vars {
		vars[i] = h.first[level-1] + i
	}
	return vars
}

// leaves returns the atomic variables below v, each once, ascending; v itself when atomic.
func (h *Hierarchy) leaves(v int) []int {
	var leaves []int
	under := make([]bool, h.Len()) // v or below it
	under[v] = true
	for u := v; u < h.Len(); u++ { // what is below has a higher number
		if under[u] && h.IsAtomic(u) {
			leaves = append(leaves, u)
		}
		for _, b := range h.below[u] {
			under[b] = under[b] || under[u]
		}
	}
	return leaves
}

// String prints the trellis as a tree, each variable indented below its h-parents; what is
// below a variable with several h-parents is written once, where it first stands.
func (h *Hierarchy) String() string {
	sizes := make([]string, h.Levels())
	for i := range sizes {
		sizes[i] = fmt.Sprint(h.first[i+1] - h.first[i])
	}
	var b strings.Builder
	fmt.Fprintf(&b, "hierarchy of %d variables, %d atomic; by level: %s\n", h.Len(), len(h.Atomic()),
		strings.Join(sizes, ", "))
	written := make([]bool, h.Len())
	var write func(v, under, depth int)
	write = func(v, under, depth int) {
		b.WriteString(strings.Repeat("  ", depth) + h.names[v])
		switch {
		case written[v] && !h.IsAtomic(v):
			b.WriteString(" (see above)\n")
			return
		case !written[v] && len(h.above[v]) > 1:
			var others []string
			for _, a := range h.above[v] {
				if a != under {
					others = append(others, h.names[a])
				}
			}
			b.WriteString(" (also in " + strings.Join(others, ", ") + ")")
		}
		b.WriteString("\n")
		written[v] = true
		for _, c := range h.below[v] {
			write(c, v, depth+1)
		}
	}
	for v := range h.names {
		if len(h.above[v]) == 0 {
			write(v, -1, 0)
		}
	}
	return b.String()
}
