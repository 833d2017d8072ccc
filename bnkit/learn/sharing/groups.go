package sharing

import (
	"context"
	"fmt"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// Groups is a partition of the states of a distribution, or of the distributions of a table,
// into classes with equal parameters.
type Groups struct {
	Of string // what is grouped, in words
	// Statements are the equality constraints; there are none when nothing is shared.
	Statements []constraint.Constraint
	// Classes is the partition: states by number, or parent configurations by number.
	// Each class is ascending, and they are in the order of their first members.
	Classes [][]int
	// LogMarginal is the log probability of the cases, in order, in nats, parameters
	// integrated out under the prior; Separate is the same when nothing is shared.
	LogMarginal, Separate float64
	Path                  []Step // the best found of 1 group, of 2, …
	average               func() *Average
}

// A Step is the best grouping found with that many groups.
type Step struct {
	Groups      int
	LogMarginal float64
	HeldOut     float64 // log predictive probability of the folds, 0 without cross-validation
}

// LogBayesFactor returns the log of the Bayes factor of the grouping against no sharing.
func (g *Groups) LogBayesFactor() float64 { return g.LogMarginal - g.Separate }

// Average weighs all partitions of the members, where Classes is the best found. It is computed anew at each call,
// and nil for more than 500 members, or 400 with Settings.Runs.
func (g *Groups) Average() *Average {
	if g.average == nil {
		return nil
	}
	return g.average()
}

// Labels returns the class of each member, counted from 0.
func (g *Groups) Labels() []int { return labels(g.Classes, len(g.Path)) }

// String returns the number of groups, as in "6 states of die: 2 groups, log Bayes
// factor 3.21".
func (g *Groups) String() string {
	if len(g.Classes) == len(g.Path) {
		return fmt.Sprintf("%d %s: nothing is shared", len(g.Path), g.Of)
	}
	noun := "groups"
	if len(g.Classes) == 1 {
		noun = "group"
	}
	return fmt.Sprintf("%d %s: %d %s, log Bayes factor %.2f", len(g.Path), g.Of, len(g.Classes), noun,
		g.LogBayesFactor())
}

func labels(classes [][]int, members int) []int {
	label := make([]int, members)
	for c, class := range classes {
		for _, member := range class {
			label[member] = c
		}
	}
	return label
}

// ordered sorts each class and the classes by their first members.
func ordered(classes [][]int) [][]int {
	for _, class := range classes {
		slices.Sort(class)
	}
	slices.SortFunc(classes, func(a, b []int) int { return a[0] - b[0] })
	return classes
}

// interrupted returns an error once the context is done.
func interrupted(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return say.Errorf("sharing: interrupted: %w", err)
	}
	return nil
}
