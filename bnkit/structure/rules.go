package structure

import (
	"bnlab/bnkit/bn"
)

// An Arc points from a parent to a child, by names.
type Arc struct{ From, To string }

// String prints the arc as in "smoke → cancer".
func (a Arc) String() string { return a.From + " → " + a.To }

// Rules are what is known of the graph before the search. The zero value, and nil, know nothing.
type Rules struct {
	Required  []Arc // arcs that every graph has
	Forbidden []Arc // arcs that no graph has
	// Tiers order variables in time or cause: no arc points from a later tier to an earlier
	// one. Variables in no tier are free.
	Tiers [][]string
	// MaxParents bounds the number of parents of a variable; 0 means no bound.
	MaxParents int
	// Start, when not nil, is the graph a climb starts from; variables are found by name. Nil
	// means the required arcs alone.
	Start *bn.DAG
}

// Limits are rules bound to variables by number, found free of contradiction.
type Limits struct {
	MaxParents int     // at least the number of required parents of each variable
	Required   [][]int // by child, ascending
	Start      [][]int // by child, ascending; within the limits, without a cycle

	allowed []bool // from×n+to
	n       int
}

// Allowed reports whether the arc may be in the graph. It says nothing of cycles.
func (l *Limits) Allowed(from, to int) bool { return l.allowed[from*l.n+to] }

// IsRequired reports whether the arc must be in the graph.
func (l *Limits) IsRequired(from, to int) bool {
	for _, p := range l.Required[to] {
		if p == from {
			return true
		}
	}
	return false
}
