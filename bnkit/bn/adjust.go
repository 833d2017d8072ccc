package bn

import (
	"maps"
	"slices"

	"bnlab/internal/say"
)

// mostSets bounds the sets that AdjustmentSets and FrontdoorSets list.
const mostSets = 10_000

// AdjustmentSets returns the minimal sets Z of observed variables that identify the effect of one
// variable on another by adjustment,
//
//	P(outcome | do(treatment)) = Σ_z P(outcome | treatment, z) P(z),
//
// in every network over the graph: sets without variables on directed paths from treatment to
// outcome or their descendants, which block every other path between the two (Pearl's back-door
// criterion; Shpitser, VanderWeele and Robins 2010, van der Zander, Liśkiewicz and Textor 2014).
// hidden names variables that are never observed; they are in no set. Sets are ordered by size,
// then by the order of the variables; an empty set means that no adjustment is needed, no sets that
// adjustment is impossible. See also [DAG.FrontdoorSets] and [DAG.Identifiable].
//
// It returns an error for an unknown variable ([ErrUnknownVariable]), a treatment that is the outcome, a
// treatment or outcome that is hidden, and more than 10,000 sets ([ErrTooLarge]); [DAG.SomeAdjustmentSets] returns
// some of many.
func (g *DAG) AdjustmentSets(treatment, outcome string, hidden ...string) ([][]string, error) {
	sets, err := g.SomeAdjustmentSets(mostSets+1, treatment, outcome, hidden...)
	if len(sets) > mostSets {
		return nil, say.Errorf("bn: %w: more than %d minimal sets; name variables that need not be measured as "+
			"hidden, or take SomeAdjustmentSets", ErrTooLarge, mostSets)
	}
	return sets, err
}

// SomeAdjustmentSets returns the first most of the sets of [DAG.AdjustmentSets], from those near the treatment to
// those near the outcome, in its order: all of them when there are fewer. A graph of a hundred variables may have
// more sets than can be listed. Errors are those of AdjustmentSets but for their number.
func (g *DAG) SomeAdjustmentSets(most int, treatment, outcome string, hidden ...string) ([][]string, error) {
	x, y, isHidden, err := g.roles(treatment, outcome, hidden)
	if err != nil {
		return nil, err
	}
	causal := g.between(x, y)
	forbidden := closure(g.children, ones(causal))
	for v, is := range causal {
		forbidden[v] = forbidden[v] || is
	}
	// What is left of the paths without the arcs out of the treatment is to be closed.
	other := g.without(func(p, _ int) bool { return p == x })
	near := other.moral(x, y)
	for v, neighbours := range near {
		if v != x && v != y && neighbours != nil && (isHidden[v] || forbidden[v]) {
			bypass(near, v)
		}
	}
	if near[x][y] || most < 1 {
		return nil, nil
	}
	var sets [][]int
	separators(near, x, y, func(set []int) bool {
		sets = append(sets, set)
		return len(sets) < most
	})
	return g.sorted(sets), nil
}

