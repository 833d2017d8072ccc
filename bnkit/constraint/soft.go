package constraint

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
)

// CompileSoft is [Compile] with influences that need not hold: each [Influence] among the
// statements costs the weight times its violation, all other statements have to hold.
// [Problem.Maximize] then maximises
//
//	Σ n log θ − weight · Σ Violation
//
// with the violation of W00, Eq. 9, over all pairs of parent states, margins included (see
// [Influence.Violation]): the M-step for W00, Eq. 4. A [Synergy] has to hold. The weight is in nats
// for each unit of probability; it must be positive and finite. The maximum is exact, as far as
// [Problem.Solve] says. From some weight on, which grows in proportion to the counts, it is that of
// Compile, if that has any. Errors are those of Compile, and one that wraps [ErrOverlap] for an
// influence on distributions whose proportions are shared or that a formula is about.
func CompileSoft(net *bn.Network, weight float64, statements ...Constraint) (*Problem, error) {
	if !(weight > 0) || math.IsInf(weight, 1) {
		return nil, fmt.Errorf("constraint: the weight of violations is %v; give a positive number, as 2, or use "+
			"Compile for influences that have to hold", weight)
	}
	return compile(net, weight, statements)
}

// bind binds a statement, an influence at a price when that is positive.
func bind(net *bn.Network, price float64, statement Constraint) ([]Bound, error) {
	if price > 0 {
		switch s := statement.(type) {
		case Influence:
			return s.bind(net, price)
		case *Influence:
			return s.bind(net, price)
		}
	}
	return statement.Bind(net)
}

// isPriced reports whether a statement need not hold.
func (p *Problem) isPriced() bool {
	for _, b := range p.bounds {
		if b.price > 0 {
			return true
		}
	}
	return false
}

// Penalty is what theta, one entry for each parameter of the layout, pays for violations, in nats:
// the weight of [CompileSoft] times Σ Violation. It is 0 for a problem of Compile.
func (p *Problem) Penalty(theta []float64) float64 {
	p.check(theta)
	total := 0.0
	for _, b := range p.bounds {
		total += b.penalty(theta)
	}
	return total
}

func (b Bound) penalty(theta []float64) float64 {
	if b.price == 0 {
		return 0
	}
	total := 0.0
	for _, l := range b.AtMost {
		total += max(l.at(theta), 0)
	}
	return b.price * total
}
