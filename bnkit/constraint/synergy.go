package constraint

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Synergy states that parents act on a variable together more strongly than the effects of
// each add up to, as in "blood pressure raises the risk more where cholesterol is high". For
// every two of Parents, neighbouring states i < i+1 of the one and j < j+1 of the other, all
// other parents being the same, and every state m of Child but the first,
//
//	F(i, j) + F(i+1, j+1) + Margin ≤ F(i+1, j) + F(i, j+1),  F = P(Child < m)
//
// so that with two states of Child the effect of one parent on the last grows with the
// other. It has no sign of its own: turning the order of both parents round leaves it the
// same, that of one makes a sub-synergy of it. Parents whose influences on Child are stated have to
// share their sign, which [Compile] checks (Y13 §3). States have the order in which a variable lists
// them; three states or more that nobody has put in order are refused ([ErrNoOrder]). (Y13 Eq. 5;
// additive synergy of M. Wellman, Artificial Intelligence 44, 1990.)
type Synergy struct {
	Parents []string // two at least
	Child   string
	// Sub turns the inequality round: together the parents do less than their effects add up to.
	Sub bool `json:",omitempty"`
	// Margin ε ≥ 0 is by how much the sides differ at least; see [LargestMargin]. (Y13 Eq. 6.)
	Margin float64 `json:",omitempty"`
	// Given limits the statement to parent configurations in which the named other parents
	// have these states. Nil makes it for every configuration of the others.
	Given bn.Given `json:",omitempty"`
}

var _ Constraint = Synergy{}

// String prints the statement, as in "age and menopause together make higher states of
// recurrence more likely than their effects add up to, by 0.05 at least, wherever irradiat=no".
func (s Synergy) String() string {
	parents := "no parents"
	if last := len(s.Parents) - 1; last == 0 {
		parents = s.Parents[0]
	} else if last > 0 {
		parents = strings.Join(s.Parents[:last], ", ") + " and " + s.Parents[last]
	}
	if len(s.Parents) > 2 {
		parents = "every two of " + parents
	}
	more := "more"
	if s.Sub {
		more = "less"
	}
	return fmt.Sprintf("%s together make higher states of %s %s likely than their effects add up to", parents, s.Child,
		more) + proviso(s.Margin, s.Given)
}

// Bind implements [Constraint]: a bound for each two of the parents and each configuration of
// the others. It returns an error for fewer than two parents, one that is named twice, is none of
// Child's or is fixed by Given, and for a margin that is negative or above 2.
func (s Synergy) Bind(net *bn.Network) ([]Bound, error) {
	d, err := s.squares(net)
	if err != nil {
		return nil, err
	}
	if d.states < 2 {
		return nil, nil
	}
	var bounds []Bound
	for _, rows := range d.rows {
		if len(rows) < 2 || len(rows[0]) < 2 {
			continue
		}
		var b Bound
		for i, row := range rows {
			for j, config := range row {
				b.Links = append(b.Links, Row{d.child, config})
				if i == 0 || j == 0 {
					continue
				}
				low, high := []int{rows[i-1][j], row[j-1]}, []int{rows[i-1][j-1], config}
				if s.Sub {
					low, high = high, low
				}
				for m := 1; m < d.states; m++ {
					b.AtMost = append(b.AtMost, d.compare(low, high, m, s.Margin))
				}
			}
		}
		bounds = append(bounds, b)
	}
	return bounds, nil
}

// squares are the rows of the child's table that a synergy compares: for each two parents and
// each configuration of the others, a row for each state of the one and of the other.
type squares struct {
	family
	rows [][][]int
}

// squares resolves the names.
func (s Synergy) squares(net *bn.Network) (squares, error) {
	if s.Child == "" {
		return squares{}, say.Errorf("constraint: a synergy of %q on no child; name the Child", s.Parents)
	}
	if len(s.Parents) < 2 {
		return squares{}, wrong(s, fmt.Errorf("it names %d parents; name two at least", len(s.Parents)))
	}
	if err := checkMargin(s.Margin, 2); err != nil {
		return squares{}, wrong(s, err)
	}
	t, v, err := table(net, s, s.Child)
	if err != nil {
		return squares{}, err
	}
	places := make([]int, len(s.Parents))
	for i, name := range s.Parents {
		if slices.Contains(s.Parents[:i], name) {
			return squares{}, wrong(s, say.Errorf("it names %q twice; name it once", name))
		}
		if places[i], err = place(net, t, name, s.Given); err != nil {
			return squares{}, wrong(s, err)
		}
	}
	ordered := []bn.Variable{t.Child}
	for _, at := range places {
		ordered = append(ordered, t.Parents[at])
	}
	if err := checkOrder(ordered...); err != nil {
		return squares{}, wrong(s, err)
	}
	configs, err := matching(t, s.Given)
	if err != nil {
		return squares{}, wrong(s, err)
	}
	d := squares{family: family{v, t.Child.Cardinality(), net.Layout()}}
	for k, second := range places {
		for _, first := range places[:k] {
			d.rows = append(d.rows, pair(t, configs, first, second)...)
		}
	}
	return d, nil
}

// pair gives the squares of two parents.
func pair(t *bn.CPT, configs []int, first, second int) [][][]int {
	c := t.Configs()
	var list [][][]int
	for _, config := range configs {
		if config/c.Stride(first)%c.Card(first) > 0 || config/c.Stride(second)%c.Card(second) > 0 {
			continue
		}
		square := make([][]int, c.Card(first))
		for i := range square {
			square[i] = make([]int, c.Card(second))
			for j := range square[i] {
				square[i][j] = config + i*c.Stride(first) + j*c.Stride(second)
			}
		}
		list = append(list, square)
	}
	return list
}

// checkSigns is an error for a synergy of parents whose influences on the child are stated
// with different signs, where all three speak of the same configurations. An influence over a part of the
// states is no sign of the parent.
func checkSigns(statements []Constraint) error {
	var influences []Influence
	for _, s := range statements {
		switch s := s.(type) {
		case Influence:
			influences = append(influences, s)
		case *Influence:
			influences = append(influences, *s)
		}
	}
	influences = slices.DeleteFunc(influences, func(s Influence) bool { return s.Over != nil })
	for _, statement := range statements {
		var s Synergy
		switch statement := statement.(type) {
		case Synergy:
			s = statement
		case *Synergy:
			s = *statement
		default:
			continue
		}
		for i, a := range influences {
			for _, b := range influences[:i] {
				if a.Child == s.Child && b.Child == s.Child && a.Parent != b.Parent && a.Sign != b.Sign &&
					slices.Contains(s.Parents, a.Parent) && slices.Contains(s.Parents, b.Parent) &&
					meet(a.Given, b.Given) && meet(a.Given, s.Given) && meet(b.Given, s.Given) {
					return wrong(s, say.Errorf("parents in synergy share the sign of their influence (Y13 §3), but "+
						"%q and %q; change one of the signs, or list the states of %q the other way round", b, a,
						a.Parent))
				}
			}
		}
	}
	return nil
}

// meet reports whether some configuration meets two conditions.
func meet(a, b bn.Given) bool {
	for name, state := range a {
		if other, ok := b[name]; ok && other != state {
			return false
		}
	}
	return true
}
