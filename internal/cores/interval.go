package cores

import (
	"fmt"
	"math"

	"bnlab/internal/presolve"
)

// interval is a mass divided in two, with limits on the parts: in t = k_0 x_0 / b they are
// lo ≤ t ≤ hi, and the maximum is the share of the counts, clipped. (N06 §4.3, types 10 and 11.)
type interval struct {
	k0, k1, b float64
	lo, hi    float64
	rest      [2]float64 // 1 − lo and 1 − hi, which keep the digits of a limit on x_1 that is small
	even      float64    // t without counts
}

func newInterval(relations []presolve.Relation, weight []float64) (solver, error) {
	if len(weight) != 2 {
		return nil, nil
	}
	sum := relations[0]
	v := &interval{k0: sum.Coef[0], k1: sum.Coef[1], b: sum.Value, hi: 1, rest: [2]float64{1, 0}, even: weight[0] /
		(weight[0] + weight[1])}
	for _, r := range relations[1:] {
		// r_0 x_0 + r_1 x_1 ≤ value with x_0 = b t/k_0, x_1 = b (1−t)/k_1
		var c [2]float64
		for i, at := range r.Index {
			c[at] = r.Coef[i]
		}
		slope, limit := v.b*(c[0]/v.k0-c[1]/v.k1), r.Value-v.b*c[1]/v.k1
		rest := v.b*c[0]/v.k0 - r.Value
		if math.Abs(rest) <= 4*0x1p-53*math.Abs(r.Value) && c[0] != 0 {
			rest = 0 // rounding
		}
		rest /= slope
		switch {
		case slope > 0:
			v.hi, v.rest[1] = min(v.hi, limit/slope), max(v.rest[1], rest)
		case slope < 0:
			v.lo, v.rest[0] = max(v.lo, limit/slope), min(v.rest[0], rest)
		case limit < -presolve.FeasibleTol:
			return nil, fmt.Errorf("%w: a sum of probabilities would have to be less than it is",
				presolve.ErrInfeasible)
		}
	}
	if v.lo > v.hi {
		if v.lo > v.hi+presolve.FeasibleTol {
			return nil, fmt.Errorf("%w: a share would have to be at least %.6g and at most %.6g",
				presolve.ErrInfeasible, v.lo,
				v.hi)
		}
		v.hi = min(max(v.hi, 0), 1) // it may be below 0 by rounding, and lo above 1
		v.lo = v.hi
		v.rest = [2]float64{1 - v.hi, 1 - v.hi}
	}
	if v.rest[0] >= narrowRest {
		v.rest[0] = 1 - v.lo
	}
	if v.rest[1] >= narrowRest {
		v.rest[1] = 1 - v.hi
	}
	return v, nil
}

// narrowRest is what is left to a part where its complement has lost digits.
const narrowRest = 1e-3

// forced lists the nodes for which the limits leave nothing.
func (v *interval) forced(nodes []int) []int {
	switch {
	case v.hi <= 0:
		return nodes[:1]
	case v.rest[0] <= 0:
		return nodes[1:]
	}
	return nil
}

func (v *interval) name() string { return closedForm }

func (v *interval) solve(x, n []float64) (Report, error) {
	t, rest := v.even, 1-v.even
	if total := n[0] + n[1]; total > 0 {
		t, rest = n[0]/total, n[1]/total // and not 1−t, in which few cases beside many are lost
	}
	switch {
	case t < v.lo, t == v.lo && rest > v.rest[0]:
		t, rest = v.lo, v.rest[0]
	case t > v.hi, t == v.hi && rest < v.rest[1]:
		t, rest = v.hi, v.rest[1]
	}
	x[0], x[1] = v.b*t/v.k0, v.b*rest/v.k1
	return Report{Certificate: GlobalMaximum}, nil
}
