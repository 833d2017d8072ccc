package learn

// Here are the methods that stand for the algorithm of one paper, to reproduce it: ExteriorPenalty (Y13) and
// AlternatingEM (W00). Under the same statements MAP and EM find the maximum itself.

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/exteriorpenalty"
	"bnlab/internal/say"
)

// ExteriorPenalty is the gradient method of Y13 (Algorithm 1) for complete data under
// influences, synergies and noisy-ORs, and that of Altendorf, Restificar and Dietterich (UAI
// 2005) where there is no noisy-OR. The table of a child is the softmax of numbers μ (Y13 Eq. 3), and
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
// It is here to reproduce the papers. As with any exterior penalty, the result is slightly infeasible
// wherever a constraint is active, unless a Margin makes it feasible at a loss of likelihood. [MAP] computes
// the constrained maximum itself, and takes all other statements too.
//
// Deviation: the paper's steps have a fixed length, which it does not give and which diverges
// where ω is large; here its length is computed from the last two gradients of the coordinates
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
	// Watch, when not nil, is called for each child under statements at the start and after each
	// iteration, with how many there were in all its rounds so far and its table, which is only valid
	// during the call. With Rounds 1, one fit then shows what all smaller MaxIterations end with; where later
	// rounds start depends on MaxIterations. Fits that run at the same time call it at the same time.
	Watch func(child string, iterations int, table []float64)
}

var (
	_ binder    = ExteriorPenalty{}
	_ binder    = AlternatingEM{}
	_ iterative = AlternatingEM{}
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
			return say.Errorf("learn: %s is %v; give %s", f.name, f.value, f.say)
		}
	}
	switch {
	case m.Margin > 1:
		return say.Errorf("learn: Margin is %v; it is a difference of probabilities, so give at most 1, such as 0.01",
			m.Margin)
	case m.Weight > exteriorpenalty.MostPenalty:
		return say.Errorf("learn: Weight is %v; give at most %v, or 0 for the number of cases", m.Weight,
			exteriorpenalty.MostPenalty)
	case m.Growth != 0 && !(m.Growth > 1) || math.IsInf(m.Growth, 1):
		return say.Errorf("learn: Growth is %v; give a number above 1, or 0 for %v", m.Growth,
			exteriorpenalty.DefaultGrowth)
	case m.MaxIterations < 0:
		return fmt.Errorf("learn: MaxIterations is %d; give a positive number, or 0 for %d", m.MaxIterations,
			defaultIterations)
	case m.Rounds < 0:
		return fmt.Errorf("learn: Rounds is %d; give a positive number, or 0 for %d", m.Rounds,
			exteriorpenalty.DefaultRounds)
	}
	return nil
}

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
// where the objective happens to be stationary. [EM] with its ViolationWeight maximises Eq. 4, and
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
	// WeightAfterRescale is the other reading of W00 footnote 7, which leaves open what is rescaled: v
	// is rescaled and then multiplied by w, so that with w = 2 the second step is twice the size of
	// the first. Without it w·v is rescaled, and w has no effect on the parameters.
	WeightAfterRescale bool
}

const defaultViolationWeight = 2

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
	order := "rescaled after weighting"
	if m.WeightAfterRescale {
		order = "weighted after rescaling"
	}
	text := fmt.Sprintf("EM alternating with steps against violations, step size %v, weight %v, %s", m.stepSize(),
		m.weight(), order)
	if m.Pseudocount != 0 {
		text += fmt.Sprintf(", pseudocount %v", m.Pseudocount)
	}
	return text + under(m.Constraints)
}

func (m AlternatingEM) check() error {
	switch {
	case !(m.ViolationWeight >= 0) || math.IsInf(m.ViolationWeight, 1):
		return say.Errorf("learn: ViolationWeight is %v; give a positive number, or 0 for %v", m.ViolationWeight,
			defaultViolationWeight)
	case !(m.StepSize >= 0) || math.IsInf(m.StepSize, 1):
		return say.Errorf("learn: StepSize is %v; give a positive number, or 0 for 1", m.StepSize)
	}
	return m.prior().check()
}
