package learn

import (
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// FitCounts is Compile and Fit in one call.
func FitCounts(net *bn.Network, counts *data.Counts, m Method) (*Result, error) {
	c, err := Compile(net, m)
	if err != nil {
		return nil, err
	}
	return c.Fit(counts, nil)
}

// What the tests of this package look at from outside.
var ErrGradient = errGradient
var ErrNoCases = errNoCases

type GradientError = gradientError

var CountSource = countSource
