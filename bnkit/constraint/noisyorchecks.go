package constraint

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// checkSets is an error for an influence or synergy that a noisy-OR of the same table does not let be: one whose
// conditions lie in another set, and a synergy of parents in different sets that the noisy-OR contradicts, or that
// does not follow from what is stated. (Y13 §4: statements are made of sets.)
func (p *Problem) checkSets() error {
	for i, b := range p.bounds {
		if b.product == nil {
			continue
		}
		s, ok := noisyOROf(p.statements[p.of[i]])
		if !ok {
			continue
		}
		checked := -1 // a statement has a bound for each configuration
		for j, other := range p.bounds {
			if j == i || p.of[j] == checked ||
				!slices.ContainsFunc(other.Links, func(r Row) bool { return r.Var == b.product.child }) {
				continue
			}
			checked = p.of[j]
			if err := s.goesWith(b.product, p.statements[p.of[j]], p.statements); err != nil {
				return wrong(p.statements[p.of[j]], err)
			}
		}
	}
	return nil
}

// goesWith is an error for another statement of the table that does not go with the noisy-OR. all are the
// statements besides.
func (s NoisyOR) goesWith(c *causes, other Constraint, all []Constraint) error {
	set := make(map[string]int) // by parent
	for i, names := range s.Sets {
		for _, name := range names {
			set[name] = i
		}
	}
	within := func(name string, given bn.Given) error {
		for condition := range given {
			if set[condition] != set[name] {
				return say.Errorf("%w: it holds wherever %s, but %q and %q act in different sets of %q, and what a "+
					"set does is the same whatever the others; leave the condition out, or put both in one set",
					ErrOverlap, given, name, condition, s)
			}
		}
		return nil
	}
	if _, ok := noisyOROf(other); ok {
		return nil // compared when both are compiled
	}
	if influence, ok := influenceOf(other); ok {
		return within(influence.Parent, influence.Given)
	}
	synergy, ok := synergyOf(other)
	if !ok {
		return nil // what the solver can do with it
	}
	for i, b := range synergy.Parents {
		if err := within(b, synergy.Given); err != nil {
			return err
		}
		for _, a := range synergy.Parents[:i] {
			if set[a] == set[b] {
				continue
			}
			if err := s.crossing(c, synergy, a, b, all); err != nil {
				return err
			}
		}
	}
	return nil
}

// crossing is an error unless a synergy of two parents in different sets follows from the noisy-OR: a contradiction
// where both are known to have one sign.
func (s NoisyOR) crossing(c *causes, synergy Synergy, a, b string, all []Constraint) error {
	signs := make(map[string]Sign)
	for _, statement := range all {
		if influence, ok := influenceOf(statement); ok && influence.Child == s.Child && len(influence.Given) == 0 &&
			influence.Over == nil {
			signs[influence.Parent] = influence.Sign
		}
	}
	_, knownA := signs[a]
	_, knownB := signs[b]
	forced := "a sub-synergy"
	if c.present == 0 { // the statement is about lower states, which is the other way round
		forced = "a synergy"
	}
	switch {
	case synergy.Sub != (c.present == 1):
		why := ErrInfeasible
		if !knownA || !knownB { // one may raise the child where the other lowers it, for which there is no method
			why = ErrOverlap
		}
		return say.Errorf("%w: %q and %q act in different sets of %q, which makes parents that both raise %s, or "+
			"both lower it, %s, whatever the data; put them in one set, or drop one of the statements", why, a, b, s,
			s.Child, forced)
	case !knownA || !knownB:
		return say.Errorf("%w: %q and %q act in different sets of %q, which makes them %s if they both raise %s, or "+
			"both lower it; state the influence of each, with one sign, or put them in one set", ErrOverlap, a, b, s,
			forced, s.Child)
	case synergy.Margin > 0:
		return say.Errorf("%w: %q and %q act in different sets of %q, where a margin has no method; leave it out, or "+
			"put them in one set", ErrOverlap, a, b, s)
	}
	return nil
}

func noisyOROf(s Constraint) (NoisyOR, bool) {
	if p, ok := s.(*NoisyOR); ok {
		return *p, true
	}
	n, ok := s.(NoisyOR)
	return n, ok
}

func influenceOf(s Constraint) (Influence, bool) {
	if p, ok := s.(*Influence); ok {
		return *p, true
	}
	i, ok := s.(Influence)
	return i, ok
}

func synergyOf(s Constraint) (Synergy, bool) {
	if p, ok := s.(*Synergy); ok {
		return *p, true
	}
	y, ok := s.(Synergy)
	return y, ok
}
