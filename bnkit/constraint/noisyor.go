package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// NoisyOR states that sets of parents cause a child of two states independently: each set
// fails to with a probability of its own, whatever the others do,
//
//	P(Child absent | x) = Π_i g_i(x_i),   0 ≤ g_i ≤ 1,
//
// where x_i is the configuration of the parents of set i and g_i any function of it. With a
// hidden cause Y_i for each set, which is present with probability P_i(1 | x_i) and then brings
// about the child with probability q_i, the link, it is g_i = 1 − q_i + q_i P_i(0 | x_i). The
// classical noisy-OR has a set for each parent. (Y13 §4, Eqs. 4 and 8.)
//
// An [Influence] or a [Synergy] on the same child goes with it when its parents, and those of
// its Given, lie in one set. It holds of the child, and without a margin that is to hold of g_i (Y13,
// appendix B). Parents of different sets that both raise the child are sub-synergistic whatever the data,
//
//	F(0,0) + F(1,1) − F(1,0) − F(0,1) = (A(1) − A(0))·(B(1) − B(0)) ≥ 0,   F = P(Child absent) = A·B,
//
// so that a synergy of theirs contradicts the noisy-OR, and a sub-synergy says nothing new. Known values, bounds,
// orders and linear sums of the same table go with it too, and the maximum is certified as [NoisyMAX] says.
//
// Deviation: margins are of the child's probabilities in every row, as without a noisy-OR, and so of g_i at
// least. Y13 puts them on the P_i, which the data do not identify: only q_i P_i matters, and of it not all
// ([NoisyOR.Links]).
//
// The maximum is found in log g, in which Σ n log θ is concave, signs are linear and margins convex: it is
// certified by a dual bound, among tables with P(absent) ≥ e⁻³⁰. With a synergy or sub-synergy that binds it
// is a maximum by its second derivatives, found from the middle of what the statements allow; no search from
// elsewhere has been seen to end in another. That margins beside synergies are too large is also the finding
// of a search. Probabilities that the data push to 0 end at about 1e-12.
//
// One set of all parents says nothing. The families NoisyORCPD and NoisyORSetsCPD of package learn are not
// statements: they replace the table by links as parameters, for gradient methods.
type NoisyOR struct {
	Child string
	// Sets are the parents that act together; each parent of Child stands in one.
	Sets [][]string
	// Present is the state of Child that the sets cause; empty means the last.
	Present string `json:",omitempty"`
}

var _ Constraint = NoisyOR{}

// String prints the statement, as in "sets {age, menopause} and {tumor-size, deg-malig} cause
// recurrence independently (noisy-OR)".
func (s NoisyOR) String() string {
	text := "sets "
	for i, set := range s.Sets {
		switch {
		case i == 0:
		case i == len(s.Sets)-1:
			text += " and "
		default:
			text += ", "
		}
		text += "{" + strings.Join(set, ", ") + "}"
	}
	cause := " cause "
	if len(s.Sets) == 1 {
		text, cause = "set"+strings.TrimPrefix(text, "sets"), " causes "
	}
	text += cause + s.Child
	if s.Present != "" {
		text += "=" + s.Present
	}
	return text + " independently (noisy-OR)"
}

// Bind implements [Constraint]: one bound. It returns an error for a Child that has not two
// states, an unknown Present, a set that is empty or names a variable that is no parent, a
// parent that appears twice, one that stands in no set, and one that wraps [bn.ErrTooLarge] for a table of more than
// 2^20 rows (20 parents of two states), which takes half a minute to fit; with influences 16 parents do.
func (s NoisyOR) Bind(net *bn.Network) ([]Bound, error) {
	c, err := s.causes(net)
	if err != nil {
		return nil, err
	}
	if len(c.sizes) == 1 {
		return nil, nil
	}
	return []Bound{c.bound(net.Layout())}, nil
}

// mostConfigs bounds the rows of a table, all of which each step of a solver goes through.
const mostConfigs = 1 << 20

// causes are the sets of a noisy-OR or noisy-MAX on one table. A configuration of the sets is numbered like
// one of parents, the first set varying slowest.
type causes struct {
	child           int
	present, absent int     // states, the highest and the lowest of order
	order           []int   // the states from the weakest
	parents         [][]int // by set, places among the parents
	sizes           []int   // by set, its configurations
	idle            []int   // by set, the one in which it does nothing; nil for none
	idleOf          []int   // the same by parent
	config          []int   // by configuration of the sets, that of the table
}

// causes resolves the names.
func (s NoisyOR) causes(net *bn.Network) (*causes, error) {
	if s.Child == "" {
		return nil, errors.New("constraint: a noisy-OR has no Child; name the variable that the sets cause")
	}
	t, v, err := table(net, s, s.Child)
	if err != nil {
		return nil, err
	}
	if k := t.Child.Cardinality(); k != 2 {
		return nil, wrong(s, say.Errorf("%q has %d states, and must be present or absent; merge states", s.Child, k))
	}
	c := &causes{child: v, present: 1}
	if s.Present != "" {
		if c.present, err = t.Child.StateIndex(s.Present); err != nil {
			return nil, wrong(s, say.Errorf("its Present: %w", err))
		}
	}
	c.absent = 1 - c.present
	if c.parents, err = s.places(t); err != nil {
		return nil, wrong(s, err)
	}
	c.order = []int{c.absent, c.present}
	if err := c.configure(t, s); err != nil {
		return nil, wrong(s, err)
	}
	return c, nil
}

// places finds the parents of each set.
func (s NoisyOR) places(t *bn.CPT) ([][]int, error) {
	if len(s.Sets) == 0 {
		return nil, errors.New("it has no sets; list the parents that act together, each parent in one set")
	}
	of := slices.Repeat([]int{-1}, len(t.Parents)) // the set of a parent
	out := make([][]int, len(s.Sets))
	for i, set := range s.Sets {
		if len(set) == 0 {
			return nil, fmt.Errorf("set %d is empty; name its parents, or leave it out", i+1)
		}
		for _, name := range set {
			p, err := parentOf(t, name)
			if err != nil {
				return nil, err
			}
			switch {
			case of[p] == i:
				return nil, say.Errorf("%w: %q appears twice in %s; name it once", ErrOverlap, name, braces(set))
			case of[p] >= 0:
				return nil, say.Errorf("%w: %q stands in %s and in %s; each parent acts in one set", ErrOverlap, name,
					braces(s.Sets[of[p]]), braces(set))
			}
			of[p] = i
			out[i] = append(out[i], p)
		}
	}
	for p, set := range of {
		if set < 0 {
			return nil, say.Errorf("parent %q of %q is in no set; list it as a set of its own, or where it belongs",
				t.Parents[p].Name, s.Child)
		}
	}
	return out, nil
}

// parentOf finds a parent by its name.
func parentOf(t *bn.CPT, name string) (int, error) {
	p := whichOf(t.Parents, name)
	if p < 0 {
		return 0, say.Errorf("%w: %q is no parent of %q (parents: %s); name one of them, or add the arc to the network",
			bn.ErrUnknownVariable, name, t.Child.Name, names(t.Parents))
	}
	return p, nil
}

// braces prints a set of names.
func braces(set []string) string { return "{" + strings.Join(set, ", ") + "}" }
