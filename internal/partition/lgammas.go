package partition

import (
	"math"

	"bnlab/internal/num"
)

// lgammas are values of lnΓ that were computed before: a chain asks for few numbers, again and again. Each number has
// one place, which it shares with others; the last one is kept. Nil keeps none. It is not for several goroutines.
type lgammas struct{ x, y [1 << lgammaBits]float64 }

const lgammaBits = 12

func newLgammas() *lgammas {
	l := new(lgammas)
	for i := range l.x {
		l.x[i] = math.NaN() // which equals no number
	}
	return l
}

// at is lnΓ(x).
func (l *lgammas) at(x float64) float64 {
	if l == nil {
		return num.Lgamma(x)
	}
	i := math.Float64bits(x) * 0x9e3779b97f4a7c15 >> (64 - lgammaBits) // Fibonacci hashing: Knuth, volume 3, §6.4
	if l.x[i] != x {
		l.x[i], l.y[i] = x, num.Lgamma(x)
	}
	return l.y[i]
}

// A remembering family keeps what its scores are made of, for one goroutine.
type remembering interface{ remember() Family }

var _, _ remembering = States{}, Rows{}

func (s States) remember() Family { s.lgamma = newLgammas(); return s }
func (r Rows) remember() Family   { r.lgamma = newLgammas(); return r }
