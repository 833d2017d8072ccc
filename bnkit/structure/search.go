package structure

import (
	"context"
)

// A Search looks for a graph with a high score. String describes it in words.
type Search interface {
	Search(ctx context.Context, p *Problem) (*Found, error)
	String() string
}

// A Problem is what a search is given. Variables are numbered as in Scorer.Variables.
type Problem struct {
	Scorer *Scorer
	Limits *Limits
	// Prior, when not nil, is a term of the whole graph beside the families' scores.
	Prior   GraphPrior
	Workers int // goroutines, at least 1; results do not depend on it
	// Progress is never nil. Calls come one at a time.
	Progress func(Progress)
}

// Found is the end of a search: the parents of each variable, ascending. A search that a done
// context ended returns its best so far together with the context's error.
type Found struct {
	Parents [][]int
	Score   float64 // with the graph's prior
	Moves   int     // changes of the graph that led there
	Notes   []string
}
