package learn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// AlternatingEM is the heuristic of W00 §4.4: each iteration is an update of EM (W00 Eq. 16),
// from θ to θ', and a step against the violation of influences that remains at θ',
//
//	θ ← θ' − StepSize · s · v
//
// where v is the gradient of the violation (W00 Eq. 14), less its mean in each row, and s makes the
// largest change of an entry by it as large as that by the update of EM (W00 footnote 7). Where
// nothing is violated by more than rounding there is no second step.
//
// It is here to reproduce the paper. It does not maximise W00 Eq. 4, whose value is reported as the
// objective and may fall from one iteration to the next; so it may end, by Settings.Tolerance,
// where the objective happens to stand still. [EM] with its ViolationWeight maximises Eq. 4, and
// without one holds influences exactly; it takes all other statements too, which are an error here.
//
// Deviation: what leaves [0, 1] is clipped, and rows are divided by their sums, where the paper
// says only that the search space is not left (footnote 5). Entries that a step takes to zero get
// 1e-12, since EM could not bring them back and their cases would be impossible.
type AlternatingEM struct {
	Pseudocount float64 // as in MAP
	// Constraints are influences, [constraint.Influence].
	Constraints []constraint.Constraint
	// ViolationWeight is w of W00 Eqs. 4 and 13, in nats for each unit of violation. 0 means 2,
	// as in the paper.
	ViolationWeight float64
	// StepSize multiplies the second step; 0 means 1.
	StepSize float64
	// Rescale of footnote 7.
	Rescale RescaleOrder
}

// A RescaleOrder says what W00 footnote 7 rescales. The paper leaves it open.
type RescaleOrder int

const (
	// RescaleAfterWeight rescales w·v. Then w has no effect on the parameters.
	RescaleAfterWeight RescaleOrder = iota
	// WeightAfterRescale rescales v and multiplies by w: with w = 2 the second step is twice the
	// size of the first.
	WeightAfterRescale
)

// String names the reading.
func (r RescaleOrder) String() string {
	switch r {
	case RescaleAfterWeight:
		return "rescaled after weighting"
	case WeightAfterRescale:
		return "weighted after rescaling"
	}
	return fmt.Sprintf("Reading(%d)", int(r))
}

var (
	_ iterative = AlternatingEM{}
	_ binder    = AlternatingEM{}
)

const (
	defaultViolationWeight = 2
	leastLeft              = 1e-12 // that a step leaves
)

func (m AlternatingEM) weight() float64 {
	if m.ViolationWeight == 0 {
		return defaultViolationWeight
	}
	return m.ViolationWeight
}

func (m AlternatingEM) stepSize() float64 {
	if m.StepSize == 0 {
		return 1
	}
	return m.StepSize
}

// String names the method.
func (m AlternatingEM) String() string {
	text := fmt.Sprintf("EM alternating with steps against violations, step size %v, weight %v, %v", m.stepSize(),
		m.weight(), m.Rescale)
	if m.Pseudocount != 0 {
		text += fmt.Sprintf(", pseudocount %v", m.Pseudocount)
	}
	return text + under(m.Constraints)
}

func (m AlternatingEM) check() error {
	switch {
	case !(m.ViolationWeight >= 0) || math.IsInf(m.ViolationWeight, 1):
		return fmt.Errorf("learn: ViolationWeight is %v; give a positive number, or 0 for %v", m.ViolationWeight,
			defaultViolationWeight)
	case !(m.StepSize >= 0) || math.IsInf(m.StepSize, 1):
		return fmt.Errorf("learn: StepSize is %v; give a positive number, or 0 for 1", m.StepSize)
	case m.Rescale < RescaleAfterWeight || m.Rescale > WeightAfterRescale:
		return fmt.Errorf("learn: unknown reading %d; use RescaleAfterWeight or WeightAfterRescale", int(m.Rescale))
	}
	return m.prior().check()
}

func (m AlternatingEM) prior() MAP { return MAP{Pseudocount: m.Pseudocount} }

func (m AlternatingEM) statements() []constraint.Constraint { return m.Constraints }

func (m AlternatingEM) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, 0 }

// bind leaves the tables free: influences are for the second step.
func (m AlternatingEM) bind(net *bn.Network, statements ...constraint.Constraint) (*constraint.Problem, error) {
	for _, s := range statements {
		if _, ok := asInfluence(s); !ok {
			return nil, fmt.Errorf("AlternatingEM takes influences only, and %q is none; use EM, which holds "+
				"statements of all kinds", s)
		}
		if _, err := s.Bind(net); err != nil {
			return nil, err
		}
	}
	return constraint.Compile(net)
}

// asInfluence reports whether a statement is an influence.
func asInfluence(s constraint.Constraint) (constraint.Influence, bool) {
	switch s := s.(type) {
	case constraint.Influence:
		return s, true
	case *constraint.Influence:
		if s != nil {
			return *s, true
		}
	}
	return constraint.Influence{}, false
}

func (m AlternatingEM) begin(p *problem, c Cases, _ *rand.Rand) (climb, error) {
	if hasGaussian(p.net) {
		return nil, errors.New("learn: AlternatingEM is for networks of discrete variables; use EM, or discretise " +
			"the others first (bnkit.Discretize)")
	}
	pseudo, err := m.prior().pseudocounts(p.tables, p.net)
	if err != nil {
		return nil, err
	}
	ladders, err := bindLadders(p.net, m.Constraints)
	if err != nil {
		return nil, err
	}
	a := &alternation{problem: p, method: m, cases: c, ladders: ladders, pseudo: pseudo}
	for _, list := range []*[]float64{&a.theta, &a.before, &a.kept, &a.n, &a.m, &a.v} {
		*list = make([]float64, p.tables.Layout().Len())
	}
	return a, nil
}
