package run

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// A Band summarises the values of one quantity over replicates.
type Band struct {
	Mean, P05, P50, P95 float64
	Replicates          int
}

// NewBand returns the mean and the quantiles of values, which it leaves as they
// are. A quantile p is the smallest value with at least a fraction p of the
// values at or below it, so it is always a value that occurred, +Inf included.
// It panics when there are no values.
func NewBand(values []float64) Band {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	at := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, sorted, nil) }
	return Band{
		Mean: stat.Mean(values, nil),
		P05:  at(0.05), P50: at(0.5), P95: at(0.95),
		Replicates: len(values),
	}
}

// Contains reports whether x lies in the 5 to 95 % band.
func (b Band) Contains(x float64) bool { return b.P05 <= x && x <= b.P95 }
