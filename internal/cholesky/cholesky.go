// Package cholesky solves the linear systems of Newton steps, whose matrices may be singular within rounding.
package cholesky

import "math"

// Solve overwrites b with the solution of M x = b. M is symmetric with n rows, of which the lower triangle is given by
// rows, and overwritten. Its diagonal is raised by ridge, relatively. Where M is zero within slack times rounding x is
// 0. It returns false when M is not positive otherwise.
func Solve(m, b []float64, n int, ridge, slack float64) bool {
	for i := range n {
		row := m[i*n : i*n+i+1]
		size := row[i]
		row[i] += ridge * math.Abs(size)
		for j := range i {
			other, sum := m[j*n:j*n+j+1], row[j]
			for k := range j {
				sum -= row[k] * other[k]
			}
			row[j] = sum * other[j]
			row[i] -= row[j] * row[j]
		}
		switch {
		case row[i] > rounding*size:
			row[i] = 1 / math.Sqrt(row[i])
		case row[i] >= -rounding*math.Abs(size)*slack:
			row[i] = 0
		default:
			return false
		}
	}
	for i := range n {
		row := m[i*n : i*n+i+1]
		for k := range i {
			b[i] -= row[k] * b[k]
		}
		b[i] *= row[i]
	}
	for i := n - 1; i >= 0; i-- {
		row := m[i*n : i*n+i+1]
		b[i] *= row[i]
		for k := range i {
			b[k] -= row[k] * b[i]
		}
	}
	return true
}

// rounding is the pivot, relative to what it was, that counts as zero.
const rounding = 1e-14
