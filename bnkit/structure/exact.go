package structure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"bnlab/bnkit/structure/internal/require"
	"bnlab/bnkit/structure/internal/rounding"
	"bnlab/internal/pool"
)

// Exact finds a graph with the highest score of all. For each set W of variables it finds the best
// graph over W, smallest sets first, from
//
//	best(W) = max over v in W of  best(W∖v) + (best family of v with parents in W∖v),
//
// in which v is the last variable of an order, a sink. The best families come from lists, one for
// each variable, of the sets of parents that beat all their subsets. (Silander and Myllymäki
// 2006; the lists are those of Teyssier and Koller 2005.) Sets of parents are tried as by
// [Exhaustive], with the same bounds.
//
// It takes 9 bytes for each of the 2ⁿ sets: 10 MB for 20 variables, 150 MB for 24, and time that
// doubles with each variable as well. With a limit on parents lists are made faster. Of graphs with
// equal scores, such as Markov equivalent ones, it returns the one whose last sink comes first.
type Exact struct {
	MaxVariables int // 0 means 24, at most 30
	// MaxSets bounds the sets of parents that are tried for each variable; 0 means 1,048,576.
	MaxSets int
}

var _ Search = Exact{}

// String describes the search.
func (Exact) String() string { return "exact search over sets of variables" }

// A local is a set of parents as bits, and the score of the family.
type local struct {
	set   uint32
	score float64
}

// search implements [Search]. It returns an error that says the number of variables and the
// memory when there are too many, and one when there are too many sets of parents or a prior of the whole graph.
// When the context is done it returns its error with the best graph that follows from the families scored
// so far, whose score need not be the highest.
func (e Exact) search(ctx context.Context, p *task) (*outcome, error) {
	if e.MaxVariables < 0 || e.MaxSets < 0 {
		return nil, fmt.Errorf("structure: exact search with MaxVariables %d and MaxSets %d; give positive numbers, "+
			"or 0 for the defaults", e.MaxVariables, e.MaxSets)
	}
	vars := p.Scorer.Variables()
	n, most := len(vars), e.MaxVariables
	if most == 0 {
		most = 24
	}
	if most = min(most, 30); n > most {
		return nil, fmt.Errorf("structure: exact search over %d variables would take 9·2^%d bytes (%.3g GB); at most "+
			"%d variables are taken; choose fewer columns, raise Exact.MaxVariables (up to 30), or search by "+
			"HillClimb or Annealing",
			n, n, 9*math.Exp2(float64(n))/1e9, most)
	}
	if p.Prior != nil {
		return nil, errors.New("structure: exact search needs a score that is a sum over families, and the graph's " +
			"prior is none; give it as a FamilyPrior, or search by HillClimb or Annealing")
	}
	lists, err := e.lists(ctx, p)
	var sinks []uint8
	settled := uint32(1)
	if err == nil {
		sinks, settled, err = sinksOf(ctx, lists, p.Progress)
	}
	switch {
	case err != nil && isDone(ctx, err):
		return soFar(lists, sinks, settled, p.Limits.Required), err
	case err != nil:
		return nil, err
	}
	found := &outcome{Parents: make([][]int, n)}
	scores := make([]float64, n)
	for w := uint32(1)<<n - 1; w != 0; {
		v := int(sinks[w])
		if v == noSink {
			return nil, errors.New("structure: no graph within the rules has a score above −∞")
		}
		w &^= 1 << v
		l := lists[v][bestWithin(lists[v], w)]
		found.Parents[v], scores[v] = placesOf(l.set), l.score
	}
	for _, score := range scores {
		found.Score += score
	}
	for _, parents := range found.Parents {
		found.Moves += len(parents)
	}
	return found, nil
}

