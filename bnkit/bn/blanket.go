package bn

import "slices"

// MarkovBlanket returns the parents of a variable, its children and the other parents of its
// children, in the order of the variables. Given them the variable is independent of all
// others (Pearl 1988, §3.3). The error wraps [ErrUnknownVariable].
func (g *DAG) MarkovBlanket(name string) ([]string, error) {
	v, err := g.Index(name)
	if err != nil {
		return nil, err
	}
	in := make([]bool, g.Len())
	for _, p := range g.parents[v] {
		in[p] = true
	}
	for _, c := range g.children[v] {
		in[c] = true
		for _, p := range g.parents[c] {
			in[p] = true
		}
	}
	in[v] = false
	return g.named(in), nil
}

// Ancestors returns the ancestors of the named variables, in the order of the variables; a named
// variable is included only if it is an ancestor of another. Errors wrap [ErrUnknownVariable].
func (g *DAG) Ancestors(names ...string) ([]string, error) {
	return g.reach(g.parents, names)
}

// Descendants returns the descendants of the named variables; see [DAG.Ancestors].
func (g *DAG) Descendants(names ...string) ([]string, error) {
	return g.reach(g.children, names)
}

func (g *DAG) reach(next [][]int, names []string) ([]string, error) {
	from, err := g.indices(names)
	if err != nil {
		return nil, err
	}
	return g.named(closure(next, from)), nil
}

// closure marks what one step or more from the given variables leads to.
func closure(next [][]int, from []int) []bool {
	reached := make([]bool, len(next))
	for waiting := slices.Clone(from); len(waiting) > 0; {
		v := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		for _, u := range next[v] {
			if !reached[u] {
				reached[u] = true
				waiting = append(waiting, u)
			}
		}
	}
	return reached
}

// indices finds the named variables.
func (g *DAG) indices(names []string) ([]int, error) {
	out := make([]int, len(names))
	for i, name := range names {
		v, err := g.Index(name)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// named returns the names of the variables that are marked.
func (g *DAG) named(marked []bool) []string {
	var names []string
	for v, is := range marked {
		if is {
			names = append(names, g.names[v])
		}
	}
	return names
}
