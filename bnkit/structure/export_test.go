package structure

// What the tests of this package look at from outside.
type Bounded = bounded

var (
	ConditionalLogLikelihood = conditionalLogLikelihood
	LearnFrom                = learnFrom
)
