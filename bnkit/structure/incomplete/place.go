package incomplete

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
)

// with returns the best state with one hidden variable more, which has the given number of states, or as many as
// the score chooses; nil when no place for it was found.
//
// Each number of states is tried from the places, not from the graph of a smaller number: with too few states the
// climb leaves arcs among the children, which more states do not make up for.
func (r *run) with(ctx context.Context, base *state, name string, states int) (*state, error) {
	_, named := r.Hidden[name]
	if states > 0 {
		return r.withStates(ctx, base, r.hidden(name, states), named, nil)
	}
	var best *state
	numbers := 0 // without a higher objective
	for n := 2; n <= r.MaxStates && numbers < 2 && (n == 2 || ctx.Err() == nil); n++ {
		st, err := r.withStates(ctx, base, r.hidden(name, n), named, best)
		if err != nil || st == nil {
			return nil, err
		}
		if numbers++; st != best {
			best, numbers = st, 0
		}
	}
	best.placed = fmt.Sprintf("%d states by the score, %s", best.vars[len(base.vars)].Cardinality(), best.placed)
	return best, nil
}

// withStates returns the best state with the hidden variable or, where that is better, the given one. Splits are
// tried where no number of states before was as good.
func (r *run) withStates(ctx context.Context, base *state, hidden bn.Variable, named bool, before *state) (
	*state, error) {
	vars := append(slices.Clip(base.vars), hidden)
	best, err := r.bestOf(ctx, base, vars, r.placements(base, named), r.Starts+3, before)
	if err == nil && best != before {
		best, err = r.bestOf(ctx, base, vars, r.splits(best), r.Starts, best)
	}
	if err != nil || before == nil || ctx.Err() != nil {
		return best, err
	}
	st, err := r.fit(ctx, vars, before.graph, nil, r.Starts+3, firstIterations) // the graph of fewer states
	if err == nil {
		st.placed = before.placed
		st, err = r.climb(ctx, st)
	}
	if err == nil && st.objective > best.objective+tolerance(best.objective) {
		best = st
	}
	return best, err
}

// bestOf fits the tables of placements from random starts, climbs from those of the highest objectives, and returns
// the best end or, where that is better, the given one.
func (r *run) bestOf(ctx context.Context, base *state, vars []bn.Variable, places []placement, starts int,
	best *state) (*state, error) {
	var tried []*state
	for _, p := range places {
		if ctx.Err() != nil && (best != nil || len(tried) > 0) {
			break
		}
		g, ok := r.place(vars, base.graph, p)
		if !ok {
			continue
		}
		st, err := r.fit(ctx, vars, g, nil, starts, firstIterations)
		if err != nil {
			return nil, err
		}
		st.placed = p.String(vars)
		tried = append(tried, st)
	}
	slices.SortStableFunc(tried, func(a, b *state) int { return cmp.Compare(b.objective, a.objective) })
	for _, st := range tried[:min(len(tried), mostClimbs)] {
		next, err := r.climb(ctx, st)
		if err != nil {
			return nil, err
		}
		if best == nil || next.objective > best.objective+tolerance(best.objective) {
			best = next
		}
	}
	return best, nil
}

// Placements that are fitted, and those of the highest objective that are climbed from.
const (
	mostPlacements = 12
	mostClimbs     = 3
)

// A placement is a place of a hidden variable: it stands between its parents and its children. Arcs
// among all of these are left out.
type placement struct {
	parents, children []int
	from              string // where the idea comes from
}

// String says where the variable was placed first.
func (p placement) String(vars []bn.Variable) string {
	names := func(set []int) string {
		list := make([]string, len(set))
		for i, v := range set {
			list[i] = vars[v].Name
		}
		return strings.Join(list, ", ")
	}
	text := "placed first as the parent of " + names(p.children)
	if len(p.parents) > 0 {
		text += " and the child of " + names(p.parents)
	}
	return text + ", " + p.from
}

// mostNear bounds the variables of which all splits are tried.
const mostNear = 6

// splits lists the ways to make each variable near the last one, which is hidden, its parent or its child: a climb
// does not find its way from causes that are taken for effects to a table of all causes together, when they work
// together only.
func (r *run) splits(st *state) []placement {
	h := len(st.vars) - 1
	set := slices.Concat(st.graph.Parents(h), st.graph.Children(h))
	if len(set) > mostNear {
		return nil
	}
	if set = near(st.graph, set); h <= mostNear {
		set = nil // all others
		for v := range h {
			set = append(set, v)
		}
	}
	set = slices.DeleteFunc(set, func(v int) bool { return v == h })
	slices.Sort(set)
	var list []placement
	for split := range 1 << len(set) {
		p := placement{from: "one of all splits of the variables near it"}
		for i, v := range set {
			if split>>i&1 == 1 {
				p.children = append(p.children, v)
			} else {
				p.parents = append(p.parents, v)
			}
		}
		if len(p.children) > 1 {
			list = append(list, p)
		}
	}
	return list
}

// near returns the variables of a set and their neighbours in the graph, those with the most arcs to the set first, at
// most mostNear or all of the set.
func near(g *bn.DAG, set []int) []int {
	links := make([]int, g.Len())
	for _, v := range set {
		for _, u := range slices.Concat(g.Parents(v), g.Children(v)) {
			links[u]++
		}
	}
	list := slices.Clone(set)
	var rest []int
	for v, n := range links {
		if n > 0 && !slices.Contains(set, v) {
			rest = append(rest, v)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(links[b], links[a]) })
	return append(list, rest[:max(0, min(len(rest), mostNear+1-len(list)))]...) // the hidden one is among them
}

