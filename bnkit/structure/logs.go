package structure

import (
	"math"
	"sync"

	"bnlab/internal/num"
)

// logTables are functions that scores need of the same whole numbers again and again. It is safe for
// several goroutines. Nil has no tables: counts need not be whole numbers then.
type logTables struct {
	length int
	n      func() []float64 // n ln n

	mutex  sync.RWMutex
	gammas map[float64][]float64 // by α
	room   int                   // entries that gammas may still take
}

const (
	// Numbers from here on are in no table, of n ln n and of lnΓ.
	tabled      = 1 << 16
	tabledGamma = 1 << 14
	// tabledGammas bounds the entries of all tables of lnΓ (64 MiB).
	tabledGammas = 1 << 23
)

// newLogTables returns the tables for counts up to rows.
func newLogTables(rows int) *logTables {
	t := &logTables{length: min(rows+1, tabled), gammas: make(map[float64][]float64), room: tabledGammas}
	t.n = sync.OnceValue(func() []float64 {
		table := make([]float64, t.length)
		for n := range table {
			table[n] = nlogn(float64(n))
		}
		return table
	})
	return t
}

// A logFunction is a function of counts, from a table where it has them.
type logFunction struct {
	table []float64
	alpha float64 // of lnΓ(α+n) − lnΓ(α); 0 for n ln n
}

// at is the function of n, which need not be whole: a score may have made other numbers of the counts.
func (f logFunction) at(n float64) float64 {
	if i := int(n); uint(i) < uint(len(f.table)) && float64(i) == n {
		return f.table[i]
	}
	if f.alpha == 0 {
		return nlogn(n)
	}
	return num.Lgamma(f.alpha+n) - num.Lgamma(f.alpha)
}

// nlogn is the function n ln n, 0 at 0.
func (t *logTables) nlogn() logFunction {
	if t == nil {
		return logFunction{}
	}
	return logFunction{table: t.n()}
}

// rising is the function lnΓ(α+n) − lnΓ(α), the logarithm of the rising factorial α(α+1)…(α+n−1), for
// α > 0.
func (t *logTables) rising(alpha float64) logFunction {
	if t == nil {
		return logFunction{alpha: alpha}
	}
	t.mutex.RLock()
	table, ok := t.gammas[alpha]
	t.mutex.RUnlock()
	if !ok {
		table = t.makeRising(alpha)
	}
	return logFunction{table, alpha}
}

// makeRising sums ln(α+i) with Kahan's correction, and keeps the table. When there is no room all
// tables are let go and made again when they are wanted, so that a score never depends on what was
// scored before.
func (t *logTables) makeRising(alpha float64) []float64 {
	table := make([]float64, min(t.length, tabledGamma))
	sum, lost := 0.0, 0.0
	for n := 1; n < len(table); n++ {
		term := math.Log(alpha+float64(n-1)) - lost
		next := sum + term
		lost = next - sum - term
		sum = next
		table[n] = sum
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.room < len(table) {
		clear(t.gammas)
		t.room = tabledGammas
	}
	t.gammas[alpha] = table
	t.room -= len(table)
	return table
}

// nlogn is n ln n, 0 at 0.
func nlogn(n float64) float64 {
	if n == 0 {
		return 0
	}
	return n * math.Log(n)
}
