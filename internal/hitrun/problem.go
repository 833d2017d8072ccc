package hitrun

import (
	"errors"
	"math"

	"bnlab/internal/rows"
	"bnlab/internal/say"
)

// ErrOutside says that the point given as interior does not satisfy the constraints.
var ErrOutside = errors.New("the interior point does not satisfy the constraints")

// ErrNarrow says that the density is so narrow that its width is lost in rounding.
var ErrNarrow = errors.New("the density is too narrow")

// largest is the largest exponent or count: then a density is about 1e-6 wide.
const largest = 1e12

// A Row is a linear function and its value.
type Row = rows.Row

// A Problem is the set of x ≥ 0 that meet the rows.
type Problem = rows.Set

// tight is how near an inequality or zero counts as there.
const tight = 1e-12

// check finds what is wrong with the exponents or the interior point.
func check(p Problem, a, interior []float64) error {
	if len(a) != p.Len || len(interior) != p.Len {
		panic("hitrun: slices of another length than the problem")
	}
	for i, v := range a {
		if !(v > 0) || math.IsInf(v, 0) {
			return say.Errorf("hitrun: exponent %d is %v, want positive", i, v)
		}
		if v > largest {
			return say.Errorf("hitrun: %w: exponent %d is %v, and %v the most", ErrNarrow, i, v, largest)
		}
		if !(interior[i] >= 0) || math.IsInf(interior[i], 0) {
			return say.Errorf("hitrun: %w: x[%d] = %v", ErrOutside, i, interior[i])
		}
	}
	for i, r := range p.Equal {
		if gap := r.Dot(interior) - r.Value; !(math.Abs(gap) <= 1e-8*(1+math.Abs(r.Value))) {
			return say.Errorf("hitrun: %w: equality %d is off by %v", ErrOutside, i, gap)
		}
	}
	for i, r := range p.AtMost {
		if gap := r.Dot(interior) - r.Value; !(gap <= tight) {
			return say.Errorf("hitrun: %w: inequality %d is off by %v", ErrOutside, i, gap)
		}
	}
	return nil
}
