package noisyor

import (
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/validate"
)

// learners are those of Y13 Figure 3 with their candidates: every margin with every pseudocount,
// where a learner has statements with margins, and both signs where a sign is to be read off the data.
func (d *Domain) learners(c Config, of ...knowledge.Learner) []validate.Learner {
	var all []validate.Learner
	for _, l := range of {
		one := validate.Learner{Name: l.String()}
		for _, statements := range d.variants(l) {
			margins := c.Margins
			if !slices.ContainsFunc(statements, hasMargin) {
				margins = []float64{0}
			}
			for _, margin := range margins {
				with := withMargin(statements, margin)
				for _, pseudocount := range c.Pseudocounts {
					one.Candidates = append(one.Candidates, learn.MAP{Pseudocount: pseudocount, Constraints: with})
				}
			}
		}
		all = append(all, one)
	}
	return all
}

// variants are the statements that a learner is told. An influence with the mark D in the
// knowledge file stands for either sign, and doubles them.
func (d *Domain) variants(l knowledge.Learner) [][]constraint.Constraint {
	variants := [][]constraint.Constraint{nil}
	for _, e := range d.Knowledge.Entries {
		if len(l.Select([]constraint.Constraint{e.Statement})) == 0 {
			continue
		}
		signs := []constraint.Constraint{e.Statement}
		if s, ok := e.Statement.(constraint.Influence); ok && e.Mark == fromData {
			s.Sign = opposite(s.Sign)
			signs = append(signs, s)
		}
		var longer [][]constraint.Constraint
		for _, sign := range signs {
			for _, v := range variants {
				longer = append(longer, append(slices.Clip(v), sign))
			}
		}
		variants = longer
	}
	return variants
}

// fromData marks what is to be read off training cases.
const fromData = "D"

func opposite(s constraint.Sign) constraint.Sign {
	if s == constraint.Positive {
		return constraint.Negative
	}
	return constraint.Positive
}

// marginOf is the common margin of statements.
func marginOf(statements []constraint.Constraint) float64 {
	for _, s := range statements {
		switch s := s.(type) {
		case constraint.Influence:
			return s.Margin
		case constraint.Synergy:
			return s.Margin
		}
	}
	return 0
}

func hasMargin(s constraint.Constraint) bool {
	switch s.(type) {
	case constraint.Influence, constraint.Synergy:
		return true
	}
	return false
}

// withMargin returns the statements with the margin ε of Y13 Eqs. 2 and 6.
func withMargin(statements []constraint.Constraint, margin float64) []constraint.Constraint {
	out := slices.Clone(statements)
	for i, s := range out {
		switch s := s.(type) {
		case constraint.Influence:
			s.Margin = margin
			out[i] = s
		case constraint.Synergy:
			s.Margin = margin
			out[i] = s
		}
	}
	return out
}
