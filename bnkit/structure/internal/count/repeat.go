package count

import (
	"math"

	"bnlab/bnkit/data"
)

// Rows are repeated by their weights while they become no more than this times as many.
const mostRepeated = 4

// Repeated is the number of rows that a table in memory is counted as, each counting once: its rows or, when
// its weights are small whole numbers, as those of a bootstrap replicate are, their sum. It is −1 for other
// weights. Either way the counts are the same to the bit, as sums of whole numbers are exact.
func Repeated(t *data.Table) int {
	if t.Weights() == nil {
		return t.Rows()
	}
	sum, most := 0.0, float64(min(mostRepeated*t.Rows(), math.MaxInt32))
	for _, w := range t.Weights() {
		if sum += w; w != math.Trunc(w) || sum > most {
			return -1
		}
	}
	return int(sum)
}

// repeat returns each number as often as its weight says.
func repeat(col []uint16, weights []float64, rows int) []uint16 {
	out := make([]uint16, 0, rows)
	for row, s := range col {
		for range int(weights[row]) {
			out = append(out, s)
		}
	}
	return out
}
