package linprog

import (
	"math"
	"slices"
)

// Interior returns a point in the relative interior of the problem's set: it is positive
// in every variable, and below the value of every inequality, for which some point is.
// zero says which variables are 0 at every point of the set, tight which inequalities
// hold with equality at every point. It returns ErrInfeasible, ErrStalled, or an error for
// a malformed problem.
//
// It raises the total of what has not been seen positive yet, vertex by vertex, until
// that is 0 at its maximum. The mean of the vertices at which something new was positive is
// inside. It is moved halfway to a
// point whose least distance from the bounds, up to 1, is largest (the centre of the
// largest ball when there are no equations), so that neither one narrow direction nor
// one odd vertex brings it close to them.
func Interior(p Problem) (x []float64, zero, tight []bool, err error) {
	t, err := start(p)
	if err != nil {
		return nil, nil, nil, err
	}
	n := p.Len
	seen := make([]bool, n+len(p.AtMost))
	x = make([]float64, n)
	fresh := func() bool {
		return slices.ContainsFunc(t.positive(), func(v int) bool { return !seen[v] })
	}
	for vertices := 1.0; vertices <= float64(len(seen)+1); vertices++ { // each sees a new one
		t.price(func(v int) float64 {
			if seen[v] {
				return 0
			}
			return 1
		})
		ray := -1
		if vertices > 1 || !fresh() {
			if ray, err = t.climb(fresh); err != nil {
				return nil, nil, nil, err
			}
		}
		vertex, err := t.point()
		if err != nil {
			return nil, nil, nil, err
		}
		if ray >= 0 {
			t.follow(ray, vertex, seen)
		} else if vertices > 1 && !fresh() {
			break
		}
		for _, v := range t.positive() {
			seen[v] = true
		}
		for j := range x {
			x[j] += (vertex[j] - x[j]) / vertices
		}
	}
	zero, tight = make([]bool, n), make([]bool, len(p.AtMost))
	for j := range zero {
		zero[j] = !seen[j]
	}
	for i := range tight {
		tight[i] = !seen[n+i]
	}
	if deep, err := centre(p, zero, tight); err == nil {
		for j := range x {
			x[j] += (deep[j] - x[j]) / 2
		}
	}
	for j := range x {
		if zero[j] {
			x[j] = 0
		}
	}
	return x, zero, tight, nil
}

// positive are the variables that are not 0 at the present vertex.
func (t *tableau) positive() (variables []int) {
	for i, v := range t.basic {
		if t.rhs[i] > feasible*t.size {
			variables = append(variables, v)
		}
	}
	return variables
}

// follow moves x from the present vertex by 1 along a ray, and notes what rises.
func (t *tableau) follow(ray int, x []float64, seen []bool) {
	rise := func(v int, step float64) {
		seen[v] = seen[v] || step > pivotal
		if v < len(x) {
			x[v] += max(step, 0)
		}
	}
	rise(t.column[ray], 1)
	for i, v := range t.basic {
		rise(v, -t.a[i][ray])
	}
}

// centre maximises the margin τ ≤ 1 by which x_j ≥ τ and Σ a_ij x_j ≤ u_i − τ‖a_i‖ hold
// where they need not hold with equality. With x_j = x'_j + τ that is one more variable.
func centre(p Problem, zero, tight []bool) ([]float64, error) {
	n := p.Len
	moved := Problem{Len: n + 1, AtMost: []Row{{Index: []int{n}, Value: 1}}}
	shift := func(r Row, loose bool) Row {
		s := Row{Value: r.Value}
		total, square := 0.0, 0.0
		for k, j := range r.Index {
			if zero[j] {
				continue
			}
			c := r.Factor(k)
			s.Index, s.Coef = append(s.Index, j), append(s.Coef, c)
			total += c
			square += c * c
		}
		if loose {
			total += math.Sqrt(square)
		}
		s.Index, s.Coef = append(s.Index, n), append(s.Coef, total)
		return s
	}
	for _, r := range p.Equal {
		moved.Equal = append(moved.Equal, shift(r, false))
	}
	for i, r := range p.AtMost {
		if tight[i] {
			moved.Equal = append(moved.Equal, shift(r, false))
		} else {
			moved.AtMost = append(moved.AtMost, shift(r, true))
		}
	}
	c := make([]float64, n+1)
	c[n] = 1
	margin, x, err := Maximise(moved, c)
	if err != nil {
		return nil, err
	}
	for j := range n {
		if zero[j] {
			x[j] = 0
		} else {
			x[j] += margin
		}
	}
	return x[:n], nil
}
