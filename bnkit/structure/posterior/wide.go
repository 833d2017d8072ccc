package posterior

import "math"

// A wide is the number m·2^e, so that sums over graphs neither overflow nor vanish. m is 0, or from 1 to below 2
// where a comment does not say otherwise.
type wide struct {
	m float64
	e int64
}

var (
	zero = wide{0, -1 << 40}
	one  = wide{1, 0}
)

// mostShift is the difference of exponents beyond which the smaller of two numbers does not count.
const mostShift = 1000

// exp2 is 2^d for d from −1022 to 1023.
func exp2(d int64) float64 { return math.Float64frombits(uint64(1023+d) << 52) }

// wideExp is exp(x); 0 for −∞.
func wideExp(x float64) wide {
	if math.IsInf(x, -1) {
		return zero
	}
	e := math.Floor(x / math.Ln2)
	return wide{math.Exp(x - e*math.Ln2), int64(e)}.normal()
}

// log is the natural logarithm.
func (a wide) log() float64 {
	if a.m <= 0 {
		return math.Inf(-1)
	}
	return math.Log(a.m) + float64(a.e)*math.Ln2
}

// normal brings m into its range; of what is not above 0, such as a difference lost to rounding, it is 0.
func (a wide) normal() wide {
	if a.m <= 0 {
		return zero
	}
	b := math.Float64bits(a.m)
	return wide{math.Float64frombits(b&(1<<52-1) | 1023<<52), a.e + int64(b>>52) - 1023}
}

func (a wide) times(b wide) wide { return wide{a.m * b.m, a.e + b.e}.normal() }

func (a wide) plus(b wide) wide {
	a.add(b.m, b.e)
	return a.normal()
}

// minus is the difference, and 0 where b is larger.
func (a wide) minus(b wide) wide {
	a.add(-b.m, b.e)
	return a.normal()
}

// add adds m·2^e, which may be negative, to a sum whose m is in no range.
func (a *wide) add(m float64, e int64) {
	switch d := e - a.e; {
	case d <= 0:
		if d > -mostShift {
			a.m += m * exp2(d)
		}
	case m == 0:
	case d > mostShift:
		a.m, a.e = m, e
	default:
		a.m, a.e = a.m*exp2(-d)+m, e
	}
}

// over is the ratio as a float64; 0 for 0/0.
func (a wide) over(b wide) float64 {
	d := a.e - b.e
	switch {
	case a.m == 0 || d < -mostShift:
		return 0
	case d > mostShift:
		return math.Inf(1)
	}
	return a.m / b.m * exp2(d)
}
