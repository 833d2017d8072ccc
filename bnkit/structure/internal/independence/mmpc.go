package independence

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
)

// mostMembers bounds the parents and children of a variable, of which all subsets are conditioned on.
const mostMembers = 20

// MMPC finds for each variable those that may be its parents and children: forwards the one enters whose weakest
// association, given any subset of those that have entered, is the strongest, as long as there is one that no subset
// separates; backwards those leave that a subset of the others separates. Pairs are joined if each finds the other
// (Tsamardinos, Brown and Aliferis 2006, with their correction by symmetry).
func MMPC(ctx context.Context, n int, t Tester, rules Rules, set Settings) (*Skeleton, error) {
	s := newSkeleton(n, rules)
	found := make([][]int, n)
	for v := range n {
		m := &members{s: s, t: t, v: v, set: set, weakest: make(map[int]*Pair)}
		if err := m.find(ctx); err != nil {
			return nil, err
		}
		found[v] = m.in
		if set.Done != nil {
			set.Done(float64(v+1) / float64(n))
		}
	}
	for a := range n {
		for b := a + 1; b < n; b++ {
			p := s.Pair(a, b)
			p.Adjacent = p.Adjacent && (slices.Contains(found[a], b) && slices.Contains(found[b], a) ||
				rules.IsRequired(a, b) || rules.IsRequired(b, a))
		}
	}
	return s, nil
}

// members are the parents and children of v in the making.
type members struct {
	s       *Skeleton
	t       Tester
	v       int
	set     Settings
	in      []int         // in the order in which they entered
	weakest map[int]*Pair // of v and another: the test with the largest p-value so far
}

func (m *members) find(ctx context.Context) error {
	var open []int
	for u := range m.s.N {
		if m.s.Adjacent(u, m.v) {
			open = append(open, u)
			m.weakest[u] = &Pair{}
		}
	}
	if err := m.test(ctx, open, nil); err != nil {
		return err
	}
	separated := func(u int) bool { return m.weakest[u].Tested && m.weakest[u].P > m.set.Alpha }
	for {
		open = slices.DeleteFunc(open, separated)
		// What no test could tell is not taken in: too few cases speak for it.
		known := slices.DeleteFunc(slices.Clone(open), func(u int) bool { return !m.weakest[u].Tested })
		if len(known) == 0 || len(m.in) == mostMembers {
			break
		}
		next := slices.MinFunc(known, func(a, b int) int {
			x, y := m.weakest[a], m.weakest[b]
			return cmp.Or(cmp.Compare(x.P, y.P), cmp.Compare(y.Statistic, x.Statistic),
				cmp.Compare(m.set.Rank[a], m.set.Rank[b]))
		})
		open = slices.DeleteFunc(open, func(u int) bool { return u == next })
		if err := m.given(ctx, open, m.in, next, separated); err != nil {
			return err
		}
		m.in = append(m.in, next)
	}
	for _, u := range slices.Clone(m.in) {
		others := slices.DeleteFunc(slices.Clone(m.in), func(w int) bool { return w == u })
		if len(others) > 0 {
			last := len(others) - 1
			for k := last; k >= 0 && !separated(u); k-- {
				if err := m.given(ctx, []int{u}, others[:k], others[k], separated); err != nil {
					return err
				}
			}
		}
		if separated(u) {
			m.in = others
		}
	}
	for u, p := range m.weakest {
		if kept := m.s.Pair(u, m.v); p.Tested && (!kept.Tested || p.P > kept.P) {
			kept.Answer, kept.Given = p.Answer, p.Given
		}
	}
	return nil
}

// given tests v against each of the open ones given next and every subset of in, small ones first, until all are
// separated.
func (m *members) given(ctx context.Context, open, in []int, next int, separated func(int) bool) error {
	for size := 0; size <= len(in) && (m.set.MostGiven < 0 || size < m.set.MostGiven); size++ {
		for subset := range 1 << len(in) {
			if bits.OnesCount(uint(subset)) != size {
				continue
			}
			given := []int{next}
			for i, u := range in {
				if subset>>i&1 == 1 {
					given = append(given, u)
				}
			}
			slices.Sort(given)
			if open = slices.DeleteFunc(slices.Clone(open), separated); len(open) == 0 {
				return nil
			}
			if err := m.test(ctx, open, given); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *members) test(ctx context.Context, open, given []int) error {
	queries := make([]Query, len(open))
	for i, u := range open {
		queries[i] = Query{X: u, Y: m.v, Given: given}
	}
	answers, err := m.t.Test(ctx, queries)
	if err != nil {
		return err
	}
	for i, a := range answers {
		if !a.Tested {
			m.s.Untested++
			continue
		}
		m.s.Tests++
		m.s.Level = max(m.s.Level, len(given))
		if w := m.weakest[open[i]]; !w.Tested || a.P > w.P {
			w.Answer, w.Given = a, given
		}
	}
	return nil
}
