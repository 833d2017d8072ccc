package metric

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A GraphComparison says how a learned graph differs from the true one. Arcs are pairs of
// parent and child.
type GraphComparison struct {
	Common   [][2]string // in both, in the same direction
	Reversed [][2]string // in both; the direction is that of the truth
	Missing  [][2]string // only in the truth
	Extra    [][2]string // only in the learned graph

	// Distance is the structural Hamming distance of the DAGs: the number of arcs to add, delete or
	// reverse.
	Distance int
	// ClassDistance is the structural Hamming distance of their CPDAGs: the number of pairs of
	// variables that the two CPDAGs join differently. Observational data cannot distinguish graphs
	// at distance 0 (Tsamardinos, Brown and Aliferis 2006, §5.1.2, as bnlearn's shd).
	ClassDistance int
}

// CompareDAGs compares a learned graph with the true one. Variables are matched by their
// names, in any order. It returns an error that names them when the graphs do not have the
// same variables.
func CompareDAGs(truth, learned *bn.DAG) (GraphComparison, error) {
	at, err := matchVariables(truth, learned)
	if err != nil {
		return GraphComparison{}, err
	}
	var c GraphComparison
	for child := range truth.Len() {
		for _, parent := range truth.Parents(child) {
			arc := [2]string{truth.Name(parent), truth.Name(child)}
			switch {
			case slices.Contains(learned.Parents(at[child]), at[parent]):
				c.Common = append(c.Common, arc)
			case slices.Contains(learned.Parents(at[parent]), at[child]):
				c.Reversed = append(c.Reversed, arc)
			default:
				c.Missing = append(c.Missing, arc)
			}
		}
	}
	inTruth, err := matchVariables(learned, truth)
	if err != nil {
		return GraphComparison{}, err
	}
	for child := range learned.Len() {
		for _, parent := range learned.Parents(child) {
			a, b := inTruth[parent], inTruth[child]
			if !slices.Contains(truth.Parents(b), a) && !slices.Contains(truth.Parents(a), b) {
				c.Extra = append(c.Extra, [2]string{learned.Name(parent), learned.Name(child)})
			}
		}
	}
	c.Distance = len(c.Reversed) + len(c.Missing) + len(c.Extra)
	c.ClassDistance = classDistance(truth.CPDAG(), learned.CPDAG(), at)
	return c, nil
}

// matchVariables returns for each variable of a its position in b.
func matchVariables(a, b *bn.DAG) ([]int, error) {
	if a == nil || b == nil {
		return nil, fmt.Errorf("metric: there are no two graphs to compare")
	}
	at := make([]int, a.Len())
	var onlyA, onlyB []string
	for v := range at {
		w, err := b.Index(a.Name(v))
		if err != nil {
			onlyA = append(onlyA, a.Name(v))
		}
		at[v] = w
	}
	for w := range b.Len() {
		if _, err := a.Index(b.Name(w)); err != nil {
			onlyB = append(onlyB, b.Name(w))
		}
	}
	if len(onlyA)+len(onlyB) > 0 {
		return nil, say.Errorf("metric: %w: the graphs have different variables; only in the first: %s; only in the "+
			"second: %s", bn.ErrUnknownVariable, several(onlyA), several(onlyB))
	}
	return at, nil
}

// several lists names, if there are some.
func several(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return say.List(names)
}

// classDistance counts the pairs that the classes join differently; at are the variables of a
// in b.
func classDistance(a, b *bn.CPDAG, at []int) int {
	n := 0
	for v := range at {
		for u := range v {
			if a.IsDirected(u, v) != b.IsDirected(at[u], at[v]) || a.IsDirected(v, u) != b.IsDirected(at[v], at[u]) ||
				a.IsUndirected(u, v) != b.IsUndirected(at[u], at[v]) {
				n++
			}
		}
	}
	return n
}

// Precision returns the fraction of the learned arcs that are true, direction included; 0 without
// any. (B06 §3.1.)
func (c GraphComparison) Precision() float64 {
	return share(float64(len(c.Common)), float64(len(c.Common)+len(c.Reversed)+len(c.Extra)))
}

// Recall returns the fraction of the true arcs that were learned, direction included; 0 without
// any. (B06 §3.1.)
func (c GraphComparison) Recall() float64 {
	return share(float64(len(c.Common)), float64(len(c.Common)+len(c.Reversed)+len(c.Missing)))
}

// SkeletonPrecision returns [GraphComparison.Precision] for the skeletons.
func (c GraphComparison) SkeletonPrecision() float64 {
	both := len(c.Common) + len(c.Reversed)
	return share(float64(both), float64(both+len(c.Extra)))
}

// SkeletonRecall returns [GraphComparison.Recall] for the skeletons.
func (c GraphComparison) SkeletonRecall() float64 {
	both := len(c.Common) + len(c.Reversed)
	return share(float64(both), float64(both+len(c.Missing)))
}

// String prints the numbers, and below them the arcs that differ.
func (c GraphComparison) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "structural Hamming distance %d, between equivalence classes %d\n", c.Distance, c.ClassDistance)
	fmt.Fprintf(&b, "arcs: precision %.3f, recall %.3f; without directions: precision %.3f, recall %.3f\n",
		c.Precision(), c.Recall(), c.SkeletonPrecision(), c.SkeletonRecall())
	fmt.Fprintf(&b, "common %d", len(c.Common))
	for _, list := range []struct {
		name string
		arcs [][2]string
	}{{"reversed", c.Reversed}, {"missing", c.Missing}, {"extra", c.Extra}} {
		fmt.Fprintf(&b, "\n%s %d", list.name, len(list.arcs))
		for i, a := range list.arcs {
			b.WriteString([]string{": ", ", "}[min(i, 1)] + a[0] + " → " + a[1])
		}
	}
	return b.String()
}
