package learn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// ExteriorPenalty is the gradient method of Y13 (Algorithm 1) for complete data under
// influences, synergies and noisy-ORs, and that of Altendorf, Restificar and Dietterich (UAI
// 2005) where there is no noisy-OR. The table of a child is the soft-max of numbers μ (Y13 Eq. 3), and
//
//	J(μ) = Σ (N + Pseudocount) log θ − ω Σ I(δ > 0) δ²
//
// is climbed, with δ from [constraint.SquaredPenalty]. Where a round ends outside the statements ω grows,
// and a further round goes on from there. A child under a [constraint.NoisyOR] has a
// table P_i for each set, on which its influences and synergies are penalties, and a link
// q_i; an iteration is a step in the logits of the links and one in the μ. Tables under
// no statement have their closed form.
//
// The trace has a step for each round. Its Violation is the largest δ of a statement, its own margin
// included, under a noisy-OR in the table of its set; its Objective is J.
//
// J has one maximum where there is no noisy-OR. Under one there are ends that are none: as q_i goes to
// 0 so do the derivatives by the table of its cause. Links of nearly 0 are a reason to start elsewhere (Src).
//
// It is here to reproduce the papers. A penalty is the price of being outside, and so the end
// is outside by a little wherever a statement matters, unless a Margin leads inside, which costs
// likelihood. [MAP] has the maximum under the same statements itself, and takes all other kinds too.
//
// Deviation: the paper's steps have a fixed length, which it does not give and which diverges
// where ω is large; here the step is as long as the last two gradients of the coordinates say
// (Barzilai and Borwein, IMA Journal of Numerical Analysis 8, 1988), and halved until J rises, so
// that it never falls within a round. Links move by their logits, since nothing keeps the paper's
// in [0, 1].
//
// Misprint: Y13 Eq. 10 sums over all examples; those whose set has another configuration than j
// add nothing, and are left out.
type ExteriorPenalty struct {
	// Pseudocount is added to each count, as in [MAP]; here it is not negative. That of a child under a
	// noisy-OR goes to the entries of its table, not to those of its sets.
	Pseudocount float64
	// Constraints are of the kinds [constraint.Influence], [constraint.Synergy] and
	// [constraint.NoisyOR].
	Constraints []constraint.Constraint
	// Margin is ε of Y13 Eqs. 2 and 6, a difference of probabilities that is added to the margins of
	// statements in J alone: rounds end when the statements hold as they are.
	Margin float64
	// Weight is ω of the first round, in nats for each unit of δ²; 0 means the number of cases,
	// pseudocounts included.
	Weight float64
	// Growth multiplies ω from round to round; 0 means 10.
	Growth float64
	// StepCPT and StepLink are α and β, the lengths of the first steps in μ and in logits of links, in
	// units of one over the number of cases; 0 means 1.
	StepCPT, StepLink float64
	// MaxIterations bounds those of a round; 0 means 1000.
	MaxIterations int
	// Rounds bounds their number; 0 means 6.
	Rounds int
	// Src, when not nil, draws the start, μ and logits from standard normal distributions,
	// once for all fits of a [Compiled]. Without it they start at 0, even tables.
	Src rand.Source
}

var (
	_ Method = ExteriorPenalty{}
	_ binder = ExteriorPenalty{}
)

const (
	defaultGrowth = 10
	defaultRounds = 6
	mostPenalty   = 1e100 // cases and weight, whose squares are still numbers
)

// String names the method.
func (m ExteriorPenalty) String() string {
	text := "exterior penalty"
	if m.Pseudocount != 0 {
		text += fmt.Sprintf(", pseudocount %v", m.Pseudocount)
	}
	if m.Margin != 0 {
		text += fmt.Sprintf(", margin %v", m.Margin)
	}
	return text + under(m.Constraints)
}

func (m ExteriorPenalty) statements() []constraint.Constraint { return m.Constraints }

func (m ExteriorPenalty) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, 0 }

func (m ExteriorPenalty) check() error {
	for _, f := range []struct {
		name  string
		value float64
		say   string
	}{
		{"Pseudocount", m.Pseudocount, "a finite number that is not negative"},
		{"Margin", m.Margin, "a difference of probabilities, such as 0.01, or 0 for none"},
		{"Weight", m.Weight, "a positive number, or 0 for the number of cases"},
		{"StepCPT", m.StepCPT, "a positive number, or 0 for 1"},
		{"StepLink", m.StepLink, "a positive number, or 0 for 1"},
	} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("learn: %s is %v; give %s", f.name, f.value, f.say)
		}
	}
	switch {
	case m.Margin > 1:
		return fmt.Errorf("learn: Margin is %v; it is a difference of probabilities, so give at most 1, such as 0.01",
			m.Margin)
	case m.Weight > mostPenalty:
		return fmt.Errorf("learn: Weight is %v; give at most %v, or 0 for the number of cases", m.Weight, mostPenalty)
	case m.Growth != 0 && !(m.Growth > 1) || math.IsInf(m.Growth, 1):
		return fmt.Errorf("learn: Growth is %v; give a number above 1, or 0 for %v", m.Growth, defaultGrowth)
	case m.MaxIterations < 0:
		return fmt.Errorf("learn: MaxIterations is %d; give a positive number, or 0 for %d", m.MaxIterations,
			defaultIterations)
	case m.Rounds < 0:
		return fmt.Errorf("learn: Rounds is %d; give a positive number, or 0 for %d", m.Rounds, defaultRounds)
	}
	return nil
}

// filled has the defaults in place of zeros, but for the weight.
func (m ExteriorPenalty) filled() ExteriorPenalty {
	for _, f := range []struct {
		value *float64
		or    float64
	}{{&m.Growth, defaultGrowth}, {&m.StepCPT, 1}, {&m.StepLink, 1}} {
		if *f.value == 0 {
			*f.value = f.or
		}
	}
	if m.MaxIterations == 0 {
		m.MaxIterations = defaultIterations
	}
	if m.Rounds == 0 {
		m.Rounds = defaultRounds
	}
	return m
}

// bind leaves the tables free: statements are for the penalty.
func (m ExteriorPenalty) bind(net *bn.Network, _ ...constraint.Constraint) (*constraint.Problem, error) {
	return constraint.Compile(net)
}

func (m ExteriorPenalty) estimate(p *constraint.Problem, net *bn.Network, counts []float64) (*constraint.Solution,
	error) {
	s, err := m.prepare(net, p)
	if err != nil {
		return nil, err
	}
	return s.estimate(p, net, counts)
}
