package hierarchy

import (
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A Hierarchy is an aggregation hierarchy over variables (B06 §2.1): a trellis whose leaves
// are atomic variables, those of the data, and whose other nodes are composites, aggregates
// of the nodes below them. A node may stand below several composites. In words of the paper,
// what is above a node are its h-parents, what is below its h-children. It does not change
// once made.
//
// Roots are of level 1, every other node is one level below its lowest h-parent. Variables
// are numbered level by level, in each level atomic ones before composites and else as given;
// methods that take or return numbers mean these.
type Hierarchy struct {
	names        []string
	index        map[string]int
	above, below [][]int
	level        []int // from 1
	first        []int // variables of level v are first[v-1] to first[v]−1
	notes        []string
}

// A Composite is a variable that is made of others, atomic ones or composites.
type Composite struct {
	Name string
	Of   []string
}

// New returns the hierarchy of atomic variables and the composites made of them.
// Without composites it has one level. A composite of a single variable is allowed, and
// reported by [Hierarchy.Notes].
//
// It returns an error for no variables, a name that is empty or used twice
// ([bn.ErrDuplicate]), a composite of nothing or of an unknown variable
// ([bn.ErrUnknownVariable]), composites that contain each other (a [*bn.CycleError] with the
// path), and an atomic variable that is in no composite while there are composites.
func New(atomic []string, composites ...Composite) (*Hierarchy, error) {
	if len(atomic) == 0 {
		return nil, fmt.Errorf("hierarchy: a hierarchy needs atomic variables")
	}
	names := slices.Clone(atomic)
	for _, c := range composites {
		names = append(names, c.Name)
	}
	index, err := numberNames(names, len(atomic))
	if err != nil {
		return nil, err
	}
	above := make([][]int, len(names))
	for k, c := range composites {
		if len(c.Of) == 0 {
			return nil, say.Errorf("hierarchy: composite %q is empty", c.Name)
		}
		for i, name := range c.Of {
			v, ok := index[name]
			if !ok {
				return nil, say.Errorf("hierarchy: %w %q in composite %q: it is neither atomic nor a composite",
					bn.ErrUnknownVariable, name, c.Name)
			}
			if slices.Contains(c.Of[:i], name) {
				return nil, say.Errorf("hierarchy: %w: composite %q contains %q twice", bn.ErrDuplicate, c.Name, name)
			}
			above[v] = append(above[v], len(atomic)+k)
		}
	}
	for v, name := range atomic {
		if len(composites) > 0 && len(above[v]) == 0 {
			return nil, say.Errorf("hierarchy: variable %q is in no composite; name it in one, if need be in one of "+
				"its own", name)
		}
	}
	return newTrellis(names, above)
}

// numberNames returns the position of each name.
func numberNames(names []string, atomic int) (map[string]int, error) {
	kind := func(v int) string {
		if v < atomic {
			return "an atomic one"
		}
		return "a composite"
	}
	index := make(map[string]int, len(names))
	for v, name := range names {
		if name == "" {
			return nil, say.Errorf("hierarchy: variable %d of the hierarchy, %s, is without a name", v+1, kind(v))
		}
		if first, ok := index[name]; ok {
			return nil, say.Errorf("hierarchy: %w: %q names two variables of the hierarchy, %s and %s", bn.ErrDuplicate,
				name, kind(first), kind(v))
		}
		index[name] = v
	}
	return index, nil
}

// Names returns the names of all variables, level by level; none of nil. The slice must not be
// changed.
func (h *Hierarchy) Names() []string {
	if h == nil {
		return nil
	}
	return h.names
}

// Len returns the number of variables, composites included.
func (h *Hierarchy) Len() int { return len(h.names) }

// Index returns the number of the named variable. The error wraps [bn.ErrUnknownVariable].
func (h *Hierarchy) Index(name string) (int, error) {
	if v, ok := h.index[name]; ok {
		return v, nil
	}
	return 0, say.Errorf("hierarchy: %w %q: the hierarchy has %s", bn.ErrUnknownVariable, name, say.List(h.names))
}

// all are the numbers of the variables.
func (h *Hierarchy) all() []int {
	out := make([]int, h.Len())
	for v := range out {
		out[v] = v
	}
	return out
}

// Atomic returns the names of the leaves.
func (h *Hierarchy) Atomic() []string {
	var names []string
	for v, name := range h.names {
		if h.IsAtomic(v) {
			names = append(names, name)
		}
	}
	return names
}

// IsAtomic reports whether variable v is a leaf.
func (h *Hierarchy) IsAtomic(v int) bool { return len(h.below[v]) == 0 }

// Above returns the h-parents of v, ascending. The slice must not be changed.
func (h *Hierarchy) Above(v int) []int { return h.above[v] }

// Below returns the h-children of v, ascending. The slice must not be changed.
func (h *Hierarchy) Below(v int) []int { return h.below[v] }

// Notes returns notes for the user, such as composites of a single variable.
func (h *Hierarchy) Notes() []string { return slices.Clone(h.notes) }
