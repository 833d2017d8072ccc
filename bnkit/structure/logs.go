package structure

import (
	"math"
	"sync"
)

// logTables are functions of whole numbers that scores need again and again.
type logTables struct {
	nlogn func() []float64
}

// Counts from here on are not in the tables.
const tabled = 1 << 16

// newLogTables returns the tables for counts up to rows.
func newLogTables(rows int) *logTables {
	return &logTables{nlogn: sync.OnceValue(func() []float64 {
		t := make([]float64, min(rows+1, tabled))
		for n := 2; n < len(t); n++ {
			t[n] = nlogn(float64(n))
		}
		return t
	})}
}

// nlogn is n ln n, 0 at 0.
func nlogn(n float64) float64 {
	if n == 0 {
		return 0
	}
	return n * math.Log(n)
}

// nlognFrom is n ln n, from the table when it has n.
func nlognFrom(table []float64, n float64) float64 {
	if i := int(n); uint(i) < uint(len(table)) {
		return table[i]
	}
	return nlogn(n)
}
