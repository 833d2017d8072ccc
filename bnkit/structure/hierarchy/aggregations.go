package hierarchy

import "errors"

// errNominal is wrapped by the error for states without an order, whose aggregate would mean
// nothing.
var errNominal = errors.New("states without an order cannot be aggregated")

// An Aggregation reduces several numbers to one (ξ in B06 §2.1), as [WeightedMean] does. Values are never
// missing; there is at least one, weights are not negative and not all zero. It may neither keep nor change the
// slices. A maximum, which ignores weights, is
//
//	func(values, _ []float64) float64 { return slices.Max(values) }
type Aggregation func(values, weights []float64) float64

// WeightedMean returns Σ w_i x_i / Σ w_i, the aggregation of B06 §2.1 for regions of a brain.
func WeightedMean(values, weights []float64) float64 {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	mean := 0.0
	for i, x := range values {
		mean += weights[i] / total * x
	}
	return mean
}
