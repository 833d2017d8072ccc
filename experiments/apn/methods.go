package apn

import "bnlab/bnkit/learn"

// The learners of networks. R95's prior is flat, so that its estimate is maximum
// likelihood; footnote 3 expects other priors to avoid extreme parameters.
var (
	ascent          = learn.APN{}
	ascentWithPrior = learn.APN{Pseudocount: 1}
)