// placements lists places: the largest semi-cliques first, then variables with at least two neighbours and these, as a
// cause that leaves too little to see of some arcs shows itself. Where there is none of these, and for a variable
// with a name, there is the place above all others: several weak arcs may be too dear where one cause of all is not.
// In each set the variables without parents in it are tried as parents of the hidden one too, and
// otherwise what is parent of half of the set.
func (r *run) placements(base *state, named bool) []placement {
	var list []placement
	add := func(p placement) {
		if len(p.children) < 2 || slices.ContainsFunc(list, func(q placement) bool {
			return slices.Equal(p.children, q.children) && slices.Equal(p.parents, q.parents)
		}) {
			return
		}
		list = append(list, p)
	}
	sets := semiCliques(base.graph)
	cliques := len(sets)
	for i, set := range append(sets, neighbourhoods(base.graph)...) {
		from := fmt.Sprintf("a semi-clique of %d variables", len(set))
		if i >= cliques {
			from = fmt.Sprintf("a variable and its %d neighbours", len(set)-1)
		}
		var sources, rest []int
		for _, v := range set {
			if slices.ContainsFunc(base.graph.Parents(v), func(p int) bool { return slices.Contains(set, p) }) {
				rest = append(rest, v)
			} else {
				sources = append(sources, v)
			}
		}
		if len(list) >= mostPlacements {
			break
		}
		add(placement{children: set, parents: outside(base.graph, set), from: from})
		add(placement{children: rest, parents: sources, from: from})
	}
	if named || len(list) == 0 {
		var all []int
		for v := range base.vars {
			all = append(all, v)
		}
		add(placement{children: all, from: "above all others"})
	}
	return list
}

// outside lists the parents of at least half of a set of variables that are not in it (of all in Elidan et al. 2000,
// §4, which makes families of hidden variables too large to fit).
func outside(g *bn.DAG, set []int) []int {
	times := make(map[int]int)
	for _, v := range set {
		for _, p := range g.Parents(v) {
			if !slices.Contains(set, p) {
				times[p]++
			}
		}
	}
	var list []int
	for p, n := range times {
		if 2*n >= len(set) {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return list
}

// semiCliques lists the sets of at least three variables in which each has at least half as many neighbours as the
// set has members, grown from each triangle by the first variable that keeps it so until there is none, without
// those that are in others; the largest first. (Elidan, Lotner, Friedman and Koller 2000, §3.)
func semiCliques(g *bn.DAG) [][]int {
	n := g.Len()
	next := func(a, b int) bool { return slices.Contains(g.Parents(a), b) || slices.Contains(g.Parents(b), a) }
	is := func(set []int) bool {
		for _, v := range set {
			neighbours := 0
			for _, u := range set {
				if u != v && next(u, v) {
					neighbours++
				}
			}
			if 2*neighbours < len(set) {
				return false
			}
		}
		return true
	}
	var list [][]int
	for a := range n {
		for b := a + 1; b < n; b++ {
			for c := b + 1; c < n && next(a, b); c++ {
				if !next(a, c) || !next(b, c) {
					continue
				}
				set := []int{a, b, c}
				for grown := true; grown; {
					grown = false
					for v := range n {
						if larger := append(slices.Clip(set), v); !slices.Contains(set, v) && is(larger) {
							set, grown = larger, true
						}
					}
				}
				slices.Sort(set)
				if !slices.ContainsFunc(list, func(s []int) bool { return slices.Equal(s, set) }) {
					list = append(list, set)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	return list
}

// neighbourhoods lists each variable with at least two neighbours and these, the largest first.
func neighbourhoods(g *bn.DAG) [][]int {
	var list [][]int
	for v := range g.Len() {
		set := append(append([]int{v}, g.Parents(v)...), g.Children(v)...)
		slices.Sort(set)
		if len(set) > 2 {
			list = append(list, set)
		}
	}
	slices.SortStableFunc(list, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	return list
}

// place puts the last of the variables into a graph of the others, as far as the rules allow it.
func (r *run) place(vars []bn.Variable, g *bn.DAG, p placement) (*bn.DAG, bool) {
	limits, err := r.rules(vars, nil).Bind(vars)
	if err != nil {
		return nil, false
	}
	h := len(vars) - 1
	parents := make([][]int, len(vars))
	for v := range h {
		child := slices.Contains(p.children, v) && limits.Allowed(h, v)
		for _, u := range g.Parents(v) {
			replaced := (child || slices.Contains(p.parents, v)) &&
				(slices.Contains(p.children, u) || slices.Contains(p.parents, u))
			if !replaced || limits.IsRequired(u, v) {
				parents[v] = append(parents[v], u)
			}
		}
		if child || limits.IsRequired(h, v) {
			parents[v] = append(parents[v], h)
		}
	}
	for _, u := range limits.Required[h] {
		if !slices.Contains(parents[h], u) {
			parents[h] = append(parents[h], u)
		}
	}
	slices.Sort(parents[h])
	out, err := graphOf(vars, parents)
	if err != nil {
		return nil, false
	}
	for _, u := range p.parents { // as far as they make no cycle
		if !limits.Allowed(u, h) || slices.Contains(parents[h], u) || len(parents[h]) >= limits.MaxParents {
			continue
		}
		more := slices.Clone(parents)
		more[h] = slices.Sorted(slices.Values(append(slices.Clip(parents[h]), u)))
		if g, err := graphOf(vars, more); err == nil {
			out, parents = g, more
		}
	}
	if _, err := r.rules(vars, out).Bind(vars); err != nil {
		return nil, false
	}
	return out, true
}

// freshName is a name for a hidden variable that nothing has.
func (r *run) freshName(base *state) string {
	for k := 1; ; k++ {
		name := fmt.Sprint("H", k)
		if !slices.ContainsFunc(base.vars, func(v bn.Variable) bool { return v.Name == name }) {
			return name
		}
	}
}
