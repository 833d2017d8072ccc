package bn

import (
	"slices"

	"bnlab/internal/say"
)

// InterventionalCPDAG returns the equivalence class of the graph when variables were set by intervention: the graphs
// that neither cases in which nothing was set nor those in which the variables of one of the targets were set tell
// apart (Hauser and Bühlmann 2012, Theorem 10 and Definition 13, there the essential graph under interventions). Each
// target lists the variables that were set together; an empty one is observation, which need not be named. Beside the
// arcs that are directed in [DAG.CPDAG] those are that a target separates, of whose ends one was set and the other was
// not, and what follows from them (Meek 1995, rules 1
// and 2; arrows that meet, as in his rule 3, do so in the CPDAG already).
//
// It returns an error for a name that is no variable ([ErrUnknownVariable]).
func (g *DAG) InterventionalCPDAG(targets ...[]string) (*CPDAG, error) {
	c := g.CPDAG()
	for _, target := range targets {
		in := make([]bool, g.Len())
		for _, name := range target {
			v, err := g.Index(name)
			if err != nil {
				return nil, say.Errorf("bn: the targets of interventions: %w", err)
			}
			in[v] = true
		}
		for v, ps := range g.parents {
			for i, p := range ps {
				c.compelled[v][i] = c.compelled[v][i] || in[p] != in[v]
			}
		}
	}
	for c.orient() {
	}
	return c, nil
}

// orient directs the arcs that would otherwise close a cycle or make arrows meet, as they do not in the member, and
// reports whether there were any.
func (c *CPDAG) orient() bool {
	g, changed := c.member, false
	adjacent := func(a, b int) bool { return slices.Contains(g.parents[a], b) || slices.Contains(g.parents[b], a) }
	for b, ps := range g.parents {
		for i, a := range ps {
			if c.compelled[b][i] {
				continue
			}
			must := false
			for j, w := range g.parents[a] { // w → a — b, and w is not joined to b
				must = must || c.compelled[a][j] && !adjacent(w, b)
			}
			for j, w := range ps { // a → w → b
				must = must || c.compelled[b][j] && c.IsDirected(a, w)
			}
			if must {
				c.compelled[b][i], changed = true, true
			}
		}
	}
	return changed
}