// FrontdoorSets returns the minimal sets M of observed mediators that identify the effect by
// Pearl's front-door formula,
//
//	P(outcome | do(x)) = Σ_m P(m | x) Σ_x' P(outcome | x', m) P(x'),
//
// even with hidden common causes: M intercepts every directed path, no back-door path from the
// treatment to M is open, and the treatment blocks every back-door path from M to the outcome
// (Pearl 2009, §3.3.2). Arguments, order and errors are those of [DAG.AdjustmentSets].
func (g *DAG) FrontdoorSets(treatment, outcome string, hidden ...string) ([][]string, error) {
	x, y, isHidden, err := g.roles(treatment, outcome, hidden)
	if err != nil {
		return nil, err
	}
	causal := g.between(x, y)
	if !causal[y] {
		return nil, nil
	}
	reached := g.without(func(p, _ int) bool { return p == x }).open([]int{x}, nil)
	var candidates []int
	for v, is := range causal {
		if is && v != y && !isHidden[v] && !reached[v] {
			candidates = append(candidates, v)
		}
	}
	works := func(set []int) bool {
		in := make([]bool, g.Len())
		for _, v := range set {
			in[v] = true
		}
		if g.without(func(p, c int) bool { return in[p] || in[c] }).between(x, y)[y] {
			return false
		}
		return !g.without(func(p, _ int) bool { return in[p] }).open(set, []int{x})[y]
	}
	var sets [][]int
	tried := 0
	for size := 1; size <= len(candidates); size++ {
		for set := range subsets(candidates, size) {
			if tried++; tried > 100*mostSets || len(sets) > mostSets {
				return nil, say.Errorf("bn: %w: %d variables lie between %q and %q; name some as hidden", ErrTooLarge,
					len(candidates), treatment, outcome)
			}
			if !slices.ContainsFunc(sets, func(s []int) bool { return isSubset(s, set) }) && works(set) {
				sets = append(sets, slices.Clone(set))
			}
		}
	}
	return g.sorted(sets), nil
}

// roles finds treatment, outcome and hidden variables, which must be different ones.
func (g *DAG) roles(treatment, outcome string, hidden []string) (x, y int, isHidden []bool, err error) {
	ends, err := g.indices([]string{treatment, outcome})
	if err != nil {
		return 0, 0, nil, err
	}
	if ends[0] == ends[1] {
		return 0, 0, nil, say.Errorf("bn: %q is named as treatment and as outcome", treatment)
	}
	isHidden, err = g.marked(hidden, ends)
	return ends[0], ends[1], isHidden, err
}

// marked marks the hidden variables, which must not be among the others named.
func (g *DAG) marked(hidden []string, others []int) ([]bool, error) {
	isHidden := make([]bool, g.Len())
	set, err := g.indices(hidden)
	if err != nil {
		return nil, err
	}
	for _, v := range set {
		if slices.Contains(others, v) {
			return nil, say.Errorf("bn: %q is hidden: effects of it, or on it, are not identifiable; name "+
				"observed variables", g.names[v])
		}
		isHidden[v] = true
	}
	return isHidden, nil
}

// between marks what lies on directed paths from x to y, y included and x not.
func (g *DAG) between(x, y int) []bool {
	below, above := closure(g.children, []int{x}), closure(g.parents, []int{y})
	for v := range below {
		below[v] = below[v] && (above[v] || v == y)
	}
	return below
}

// without returns the graph without some arcs.
func (g *DAG) without(arc func(p, c int) bool) *DAG {
	h := &DAG{names: g.names, index: g.index, order: g.order,
		parents: make([][]int, g.Len()), children: make([][]int, g.Len())}
	for c, ps := range g.parents {
		for _, p := range ps {
			if !arc(p, c) {
				h.parents[c] = append(h.parents[c], p)
				h.children[p] = append(h.children[p], c)
			}
		}
	}
	return h
}

// moral returns the moral graph of x, y and their ancestors: neighbours by variable, nil for all others.
func (g *DAG) moral(x, y int) []map[int]bool {
	in := closure(g.parents, []int{x, y})
	in[x], in[y] = true, true
	near := make([]map[int]bool, g.Len())
	for v := range near {
		if in[v] {
			near[v] = make(map[int]bool)
		}
	}
	for v := range near {
		if !in[v] {
			continue
		}
		for i, p := range g.parents[v] {
			join(near, p, v)
			for _, q := range g.parents[v][:i] {
				join(near, p, q)
			}
		}
	}
	return near
}

func join(near []map[int]bool, a, b int) { near[a][b], near[b][a] = true, true }

// bypass takes a variable out of an undirected graph and joins its neighbours, so that sets separate as
// they did with it.
func bypass(near []map[int]bool, v int) {
	around := slices.Sorted(maps.Keys(near[v]))
	near[v] = nil
	for i, a := range around {
		delete(near[a], v)
		for _, b := range around[:i] {
			join(near, a, b)
		}
	}
}
