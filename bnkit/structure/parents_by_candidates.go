package structure

import (
	"context"
	"fmt"
)

// ByCandidates chooses the search by the number of candidates: exhaustive when there are few,
// annealing when there are more, and else greedy (B06 §2.2: "fewer than 20", "less than
// 40"). The zero value has the numbers of B06, but wants a source of random numbers when
// annealing is called for.
type ByCandidates struct {
	ExhaustiveBelow int // number of candidates from which not all sets are tried; 0 means 20
	AnnealBelow     int // number of candidates from which a greedy climb has to do; 0 means 40
	// MaxParents bounds the number of parents beside the limit of the call; 0 means no bound.
	// Fewer than 20 candidates without a bound are up to 524,288 sets, of which [Exhaustive]
	// leaves out those that a bound of the score rules out.
	MaxParents int
	Exhaustive Exhaustive
	Anneal     AnnealParents
	Greedy     GreedyParents
}

var _ ParentSearch = ByCandidates{}

// Parents implements [ParentSearch] by the search that [ByCandidates.Choose] names.
func (b ByCandidates) Parents(ctx context.Context, s Families, child int, candidates []int, limit int) (Parents,
	error) {
	if b.MaxParents < 0 {
		return Parents{}, fmt.Errorf("structure: MaxParents is %d; give 0 for no bound", b.MaxParents)
	}
	if b.MaxParents > 0 && (limit == 0 || b.MaxParents < limit) {
		limit = b.MaxParents
	}
	return b.Choose(len(candidates)).Parents(ctx, s, child, candidates, limit)
}

// Choose returns the search for a number of candidates.
func (b ByCandidates) Choose(candidates int) ParentSearch {
	exhaustive, anneal := b.numbers()
	switch {
	case candidates < exhaustive:
		return b.Exhaustive
	case candidates < anneal:
		return b.Anneal
	}
	return b.Greedy
}

// numbers are the two numbers of candidates, defaults filled in.
func (b ByCandidates) numbers() (exhaustive, anneal int) {
	exhaustive, anneal = 20, 40
	if b.ExhaustiveBelow != 0 {
		exhaustive = b.ExhaustiveBelow
	}
	if b.AnnealBelow != 0 {
		anneal = b.AnnealBelow
	}
	return exhaustive, anneal
}

// String prints the rule.
func (b ByCandidates) String() string {
	exhaustive, anneal := b.numbers()
	text := fmt.Sprintf("fewer than %d candidates: %s; fewer than %d: %s; else %s", exhaustive, b.Exhaustive, anneal,
		b.Anneal, b.Greedy)
	if b.MaxParents > 0 {
		text += fmt.Sprintf("; at most %d parents", b.MaxParents)
	}
	return text
}
