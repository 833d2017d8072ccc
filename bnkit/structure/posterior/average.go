package posterior

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// Average returns the graph of the pairs of variables that are joined with a probability above the threshold, each in
// its more probable direction (of equals from the earlier variable). Arcs are taken by falling probability of the pair,
// then of the direction, and one that would close a cycle is left out and listed. Strengths are probabilities, so that
// drawings show them as they show those of [structure.Strengths]. It returns an error for a threshold outside [0, 1).
func (g *Graphs) Average(threshold float64) (*structure.Averaged, error) {
	if !(threshold >= 0 && threshold < 1) {
		return nil, say.Errorf("posterior: a threshold of %v for probabilities of arcs; it must be from 0 to below 1",
			threshold)
	}
	n := len(g.Variables)
	type pair struct {
		from, to int
		structure.ArcStrength
	}
	var pairs []pair
	for u := range n {
		for v := u + 1; v < n; v++ {
			there, _ := g.Arc(u, v)
			back, _ := g.Arc(v, u)
			if !(there+back > threshold) {
				continue
			}
			from, to := u, v
			if back > there {
				from, to = v, u
			}
			pairs = append(pairs, pair{from, to, structure.ArcStrength{
				Arc:      structure.Arc{From: g.Variables[from].Name, To: g.Variables[to].Name},
				Strength: min(there+back, 1), Direction: max(there, back) / (there + back)}})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(b.Direction, a.Direction))
	})
	a := &structure.Averaged{Threshold: threshold}
	sets, parents, names := make([]uint64, n), make([][]int, n), make([]string, n)
	for _, p := range pairs {
		if ancestorsOf(sets)[p.from]>>p.to&1 == 1 {
			a.LeftOut = append(a.LeftOut, p.ArcStrength)
			continue
		}
		sets[p.to] |= 1 << p.from
		a.Arcs = append(a.Arcs, p.ArcStrength)
	}
	for v, set := range sets {
		parents[v], names[v] = members(set), g.Variables[v].Name
	}
	var err error
	if a.DAG, err = bn.NewDAG(names, parents); err != nil {
		return nil, say.Errorf("posterior: %w", err)
	}
	return a, nil
}

// String prints the method, the most probable arcs, and the notes.
func (g *Graphs) String() string {
	type arc struct {
		from, to string
		p, err   float64
	}
	var arcs []arc
	for u, from := range g.Variables {
		for v, to := range g.Variables {
			if p, err := g.Arc(u, v); u != v && p >= 0.0005 {
				arcs = append(arcs, arc{from.Name, to.Name, p, err})
			}
		}
	}
	slices.SortStableFunc(arcs, func(a, b arc) int { return cmp.Compare(b.p, a.p) })
	var b strings.Builder
	fmt.Fprintf(&b, "posterior distribution of graphs, %s; at most %d parents\n", g.Method, g.MaxParents)
	if g.RHat != 0 {
		fmt.Fprintf(&b, "R-hat of the score %.3f; arcs differ by at most %.3f between chains\n", g.RHat, g.Apart)
	}
	const most = 40
	for i, a := range arcs {
		if i == most {
			fmt.Fprintf(&b, "  and %d more\n", len(arcs)-most)
			break
		}
		fmt.Fprintf(&b, "  %s → %s: %.3f", a.from, a.to, a.p)
		if a.err > 0 {
			fmt.Fprintf(&b, " ± %.3f", a.err)
		}
		b.WriteString("\n")
	}
	for _, note := range g.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}
