package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
)

// Influence states that a variable rises, or falls, with one of its parents, as in "the
// more difficult the task, the higher the load". It is about whole distributions (first-order
// stochastic dominance): with a Positive sign, for neighbouring states i < i+1 of Parent,
// all other parents being the same, and every state m of Child but the first,
//
//	P(Child ≥ m | i) ≤ P(Child ≥ m | i+1),
//
// and with a Negative sign the reverse. States have the order in which a variable lists
// them. A variable that does not depend on the parent satisfies both. Influences of several
// parents on one child, each a statement, hold together. (W00 §3.1, Eqs. 5 and 6; Y13, Eq. 1.)
type Influence struct {
	Parent, Child string
	Sign          Sign
	// Given limits the statement to parent configurations in which the named other parents
	// have these states. Nil makes it for every configuration of the others.
	Given bn.Given `json:",omitempty"`
}

// A Sign is the direction of an influence.
type Sign int

const (
	Positive Sign = iota // the child rises with the parent
	Negative             // the child falls when the parent rises
)

var _ Constraint = Influence{}

// String is positive or negative.
func (s Sign) String() string {
	switch s {
	case Positive:
		return "positive"
	case Negative:
		return "negative"
	}
	return fmt.Sprintf("Sign(%d)", int(s))
}

// MarshalText writes positive or negative.
func (s Sign) MarshalText() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("constraint: %w", err)
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads what MarshalText wrote.
func (s *Sign) UnmarshalText(text []byte) error {
	for known := Positive; known <= Negative; known++ {
		if known.String() == string(text) {
			*s = known
			return nil
		}
	}
	return fmt.Errorf("constraint: unknown sign %q; use positive or negative", text)
}

func (s Sign) check() error {
	if s < Positive || s > Negative {
		return fmt.Errorf("unknown sign %d; use Positive or Negative", int(s))
	}
	return nil
}

// String prints the statement, as in "higher states of Difficulty make higher states of Load
// more likely wherever Noise=loud".
func (s Influence) String() string {
	direction := "higher"
	switch s.Sign {
	case Positive:
	case Negative:
		direction = "lower"
	default:
		direction = s.Sign.String()
	}
	text := fmt.Sprintf("higher states of %s make %s states of %s more likely", s.Parent, direction, s.Child)
	if len(s.Given) > 0 {
		text += " wherever " + s.Given.String()
	}
	return text
}

// Bind implements [Constraint]: a bound for each configuration of the other parents. It
// returns an error for a Parent that is none of Child's, for one that Given fixes, and for
// an unknown sign.
func (s Influence) Bind(net *bn.Network) ([]Bound, error) { return s.bind(net, 0) }

// bind compares neighbours, and at a price all pairs of parent states.
func (s Influence) bind(net *bn.Network, price float64) ([]Bound, error) {
	d, err := s.ladders(net)
	if err != nil {
		return nil, err
	}
	if d.states < 2 || d.steps < 2 {
		return nil, nil
	}
	bounds := make([]Bound, len(d.rows))
	for i, ladder := range d.rows {
		bounds[i].price = price
		for high, config := range ladder {
			bounds[i].Links = append(bounds[i].Links, Row{d.child, config})
			for low := range high {
				if price == 0 && low < high-1 {
					continue
				}
				for m := 1; m < d.states; m++ {
					bounds[i].AtMost = append(bounds[i].AtMost, difference(d.tail(ladder[low], m), d.tail(config, m), 1))
				}
			}
		}
	}
	return bounds, nil
}

// Violation is by how much the table of Child in net breaks the statement: the sum of the
// positive parts
//
//	Σ [P(Child ≥ m | j, y) − P(Child ≥ m | i, y)]₊
//
// over all pairs of parent states i > j, neighbours or not, all states m of Child but the
// first, and all configurations y of the other parents that match Given; for a Negative
// sign with i and j exchanged. It is 0 when the statement holds. That of several statements
// is their sum. Errors are those of Bind, and that a row of the table is no distribution.
// (W00, Eqs. 7 to 9.)
func (s Influence) Violation(net *bn.Network) (float64, error) {
	d, err := s.ladders(net)
	if err != nil {
		return 0, err
	}
	total := 0.0
	err = d.broken(net, func(_, _, _ int, excess float64) { total += excess })
	if err != nil {
		return 0, wrong(s, err)
	}
	return total, nil
}

