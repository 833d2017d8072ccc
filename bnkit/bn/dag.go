package bn

import (
	"container/heap"
	"fmt"
	"strings"

	"bnlab/internal/say"
)

// A DAG is an immutable directed acyclic graph over named variables. The order of a variable's
// parents is kept, because it determines the index of parent configurations. Several goroutines may
// use it.
type DAG struct {
	names    []string
	index    map[string]int
	parents  [][]int
	children [][]int
	order    []int
}

// A CycleError reports a directed cycle as a path of names: each is a parent of the next, and the
// last equals the first.
type CycleError struct{ Path []string }

// Error returns a message with the path; long paths are shortened.
func (e *CycleError) Error() string {
	const most = 20
	left := len(e.Path) - most
	path := make([]string, 0, min(len(e.Path), most+1))
	for i, name := range e.Path {
		switch {
		case left <= 0 || i < most/2 || i >= most/2+left:
			path = append(path, say.Name(name))
		case i == most/2:
			path = append(path, fmt.Sprintf("(%d more)", left))
		}
	}
	return "bn: the arcs form a cycle: " + strings.Join(path, " → ")
}

// NewDAG returns the graph in which parents[v] lists the parents of variable v by their position in
// names. It returns a [*CycleError] for a cycle, and an error for a name that is empty or
// duplicate, or a parent that is unknown, duplicate or the variable itself.
func NewDAG(names []string, parents [][]int) (*DAG, error) {
	if len(parents) != len(names) {
		return nil, fmt.Errorf("bn: %d lists of parents for %d variables", len(parents), len(names))
	}
	g := &DAG{
		names:    append([]string(nil), names...),
		index:    make(map[string]int, len(names)),
		parents:  make([][]int, len(names)),
		children: make([][]int, len(names)),
	}
	for v, name := range names {
		if name == "" {
			return nil, fmt.Errorf("bn: variable %d has no name", v+1)
		}
		if _, ok := g.index[name]; ok {
			return nil, say.Errorf("bn: %w: variable %q occurs twice", ErrDuplicate, name)
		}
		g.index[name] = v
	}
	childOf := make([]int, len(names)) // the last variable with this parent, counted from 1
	for v, ps := range parents {
		g.parents[v] = append([]int(nil), ps...)
		for _, p := range ps {
			if p < 0 || p >= len(names) {
				return nil, say.Errorf("bn: %w: parent number %d of %q", ErrUnknownVariable, p, names[v])
			}
			if childOf[p] == v+1 {
				return nil, say.Errorf("bn: %w: %q is named twice as a parent of %q", ErrDuplicate, names[p], names[v])
			}
			childOf[p] = v + 1
			g.children[p] = append(g.children[p], v)
		}
	}
	if err := g.sort(); err != nil {
		return nil, err
	}
	return g, nil
}

// sort finds the order in which parents stand before children; among those
// that are ready the earliest variable comes first.
func (g *DAG) sort() error {
	waiting := make([]int, g.Len())
	done := make([]bool, g.Len())
	var ready earliest
	for v := range g.parents {
		if waiting[v] = len(g.parents[v]); waiting[v] == 0 {
			ready = append(ready, v) // ascending, so it is a heap
		}
	}
	for len(ready) > 0 {
		v := heap.Pop(&ready).(int)
		done[v] = true
		g.order = append(g.order, v)
		for _, c := range g.children[v] {
			if waiting[c]--; waiting[c] == 0 {
				heap.Push(&ready, c)
			}
		}
	}
	if len(g.order) == g.Len() {
		return nil
	}
	return g.cycle(done)
}

// earliest is a heap of variables with the first of them on top.
type earliest []int

func (h earliest) Len() int           { return len(h) }
func (h earliest) Less(i, j int) bool { return h[i] < h[j] }
func (h earliest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *earliest) Push(v any)        { *h = append(*h, v.(int)) }
func (h *earliest) Pop() any {
	v := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return v
}

// cycle walks up from a variable that could not be ordered: each such variable
// has a parent that could not be ordered either, so the walk must close.
func (g *DAG) cycle(done []bool) error {
	v := 0
	for done[v] {
		v++
	}
	at := make(map[int]int)
	var walk []int
	for {
		if first, ok := at[v]; ok {
			walk = append(walk[first:], v)
			break
		}
		at[v] = len(walk)
		walk = append(walk, v)
		for _, p := range g.parents[v] {
			if !done[p] {
				v = p
				break
			}
		}
	}
	path := make([]string, len(walk))
	for i, v := range walk {
		path[len(walk)-1-i] = g.names[v]
	}
	return &CycleError{Path: path}
}

// Len returns the number of variables.
func (g *DAG) Len() int { return len(g.names) }

// Name returns the name of variable v.
func (g *DAG) Name(v int) string { return g.names[v] }

// Index returns the position of the named variable. The error wraps
// [ErrUnknownVariable].
func (g *DAG) Index(name string) (int, error) {
	if v, ok := g.index[name]; ok {
		return v, nil
	}
	return 0, say.Errorf("bn: %w %q (there are: %s)", ErrUnknownVariable, name, say.List(g.names))
}

// Parents returns the parents of v in their order. The slice must not be changed.
func (g *DAG) Parents(v int) []int { return g.parents[v] }

// Children returns the children of v, in the order of the variables. The slice
// must not be changed.
func (g *DAG) Children(v int) []int { return g.children[v] }

// Order returns a topological order, parents first; ties are broken by position. The slice must not
// be changed.
func (g *DAG) Order() []int { return g.order }

// Arcs returns the number of arcs.
func (g *DAG) Arcs() int {
	n := 0
	for _, ps := range g.parents {
		n += len(ps)
	}
	return n
}
