package clg

import "math"

// A double is the sum hi + lo of two numbers, lo below the last digit of hi: about 32 digits (Dekker 1971).
type double struct{ hi, lo float64 }

func exactly(x float64) double { return double{hi: x} }

// float is the nearest number.
func (a double) float() float64 { return a.hi + a.lo }

// sum is a + b, of which e is what rounding took.
func sum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

func (a double) plus(b double) double {
	s, e := sum(a.hi, b.hi)
	if math.IsInf(s, 0) {
		return double{hi: s}
	}
	t, f := sum(a.lo, b.lo)
	s, e = sum(s, e+t)
	s, e = sum(s, e+f)
	return double{s, e}
}

func (a double) times(b double) double {
	p := a.hi * b.hi
	if p == 0 || math.IsInf(p, 0) {
		return double{hi: p}
	}
	s, e := sum(p, math.FMA(a.hi, b.hi, -p)+(a.hi*b.lo+a.lo*b.hi))
	return double{s, e}
}

func (a double) negative() double { return double{-a.hi, -a.lo} }

func (a double) over(b double) double {
	q := a.hi / b.hi
	rest := a.plus(b.times(exactly(-q)))
	s, e := sum(q, rest.hi/b.hi)
	return double{s, e}
}

// root is that of a number above 0.
func (a double) root() double {
	r := math.Sqrt(a.hi)
	rest := a.plus(exactly(r).times(exactly(-r)))
	s, e := sum(r, rest.hi/(2*r))
	return double{s, e}
}

func dot(x, y []double) double {
	var total double
	for i := range x {
		if x[i].hi != 0 && y[i].hi != 0 {
			total = total.plus(x[i].times(y[i]))
		}
	}
	return total
}

// norm scales by a power of two, so that no square overflows.
func norm(x []double) double {
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v.hi))
	}
	if !(most > 0) || math.IsInf(most, 0) {
		return exactly(most)
	}
	_, exponent := math.Frexp(most)
	scale, back := math.Ldexp(1, -exponent), math.Ldexp(1, exponent)
	var total double
	for _, v := range x {
		v = double{v.hi * scale, v.lo * scale}
		total = total.plus(v.times(v))
	}
	r := total.root()
	return double{r.hi * back, r.lo * back}
}
