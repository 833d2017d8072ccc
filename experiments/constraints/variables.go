package constraints

import (
	"context"
	"math"

	"bnlab/bnkit/data"
	"bnlab/experiments/run"
)

// Variables are what new variables for the groups do to the example of N06 §4.1.
type Variables struct {
	Parameters, Free, Stated int     // chosen freely: with new variables, without, under statements
	Difference               float64 // largest, of P(X | Y) with new variables from that of the cases alone
	Violation                float64 // smallest, of the statements by the estimate with new variables
}

// computeVariables fits 100 cases of [FourValues] in each of the checks.
func computeVariables(ctx context.Context, job *run.Job, c Config) (*Variables, error) {
	truth, err := FourValues()
	if err != nil {
		return nil, err
	}
	r := &Variables{Free: truth.FreeParameters(), Violation: math.Inf(1)}
	for replicate := range c.Checks {
		cases, err := data.Sample(truth, 100, job.Source(newVariablesStream, replicate))
		if err != nil {
			return nil, err
		}
		f, err := fitFourValues(ctx, cases)
		if err != nil {
			return nil, err
		}
		r.Parameters, r.Stated = f.parameters, truth.FreeParameters()-f.bound
		r.Violation = min(r.Violation, f.violation)
		for cell, p := range f.alone {
			r.Difference = max(r.Difference, math.Abs(p-f.expanded[cell]))
		}
	}
	return r, nil
}