// lists returns, for each variable, the sets of parents that are better than all their subsets,
// best first.
func (e Exact) lists(ctx context.Context, p *task) ([][]local, error) {
	n := len(p.Scorer.Variables())
	lists, errs := make([][]local, n), make([]error, n)
	var mutex sync.Mutex
	done := 0
	pool.Each(n, p.Workers, func(v int) {
		if lists[v], errs[v] = e.list(ctx, p, v); errs[v] != nil {
			return
		}
		mutex.Lock()
		defer mutex.Unlock()
		done++
		p.Progress(Progress{Done: 0.5 * float64(done) / float64(n), Score: math.Inf(-1), What: "families"})
	})
	return lists, cmp.Or(errs...) // the first
}

// list is the list of one variable.
func (e Exact) list(ctx context.Context, p *task, v int) ([]local, error) {
	vars := p.Scorer.Variables()
	required := p.Limits.Required[v]
	s := require.Parents(p.Scorer, required)
	var candidates []int
	for u := range vars {
		if u != v && p.Limits.Allowed(u, v) && !slices.Contains(required, u) {
			candidates = append(candidates, u)
		}
	}
	limit := len(candidates)
	limit = min(limit, p.Limits.MaxParents-len(required))
	most := e.MaxSets
	if most == 0 {
		most = defaultMaxSets
	}
	fixed := bitsOf(required)
	highest := make(map[uint32]float64) // of the set and its subsets
	var list []local
	walk := &lattice{s: s, child: v, candidates: candidates, limit: limit, bound: boundsOf(s, v), most: most}
	err := walk.run(ctx, func(set []int, score float64) {
		at, below := bitsOf(set), math.Inf(-1)
		for _, x := range set {
			if high, ok := highest[at&^(1<<x)]; ok {
				below = max(below, high)
			}
		}
		if rounding.IsBetter(score, below) {
			list = append(list, local{at | fixed, score})
		}
		highest[at] = max(score, below)
	}, func(set []int) float64 { return highest[bitsOf(set)] })
	slices.SortStableFunc(list, func(a, b local) int { return cmp.Compare(b.score, a.score) })
	return list, err
}

// noSink marks a set of variables that no graph is over.
const noSink = 255

// sinksOf returns, by set of variables, the sink of the best graph over it, for all sets below settled.
func sinksOf(ctx context.Context, lists [][]local, progress func(Progress)) (sinks []uint8, settled uint32, err error) {
	n := len(lists)
	best := make([]float64, 1<<n)
	sinks = make([]uint8, 1<<n)
	for w := uint32(1); w < 1<<n; w++ {
		if w&(1<<12-1) == 0 {
			if err := ctx.Err(); err != nil {
				return sinks, w, err
			}
		}
		if w&(1<<16-1) == 0 {
			progress(Progress{Done: 0.5 + 0.5*float64(w)/float64(len(best)), Score: math.Inf(-1),
				What: "sets of variables"})
		}
		best[w], sinks[w] = math.Inf(-1), noSink
		for v := range n {
			rest := w &^ (1 << v)
			if rest == w || math.IsInf(best[rest], -1) {
				continue
			}
			at := bestWithin(lists[v], rest)
			if at < 0 {
				continue
			}
			if score := best[rest] + lists[v][at].score; rounding.IsBetter(score, best[w]) {
				best[w], sinks[w] = score, uint8(v)
			}
		}
	}
	return sinks, 1 << n, nil
}

// bestWithin is the place of the first set that lies within w, −1 for none.
func bestWithin(list []local, w uint32) int {
	for i, l := range list {
		if l.set&^w == 0 {
			return i
		}
	}
	return -1
}

// bitsOf are the members of a set as bits.
func bitsOf(set []int) uint32 {
	w := uint32(0)
	for _, x := range set {
		w |= 1 << x
	}
	return w
}

// placesOf are the places of the bits, ascending.
func placesOf(w uint32) []int {
	set := []int{}
	for x := range 32 {
		if w&(1<<x) != 0 {
			set = append(set, x)
		}
	}
	return set
}
