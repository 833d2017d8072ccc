package constraint

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Influence states that a variable rises, or falls, with one of its parents, as in "the
// more difficult the task, the higher the load". It is about whole distributions (first-order
// stochastic dominance): with a Positive sign, for neighbouring states i < i+1 of Parent,
// all other parents being the same, and every state m of Child but the first,
//
//	P(Child ≥ m | i) ≤ P(Child ≥ m | i+1),
//
// and with a Negative sign the reverse. States have the order in which a variable lists
// them; one of three states or more that nobody has put in order is refused ([ErrNoOrder]). A
// variable that does not depend on the parent satisfies both, unless there is a Margin. Influences of
// several parents on one child, each a statement, hold together. Two of one parent with different signs, one Over its
// lower states and the other Over its upper ones, state a U-shape. (W00 §3.1, Eqs. 5 and 6; Y13 Eqs. 1 and 2.)
type Influence struct {
	Parent, Child string
	Sign          Sign
	// Over limits the statement to some states of Parent, two at least in their order: these are compared, each
	// with the next of them, and nothing is said of the others. Nil compares all states. Deviation: W00 and Y13 have
	// influences over all states only.
	Over []string `json:",omitempty"`
	// Margin ε ≥ 0 is how much neighbouring states of Parent differ at least:
	// P(Child ≥ m | i) + ε ≤ P(Child ≥ m | i+1). [LargestMargin] says how large it may be. (Y13 Eq. 2.)
	Margin float64 `json:",omitempty"`
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

// String returns "positive" or "negative".
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
		return nil, say.Errorf("constraint: %w", err)
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
	return say.Errorf("constraint: unknown sign %q; use positive or negative", text)
}

func (s Sign) check() error {
	if s < Positive || s > Negative {
		return fmt.Errorf("unknown sign %d; use Positive or Negative", int(s))
	}
	return nil
}

// String prints the statement, as in "higher states of Difficulty among easy, fair and hard make higher states
// of Load more likely, by 0.05 at least, wherever Noise=loud".
func (s Influence) String() string {
	direction := "higher"
	switch s.Sign {
	case Positive:
	case Negative:
		direction = "lower"
	default:
		direction = s.Sign.String()
	}
	return fmt.Sprintf("higher states of %s%s make %s states of %s more likely", s.Parent, among(s.Over), direction,
		s.Child) + proviso(s.Margin, s.Given)
}

// Bind implements [Constraint]: a bound for each configuration of the other parents. It
// returns an error for a Parent that is none of Child's, for one that Given fixes, for fewer than two states in Over,
// for one that is unknown, stands twice or out of order, for an unknown sign and for a margin that is negative or
// above 1.
func (s Influence) Bind(net *bn.Network) ([]Bound, error) { return s.bind(net, 0) }

// bind compares neighbours, and for a penalty all pairs of parent states.
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
				margin := float64(high-low) * s.Margin
				for m := 1; m < d.states; m++ {
					bounds[i].AtMost = append(bounds[i].AtMost, d.compare(ladder[low:low+1], ladder[high:high+1], m,
						margin))
				}
			}
		}
	}
	return bounds, nil
}

// Violation returns by how much the table of Child in net breaks the statement: the sum of the
// positive parts
//
//	Σ [P(Child ≥ m | j, y) − P(Child ≥ m | i, y) + (i−j)·Margin]₊
//
// over all pairs of parent states i > j among those compared, neighbours or not, all states m of Child but the
// first, and all configurations y of the other parents that match Given; for a Negative
// sign with the probabilities of i and j exchanged. It is 0 when the statement holds. That of several statements
// is their sum. Errors are those of Bind, and that a row of the table is no distribution.
// (W00 Eqs. 7 to 9, with a margin that is Y13's for neighbours.)
func (s Influence) Violation(net *bn.Network) (float64, error) {
	d, err := s.ladders(net)
	if err != nil {
		return 0, err
	}
	total := 0.0
	err = d.broken(net, s.Margin, func(_, _, _ int, excess float64) { total += excess })
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
// has another length. Errors are those of Violation. (W00 Eq. 14.)
func (s Influence) Gradient(dst []float64, net *bn.Network) error {
	if len(dst) != net.Layout().Len() {
		panic(fmt.Sprintf("constraint: a gradient of %d entries for %d parameters", len(dst), net.Layout().Len()))
	}
	d, err := s.ladders(net)
	if err != nil {
		return err
	}
	clear(dst)
	err = d.broken(net, s.Margin, func(low, high, m int, _ float64) {
		for state := m; state < d.states; state++ {
			dst[d.layout.Cell(d.child, low, state)]++
			dst[d.layout.Cell(d.child, high, state)]--
		}
	})
	if err != nil {
		return wrong(s, err)
	}
	return nil
}
