package independence

import (
	"context"
	"slices"
)

// PCStable finds a skeleton: pairs start joined, and are separated by a set of neighbours of one of them given which
// they are independent, sets of one size after another. Who is a neighbour is what the sizes before have left
// (“stable”), so that the order of the variables does not matter; sets of the neighbours with the strongest marginal
// association come first. A set has only variables from which rules allow an arc to the one whose neighbours they
// are. Of a pair that both sides separate, the larger p-value is kept.
func PCStable(ctx context.Context, n int, t Tester, rules Rules, set Settings) (*Skeleton, error) {
	s := newSkeleton(n, rules)
	marginal := s
	for level := 0; set.MostGiven < 0 || level <= set.MostGiven; level++ {
		var sides []*side
		for v := range n {
			if d := newSide(s, marginal, v, level, rules, set); d != nil {
				sides = append(sides, d)
			}
		}
		if len(sides) == 0 {
			break
		}
		for round := 1; ; round *= 2 {
			more, err := s.round(ctx, t, sides, round, set)
			if err != nil {
				return nil, err
			}
			if !more {
				break
			}
		}
		s.Level = level
		s.settle(sides, rules, set)
		if level == 0 {
			marginal = s.clone()
		}
		if set.Done != nil {
			set.Done(1 - 1/float64(level+2))
		}
	}
	return s, nil
}

func (s *Skeleton) clone() *Skeleton {
	c := *s
	c.pairs = slices.Clone(s.pairs)
	return &c
}

// A side is a variable whose neighbours are conditioned on.
type side struct {
	v    int
	open []int    // neighbours that no set has separated yet
	sets *subsets // that are still to be tried
	best map[int]Pair
}

// newSide returns nil where there is nothing to test.
func newSide(s, marginal *Skeleton, v, level int, rules Rules, set Settings) *side {
	near := s.neighbours(v, marginal, set.Rank)
	d := &side{v: v, open: near, best: make(map[int]Pair)}
	if level == 0 { // a pair once
		d.open = slices.DeleteFunc(near, func(u int) bool { return u > v })
	}
	from := slices.DeleteFunc(slices.Clone(near), func(u int) bool { return !rules.Allowed(u, v) })
	if len(d.open) == 0 || len(from) < level || len(near) <= level {
		return nil
	}
	d.sets = newSubsets(from, level)
	return d
}

// round asks for the next sets of each side, so many, and reports whether there are more.
func (s *Skeleton) round(ctx context.Context, t Tester, sides []*side, sets int, set Settings) (more bool, err error) {
	var queries []Query
	var of []*side
	for _, d := range sides {
		for range sets {
			if d.sets.done {
				break
			}
			given := d.sets.next()
			for _, u := range d.open {
				if !slices.Contains(given, u) {
					queries, of = append(queries, Query{X: u, Y: d.v, Given: given}), append(of, d)
				}
			}
		}
	}
	answers, err := t.Test(ctx, queries)
	if err != nil {
		return false, err
	}
	for i, a := range answers {
		q, d := queries[i], of[i]
		if !a.Tested {
			s.Untested++
			continue
		}
		s.Tests++
		if before, known := d.best[q.X]; !known || a.P > before.P {
			d.best[q.X] = Pair{A: min(q.X, d.v), B: max(q.X, d.v), Answer: a, Given: q.Given}
		}
	}
	for _, d := range sides {
		d.open = slices.DeleteFunc(d.open, func(u int) bool { return d.best[u].P > set.Alpha })
		d.sets.done = d.sets.done || len(d.open) == 0
		more = more || !d.sets.done
	}
	return more, nil
}

// settle separates what the sides have separated.
func (s *Skeleton) settle(sides []*side, rules Rules, set Settings) {
	for _, d := range sides {
		for _, found := range d.best {
			if p := s.Pair(found.A, found.B); !p.Tested || found.P > p.P {
				p.Answer, p.Given = found.Answer, found.Given
			}
		}
	}
	limit := set.Alpha
	if set.FDR {
		limit = s.benjaminiHochberg(set.Alpha)
	}
	for a := range s.N {
		for b := a + 1; b < s.N; b++ {
			p := s.Pair(a, b)
			p.Adjacent = p.Adjacent && (rules.IsRequired(a, b) || rules.IsRequired(b, a) || !p.Tested || p.P <= limit)
		}
	}
}

// benjaminiHochberg returns the largest p-value that is rejected when the false discovery rate over all pairs is
// held at alpha (Benjamini and Hochberg 1995; for PC, Li and Wang 2009); −1 if none is. Pairs that rules keep apart,
// or that no test could tell, are no hypotheses.
func (s *Skeleton) benjaminiHochberg(alpha float64) float64 {
	var list []float64
	for _, p := range s.Pairs() {
		if p.Tested {
			list = append(list, p.P)
		}
	}
	slices.Sort(list)
	for k := len(list); k > 0; k-- {
		if list[k-1] <= alpha*float64(k)/float64(len(list)) {
			return list[k-1]
		}
	}
	return -1
}
