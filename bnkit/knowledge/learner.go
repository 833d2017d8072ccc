package knowledge

import (
	"fmt"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// A Learner is one of the six of Y13, which differ in the kinds of qualitative knowledge that they
// use.
type Learner int

const (
	None            Learner = iota // counts alone
	NoisyOR                        // sets of parents that act independently
	Monotone                       // influences
	Synergy                        // influences and synergies
	MonotoneNoisyOR                // influences, and sets that act independently
	SynergyNoisyOR                 // all three
)

// Learners returns the six, in the order of Y13 Figure 3.
func Learners() []Learner {
	return []Learner{None, NoisyOR, Monotone, Synergy, MonotoneNoisyOR, SynergyNoisyOR}
}

// learnerNames are the names, by learner.
func learnerNames() []string {
	return []string{"none", "noisy-or", "monotone", "synergy", "monotone+noisy-or", "synergy+noisy-or"}
}

// String returns the name of the learner, as in "synergy+noisy-or".
func (l Learner) String() string {
	if l < None || l > SynergyNoisyOR {
		return fmt.Sprintf("Learner(%d)", int(l))
	}
	return learnerNames()[l]
}

// MarshalText writes the name of the learner.
func (l Learner) MarshalText() ([]byte, error) {
	if l < None || l > SynergyNoisyOR {
		return nil, fmt.Errorf("knowledge: unknown learner %d; use None to SynergyNoisyOR", int(l))
	}
	return []byte(l.String()), nil
}

// UnmarshalText reads what MarshalText wrote.
func (l *Learner) UnmarshalText(text []byte) error {
	at := slices.Index(learnerNames(), string(text))
	if at < 0 {
		return say.Errorf("knowledge: unknown learner %q%s; the learners are %v", text,
			guess(string(text), learnerNames()), Learners())
	}
	*l = Learner(at)
	return nil
}

// Select returns the statements that the learner uses: of influences, synergies and noisy-ORs, or noisy-MAXes, those
// of its kinds, and all other statements. Synergies are only used together with influences (Y13
// §5).
func (l Learner) Select(statements []constraint.Constraint) []constraint.Constraint {
	var list []constraint.Constraint
	for _, s := range statements {
		keep := true
		said, _, _ := bare(s)
		switch said.(type) {
		case constraint.Influence, *constraint.Influence:
			keep = l != None && l != NoisyOR
		case constraint.Synergy, *constraint.Synergy:
			keep = l == Synergy || l == SynergyNoisyOR
		case constraint.NoisyOR, *constraint.NoisyOR, constraint.NoisyMAX, *constraint.NoisyMAX:
			keep = l == NoisyOR || l == MonotoneNoisyOR || l == SynergyNoisyOR
		}
		if keep {
			list = append(list, s)
		}
	}
	return list
}
