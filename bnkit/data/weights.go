package data

import (
	"fmt"
	"math"
	"strconv"

	"bnlab/internal/num"
)

// Weights returns how often each row counts, nil when each counts once. The
// slice must not be changed.
func (t *Table) Weights() []float64 { return t.weights }

// TotalWeight returns the sum of the weights, or the number of rows when there are none.
func (t *Table) TotalWeight() float64 {
	if t.weights == nil {
		return float64(t.rows)
	}
	sum := 0.0
	for _, w := range t.weights {
		sum += w
	}
	return sum
}

// WithWeights returns the same rows with the given weights, which are copied;
// nil takes weights away. Weights need not be whole numbers. It returns an error
// when there is not one weight for each row, and a [*ValueError] for a weight
// that is negative or not finite and for weights whose sum is above 1e150 ([ErrWeight]).
func (t *Table) WithWeights(w []float64) (*Table, error) {
	u := *t
	u.weights = nil
	if w == nil {
		return &u, nil
	}
	if len(w) != t.rows {
		return nil, fmt.Errorf("data: %d weights for %d rows", len(w), t.rows)
	}
	for row, x := range w {
		if !(x >= 0 && x <= math.MaxFloat64) {
			return nil, &ValueError{Row: row + 1, Name: "weight", Value: strconv.FormatFloat(x, 'g', -1, 64),
				Err: ErrWeight}
		}
	}
	u.weights = append([]float64{}, w...)
	if sum := u.TotalWeight(); !(sum <= num.MaxTotalWeight) {
		return nil, &ValueError{Name: "weight", Value: fmt.Sprintf("a sum of %.4g", sum), Err: ErrWeight}
	}
	return &u, nil
}
