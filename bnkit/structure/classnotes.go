package structure

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// classNotes says which directions cases tell in which variables were set; see [bn.DAG.InterventionalCPDAG].
func classNotes(g *bn.DAG, regimes []data.Regime) ([]string, error) {
	targets := make([][]string, len(regimes))
	var set, always []string
	for i, regime := range regimes {
		targets[i] = regime.Set
		set = append(set, regime.Set...)
	}
	slices.Sort(set)
	set = slices.Compact(set)
	for _, name := range set {
		if !slices.ContainsFunc(targets, func(target []string) bool { return !slices.Contains(target, name) }) {
			always = append(always, name)
		}
	}
	var notes []string
	if len(always) > 0 {
		notes = append(notes, fmt.Sprintf("set in all cases, so that no arc into it can be found: %s",
			strings.Join(always, ", ")))
	}
	class, err := g.InterventionalCPDAG(targets...)
	if err != nil || g.Arcs() == 0 {
		return notes, err
	}
	open := make([]string, 0)
	for _, arc := range class.Undirected() {
		open = append(open, arc[0]+" – "+arc[1])
	}
	text := fmt.Sprintf("interventions on %s: all graphs that these cases cannot tell apart agree on ",
		strings.Join(set, ", "))
	if len(open) == 0 {
		text += "the direction of every arc"
	} else {
		text += fmt.Sprintf("the direction of %d of %d arcs, and not on that of %s", g.Arcs()-len(open), g.Arcs(),
			strings.Join(open, ", "))
	}
	return append(notes, text), nil
}
