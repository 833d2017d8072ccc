package timecourse

import (
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// A method is a way to learn, under a name.
type method struct {
	name string
	of   func(statements []constraint.Constraint) learn.Method
	// score is what the method ought to raise, from one of its steps; nats.
	score func(learn.Step) float64
}

// violationWeight is the w of W00 §5.2, footnote 7.
const violationWeight = 2

// Names of the methods.
const (
	plainEM      = "em"              // W00 §4.3
	hybridA      = "em-w00-a"        // W00 §4.4; the gradient is rescaled after it is weighted
	hybridB      = "em-w00-b"        // the same, weighted after it is rescaled
	exactEM      = "em-exact"        // EM with an exact M-step under the statements
	plainAPN     = "apn"             // W00 §4.1
	penalisedAPN = "apn-constrained" // W00 §4.2
	flatEM       = "em-exact-flat"   // the exact one from nearly uniform tables; in the sweep only
	softEM       = "em-soft"         // EM with an exact M-step for W00 Eq. 4; in the sweep only
)

// methods are those that start from every start.
func methods() []method {
	return []method{
		{plainEM, func([]constraint.Constraint) learn.Method { return learn.EM{} }, likelihood},
		{hybridA, hybrid(false, violationWeight, 1), penalised},
		{hybridB, hybrid(true, violationWeight, 1), penalised},
		{exactEM, exact, likelihood},
		{plainAPN, func([]constraint.Constraint) learn.Method { return learn.APN{ConjugateGradient: true} },
			likelihood},
		{penalisedAPN, func(s []constraint.Constraint) learn.Method {
			return learn.APN{Constraints: s, ViolationWeight: violationWeight, ConjugateGradient: true}
		}, penalised},
	}
}

func exact(s []constraint.Constraint) learn.Method { return learn.EM{Constraints: s} }

func soft(weight float64) func([]constraint.Constraint) learn.Method {
	return func(s []constraint.Constraint) learn.Method {
		return learn.EM{Constraints: s, ViolationWeight: weight}
	}
}

// together tells a method of more statements.
func together(of func([]constraint.Constraint) learn.Method, also []constraint.Constraint) func(
	[]constraint.Constraint) learn.Method {
	return func(s []constraint.Constraint) learn.Method { return of(slices.Concat(s, also)) }
}

// hybrid is W00 §4.4 in either reading of footnote 7.
func hybrid(weightAfterRescale bool, weight, step float64) func([]constraint.Constraint) learn.Method {
	return func(s []constraint.Constraint) learn.Method {
		return learn.AlternatingEM{Constraints: s, ViolationWeight: weight, StepSize: step,
			WeightAfterRescale: weightAfterRescale}
	}
}

// likelihood is the log-likelihood.
func likelihood(s learn.Step) float64 { return s.LogLikelihood }

// penalised is W00 Eq. 4 with the weight of the paper.
func penalised(s learn.Step) float64 { return s.LogLikelihood - violationWeight*s.Violation }
