package structure

import (
	"bnlab/bnkit/bn"
)

// A Result is a graph that was learned and how it came about.
type Result struct {
	DAG       *bn.DAG
	Variables []bn.Variable // in the order of DAG
	Score     float64       // natural logarithm, priors included
	ScoreName string        // in words
	Search    string        // in words
	Families  []FamilyScore // in the order of DAG
	Moves     int
	Notes     []string // what the user should know: constant columns, rows left out, ties
}

// A FamilyScore is one term of the score of a graph.
type FamilyScore struct {
	Child   string
	Parents []string
	Score   float64
}
