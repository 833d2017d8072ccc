package structure

import (
	"context"

	"bnlab/bnkit/data"
)

// Settings govern a run. Nil means the defaults.
type Settings struct {
	Rules   *Rules
	Missing Missing
	Prior   FamilyPrior // added to each family's score; nil for none
	// GraphPrior is a term of the whole graph; nil for none. Searches of the parents of one
	// child at a time take its value at the child's own violations.
	GraphPrior GraphPrior
	Workers    int            // goroutines; 0 means all processors; results do not depend on it
	Progress   func(Progress) // called now and then, one call at a time; may be nil
}

// Learn looks for the graph of the variables of src with a high score.
func Learn(ctx context.Context, src data.Source, score Score, how Search, set *Settings) (*Result, error) {
	panic("stub")
}

// LearnFrom is Learn with the counts, the score, the family prior and the missing cells' policy of
// a scorer, to share counts between runs. Settings.Missing and Settings.Prior are not used.
func LearnFrom(ctx context.Context, s *Scorer, how Search, set *Settings) (*Result, error) {
	panic("stub")
}
