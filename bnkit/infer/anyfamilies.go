package infer

import (
	"errors"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// AnyFamilies returns a function that computes expected counts of families under the parameters theta, whether the
// families are in the graph or not: what a search over graphs asks (Friedman 1997, §3). A family is given as numbers
// of variables, its parents first and its child last; its counts are
//
//	Σ over cases  weight · P(members' joint state | case),
//
// the last member varying fastest. The cases are the distinct ones of the plan, and each distinct configuration of
// the evidence around a connected hidden part is worked on once:
//
//   - Members that are hidden in a case fall into the hidden parts of the case, which are independent given it. So
//     what is needed is, by part, the joint posteriors of sets of its variables.
//   - Parts of few joint states have one table of all their variables, from one pass of elimination that leaves
//     them in the root. In larger ones the sets that a call asks for are packed, the largest first, into as few
//     cliques as fit into a bound on joint states; each clique is one pass.
//   - Posteriors of sets are summed out of these and kept for the next calls, as the families of a search are
//     variations of each other.
//
// The function may be called by several goroutines, one call at a time. The result depends neither on their number nor
// on what was asked before, beyond rounding. AnyFamilies returns an error for a network with continuous variables;
// its function one for a member that stands twice, an [*ImpossibleError], and a [*WidthError].
func (p *Plan) AnyFamilies(theta []float64) (func(families [][]int) ([][]float64, error), error) {
	for v, r := range p.m.cards {
		if r == 0 {
			return nil, say.Errorf("infer: expected counts of any families: %q: %w", p.m.net.Variable(v).Name,
				bn.ErrNotDiscrete)
		}
	}
	groups, err := p.m.groups(p.c, func(int) bool { return true })
	if err != nil {
		return nil, err
	}
	b := &anyCounter{p: p, x: parameters{theta: theta[:len(p.m.own.theta)], densities: p.m.own.densities},
		sites: make([][]site, p.c.rows)}
	for i, g := range groups {
		b.parts = append(b.parts, &hiddenPart{group: g, cards: p.m.cards, sets: make(map[string]*posterior)})
		for at, row := range g.rows {
			b.sites[row] = append(b.sites[row], site{int32(i), int32(at)})
		}
	}
	return b.count, nil
}

// anyCounter computes expected counts of any families.
type anyCounter struct {
	p     *Plan
	x     parameters
	parts []*hiddenPart
	sites [][]site // by case
	held  int      // entries of the posteriors that are kept
}

// A site is a hidden part of a case, by its number, and the place of the case among those of the part.
type site struct{ part, at int32 }

// mostPosteriors bounds the entries of posteriors that are kept between calls (128 MiB).
const mostPosteriors = 1 << 24

// count is what AnyFamilies returns.
func (b *anyCounter) count(families [][]int) ([][]float64, error) {
	for _, f := range families {
		if sorted := slices.Sorted(slices.Values(f)); len(slices.Compact(sorted)) != len(f) {
			return nil, errors.New("infer: a member of a family stands twice")
		}
	}
	if b.held > mostPosteriors {
		b.held = 0
		for _, h := range b.parts {
			clear(h.sets)
		}
	}
	failed := make([]error, len(b.parts))
	grown := make([]int, len(b.parts))
	hidden := b.hidden(families)
	pool.Share(len(b.parts), b.p.workers, func() func(int) {
		w := &cliqueWork{anyCounter: b, place: make([]int32, b.p.c.rows)}
		return func(i int) { grown[i], failed[i] = w.serve(b.parts[i], hidden) }
	})
	for i, err := range failed {
		if err != nil {
			return nil, err
		}
		b.held += grown[i]
	}
	out := make([][]float64, len(families))
	pool.Share(len(families), b.p.workers, func() func(int) {
		views := make([]view, len(b.parts))
		return func(i int) {
			for j := range views {
				views[j].looked = false
			}
			out[i] = b.family(families[i], views)
		}
	})
	return out, nil
}

// hidden lists the families without the members that every case observes, each once.
func (b *anyCounter) hidden(families [][]int) [][]int {
	ever := make([]bool, b.p.m.net.Len())
	for _, h := range b.parts {
		for _, v := range h.hidden {
			ever[v] = true
		}
	}
	var list [][]int
	seen := make(map[string]bool)
	for _, f := range families {
		var set []int
		for _, v := range f {
			if ever[v] {
				set = append(set, v)
			}
		}
		slices.Sort(set)
		if key := setKey(set); len(set) > 0 && !seen[key] {
			seen[key] = true
			list = append(list, set)
		}
	}
	return list
}

// A view is how a family sees the posterior of a part: at which distances from the first its entries lie in
// the family's table. posterior is nil where the part has no member.
type view struct {
	looked bool
	*posterior
	distance []int
}

// family counts one family. views are scratch, by part.
func (b *anyCounter) family(members []int, views []view) []float64 {
	c, m := b.p.c, b.p.m
	stride := make([]int, len(members))
	size := 1
	for i := len(members) - 1; i >= 0; i-- {
		stride[i] = size
		size *= m.cards[members[i]]
	}
	n, sorted := make([]float64, size), slices.Sorted(slices.Values(members))
	var met []view
	var at []int
	for row := range c.rows {
		base, whole := 0, true
		for i, v := range members {
			if s := c.states[v]; s != nil && s[row] != bn.Missing {
				base += int(s[row]) * stride[i]
			} else {
				whole = false
			}
		}
		if whole {
			n[base] += c.weight[row]
			continue
		}
		met, at = met[:0], at[:0]
		for _, s := range b.sites[row] {
			v := &views[s.part]
			if !v.looked {
				b.parts[s.part].see(v, members, sorted, stride)
			}
			if v.posterior != nil {
				met, at = append(met, *v), append(at, int(v.of[s.at])*v.size)
			}
		}
		spread(n[base:], c.weight[row], met, at)
	}
	return n
}

// spread adds to n the weight times the product of posteriors, each at its place in its table.
func spread(n []float64, weight float64, met []view, at []int) {
	v := met[0]
	p := v.p[at[0]:][:len(v.distance)]
	if len(met) == 1 {
		for j, d := range v.distance {
			n[d] += weight * p[j]
		}
		return
	}
	for j, d := range v.distance {
		if p[j] > 0 {
			spread(n[d:], weight*p[j], met[1:], at[1:])
		}
	}
}
