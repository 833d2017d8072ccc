package constraint

import (
	"fmt"
	"math"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A LinearSum states any linear equality or inequality of parameters, of one distribution
// or of several:
//
//	Σ Factor · P(Var=State | Given)  =, ≤ or ≥  Value
//
// It says what the other statements have no name for, such as "the drug raises the chance
// of a cure by 0.1 at least". (N06 §3.1: g(θ) = 0 and h(θ) ≤ 0 that are linear.)
type LinearSum struct {
	Terms    []Term
	Relation Relation `json:",omitzero"`
	Value    float64
}

// A Term is a parameter times a factor. The Given of its cell names the states of all
// parents.
type Term struct {
	Cell
	// Factor of the parameter; 0 means 1.
	Factor float64 `json:",omitzero"`
}

// A Relation compares a sum with a value.
type Relation int

const (
	Equal  Relation = iota // the sum is the value
	NoMore                 // the sum is the value at most
	NoLess                 // the sum is the value at least
)

var _ Constraint = LinearSum{}

// String returns the sign of the relation: =, ≤ or ≥.
func (r Relation) String() string {
	switch r {
	case Equal:
		return "="
	case NoMore:
		return "≤"
	case NoLess:
		return "≥"
	}
	return fmt.Sprintf("Relation(%d)", int(r))
}

// MarshalText writes the sign of the relation.
func (r Relation) MarshalText() ([]byte, error) {
	if r < Equal || r > NoLess {
		return nil, fmt.Errorf("constraint: unknown relation %d; use Equal, NoMore or NoLess", int(r))
	}
	return []byte(r.String()), nil
}

// UnmarshalText reads what MarshalText wrote.
func (r *Relation) UnmarshalText(text []byte) error {
	for known := Equal; known <= NoLess; known++ {
		if known.String() == string(text) {
			*r = known
			return nil
		}
	}
	return say.Errorf("constraint: unknown relation %q; use =, ≤ or ≥", text)
}

// String prints the statement, as in "P(X=a | Y=1) - 2·P(X=a | Y=2) ≥ 0.1".
func (s LinearSum) String() string {
	var b strings.Builder
	for i, term := range s.Terms {
		factor := term.factor()
		switch {
		case i == 0 && factor < 0:
			b.WriteString("-")
		case i > 0 && factor < 0:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		}
		b.WriteString(Term{term.Cell, math.Abs(factor)}.String())
	}
	fmt.Fprintf(&b, " %v %v", s.Relation, s.Value)
	return b.String()
}

// String prints the term, as in "2·P(X=a | Y=1)".
func (t Term) String() string {
	if t.factor() == 1 {
		return t.Cell.String()
	}
	return fmt.Sprintf("%v·%s", t.Factor, t.Cell)
}

func (t Term) factor() float64 {
	if t.Factor == 0 {
		return 1
	}
	return t.Factor
}

// Bind implements [Constraint]. It returns an error for a cell that leaves parents open
// or appears twice, and for numbers that are not finite.
func (s LinearSum) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Terms) == 0 {
		return nil, fmt.Errorf("constraint: a linear statement has no terms; name its parameters, as in Terms: " +
			"[]constraint.Term{{Cell: constraint.Cell{Var: \"load\", State: \"high\"}}}")
	}
	list := make([]Cell, len(s.Terms))
	l := Linear{Coef: make([]float64, len(s.Terms)), Value: s.Value}
	for i, term := range s.Terms {
		list[i], l.Coef[i] = term.Cell, term.factor()
		if !positive(math.Abs(l.Coef[i])) {
			return nil, wrong(s, say.Errorf("the factor of %s is %v; give a finite number, its size from 1e-100 to "+
				"1e100", term.Cell, term.Factor))
		}
	}
	if !(math.Abs(s.Value) <= 1e100) {
		return nil, wrong(s, say.Errorf("the value is %v; give a finite number, 1e100 at most", s.Value))
	}
	var err error
	if l.Cells, err = single(net, s, list); err != nil {
		return nil, err
	}
	b := Bound{Links: rowsOf(net.Layout(), l.Cells)}
	switch s.Relation {
	case Equal:
		b.Equal = []Linear{l}
	case NoMore:
		b.AtMost = []Linear{l}
	case NoLess:
		b.AtMost = []Linear{l.negated()}
	default:
		return nil, wrong(s, fmt.Errorf("unknown relation %d; use Equal, NoMore or NoLess", int(s.Relation)))
	}
	return []Bound{b}, nil
}

// negated is −Σ coef · θ_cell with the value −value, so that "at most" becomes "at least".
func (l Linear) negated() Linear {
	out := Linear{Cells: l.Cells, Coef: make([]float64, len(l.Cells)), Value: -l.Value}
	for i := range out.Coef {
		out.Coef[i] = -l.coef(i)
	}
	return out
}
