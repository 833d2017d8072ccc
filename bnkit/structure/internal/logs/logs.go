// Package logs tables functions of whole numbers that scores need again and again.
package logs

import (
	"math"
	"sync"

	"bnlab/internal/num"
)

// Tables are functions that scores need of the same whole numbers again and again. They are safe for
// several goroutines. Nil has no tables: counts need not be whole numbers then.
type Tables struct {
	length int
	rows   float64
	ln     float64          // of rows
	n      func() []float64 // n ln n

	mutex  sync.RWMutex
	gammas map[float64][]float64 // by α
	room   int                   // entries that gammas may still take
}

const (
	// Tabled and tabledGamma are the first numbers that are in no table, of n ln n and of lnΓ.
	Tabled      = 1 << 16
	tabledGamma = 1 << 14
	// tabledGammas bounds the entries of all tables of lnΓ (64 MiB).
	tabledGammas = 1 << 23
)

// New returns the tables for counts up to rows.
func New(rows int) *Tables {
	t := &Tables{
		length: min(rows+1, Tabled), rows: float64(rows), ln: math.Log(float64(rows)),
		gammas: make(map[float64][]float64), room: tabledGammas,
	}
	t.n = sync.OnceValue(func() []float64 {
		table := make([]float64, t.length)
		for n := range table {
			table[n] = nlogn(float64(n))
		}
		return table
	})
	return t
}

// Ln is the natural logarithm of a number, such as that of all rows, which is kept.
func (t *Tables) Ln(n float64) float64 {
	if t != nil && n == t.rows {
		return t.ln
	}
	return math.Log(n)
}

// A Function is a function of counts, from a table where it has them.
type Function struct {
	table []float64
	alpha float64 // of lnΓ(α+n) − lnΓ(α); 0 for n ln n
}

// At is the function of n, which need not be whole: a score may have made other numbers of the counts.
func (f Function) At(n float64) float64 {
	if i := int(n); uint(i) < uint(len(f.table)) && float64(i) == n {
		return f.table[i]
	}
	if f.alpha == 0 {
		return nlogn(n)
	}
	return num.Lgamma(f.alpha+n) - num.Lgamma(f.alpha)
}

// Table holds the function of 0, 1, 2, …: At of the numbers that it has, for loops over many of them.
func (f Function) Table() []float64 { return f.table }

// NLogN is the function n ln n, 0 at 0.
func (t *Tables) NLogN() Function {
	if t == nil {
		return Function{}
	}
	return Function{table: t.n()}
}

// Rising is the function lnΓ(α+n) − lnΓ(α), the logarithm of the rising factorial α(α+1)…(α+n−1), for
// α > 0.
func (t *Tables) Rising(alpha float64) Function {
	if t == nil {
		return Function{alpha: alpha}
	}
	t.mutex.RLock()
	table, ok := t.gammas[alpha]
	t.mutex.RUnlock()
	if !ok {
		table = t.makeRising(alpha)
	}
	return Function{table, alpha}
}

// makeRising sums ln(α+i) with Kahan's correction, and keeps the table. When there is no room all
// tables are let go and made again when they are wanted, so that a score never depends on what was
// scored before.
func (t *Tables) makeRising(alpha float64) []float64 {
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
