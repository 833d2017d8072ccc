package num

import (
	"math"
	"strconv"
)

// RowTolerance is the largest deviation of the sum of a row of a CPT from 1. It allows for the
// rounding of published networks (seven digits).
const RowTolerance = 1e-6

// mostRounded is the largest deviation that any rounding is believed to make, that of bnlearn. Sums of
// printed numbers are as far from 1 as that in binary only, which the second term allows for.
const mostRounded = 0.01 + 1e-9

// NearProbability reports whether a number may be one of a row that [Unround] makes a distribution.
func NearProbability(x float64) bool { return x >= -RowTolerance && x <= 1+mostRounded }

// Unround makes a distribution of a row whose numbers are off by rounding: it sets tiny negative ones to 0
// and divides by the sum. A row that is a distribution within [RowTolerance] stays as it is, and off is 0; otherwise
// off is how far the sum was from 1, or a number from [0, 1].
//
// A sum may deviate by a unit in the last printed digit of each number, RowTolerance being the least that is
// allowed and 0.01 the most. Printed digits are those that determine a number. The last of them may have been a
// zero that a tool left out, so none is taken to have been rounded before the last place in the row, or to fewer
// digits than another has. ok is false, and the row as it was, for a larger deviation.
func Unround(row []float64) (off float64, ok bool) {
	sum, outside := 0.0, 0.0
	for _, x := range row {
		if !(x >= -RowTolerance) {
			return 0, false
		}
		outside = max(outside, -x, x-1)
		sum += x
	}
	off = math.Abs(sum - 1)
	if outside == 0 && off <= RowTolerance {
		return 0, true
	}
	if !(off <= RowTolerance) && !(off <= rounding(row)) {
		return 0, false
	}
	sum = 0
	for i, x := range row {
		row[i] = max(0, x)
		sum += row[i]
	}
	for i := range row {
		row[i] /= sum
	}
	return max(off, outside), true
}

// rounding is how far the printed digits of a row let its sum be from 1.
func rounding(row []float64) float64 {
	var buffer [32]byte
	digits, last := 0, 0 // most digits of a number, and the last place of any, as a power of ten
	places := func(x float64) (first, count int) {
		text := strconv.AppendFloat(buffer[:0], math.Abs(x), 'e', -1, 64)
		for i, c := range text {
			if c == 'e' {
				first, _ = strconv.Atoi(string(text[i+1:]))
				return first, max(1, i-1) // of d.ddd the point is no digit
			}
		}
		return 0, 1
	}
	for _, x := range row {
		if x != 0 {
			first, count := places(x)
			digits, last = max(digits, count), min(last, first-count+1)
		}
	}
	sum := 0.0
	for _, x := range row {
		unit := last
		if x != 0 {
			first, count := places(x)
			unit = min(first-count+1, max(last, first-digits+1))
		}
		sum += math.Pow10(unit)
	}
	return min(sum*(1+1e-9), mostRounded)
}
