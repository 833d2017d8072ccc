package bn

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/internal/say"
)

// An UnidentifiableError reports a causal effect that is not identifiable: two networks over the
// graph agree on the distribution of the observed variables and differ in the effect.
type UnidentifiableError struct {
	Treatments, Outcomes []string
	// Path is a path from a treatment to an outcome through hidden variables, as in "smoke ← gene →
	// cancer".
	Path string
	// Given are the observed variables on the path at which arrows meet: it is open given these, and without
	// one of them another path is. It is empty where the path itself is open.
	Given []string
	// Hidden are the hidden variables on the path.
	Hidden []string
}

// Error returns a message with the effect, the path and the variables that would have to be
// observed.
func (e *UnidentifiableError) Error() string {
	open := "is open"
	if len(e.Given) > 0 {
		given := strings.Join(e.Given, " and ")
		open = fmt.Sprintf("is open given %s, and other paths are without %s", given, given)
	}
	return say.Sprintf("bn: the effect of %s on %s cannot be had from the observed variables: %s %s; "+
		"observe %s, or set the treatment in an experiment", say.List(e.Treatments),
		say.List(e.Outcomes), e.Path, open, strings.Join(e.Hidden, " or "))
}

// Identifiable returns nil if the effect P(outcomes | do(treatments)) is identifiable from the
// joint distribution of the observed variables, and an [*UnidentifiableError] if not. hidden names
// variables that are never observed. The algorithm is sound and complete: if neither adjustment nor
// the front door suffices, combinations of both may ([DAG.AdjustmentSets], [DAG.FrontdoorSets];
// Tian and Pearl 2002; Shpitser and Pearl 2006; Huang and Valtorta 2006). Network.Do computes the
// effect.
//
// Other errors are for no treatment or outcome, unknown variables ([ErrUnknownVariable]), a treatment that
// is an outcome, and either of them hidden.
func (g *DAG) Identifiable(treatments, outcomes []string, hidden ...string) error {
	if len(treatments) == 0 || len(outcomes) == 0 {
		return fmt.Errorf("bn: an effect has a treatment and an outcome; name at least one of each")
	}
	x, err := g.indices(treatments)
	if err != nil {
		return err
	}
	y, err := g.indices(outcomes)
	if err != nil {
		return err
	}
	for _, v := range x {
		if slices.Contains(y, v) {
			return say.Errorf("bn: %q is named as treatment and as outcome", g.names[v])
		}
	}
	isHidden, err := g.marked(hidden, slices.Concat(x, y))
	if err != nil {
		return err
	}
	p := g.project(isHidden)
	free := slices.Clone(p.observed)
	for _, v := range x {
		free[v] = false
	}
	wanted := p.above(y, free)
	for _, part := range p.districts(wanted) {
		within := p.district(part[0], p.observed)
		target := make([]bool, g.Len())
		for _, v := range part {
			target[v] = true
		}
		if hedge := p.hedge(part, target, within); hedge != nil {
			e := &UnidentifiableError{Treatments: treatments, Outcomes: outcomes}
			e.Path, e.Given, e.Hidden = p.path(x, part, hedge, wanted, y)
			return e
		}
	}
	return nil
}

// A projection is what a graph says of its observed variables: an arc where a directed path has nothing
// but hidden variables inside, and a confounding of two that one hidden variable leads to in that way
// (Verma 1993, the latent projection).
type projection struct {
	g        *DAG
	observed []bool
	parents  [][]int
	// confounded holds by pair a hidden variable that leads to both, counted from 1, 0 for none.
	confounded [][]int
}

func (g *DAG) project(isHidden []bool) *projection {
	p := &projection{g: g, observed: make([]bool, g.Len()), parents: make([][]int, g.Len()),
		confounded: make([][]int, g.Len())}
	for v := range isHidden {
		p.observed[v] = !isHidden[v]
		p.confounded[v] = make([]int, g.Len())
	}
	for v := range isHidden {
		below := p.below(v)
		for i, c := range below {
			if p.observed[v] {
				p.parents[c] = append(p.parents[c], v)
				continue
			}
			for _, d := range below[:i] {
				if p.confounded[c][d] == 0 {
					p.confounded[c][d], p.confounded[d][c] = v+1, v+1
				}
			}
		}
	}
	return p
}

// below lists the observed variables that v leads to through hidden ones only.
func (p *projection) below(v int) []int {
	reached, found := make([]bool, p.g.Len()), []int{}
	for waiting := []int{v}; len(waiting) > 0; {
		u := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		for _, c := range p.g.children[u] {
			if reached[c] {
				continue
			}
			reached[c] = true
			if p.observed[c] {
				found = append(found, c)
			} else {
				waiting = append(waiting, c)
			}
		}
	}
	slices.Sort(found)
	return found
}

