// Package nnls solves linear least squares with coefficients that may not be negative,
//
//	min ‖A x − b‖   subject to   x_j ≥ 0 unless column j is free.
//
// It finds Lagrange multipliers: with the gradients of equations as free columns and those
// of binding inequalities as others, a point is stationary if b, the gradient of the
// objective there, leaves no residual.
package nnls

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bnlab/internal/say"
)

// ErrStalled: rounding kept the method from ending.
var ErrStalled = errors.New("nnls: too many exchanges of columns")

// Tolerances on columns of length 1.
const (
	dependent = 1e-10 // part of a column outside the span of others that counts as none
	gradient  = 1e-12 // its inner product with the residual, relative to b, likewise
)

// Solve returns an x that minimises ‖A x − b‖ with x_j ≥ 0 where free[j] is false, and the
// least ‖A x − b‖. A nil free means that no column is. Columns that depend on others within
// 1e-10 stay out, so x has the fewest columns that are needed of each such group and is
// one of several solutions.
//
// b has one entry for each row of a and free one for each column; it panics otherwise. It
// returns an error if an entry is not finite, and ErrStalled. Each of the steps, about as
// many as columns in the solution, costs O(rows · columns). (Lawson and Hanson 1974,
// chapter 23.)
func Solve(a mat.Matrix, b []float64, free []bool) (x []float64, residual float64, err error) {
	rows, columns := a.Dims()
	if len(b) != rows || free != nil && len(free) != columns {
		panic("nnls: slices do not fit the matrix")
	}
	if free == nil {
		free = make([]bool, columns)
	}
	f := &factor{column: make([][]float64, columns), b: append([]float64(nil), b...), chosen: make([]bool, columns)}
	length := make([]float64, columns)
	for j := range f.column {
		f.column[j] = mat.Col(nil, j, a)
		length[j] = floats.Norm(f.column[j], 2)
		if math.IsNaN(length[j]) || math.IsInf(length[j], 0) {
			return nil, 0, say.Errorf("nnls: column %d has the length %v", j, length[j])
		}
		for i := range f.column[j] {
			f.column[j][i] /= max(length[j], math.SmallestNonzeroFloat64)
		}
	}
	size := floats.Norm(b, 2)
	if math.IsNaN(size) || math.IsInf(size, 0) {
		return nil, 0, say.Errorf("nnls: the right side has the length %v", size)
	}
	if x, err = f.solve(free, gradient*size); err != nil {
		return nil, 0, err
	}
	rest := append([]float64(nil), b...)
	for j := range x {
		if x[j] != 0 {
			x[j] /= length[j]
			for i := range rest {
				rest[i] -= x[j] * a.At(i, j)
			}
		}
	}
	if residual = floats.Norm(rest, 2); math.IsNaN(residual) || math.IsInf(residual, 0) {
		return nil, 0, errors.New("nnls: the solution is too large for a number")
	}
	return x, residual, nil
}

// solve is the method of Lawson and Hanson for columns of length 1: take in the column
// along which the residual falls fastest, solve without bounds, and on the way there
// give up columns whose coefficients reach 0.
func (f *factor) solve(free []bool, tolerance float64) ([]float64, error) {
	f.addFree(free)
	x, z := make([]float64, len(f.column)), make([]float64, len(f.column))
	f.backSubstitute(x)
	useless := make([]bool, len(f.column))
	for range 100 + 30*len(f.column) {
		best, steepest := -1, tolerance
		for j := range f.column {
			if f.chosen[j] || free[j] || useless[j] {
				continue
			}
			if w := f.descent(j); w > steepest {
				best, steepest = j, w
			}
		}
		if best < 0 {
			return x, nil
		}
		before := f.residual()
		f.add(best)
		f.backSubstitute(z)
		if !(z[best] > 0) {
			// Only rounding made it look like a descent.
			f.remove(len(f.order) - 1)
			useless[best] = true
			continue
		}
		for f.towards(x, z, free) {
			f.backSubstitute(z)
		}
		copy(x, z)
		if f.residual() < before {
			clear(useless)
		} else {
			useless[best] = true
		}
	}
	return nil, ErrStalled
}

// addFree takes in the free columns, those with the largest new part first.
func (f *factor) addFree(free []bool) {
	for {
		best, largest := -1, dependent
		for j := range f.column {
			if free[j] && !f.chosen[j] {
				if part := f.newPart(j); part > largest {
					best, largest = j, part
				}
			}
		}
		if best < 0 {
			return
		}
		f.add(best)
	}
}

// towards moves x to z, or to the first point on the way where a coefficient reaches 0.
// Then it removes the columns that are there and returns true.
func (f *factor) towards(x, z []float64, free []bool) bool {
	step, first := 1.0, -1
	for _, j := range f.order {
		if !free[j] && !(z[j] > 0) {
			if s := x[j] / (x[j] - z[j]); first < 0 || s < step {
				step, first = s, j
			}
		}
	}
	if first < 0 {
		return false
	}
	for _, j := range f.order {
		x[j] += step * (z[j] - x[j])
	}
	x[first] = 0
	for p := len(f.order) - 1; p >= 0; p-- {
		if j := f.order[p]; !free[j] && !(x[j] > 0) {
			x[j] = 0
			f.remove(p)
		}
	}
	return true
}
