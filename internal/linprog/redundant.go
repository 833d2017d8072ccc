package linprog

import (
	"math"
	"slices"
)

// Redundant reports, for groups of inequalities, whether each holds by at most tol too much wherever all other rows
// of the problem do. The rows are made a tableau once; for a group the search begins at the vertex found, without
// the bounds of the group, and ends at the first point beyond one of them. It returns ErrInfeasible, ErrStalled, or
// an error for a malformed problem, and panics for a number that no inequality has.
func Redundant(p Problem, groups [][]int, tol float64) ([]bool, error) {
	base, err := start(p)
	if err != nil {
		return nil, err
	}
	base.price(func(int) float64 { return 0 })
	out := make([]bool, len(groups))
	t := &tableau{}
	for g, group := range groups {
		base.copyTo(t)
		out[g] = true
		for _, i := range group {
			if !t.release(t.slack(i)) {
				out[g] = false
			}
		}
		for _, i := range group {
			if !out[g] {
				break
			}
			if out[g], err = t.keeps(i, tol); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// copyTo makes a copy in the memory of another, which no longer is a tableau of its own.
func (t *tableau) copyTo(to *tableau) {
	a, gain := to.a, to.gain
	*to = *t
	to.a = slices.Grow(a[:0], len(t.a))[:len(t.a)]
	for i, row := range t.a {
		to.a[i] = append(to.a[i][:0], row...)
	}
	to.rhs, to.basic, to.column = slices.Clone(t.rhs), slices.Clone(t.basic), slices.Clone(t.column)
	to.gain = append(gain[:0], t.gain...)
	to.free = make([]bool, t.artificial(len(t.scale)))
}

// release lets a slack be negative: it becomes basic, and so leaves no more. It reports whether it has any end.
func (t *tableau) release(slack int) bool {
	if s := slices.Index(t.column, slack); s >= 0 {
		r := t.leaving(s, false)
		if r < 0 {
			return false
		}
		t.pivot(r, s)
	}
	t.free[slack] = true
	return true
}

// keeps lowers the slack of an inequality, which is free, and reports whether it stays above −tol.
func (t *tableau) keeps(i int, tol float64) (bool, error) {
	slack, least := t.slack(i), -tol/t.scale[len(t.problem.Equal)+i]
	beyond := func() bool { return t.rhs[slices.Index(t.basic, slack)] < least }
	t.price(func(v int) float64 {
		if v == slack {
			return -1
		}
		return 0
	})
	ray, err := t.climb(beyond)
	if err != nil {
		return false, err
	}
	if ray < 0 && math.Abs(t.rhs[slices.Index(t.basic, slack)]-least) < feasible*t.size { // a matter of digits
		err = t.refresh()
	}
	return ray < 0 && !beyond(), err
}
