package hierarchy

import "errors"

// errNominal is wrapped by the error for states without an order, whose aggregate would mean
// nothing.
var errNominal = errors.New("states without an order cannot be aggregated")

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
