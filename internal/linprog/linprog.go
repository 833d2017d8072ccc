// Package linprog solves small dense linear programs, to find out what linear statements
// about parameters allow before any counts are seen: whether they can hold together
// ([Feasible]), how far a function can go ([Maximise]), and which parameters they force
// to zero and which inequalities to equality ([Interior]).
//
// Numbers of rows and variables are meant to be some hundreds. Rows may be repeated,
// dependent, empty, or meet in one point in any number. Each row is scaled to a largest
// coefficient of 1; a violation below 1e-9 of the largest value (at least 1) counts as none,
// and so does a distance from a bound.
package linprog

import (
	"errors"
	"math"

	"bnlab/internal/rows"
	"bnlab/internal/say"
)

// Tolerances on rows whose largest coefficient is 1.
const (
	feasible = 1e-9  // relative violation that counts as none
	optimal  = 1e-9  // gain per unit that counts as none
	pivotal  = 1e-9  // smallest pivot
	rounding = 1e-12 // relative difference of equal ratios
	zero     = 1e-15 // relative value of a basic variable that has reached 0
)

var (
	// ErrInfeasible: no x satisfies the rows.
	ErrInfeasible = errors.New("linprog: the rows contradict each other")
	// ErrUnbounded: the function rises for ever.
	ErrUnbounded = errors.New("linprog: the maximum is infinite")
	// ErrStalled: rounding kept the method from an answer.
	ErrStalled = errors.New("linprog: no answer within the tolerance")
)

// A Row is a linear function and its value.
type Row = rows.Row

// A Problem is the set of x ≥ 0 that meet the rows.
type Problem = rows.Set

// check returns an error for rows that are none of len variables.
func check(p Problem) error {
	for kind, rows := range [][]Row{p.Equal, p.AtMost} {
		name := [2]string{"equality", "inequality"}[kind]
		for i, r := range rows {
			if r.Coef != nil && len(r.Coef) != len(r.Index) {
				return say.Errorf("linprog: %s %d has %d variables and %d coefficients", name, i, len(r.Index),
					len(r.Coef))
			}
			for k, j := range r.Index {
				if j < 0 || j >= p.Len {
					return say.Errorf("linprog: %s %d names variable %d of %d", name, i, j, p.Len)
				}
				if c := r.Factor(k); math.IsNaN(c) || math.IsInf(c, 0) {
					return say.Errorf("linprog: %s %d has the coefficient %v", name, i, c)
				}
			}
			if math.IsNaN(r.Value) || math.IsInf(r.Value, 0) {
				return say.Errorf("linprog: %s %d has the value %v", name, i, r.Value)
			}
		}
	}
	return nil
}

// Feasible returns a vertex of the problem's set and whether there is any. It returns an
// error for a malformed problem, and ErrStalled.
func Feasible(p Problem) (x []float64, ok bool, err error) {
	t, err := start(p)
	if errors.Is(err, ErrInfeasible) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	x, err = t.point()
	return x, err == nil, err
}

// Maximise returns the largest value of Σ c_j x_j on the problem's set, and a vertex that
// has it. c has one entry for each variable; it panics otherwise. It returns
// ErrInfeasible, ErrUnbounded, ErrStalled, or an error for a malformed problem.
func Maximise(p Problem, c []float64) (value float64, x []float64, err error) {
	if len(c) != p.Len {
		panic("linprog: a coefficient for each variable is needed")
	}
	scale := 0.0
	for j, v := range c {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, nil, say.Errorf("linprog: variable %d has the coefficient %v", j, v)
		}
		scale = max(scale, math.Abs(v))
	}
	t, err := start(p)
	if err != nil {
		return 0, nil, err
	}
	t.price(func(v int) float64 {
		if v < p.Len && scale > 0 {
			return c[v] / scale
		}
		return 0
	})
	ray, err := t.climb(nil)
	if err != nil {
		return 0, nil, err
	}
	if ray >= 0 {
		return 0, nil, ErrUnbounded
	}
	if x, err = t.point(); err != nil {
		return 0, nil, err
	}
	for j, v := range c {
		value += v * x[j]
	}
	return value, x, nil
}
