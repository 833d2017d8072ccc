package constraint

import (
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A SquaredPenalty is what qualitative statements cost in the exterior penalty method: over
// all inequalities that influences and synergies stand for,
//
//	Σ I(δ > 0) δ²,  δ = Σ coef · θ + ε
//
// with δ = P(Child < m | i+1) − P(Child < m | i) + ε for an [Influence] of positive sign and
// δ = F(i, j) + F(i+1, j+1) − F(i+1, j) − F(i, j+1) + ε for a [Synergy], each with its Margin ε. It has
// continuous first derivatives, is convex, and 0 exactly where all statements hold. Neighbouring states
// are compared, unlike in [Influence.Violation], which is linear. It does not change once compiled and
// may be used by several goroutines; nothing is allocated. (Y13 Eqs. 2 and 6.)
type SquaredPenalty struct {
	entries int   // of the layout
	start   []int // by inequality, its part of cell and coef
	cell    []int
	coef    []float64
	margin  []float64 // by inequality
}

// CompilePenalty binds influences and synergies to the tables of net. Errors are those of
// Bind, that parents in synergy have influences of different signs, and that a statement is
// of another kind: of all others there is no penalty.
func CompilePenalty(net *bn.Network, statements ...Constraint) (*SquaredPenalty, error) {
	if net == nil {
		return nil, errNoNetwork
	}
	p := &SquaredPenalty{entries: net.Layout().Len(), start: []int{0}}
	for i, s := range statements {
		switch {
		case isNil(s):
			return nil, fmt.Errorf("constraint: statement %d is nil", i+1)
		case !isQualitative(s):
			return nil, wrong(s, errors.New("only influences and synergies have a squared penalty; leave it out "+
				"here, or use Compile"))
		}
		bounds, err := s.Bind(net)
		if err != nil {
			return nil, err
		}
		for _, b := range bounds {
			for _, l := range b.AtMost {
				p.cell, p.coef = append(p.cell, l.Cells...), append(p.coef, l.Coef...)
				p.start, p.margin = append(p.start, len(p.cell)), append(p.margin, -l.Value)
			}
		}
	}
	if err := checkSigns(statements); err != nil {
		return nil, err
	}
	return p, nil
}

func isQualitative(s Constraint) bool {
	switch s.(type) {
	case Influence, *Influence, Synergy, *Synergy:
		return true
	}
	return false
}

// Inequalities returns their number.
func (p *SquaredPenalty) Inequalities() int { return len(p.margin) }

// delta is by how much an inequality is broken.
func (p *SquaredPenalty) delta(inequality int, theta []float64) float64 {
	lo, hi := p.start[inequality], p.start[inequality+1]
	cells, coef, delta := p.cell[lo:hi], p.coef[lo:hi], p.margin[inequality]
	if len(cells) == 2 && len(coef) == 2 { // most are about two entries
		return delta + coef[0]*theta[cells[0]] + coef[1]*theta[cells[1]]
	}
	for i, cell := range cells {
		delta += coef[i] * theta[cell]
	}
	return delta
}

// Value returns the penalty at theta, one entry for each parameter of the layout. It panics when theta has another
// length.
func (p *SquaredPenalty) Value(theta []float64) float64 {
	p.check(theta)
	total := 0.0
	for i := range p.margin {
		if delta := p.delta(i, theta); delta > 0 {
			total += delta * delta
		}
	}
	return total
}

// Deltas writes δ of each inequality at theta, for [SquaredPenalty.AddGradientOf], and returns the penalty. It
// panics when theta has another length than the layout, or dst than [SquaredPenalty.Inequalities].
func (p *SquaredPenalty) Deltas(dst, theta []float64) float64 {
	p.check(theta)
	total := 0.0
	dst = dst[:len(p.margin)]
	for i := range dst {
		delta := p.delta(i, theta)
		if dst[i] = delta; delta > 0 {
			total += delta * delta
		}
	}
	return total
}

// AddGradient adds to dst the derivatives of weight times the penalty by each entry of theta,
// 2·weight·Σ I(δ > 0) δ·coef. With θ = softmax(μ) by rows, Y13's derivative by μ is θ times that entry less the
// mean of the row's entries under θ (Eq. 7). It panics when a slice has another length than the layout.
func (p *SquaredPenalty) AddGradient(dst, theta []float64, weight float64) {
	p.check(dst)
	p.check(theta)
	for i := range p.margin {
		p.addSlope(dst, i, p.delta(i, theta), weight)
	}
}

// AddGradientOf is AddGradient at the point of which [SquaredPenalty.Deltas] wrote the δ.
func (p *SquaredPenalty) AddGradientOf(dst, deltas []float64, weight float64) {
	p.check(dst)
	for i, delta := range deltas[:len(p.margin)] {
		if delta > 0 {
			p.addSlope(dst, i, delta, weight)
		}
	}
}

// addSlope adds the derivatives of one inequality.
func (p *SquaredPenalty) addSlope(dst []float64, inequality int, delta, weight float64) {
	if !(delta > 0) {
		return
	}
	lo, hi := p.start[inequality], p.start[inequality+1]
	coef := p.coef[lo:hi]
	for k, cell := range p.cell[lo:hi] {
		dst[cell] += 2 * weight * delta * coef[k]
	}
}

// Largest returns the largest δ at theta: theta satisfies all statements when it is not positive.
// Without inequalities it is 0. It panics when theta has another length than the layout.
func (p *SquaredPenalty) Largest(theta []float64) float64 {
	p.check(theta)
	if len(p.margin) == 0 {
		return 0
	}
	largest := p.delta(0, theta)
	for i := range p.margin {
		largest = max(largest, p.delta(i, theta))
	}
	return largest
}

func (p *SquaredPenalty) check(v []float64) {
	if len(v) != p.entries {
		panic(fmt.Sprintf("constraint: %d entries for %d parameters", len(v), p.entries))
	}
}

// SquaredPenalty returns Σ I(δ > 0) δ² over the inequalities of the statement, at the table of Child in net: see the
// type [SquaredPenalty]. Errors are those of Bind, and that a row of the table is no distribution. (Y13 Eq. 2.)
func (s Influence) SquaredPenalty(net *bn.Network) (float64, error) {
	return squaredPenalty(net, s, s.Child)
}

// SquaredPenalty returns Σ I(δ > 0) δ² over the inequalities of the statement, at the table of Child in net: see the
// type [SquaredPenalty]. Errors are those of Bind, and that a row of the table is no distribution. (Y13 Eq. 6.)
func (s Synergy) SquaredPenalty(net *bn.Network) (float64, error) {
	return squaredPenalty(net, s, s.Child)
}

func squaredPenalty(net *bn.Network, s Constraint, child string) (float64, error) {
	p, err := CompilePenalty(net, s)
	if err != nil {
		return 0, err
	}
	t, v, err := table(net, s, child)
	if err != nil {
		return 0, err
	}
	if err := t.Validate(); err != nil {
		return 0, wrong(s, err)
	}
	theta := make([]float64, p.entries)
	lo, _ := net.Layout().Family(v)
	copy(theta[lo:], t.P)
	return p.Value(theta), nil
}

// CompileSoft compiles like [Compile], with influences and synergies that need not hold: each [Influence] and
// [Synergy] among the statements costs the weight times its violation, all other statements have to hold.
// [Problem.Maximize] then maximises
//
//	Σ n log θ − weight · Σ Violation
//
// where the violation of an influence is that of W00 Eq. 9, over all pairs of parent states, margins included (see
// [Influence.Violation]): the M-step for W00 Eq. 4. That of a synergy, which W00 §3.1 leaves to analogy, is
//
//	Σ [F(i, j) + F(i+1, j+1) − F(i+1, j) − F(i, j+1) + Margin]₊
//
// over the inequalities that it stands for, of neighbouring states. The weight is in nats
// for each unit of probability; it must be positive and finite. The maximum is exact, as far as
// [Problem.Solve] says. From some weight on, which grows in proportion to the counts, it is that of
// Compile, if that has any. [AtPrice] gives statements of all linear classes prices of their own, in Compile too.
// Errors are those of Compile, and one that wraps [ErrOverlap] for an
// influence or synergy on distributions whose proportions are shared or that a formula is about.
func CompileSoft(net *bn.Network, weight float64, statements ...Constraint) (*Problem, error) {
	if !(weight > 0) || math.IsInf(weight, 1) {
		return nil, say.Errorf("constraint: the weight of violations is %v; give a positive number, as 2, or use "+
			"Compile for influences that have to hold", weight)
	}
	return compile(net, weight, statements)
}

// bind binds a statement, and an influence or a synergy as a penalty when price is positive.
func bind(net *bn.Network, price float64, statement Constraint) ([]Bound, error) {
	if price > 0 {
		switch s := statement.(type) {
		case Influence:
			return s.bind(net, price)
		case *Influence:
			return s.bind(net, price)
		case Synergy, *Synergy:
			bounds, err := s.Bind(net)
			for i := range bounds {
				bounds[i].price = price
			}
			return bounds, err
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

// Penalty returns what theta, one entry for each parameter of the layout, pays for violations, in nats:
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