// Gradient writes to dst, one entry for each parameter of the network's layout, the
// derivative of [Influence.Violation] by each parameter: the number of broken inequalities
// that ask for a smaller value less the number of those that ask for a larger one. An
// inequality that holds with equality is not broken. The derivative does not know that
// rows sum to one; subtract from each row its mean to stay on such rows. It panics when dst
// has another length. Errors are those of Violation. (W00, Eq. 14.)
func (s Influence) Gradient(dst []float64, net *bn.Network) error {
	if len(dst) != net.Layout().Len() {
		panic(fmt.Sprintf("constraint: a gradient of %d entries for %d parameters", len(dst), net.Layout().Len()))
	}
	d, err := s.ladders(net)
	if err != nil {
		return err
	}
	clear(dst)
	err = d.broken(net, func(low, high, m int, _ float64) {
		for _, cell := range d.tail(low, m) {
			dst[cell]++
		}
		for _, cell := range d.tail(high, m) {
			dst[cell]--
		}
	})
	if err != nil {
		return wrong(s, err)
	}
	return nil
}

// ladders are the rows of the child's table that an influence compares: a ladder for each
// configuration of the other parents, with a row for each state of the parent, in the
// order in which the child rises.
type ladders struct {
	child  int
	states int // of the child
	steps  int // states of the parent
	rows   [][]int
	layout bn.Layout
}

// ladders resolves the names.
func (s Influence) ladders(net *bn.Network) (ladders, error) {
	if s.Parent == "" || s.Child == "" {
		return ladders{}, fmt.Errorf("constraint: an influence of %q on %q; name the Parent and the Child", s.Parent, s.Child)
	}
	if err := s.Sign.check(); err != nil {
		return ladders{}, wrong(s, err)
	}
	t, v, err := table(net, s, s.Child)
	if err != nil {
		return ladders{}, err
	}
	if _, err := net.Index(s.Parent); err != nil {
		return ladders{}, wrong(s, err)
	}
	if s.Parent == s.Child {
		return ladders{}, wrong(s, errors.New("a variable has no influence on itself; name one of its parents"))
	}
	parent := slices.IndexFunc(t.Parents, func(p bn.Variable) bool { return p.Name == s.Parent })
	if parent < 0 {
		var names []string
		for _, p := range t.Parents {
			names = append(names, p.Name)
		}
		return ladders{}, wrong(s, fmt.Errorf("%q is no parent of %q (parents: %s); name one of them, or add the arc to the network", s.Parent, s.Child, strings.Join(names, ", ")))
	}
	if _, ok := s.Given[s.Parent]; ok {
		return ladders{}, wrong(s, fmt.Errorf("it compares the states of %q, and Given fixes one; leave it out of Given", s.Parent))
	}
	configs, err := matching(t, s.Given)
	if err != nil {
		return ladders{}, wrong(s, err)
	}
	d := ladders{child: v, states: t.Child.Cardinality(), steps: t.Parents[parent].Cardinality(), layout: net.Layout()}
	stride := t.Configs().Stride(parent)
	for _, config := range configs {
		if config/stride%d.steps > 0 {
			continue
		}
		ladder := make([]int, d.steps)
		for i := range ladder {
			ladder[i] = config + i*stride
		}
		if s.Sign == Negative {
			slices.Reverse(ladder)
		}
		d.rows = append(d.rows, ladder)
	}
	return d, nil
}

// tail lists the cells of the states m and higher.
func (d ladders) tail(config, m int) []int {
	cells := make([]int, d.states-m)
	for i := range cells {
		cells[i] = d.layout.Cell(d.child, config, m+i)
	}
	return cells
}

// broken calls f with each pair of rows of a ladder, and each m, for which the states m and
// higher are less likely in the row that is higher up, by excess. It returns an error when
// a row of the table is no distribution.
func (d ladders) broken(net *bn.Network, f func(low, high, m int, excess float64)) error {
	t := net.CPT(d.child)
	if err := t.Validate(); err != nil {
		return err
	}
	for _, ladder := range d.rows {
		for i, high := range ladder {
			for _, low := range ladder[:i] {
				excess := 0.0
				for m := d.states - 1; m > 0; m-- {
					excess += t.Row(low)[m] - t.Row(high)[m]
					if excess > 0 {
						f(low, high, m, excess)
					}
				}
			}
		}
	}
	return nil
}
