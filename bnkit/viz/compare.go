package viz

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/metric"
	"bnlab/internal/say"
)

// Compare draws a learned graph over the true one: common arcs thin and grey, reversed arcs in
// their learned direction, purple and dash-dotted, missing arcs blue and dotted, extra arcs
// vermilion and dashed. A legend counts them. Variables are matched by their names; ArcLabels name
// arcs as the truth has them, and extra ones as learned. It returns the error of
// [metric.CompareDAGs] when the graphs have different variables, and those of [Network].
func Compare(truth, learned *bn.DAG, opts *NetworkOptions) (*Figure, error) {
	if opts != nil && opts.Strengths != nil {
		return nil, fmt.Errorf("viz: a comparison shows no strengths; use Graph")
	}
	if opts != nil && len(opts.Beliefs) > 0 {
		return nil, errNoTables
	}
	c, err := metric.CompareDAGs(truth, learned)
	if err != nil {
		return nil, say.Errorf("viz: %w", err)
	}
	both := stroke{LineStyle: draw.LineStyle{Color: faint, Width: 1}}
	reversed := stroke{draw.LineStyle{Color: purple, Width: 1.8, Dashes: []vg.Length{7, 2, 1.5, 2}}, turned}
	missing := stroke{LineStyle: draw.LineStyle{Color: blue, Width: 1.5, Dashes: []vg.Length{1.5, 2}}}
	extra := stroke{LineStyle: draw.LineStyle{Color: vermilion, Width: 1.8, Dashes: []vg.Length{5, 2.5}}}

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
		return nil, say.Errorf("viz: %w", err)
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
			keys = append(keys, key{name: fmt.Sprintf("%s: %d", k.name, k.n), sample: k.sample})
		}
	}
	return drawNodes(all, nil, func(parent, child int) stroke { return ends[[2]int{parent, child}] }, keys, opts)
}
