package structure

import (
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// bindDAG returns the parents of each variable in the graph, ascending.
func bindDAG(vars []bn.Variable, g *bn.DAG) ([][]int, error) {
	if g == nil {
		return nil, fmt.Errorf("structure: the graph is nil")
	}
	index := indexOf(vars)
	if g.Len() != len(vars) {
		for v := range g.Len() {
			if _, ok := index[g.Name(v)]; !ok {
				return nil, say.Errorf("structure: %w %q in the graph; the cases have no such column",
					bn.ErrUnknownVariable, g.Name(v))
			}
		}
		for _, v := range vars {
			if _, err := g.Index(v.Name); err != nil {
				return nil, say.Errorf("structure: column %q is not in the graph: %w", v.Name, err)
			}
		}
	}
	parents := make([][]int, len(vars))
	for v := range g.Len() {
		child, ok := index[g.Name(v)]
		if !ok {
			return nil, say.Errorf("structure: %w %q in the graph; the cases have no such column",
				bn.ErrUnknownVariable, g.Name(v))
		}
		for _, p := range g.Parents(v) {
			at, ok := index[g.Name(p)]
			if !ok {
				return nil, say.Errorf("structure: %w %q in the graph; the cases have no such column",
					bn.ErrUnknownVariable, g.Name(p))
			}
			if isMixed(vars, at, child) {
				return nil, say.Errorf("structure: the graph has the arc %v: %s", Arc{g.Name(p), g.Name(v)}, mixedArc)
			}
			parents[child] = append(parents[child], at)
		}
		slices.Sort(parents[child])
	}
	return parents, nil
}

// indexOf numbers the variables by name.
func indexOf(vars []bn.Variable) map[string]int {
	index := make(map[string]int, len(vars))
	for i, v := range vars {
		index[v.Name] = i
	}
	return index
}

// all are the numbers 0..n−1.
func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// names of some variables.
func names(vars []bn.Variable, of []int) []string {
	out := make([]string, len(of))
	for i, v := range of {
		out[i] = vars[v].Name
	}
	return out
}

// quoted lists the names of variables, or says that there are none.
func quoted(vars []bn.Variable, of []int) string {
	if len(of) == 0 {
		return "nothing"
	}
	return say.Quoted(names(vars, of))
}