// above marks the given variables and their ancestors within a set.
func (p *projection) above(of []int, within []bool) []bool {
	in := make([]bool, p.g.Len())
	var waiting []int
	visit := func(v int) {
		if within[v] && !in[v] {
			in[v] = true
			waiting = append(waiting, v)
		}
	}
	for _, v := range of {
		visit(v)
	}
	for len(waiting) > 0 {
		v := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		for _, u := range p.parents[v] {
			visit(u)
		}
	}
	return in
}

// district marks what confounding joins to v within a set (a c-component).
func (p *projection) district(v int, within []bool) []bool {
	in := make([]bool, p.g.Len())
	in[v] = true
	for waiting := []int{v}; len(waiting) > 0; {
		u := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		for w, hidden := range p.confounded[u] {
			if hidden > 0 && within[w] && !in[w] {
				in[w] = true
				waiting = append(waiting, w)
			}
		}
	}
	return in
}

// districts divides a set into its districts.
func (p *projection) districts(set []bool) [][]int {
	var out [][]int
	done := make([]bool, len(set))
	for v, is := range set {
		if is && !done[v] {
			part := ones(p.district(v, set))
			for _, u := range part {
				done[u] = true
			}
			out = append(out, part)
		}
	}
	return out
}

// hedge narrows the district within, whose factor is known, to the district of a target inside it, and
// returns nil when it gets there; otherwise it returns where it stops: all are ancestors of the target and
// confounding joins them, so the factor of the target is not determined (Tian and Pearl 2002, Identify).
func (p *projection) hedge(part []int, target, within []bool) []bool {
	for {
		ancestors := p.above(part, within)
		if slices.Equal(ancestors, target) {
			return nil
		}
		if slices.Equal(ancestors, within) {
			return within
		}
		within = p.district(part[0], ancestors)
	}
}

// path spells a way from a treatment to an outcome: through confounding inside the hedge to the target,
// then along arcs. Met lists the variables that confounding joins on both sides, and through the hidden ones that
// confound.
func (p *projection) path(x, part []int, hedge, wanted []bool, y []int) (text string, met, through []string) {
	g := p.g
	isTarget := func(v int) bool { return slices.Contains(part, v) }
	var start []int
	for _, v := range x {
		if hedge[v] {
			start = append(start, v)
		}
	}
	way := search(start, isTarget, func(v int) []int {
		var next []int
		for u, hidden := range p.confounded[v] {
			if hidden > 0 && hedge[u] {
				next = append(next, u)
			}
		}
		return next
	})
	var b strings.Builder
	b.WriteString(g.names[way[0]])
	for i, v := range way[1:] {
		if i > 0 {
			met = append(met, g.names[way[i]])
		}
		top := p.confounded[way[i]][v] - 1
		left, right := p.down(top, way[i]), p.down(top, v)
		for _, u := range slices.Backward(left[:len(left)-1]) {
			b.WriteString(" ← " + g.names[u])
		}
		for _, u := range right[1:] {
			b.WriteString(" → " + g.names[u])
		}
		if name := g.names[top]; !slices.Contains(through, name) {
			through = append(through, name)
		}
	}
	isOutcome := func(v int) bool { return slices.Contains(y, v) }
	from := way[len(way)-1]
	rest := search([]int{from}, isOutcome, func(v int) []int {
		return slices.DeleteFunc(slices.Clone(g.children[v]), func(c int) bool { return p.observed[c] && !wanted[c] })
	})
	for _, v := range rest[1:] {
		b.WriteString(" → " + g.names[v])
	}
	return b.String(), met, through
}

// down is a directed path from a hidden variable to one below it, inside of hidden ones only.
func (p *projection) down(from, to int) []int {
	return search([]int{from}, func(v int) bool { return v == to }, func(v int) []int {
		if p.observed[v] {
			return nil
		}
		return p.g.children[v]
	})
}

// search returns a shortest way from a start to an end, nil when there is none.
func search(start []int, isEnd func(int) bool, next func(int) []int) []int {
	before := make(map[int]int)
	for _, v := range start {
		before[v] = v
	}
	for waiting := slices.Clone(start); len(waiting) > 0; waiting = waiting[1:] {
		v := waiting[0]
		if isEnd(v) {
			way := []int{v}
			for before[v] != v {
				v = before[v]
				way = append(way, v)
			}
			slices.Reverse(way)
			return way
		}
		for _, u := range next(v) {
			if _, seen := before[u]; !seen {
				before[u] = v
				waiting = append(waiting, u)
			}
		}
	}
	return nil
}
