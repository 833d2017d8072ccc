package viz

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/metric"
)

// Compare draws a learned graph over the true one: common arcs thin and grey, reversed arcs in
// their learned direction, purple and dash-dotted, missing arcs blue and dotted, extra arcs
// vermilion and dashed. A legend counts them. Variables are matched by their names; ArcLabels name
// arcs as the truth has them, and extra ones as learned. It returns the error of
// [metric.CompareDAGs] when the graphs have different variables, and those of [Network].
func Compare(truth, learned *bn.DAG, opts *NetworkOptions) (*Figure, error) {
	c, err := metric.CompareDAGs(truth, learned)
	if err != nil {
		return nil, fmt.Errorf("viz: %w", err)
	}
	both := stroke{LineStyle: draw.LineStyle{Color: faint, Width: 1}}
	reversed := stroke{draw.LineStyle{Color: palette[3], Width: 1.8, Dashes: []vg.Length{7, 2, 1.5, 2}}, turned}
	missing := stroke{LineStyle: draw.LineStyle{Color: palette[0], Width: 1.5, Dashes: []vg.Length{1.5, 2}}}
	extra := stroke{LineStyle: draw.LineStyle{Color: palette[1], Width: 1.8, Dashes: []vg.Length{5, 2.5}}}

	names, parents, ends := make([]string, truth.Len()), make([][]int, truth.Len()), make(map[[2]int]stroke)
	rank := make([]int, truth.Len())
	for i, v := range truth.Order() {
		rank[v] = i
	}
	at := func(arc [2]string) (parent, child int) {
		parent, _ = truth.Index(arc[0]) // CompareDAGs has matched the names
		child, _ = truth.Index(arc[1])
		return parent, child
	}
	for v := range names {
		names[v], parents[v] = truth.Name(v), slices.Clone(truth.Parents(v))
	}
	for _, kind := range []struct {
		arcs [][2]string
		stroke
	}{{c.Common, both}, {c.Reversed, reversed}, {c.Missing, missing}} {
		for _, arc := range kind.arcs {
			parent, child := at(arc)
			ends[[2]int{parent, child}] = kind.stroke
		}
	}
	// Extra arcs are laid out in the order of the truth, so that no cycle can arise.
	for _, arc := range c.Extra {
		parent, child := at(arc)
		s := extra
		if rank[parent] > rank[child] {
			parent, child, s.end = child, parent, turned
		}
		parents[child] = append(parents[child], parent)
		ends[[2]int{parent, child}] = s
	}
	all, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil, fmt.Errorf("viz: %w", err)
	}
	var keys []key
	for _, k := range []struct {
		name string
		n    int
		stroke
	}{{"in both", len(c.Common), both}, {"turned round", len(c.Reversed), reversed},
		{"missing", len(c.Missing), missing}, {"extra", len(c.Extra), extra}} {
		if k.n > 0 {
			k.end = ahead
			keys = append(keys, key{fmt.Sprintf("%s: %d", k.name, k.n), k.sample})
		}
	}
	return drawNodes(all, nil, func(parent, child int) stroke { return ends[[2]int{parent, child}] }, keys, opts)
}

// Strengths draws a graph with arc widths proportional to strengths, such as bootstrap frequencies.
// A strength is between 0 and 1, by parent and child. It returns an error when an arc has none, one
// is not between 0 and 1 or is of no arc, and those of [Network].
func Strengths(g *bn.DAG, strengths map[[2]string]float64, opts *NetworkOptions) (*Figure, error) {
	if g == nil {
		return nil, fmt.Errorf("viz: there is no graph to draw")
	}
	for v := range g.Len() {
		for _, p := range g.Parents(v) {
			s, ok := strengths[[2]string{g.Name(p), g.Name(v)}]
			if !ok {
				return nil, fmt.Errorf("viz: the arc from %q to %q has no strength", g.Name(p), g.Name(v))
			}
			if !(s >= 0 && s <= 1) {
				return nil, fmt.Errorf("viz: the arc from %q to %q has the strength %v; it must be between 0 and 1",
					g.Name(p), g.Name(v), s)
			}
		}
	}
	if len(strengths) > g.Arcs() {
		labels := make(map[[2]string]string)
		for arc := range strengths {
			labels[arc] = ""
		}
		return nil, unknownArc(g, labels)
	}
	wide := func(s float64) stroke {
		return stroke{LineStyle: draw.LineStyle{Color: mix(rule, ink, 0.3+0.5*s), Width: vg.Length(0.4 + 2.8*s)}}
	}
	var keys []key
	for _, s := range []float64{0.1, 0.5, 1} {
		keys = append(keys, key{fmt.Sprintf("strength %v", s), wide(s).sample})
	}
	return drawNodes(g, nil, func(parent, child int) stroke {
		return wide(strengths[[2]string{g.Name(parent), g.Name(child)}])
	}, keys, opts)
}
