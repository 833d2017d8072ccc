package constraint

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// AtPrice is a statement that need not hold, but costs what it is broken by, as knowledge that one doubts: it takes
//
//	Price · Σ [Σ coef · θ − value]₊
//
// off the log-likelihood, summed over the inequalities that the statement stands for, in nats for each unit of
// probability. An equality, as of a fixed value, of two sums or of shared parameters (each with each of the others),
// costs by its absolute difference. An [Influence] compares all pairs of parent states. This is W00 Eq. 4 for
// everything that is linear in the probabilities: fixed values, plain and proportional sharing, sums, orders, bounds,
// influences, synergies and [LinearSum]. [Problem.Maximize] finds the maximum as it does under statements that hold,
// beside which it may stand. From some price on, which grows in proportion to the counts, it is that of the statement
// itself. The scale of prices is that of counts: n cases of which a share d breaks a bound pay for about n·d.
// learn.Priced chooses prices by the data.
//
// Deviation: W00 has one weight, and influences only.
type AtPrice struct {
	Statement Constraint
	Price     float64 // positive
}

var _ Constraint = AtPrice{}

// String prints the statement and its price, as in "P(X=a) ≤ 0.4, at a price of 20".
func (s AtPrice) String() string {
	if isNil(s.Statement) {
		return fmt.Sprintf("no statement, at a price of %v", s.Price)
	}
	return fmt.Sprintf("%v, at a price of %v", s.Statement, s.Price)
}

// Bind implements [Constraint]. It returns an error for a price that is not positive, for a statement that has one
// already and for one that is not linear in the probabilities of tables: ratios, formulas, noisy-ORs and weights.
func (s AtPrice) Bind(net *bn.Network) ([]Bound, error) {
	if isNil(s.Statement) {
		return nil, errors.New("constraint: a price of no statement; give AtPrice a Statement")
	}
	if !positive(s.Price) {
		return nil, wrong(s, say.Errorf("the price is %v; give a positive number, as 20, or the statement itself when "+
			"it has to hold", s.Price))
	}
	switch inner := s.Statement.(type) {
	case AtPrice, *AtPrice:
		return nil, wrong(s, errors.New("the statement has a price already; give one"))
	case Influence:
		return inner.bind(net, s.Price)
	case *Influence:
		return inner.bind(net, s.Price)
	}
	bounds, err := s.Statement.Bind(net)
	if err != nil {
		return nil, err
	}
	for i := range bounds {
		if bounds[i], err = bounds[i].at(s.Price); err != nil {
			return nil, wrong(s, err)
		}
	}
	return bounds, nil
}

// at is a bound whose equalities and inequalities cost what they are broken by.
func (b Bound) at(price float64) (Bound, error) {
	if len(b.Ratios)+len(b.Smooth)+len(b.Shares) > 0 {
		return b, fmt.Errorf("%w: only what is linear in the probabilities of tables has a price; leave the price out",
			ErrOverlap)
	}
	out := Bound{Links: b.Links, AtMost: b.AtMost, price: price}
	equal := func(l Linear) { out.AtMost = append(out.AtMost, l.whole(), l.negated()) }
	out.AtMost = out.AtMost[:len(b.AtMost):len(b.AtMost)]
	for i, l := range out.AtMost {
		out.AtMost[i] = l.whole()
	}
	for _, f := range b.Fixed {
		equal(Linear{Cells: []int{f.Cell}, Value: f.P})
	}
	for _, l := range b.Equal {
		equal(l)
	}
	for _, t := range b.Ties {
		if t.Alpha > 0 {
			return b, fmt.Errorf("%w: a Dirichlet count of parameters that need not be the same has no meaning; leave "+
				"Alpha nil, or the price out", ErrOverlap)
		}
		for i := range t.Cells {
			for j := range i {
				most := max(t.scale(i), t.scale(j))
				equal(Linear{Cells: []int{t.Cells[j], t.Cells[i]},
					Coef: []float64{t.scale(i) / most, -t.scale(j) / most}})
			}
		}
	}
	return out, nil
}

// whole spells out the factors.
func (l Linear) whole() Linear {
	if l.Coef == nil {
		l.Coef = make([]float64, len(l.Cells))
		for i := range l.Coef {
			l.Coef[i] = 1
		}
	}
	return l
}

// Price is what each unit costs by which an inequality in AtMost is broken, 0 where they have to hold. See [AtPrice].
func (b Bound) Price() float64 { return b.price }

type storedPrice struct {
	Price     float64
	Statement json.RawMessage `json:",omitempty"`
}

// MarshalJSON writes the price and the statement, as [Marshal] does.
func (s AtPrice) MarshalJSON() ([]byte, error) {
	if math.IsNaN(s.Price) || math.IsInf(s.Price, 0) {
		return nil, say.Errorf("constraint: a price of %v cannot be stored", s.Price)
	}
	out := storedPrice{Price: s.Price}
	if !isNil(s.Statement) {
		var err error
		if out.Statement, err = Marshal([]Constraint{s.Statement}); err != nil {
			return nil, err
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *AtPrice) UnmarshalJSON(b []byte) error {
	var in storedPrice
	if err := strict(b, &in); err != nil {
		return err
	}
	*s = AtPrice{Price: in.Price}
	if in.Statement == nil {
		return nil
	}
	list, err := Unmarshal(in.Statement)
	if err != nil {
		return err
	}
	if len(list) != 1 {
		return fmt.Errorf("constraint: a price of %d statements; give it one", len(list))
	}
	s.Statement = list[0]
	return nil
}
