package centre_test

import (
	"fmt"
	"math"
	"testing"

	"bnlab/internal/centre"
)

func coef(r centre.Row, k int) float64 {
	if r.Coef == nil {
		return 1
	}
	return r.Coef[k]
}

func left(r centre.Row, x []float64) float64 {
	total := 0.0
	for k, p := range r.Index {
		total += coef(r, k) * x[p]
	}
	return total
}

func sum(v []float64) float64 {
	total := 0.0
	for _, x := range v {
		total += x
	}
	return total
}

// certificate checks x, the gap and the multipliers from the statement of the problem
// alone: feasibility, signs, complementarity, and that the dual objective
//
//	b'λ + u'μ + Σ n_p (log(n_p/z_p) − 1),  z = E'λ + A'μ
//
// is above the objective by no more than the gap says. A maximum of −∞ is not looked at.
func certificate(t *testing.T, p centre.Problem, n, x []float64, r centre.Report) {
	t.Helper()
	if err := check(p, n, x, r); err != nil {
		t.Errorf("%v\nproblem %+v\nn %v\nx %v\nreport %+v", err, p, n, x, r)
	}
}

func check(p centre.Problem, n, x []float64, r centre.Report) error {
	total := sum(n)
	for i, v := range x {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("x[%d] = %v", i, v)
		}
		if n[i] > 0 && !(v > 0) {
			return fmt.Errorf("x[%d] = %v has weight %v", i, v, n[i])
		}
	}
	z := make([]float64, p.Len)
	dual, unmet := 0.0, 0.0 // unmet is what rows that hold to rounding may add to the objective
	for i, row := range p.Equal {
		if d := left(row, x) - row.Value; !(math.Abs(d) <= 1e-12) {
			return fmt.Errorf("equation %d is off by %v", i, d)
		}
		dual += r.Equal[i] * row.Value
		unmet += math.Abs(r.Equal[i] * (left(row, x) - row.Value))
		for k, q := range row.Index {
			z[q] += r.Equal[i] * coef(row, k)
		}
	}
	for i, row := range p.AtMost {
		room := row.Value - left(row, x)
		if !(room >= -1e-10) {
			return fmt.Errorf("inequality %d is broken by %v", i, -room)
		}
		if !(r.AtMost[i] >= 0) {
			return fmt.Errorf("multiplier %d is %v", i, r.AtMost[i])
		}
		if !(r.AtMost[i]*room <= 1e-9*total) {
			return fmt.Errorf("multiplier %v of inequality %d, with room %v", r.AtMost[i], i, room)
		}
		dual += r.AtMost[i] * row.Value
		unmet += r.AtMost[i] * max(0, -room)
		for k, q := range row.Index {
			z[q] += r.AtMost[i] * coef(row, k)
		}
	}
	primal := 0.0
	for q, v := range z {
		if !(v >= -1e-12*total) {
			return fmt.Errorf("z[%d] = %v", q, v)
		}
		if n[q] == 0 {
			if !(v*x[q] <= 1e-9*total) {
				return fmt.Errorf("z[%d] = %v with x = %v", q, v, x[q])
			}
			continue
		}
		dual += n[q] * (math.Log(n[q]/v) - 1)
		primal += n[q] * math.Log(x[q])
		if d := n[q]/x[q] - v; !(math.Abs(d)*x[q] <= 1e-4*math.Sqrt(total*n[q])) {
			return fmt.Errorf("n/x − z = %v at %d", d, q)
		}
	}
	rounding := 1e-13*(total+math.Abs(primal)) + unmet
	if !(dual >= primal-rounding) || !(dual-primal <= 1e-9*total+rounding) {
		return fmt.Errorf("dual %v, primal %v: %v apart", dual, primal, dual-primal)
	}
	if !(r.Gap >= 0) || !(dual-primal <= r.Gap+rounding) || !(r.Gap <= 1e-9*total) {
		return fmt.Errorf("the gap %v, and %v afresh", r.Gap, dual-primal)
	}
	return nil
}
