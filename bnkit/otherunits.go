package bnkit

import (
	"math"

	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// A column is in other units, or of another population, when so many values all lie so many standard deviations from
// the model's mean. By Chebyshev's inequality one value of a case like those of the fit lies so far with a probability
// of 1/16 at most, whatever its distribution, and five independent ones all do with less than one in a million.
const (
	farAway   = 4.0
	farValues = 5
)

// otherUnits returns an error for a column of numbers that are all far outside of what the model has learned, as grams
// are in a model of milligrams. A factor of 1,000 shows when the standard deviation is below a quarter of the mean, or
// the numbers become larger. The target is not looked at.
func (m *Model) otherUnits(t *data.Table, target string) error {
	var engine *infer.Engine
	for _, c := range t.Columns() {
		if c.Var.IsDiscrete() || c.Var.Name == target {
			continue
		}
		n, low, high := 0, math.Inf(1), math.Inf(-1)
		for row, x := range c.Values {
			if !c.IsMissing(row) {
				n, low, high = n+1, math.Min(low, x), math.Max(high, x)
			}
		}
		if n < farValues {
			continue
		}
		if engine == nil {
			var err error
			if engine, err = infer.New(m.Net, &infer.Options{Workers: 1}); err != nil {
				return nil // the question itself says what is wrong
			}
		}
		x, err := engine.Expectation(nil, c.Var.Name)
		if err != nil {
			continue
		}
		mean, variance := x.Of(c.Var.Name)
		away := farAway * math.Sqrt(variance)
		if !(away > 0) || !allFar(c, mean, away) {
			continue
		}
		return say.Errorf("bnkit: all %d values of %q, from %.4g to %.4g, lie 4 standard deviations or more from what "+
			"the model was fitted to (mean %.4g, standard deviation %.4g); give them in the units of the fit", n,
			c.Var.Name, low, high, mean, math.Sqrt(variance))
	}
	return nil
}

// allFar reports whether no value is nearer to the mean.
func allFar(c data.Column, mean, away float64) bool {
	for row, x := range c.Values {
		if !c.IsMissing(row) && math.Abs(x-mean) < away {
			return false
		}
	}
	return true
}
