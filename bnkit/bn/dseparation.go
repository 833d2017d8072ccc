package bn

import (
	"fmt"

	"bnlab/internal/say"
)

// DSeparated reports whether given d-separates x from y: no path between a variable of x and one of
// y is open. A path is open if each collider on it is in given or has a descendant there, and no
// other inner variable is in given. d-separated variables are independent given given in every
// network over the graph, and in almost every network no others are (Pearl 1988, §3.3).
//
// It takes time linear in the arcs (Shachter 1998, "Bayes-ball"). It returns an error when x or y
// is empty, a variable is unknown ([ErrUnknownVariable]), or one is in two of the three sets
// ([ErrDuplicate]); given may be empty.
func (g *DAG) DSeparated(x, y, given []string) (bool, error) {
	if len(x) == 0 || len(y) == 0 {
		return false, fmt.Errorf("bn: d-separation is between variables; name at least one on either side")
	}
	role := make([]int, g.Len()) // 1 in x, 2 in y, 3 given
	var sets [3][]int
	for i, names := range [][]string{x, y, given} {
		set, err := g.indices(names)
		if err != nil {
			return false, err
		}
		for _, v := range set {
			if role[v] != 0 && role[v] != i+1 {
				return false, say.Errorf("bn: %w: %q stands in two of the sets x, y and given", ErrDuplicate,
					g.names[v])
			}
			role[v] = i + 1
		}
		sets[i] = set
	}
	for v, reached := range g.open(sets[0], sets[2]) {
		if reached && role[v] == 2 {
			return false, nil
		}
	}
	return true, nil
}

// open marks the variables that an open path from x leads to.
func (g *DAG) open(x, given []int) []bool {
	isGiven := make([]bool, g.Len())
	for _, v := range given {
		isGiven[v] = true
	}
	// A step is a variable and whether the path comes to it from a child.
	type step struct {
		v         int
		fromChild bool
	}
	reached := make([]bool, g.Len())
	seen := make(map[step]bool)
	var waiting []step
	visit := func(s step) {
		if !seen[s] {
			seen[s] = true
			waiting = append(waiting, s)
		}
	}
	for _, v := range x {
		visit(step{v, true})
	}
	for len(waiting) > 0 {
		s := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if !isGiven[s.v] {
			reached[s.v] = true
			for _, c := range g.children[s.v] {
				visit(step{c, false})
			}
		}
		// Upwards it goes on from a child through what is not given, and turns back where it
		// came down to what is given. So it goes down from a meeting of arrows to a
		// descendant that is given, and up again to the other side.
		if s.fromChild != isGiven[s.v] {
			for _, p := range g.parents[s.v] {
				visit(step{p, true})
			}
		}
	}
	return reached
}
