package structure

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/internal/require"
	"bnlab/internal/say"
)

// Families are the scores of families by the number of the child and of its parents: a
// [Scorer], or one with something put around it.
type Families interface {
	// Variables are numbered by their place.
	Variables() []bn.Variable
	// Families scores the child given each of the sets, in one batch.
	Families(ctx context.Context, child int, sets [][]int) ([]float64, error)
}

var _ Families = (*Scorer)(nil)

// A ParentSearch searches for the parents of one child among candidates. Where families cannot form
// cycles, as in a dynamic network, the best parents of each child form the best graph.
type ParentSearch interface {
	// Parents returns the best set it finds of at most limit candidates, 0 for no bound. The
	// result depends neither on the order of the candidates nor on other children.
	Parents(ctx context.Context, s Families, child int, candidates []int, limit int) (Parents, error)
	String() string
}

// Parents are the parents that were found for a child.
type Parents struct {
	Set    []int   // ascending
	Score  float64 // of the family
	Scored int     // families that were looked at
	By     string  // the search that found them: "exhaustive", "annealing" or "greedy"
}

// candidatesOf checks what a search of parents is given, and returns the candidates in ascending
// order and a limit that is no larger than their number.
func candidatesOf(s Families, child int, candidates []int, limit int) ([]int, int, error) {
	if scorer, ok := s.(*Scorer); s == nil || ok && scorer == nil {
		return nil, 0, errors.New("structure: there are no families to choose from; make a scorer with NewScorer")
	}
	n := len(s.Variables())
	if child < 0 || child >= n {
		return nil, 0, fmt.Errorf("structure: there is no variable number %d to find parents for", child)
	}
	name := s.Variables()[child].Name
	sorted := slices.Sorted(slices.Values(candidates))
	for i, c := range sorted {
		switch {
		case c < 0 || c >= n:
			return nil, 0, say.Errorf("structure: candidate parents of %q: there is no variable number %d", name, c)
		case c == child:
			return nil, 0, say.Errorf("structure: %q is among its own candidate parents", name)
		case i > 0 && c == sorted[i-1]:
			return nil, 0, say.Errorf("structure: candidate parents of %q: %w: %q appears twice", name, bn.ErrDuplicate,
				s.Variables()[c].Name)
		}
	}
	if limit < 0 {
		return nil, 0, say.Errorf("structure: at most %d parents for %q; give 0 for no bound", limit, name)
	}
	if limit == 0 || limit > len(sorted) {
		limit = len(sorted)
	}
	return sorted, limit, nil
}

// cellsOf is the number of entries in the table of a family, the parents that s adds by itself
// included.
func cellsOf(s Families, child int, set []int) float64 {
	if r, ok := s.(require.Scores); ok {
		set = require.Union(set, r.Fixed)
	}
	cells := float64(max(1, s.Variables()[child].Cardinality()))
	for _, p := range set {
		cells *= float64(max(1, s.Variables()[p].Cardinality()))
	}
	return cells
}

// plus returns the ascending set with a further member.
func plus(set []int, x int) []int {
	at, _ := slices.BinarySearch(set, x)
	out := make([]int, 0, len(set)+1)
	out = append(out, set[:at]...)
	out = append(out, x)
	return append(out, set[at:]...)
}

// minus returns the ascending set without its member x.
func minus(set []int, x int) []int {
	at, found := slices.BinarySearch(set, x)
	if !found {
		return slices.Clone(set)
	}
	out := make([]int, 0, len(set))
	out = append(out, set[:at]...)
	return append(out, set[at+1:]...)
}

// batch is the most families that are asked for at a time: enough for a database to count many
// in one statement, few enough to notice a done context.
const batch = 1024

// scored asks for the sets in batches.
func scored(ctx context.Context, s Families, child int, sets [][]int) ([]float64, error) {
	scores := make([]float64, 0, len(sets))
	for part := range slices.Chunk(sets, batch) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		more, err := s.Families(ctx, child, part)
		if err != nil {
			return nil, err
		}
		scores = append(scores, more...)
	}
	return scores, nil
}
