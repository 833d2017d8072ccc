package structure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// An Averaged is the graph of the arcs that were found in many replicates.
type Averaged struct {
	DAG       *bn.DAG
	Threshold float64
	Arcs      []ArcStrength // of the graph, strongest first
	// LeftOut are arcs above the threshold that would close a cycle with stronger ones.
	LeftOut []ArcStrength
	// Open are arcs, of the graph and others, whose strength is within 2.6 standard errors of the threshold: more
	// replicates may put them on the other side (with a probability of 1 % where they lie that far from it).
	Open       []ArcStrength
	replicates int
}

// Average returns the graph of the arcs whose strength is above the threshold, each in the direction
// found more often (of equals from the earlier variable). It is made acyclic by this rule: arcs
// are taken by falling strength, then by falling direction, then in the order of the variables, and one
// that would close a cycle is left out and listed. A threshold of ½ keeps what most replicates
// have; [Strengths.SignificantThreshold] finds one in the strengths themselves. It returns
// an error for a threshold outside [0, 1).
//
// Arcs found undirected more often than in either direction come last. They are directed so that, if
// possible, they create no v-structure that the other arcs do not have: directed at random, most chains
// A – B – C would risk becoming A → B ← C, with the opposite independence. The strongest arc with only
// one such direction comes first, and without one the strongest in the direction found more often.
func (s *Strengths) Average(threshold float64) (*Averaged, error) {
	if !(threshold >= 0 && threshold < 1) {
		return nil, say.Errorf("structure: a threshold of %v for strengths of arcs; it must be from 0 to below 1",
			threshold)
	}
	n := len(s.Variables)
	pairs := s.ordered()
	a := &Averaged{Threshold: threshold, replicates: s.Replicates}
	for _, pair := range pairs {
		if arc := s.Of(pair[0], pair[1]); math.Abs(arc.Strength-threshold) < 2.6*s.StdErr(arc) {
			a.Open = append(a.Open, arc)
		}
	}
	for i, pair := range pairs {
		if !(s.Of(pair[0], pair[1]).Strength > threshold) {
			pairs = pairs[:i]
			break
		}
	}
	parents := make([][]int, n)
	var open [][2]int
	for _, pair := range pairs {
		switch {
		case s.isOpen(pair):
			open = append(open, pair)
		case leads(parents, pair[1], pair[0]):
			a.LeftOut = append(a.LeftOut, s.Of(pair[0], pair[1]))
		default:
			parents[pair[1]] = append(parents[pair[1]], pair[0])
		}
	}
	direct(parents, pairs, open)
	for _, pair := range pairs {
		for _, arc := range [][2]int{pair, {pair[1], pair[0]}} {
			if slices.Contains(parents[arc[1]], arc[0]) {
				a.Arcs = append(a.Arcs, s.Of(arc[0], arc[1]))
			}
		}
	}
	for _, set := range parents {
		slices.Sort(set)
	}
	var err error
	if a.DAG, err = bn.NewDAG(names(s.Variables, all(n)), parents); err != nil {
		return nil, say.Errorf("structure: %w", err)
	}
	return a, nil
}

// isOpen reports whether an arc was found without a direction more often than with either one.
func (s *Strengths) isOpen(pair [2]int) bool {
	u, v := pair[0], pair[1]
	lines := s.lines[u][v]
	return 3*lines > max(s.halves[u][v], s.halves[v][u]) // which are twice the arcs, and the lines
}

// direct adds the open pairs to the parents, each in one direction.
func direct(parents [][]int, joined, open [][2]int) {
	// harm is 2 when the arc closes a cycle, 1 when it creates a v-structure, and else 0.
	harm := func(from, to int) int {
		if leads(parents, to, from) {
			return 2
		}
		for _, p := range parents[to] {
			if !slices.Contains(joined, [2]int{p, from}) && !slices.Contains(joined, [2]int{from, p}) {
				return 1
			}
		}
		return 0
	}
	for len(open) > 0 {
		at := max(0, slices.IndexFunc(open, func(a [2]int) bool { return harm(a[0], a[1]) != harm(a[1], a[0]) }))
		from, to := open[at][0], open[at][1]
		if harm(from, to) > harm(to, from) {
			from, to = to, from
		}
		parents[to] = append(parents[to], from)
		open = slices.Delete(open, at, at+1)
	}
}

// leads reports whether a directed path goes from one variable to another, by parents.
func leads(parents [][]int, from, to int) bool {
	seen := make([]bool, len(parents))
	stack := []int{to}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v == from {
			return true
		}
		if !seen[v] {
			seen[v] = true
			stack = append(stack, parents[v]...)
		}
	}
	return false
}

// SignificantThreshold returns the strength above which arcs are significant (Scutari and Nagarajan
// 2013, §3). Let F be the distribution function of the strengths p of all n(n−1)/2 pairs. If all
// arcs were certain, it would be a constant t between 0 and 1. The t closest to F,
//
//	argmin over t of ∫₀¹ |F(x) − t| dx,
//
// is the median of F over [0, 1], the smallest one where it is not unique, and the threshold is the
// smallest strength p with F(p) ≥ t. Arcs above it, not at it, are significant: beside the others, and no test
// against chance. Columns that are all independent have such arcs too, about one in 20 rows of five columns
// (docs/arcs.md).
func (s *Strengths) SignificantThreshold() float64 {
	var p []float64
	for u := range s.Variables {
		for v := u + 1; v < len(s.Variables); v++ {
			p = append(p, s.Of(u, v).Strength)
		}
	}
	if len(p) == 0 {
		return 0
	}
	slices.Sort(p)
	// F is i/len(p) from p[i-1] to p[i], and never falls: its median is where half of the way
	// from 0 to 1 has gone by.
	at := 0
	for at < len(p) && p[at] < 0.5 {
		at++
	}
	if at == 0 { // F is 0 on more than half of the way
		return 0
	}
	return p[at-1]
}

// Map is the strength of each arc of the graph by its ends, parent first, as Strengths of viz.NetworkOptions takes it.
func (a *Averaged) Map() map[[2]string]float64 {
	strengths := make(map[[2]string]float64, len(a.Arcs))
	for _, arc := range a.Arcs {
		strengths[[2]string{arc.From, arc.To}] = arc.Strength
	}
	return strengths
}

// String prints the model string, the threshold and the arcs.
func (a *Averaged) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\narcs of strength above %.3g\n", a.DAG, a.Threshold)
	for _, arc := range a.Arcs {
		fmt.Fprintf(&b, "  %s: strength %.3f, direction %.3f\n", arc.Arc, arc.Strength, arc.Direction)
	}
	for _, arc := range a.LeftOut {
		fmt.Fprintf(&b, "left out, as it would close a cycle: %s, strength %.3f\n", arc.Arc, arc.Strength)
	}
	for _, arc := range a.Open {
		fmt.Fprintf(&b, "not told apart from the threshold by %d replicates: %s, strength %.3f\n", a.replicates,
			arc.Arc, arc.Strength)
	}
	return b.String()
}
