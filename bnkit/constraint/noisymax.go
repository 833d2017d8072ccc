package constraint

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// NoisyMAX states that sets of parents have independent effects on a child, each an effect of its own among the
// child's states, of which the highest is what is seen, as when the worst of what several diseases do to a patient
// shows:
//
//	P(Child ≤ y | x) = Π_i P(effect of set i ≤ y | x_i).
//
// With two states it is the noisy-OR ([NoisyOR]). With Min the lowest effect is what is seen: a noisy-MIN, with two
// states the noisy-AND, in which each set may fail what it is needed for. (F. J. Díez, Parameter adjustment in Bayes
// networks: the generalized noisy OR-gate, UAI 1993, Eqs. 9 and 15; Y13 §4 for sets.)
//
// Idle gives each parent a state in which it does nothing, as in GeNIe's noisy-MAX nodes; then there is a leak
// besides (M. Henrion, UAI 1987), an effect that is there when all parents are idle. It is learned, and P(Child | all
// idle) is its distribution: [Fixed] makes it known, also as 0, [AtMost] and [AtLeast] bound it. Without Idle an
// effect may be any function of its set's configuration, and a leak would say nothing new.
//
// Other statements of the table may hold beside it: influences, bounds, known values, orders, linear sums. The
// maximum is found in the logarithms of P(effect ≤ y)/P(effect ≤ y+1), in which the likelihood is concave. It is
// certified as the largest where each statement is convex there: influences, also with margins, bounds of P(Child ≤
// y) from above and from below, bounds of one state or of neighbouring ones from below, sums of P(Child ≤ y) in
// several rows from above. What is not, as a bound of a state in the middle from above or a synergy, is dealt with by
// tangents, and what is found then is a maximum by its second derivatives. A known value is one of the lowest or
// highest states together. The states of a child of three or more must be in order ([ErrNoOrder]). Probabilities that
// the data push to 0 end at about 1e-12.
type NoisyMAX struct {
	Child string
	// Sets are the parents that act together; each parent stands in one. Nil makes each parent a set.
	Sets [][]string `json:",omitempty"`
	// Idle is by parent the state in which it does nothing: of all parents or of none.
	Idle bn.Given `json:",omitempty"`
	// Min says that the lowest effect is seen in place of the highest.
	Min bool `json:",omitempty"`
}

var _ Constraint = NoisyMAX{}

// String prints the statement, as in "the highest of independent effects of {flu} and {cold, asthma} is seen as fever
// (noisy-MAX), with a leak".
func (s NoisyMAX) String() string {
	which, name := "highest", "noisy-MAX"
	if s.Min {
		which, name = "lowest", "noisy-MIN"
	}
	text := "the " + which + " of independent effects of "
	for i, set := range s.Sets {
		switch {
		case i == 0:
		case i == len(s.Sets)-1:
			text += " and "
		default:
			text += ", "
		}
		text += braces(set)
	}
	if s.Sets == nil {
		text += "each parent"
	}
	text += fmt.Sprintf(" is seen as %s (%s)", s.Child, name)
	if len(s.Idle) > 0 {
		text += ", with a leak"
	}
	return text
}

// Bind implements [Constraint]: one bound. It returns an error for a child of three states or more that are not in
// order, a set that is empty or names a variable that is no parent, a parent that appears twice or in no set, an Idle
// that names some parents only or an unknown state, and one that wraps [bn.ErrTooLarge] for a table of more than 2^20
// rows.
func (s NoisyMAX) Bind(net *bn.Network) ([]Bound, error) {
	c, err := s.causes(net)
	if err != nil {
		return nil, err
	}
	if len(c.sizes) == 1 && c.idle == nil {
		return nil, nil
	}
	return []Bound{c.bound(net.Layout())}, nil
}

// causes resolves the names.
func (s NoisyMAX) causes(net *bn.Network) (*causes, error) {
	if s.Child == "" {
		return nil, errors.New("constraint: a noisy-MAX has no Child; name the variable that shows the effects")
	}
	t, v, err := table(net, s, s.Child)
	if err != nil {
		return nil, err
	}
	if err := checkOrder(t.Child); err != nil {
		return nil, wrong(s, err)
	}
	r := t.Child.Cardinality()
	if len(t.Parents) == 0 {
		return nil, wrong(s, say.Errorf("%q has no parents; add arcs from what affects it", s.Child))
	}
	sets := NoisyOR{Child: s.Child, Sets: s.Sets}
	if s.Sets == nil {
		for _, p := range t.Parents {
			sets.Sets = append(sets.Sets, []string{p.Name})
		}
	}
	c := &causes{child: v, order: make([]int, r)}
	for y := range c.order {
		if c.order[y] = y; s.Min {
			c.order[y] = r - 1 - y
		}
	}
	c.absent, c.present = c.order[0], c.order[r-1]
	if c.parents, err = sets.places(t); err != nil {
		return nil, wrong(s, err)
	}
	if err := c.configure(t, sets); err != nil {
		return nil, wrong(s, err)
	}
	if len(s.Idle) == 0 {
		return c, nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.Idle)) {
		if _, err := parentOf(t, name); err != nil {
			return nil, wrong(s, say.Errorf("its Idle: %w", err))
		}
	}
	c.idleOf = make([]int, len(t.Parents))
	for _, places := range c.parents {
		x := 0
		for _, p := range places {
			parent := t.Parents[p]
			name, ok := s.Idle[parent.Name]
			if !ok {
				return nil, wrong(s, say.Errorf("its Idle lacks the parent %q; name a state of each parent, or none",
					parent.Name))
			}
			state, err := parent.StateIndex(name)
			if err != nil {
				return nil, wrong(s, say.Errorf("its Idle: %w", err))
			}
			x, c.idleOf[p] = x*parent.Cardinality()+state, state
		}
		c.idle = append(c.idle, x)
	}
	return c, nil
}

// configure numbers the configurations of the sets.
func (c *causes) configure(t *bn.CPT, s NoisyOR) error {
	if k := t.Configs().Len(); k > mostConfigs {
		return say.Errorf("%w: the table of %q has %d rows, and may have 2^20, for 20 parents of two "+
			"states; give some of them a hidden child between", bn.ErrTooLarge, s.Child, k)
	}
	for _, places := range c.parents {
		size := 1
		for _, p := range places {
			size *= t.Parents[p].Cardinality()
		}
		c.sizes = append(c.sizes, size)
	}
	c.config = []int{0}
	for _, places := range c.parents {
		for _, p := range places {
			longer := make([]int, 0, len(c.config)*t.Parents[p].Cardinality())
			for _, config := range c.config {
				for state := range t.Parents[p].Cardinality() {
					longer = append(longer, config+state*t.Configs().Stride(p))
				}
			}
			c.config = longer
		}
	}
	return nil
}
