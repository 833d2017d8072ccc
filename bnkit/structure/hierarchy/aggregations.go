package hierarchy

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// errNominal is wrapped by the error for states without an order, whose aggregate would mean
// nothing.
var errNominal = errors.New("states without an order cannot be aggregated")

// An Aggregation makes one number of several (ξ in B06 §2.1). Values are never missing;
// there is at least one, weights are not negative and not all zero. Neither slice may be
// kept or changed. [WeightedMean], [Maximum], [Minimum], [Sum], [Variance], [CountAbove] and
// [AggregateFunc] are aggregations; only the first looks at weights.
type Aggregation interface {
	Of(values, weights []float64) float64
	String() string
}

var _ = []Aggregation{WeightedMean{}, Maximum{}, Minimum{}, Sum{}, Variance{}, CountAbove{}, AggregateFunc{}}

// WeightedMean is Σ w_i x_i / Σ w_i, the aggregation of B06 §2.1 for regions of a brain.
type WeightedMean struct{}

// Of returns the mean.
func (WeightedMean) Of(values, weights []float64) float64 {
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

func (WeightedMean) String() string { return "weighted mean" }

// Maximum is the largest value.
type Maximum struct{}

// Of returns the maximum.
func (Maximum) Of(values, _ []float64) float64 { return slices.Max(values) }

func (Maximum) String() string { return "maximum" }

// Minimum is the smallest value.
type Minimum struct{}

// Of returns the minimum.
func (Minimum) Of(values, _ []float64) float64 { return slices.Min(values) }

func (Minimum) String() string { return "minimum" }

// Sum is Σ x_i.
type Sum struct{}

// Of returns the sum.
func (Sum) Of(values, _ []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum
}

func (Sum) String() string { return "sum" }

// Variance is Σ (x_i − x̄)² / n, 0 for a single value.
type Variance struct{}

// Of returns the variance.
func (Variance) Of(values, _ []float64) float64 {
	n := float64(len(values))
	mean := 0.0
	for _, x := range values {
		mean += x / n
	}
	sum := 0.0
	for _, x := range values {
		sum += (x - mean) / n * (x - mean)
	}
	return sum
}

func (Variance) String() string { return "variance" }

// CountAbove is the number of values above a threshold, which is in their unit.
type CountAbove struct{ Threshold float64 }

// Of returns the count.
func (c CountAbove) Of(values, _ []float64) float64 {
	n := 0.0
	for _, x := range values {
		if x > c.Threshold {
			n++
		}
	}
	return n
}

func (c CountAbove) String() string { return fmt.Sprintf("count of values above %v", c.Threshold) }

// AggregateFunc is a function of the user's own. A nil F gives the error of a value that is
// not finite.
type AggregateFunc struct {
	Name string
	F    func(values, weights []float64) float64
}

// Of returns the value of the function.
func (f AggregateFunc) Of(values, weights []float64) float64 {
	if f.F == nil {
		return math.NaN()
	}
	return f.F(values, weights)
}

func (f AggregateFunc) String() string {
	if f.Name == "" {
		return "aggregation"
	}
	return f.Name
}
