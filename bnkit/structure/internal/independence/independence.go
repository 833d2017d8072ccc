// Package independence finds graphs by tests of conditional independence: the skeleton of PC-stable (Colombo and
// Maathuis 2014), the parents and children of MMPC (Tsamardinos, Brown and Aliferis 2006), and directions by
// v-structures and the rules of Meek (1995).
package independence

import (
	"cmp"
	"context"
	"slices"
)

// A Query asks whether X and Y are independent given a set, ascending, that has neither.
type Query struct {
	X, Y  int
	Given []int
}

// An Answer is the result of a test.
type Answer struct {
	P         float64 // of so large a statistic under independence
	StdErr    float64 // of P, where cases were shuffled
	Open      bool    // P is not told apart from the level by as many shuffles as were made
	Statistic float64
	Degrees   int     // of freedom
	Tested    bool    // false: too few cases to say
	Cases     float64 // that have values of all variables
}

// A Tester answers queries, all of a batch together. Neighbouring queries with the same Y and Given are fastest.
type Tester interface {
	Test(ctx context.Context, queries []Query) ([]Answer, error)
}

// Rules say which arcs may be and which must be.
type Rules interface {
	Allowed(from, to int) bool
	IsRequired(from, to int) bool
}

// Settings of a search for a skeleton.
type Settings struct {
	Alpha float64 // a larger p-value separates
	// MostGiven bounds the sets that are conditioned on; below 0 means no bound.
	MostGiven int
	// FDR compares p-values with the limits of Benjamini and Hochberg over all pairs at the rate Alpha.
	FDR bool
	// Rank orders the variables where nothing else does.
	Rank []int
	Done func(share float64) // may be nil
}

// A Pair of variables A < B is what tests found of them.
type Pair struct {
	A, B     int
	Adjacent bool
	Answer         // the one with the largest p-value of those that were made
	Given    []int // of it
}

// A Skeleton is an undirected graph.
type Skeleton struct {
	N     int
	pairs []Pair // of a < b at a·n + b
	// Tests were made, of sets of up to Level; Untested ones had too few cases.
	Tests, Untested, Level int
}

// Pair of two different variables, in any order.
func (s *Skeleton) Pair(a, b int) *Pair { return &s.pairs[min(a, b)*s.N+max(a, b)] }

// Adjacent reports whether the two are joined.
func (s *Skeleton) Adjacent(a, b int) bool { return a != b && s.Pair(a, b).Adjacent }

// Pairs of all variables, by the first and then the second.
func (s *Skeleton) Pairs() []Pair {
	var list []Pair
	for a := range s.N {
		list = append(list, s.pairs[a*s.N+a+1:(a+1)*s.N]...)
	}
	return list
}

// newSkeleton joins all pairs that rules let be joined.
func newSkeleton(n int, rules Rules) *Skeleton {
	s := &Skeleton{N: n, pairs: make([]Pair, n*n)}
	for a := range n {
		for b := a + 1; b < n; b++ {
			s.pairs[a*n+b] = Pair{A: a, B: b, Adjacent: rules.Allowed(a, b) || rules.Allowed(b, a)}
		}
	}
	return s
}

// neighbours of a variable, those with the strongest marginal association first.
func (s *Skeleton) neighbours(v int, marginal *Skeleton, rank []int) []int {
	var list []int
	for u := range s.N {
		if s.Adjacent(u, v) {
			list = append(list, u)
		}
	}
	slices.SortFunc(list, func(a, b int) int {
		x, y := marginal.Pair(a, v), marginal.Pair(b, v)
		return cmp.Or(cmp.Compare(x.P, y.P), cmp.Compare(y.Statistic, x.Statistic), cmp.Compare(rank[a], rank[b]))
	})
	return list
}

// subsets are the subsets of one size of some items, in lexicographic order of their places.
type subsets struct {
	items, at []int
	done      bool
}

func newSubsets(items []int, size int) *subsets {
	s := &subsets{items: items, at: make([]int, size), done: size > len(items)}
	for i := range s.at {
		s.at[i] = i
	}
	return s
}

// next returns the next one, ascending; call it only while it is not done.
func (s *subsets) next() []int {
	set := make([]int, len(s.at))
	for i, k := range s.at {
		set[i] = s.items[k]
	}
	slices.Sort(set)
	i := len(s.at) - 1
	for i >= 0 && s.at[i] == len(s.items)-len(s.at)+i {
		i--
	}
	if s.done = i < 0; s.done {
		return set
	}
	s.at[i]++
	for j := i + 1; j < len(s.at); j++ {
		s.at[j] = s.at[j-1] + 1
	}
	return set
}
