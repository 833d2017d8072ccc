package structure

import (
	"context"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// A Missing policy says what a family's score does with rows in which a member is missing.
type Missing int

const (
	// RefuseMissing makes a missing cell an error.
	RefuseMissing Missing = iota
	// CompleteCases scores a family from the rows in which no member is missing. Families
	// are then scored from different rows, and a score grows with rows left out, so it favours
	// parents with missing cells.
	CompleteCases
	// NodeAverage scores a family by the mean log-likelihood of its available rows times
	// the number of all rows (Balov 2013).
	NodeAverage
)

// ScorerOptions are the options of a Scorer. Nil means the defaults.
type ScorerOptions struct {
	Missing Missing
	Prior   FamilyPrior // added to each family's score; nil for none
	Workers int         // goroutines; 0 means all processors; scores do not depend on it
}

// A Scorer counts families and scores them, and keeps what it counted and scored. It is safe for
// several goroutines. Variables are numbered as in Variables, and the order of parents
// does not matter.
type Scorer struct {
	vars []bn.Variable
}

// NewScorer returns a scorer of the families in src.
func NewScorer(src data.Source, score Score, opts *ScorerOptions) (*Scorer, error) {
	panic("stub")
}

// Variables are those of the source, in their order.
func (s *Scorer) Variables() []bn.Variable { return s.vars }

// Family returns the score of a child given its parents.
func (s *Scorer) Family(ctx context.Context, child int, parents []int) (float64, error) {
	panic("stub")
}

// Families scores a child given each of the sets of parents, in one batch: one statement for a
// database.
func (s *Scorer) Families(ctx context.Context, child int, sets [][]int) ([]float64, error) {
	panic("stub")
}

// Counts returns the counts of a family.
func (s *Scorer) Counts(ctx context.Context, child int, parents []int) (*Counts, error) {
	panic("stub")
}

// With returns a scorer with another score that shares the counts of this one.
func (s *Scorer) With(score Score) (*Scorer, error) { panic("stub") }

// Score returns the score of a graph, whose variables are found by name, and that of each
// family, by the number of the child in Variables.
func (s *Scorer) Score(ctx context.Context, g *bn.DAG) (total float64, byFamily []float64, err error) {
	panic("stub")
}
