package hpm

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// solver solves symmetric, positive semidefinite systems of a few unknowns, and owns the memory. (The normal
// equations of N06 Algorithm 2, steps 1 and 2.)
type solver struct {
	factor []float64
}

// rankTolerance is the share of a diagonal entry below which what earlier unknowns leave of it
// counts as rounding.
const rankTolerance = 1e-11

// solve overwrites each x, a right-hand side b, with the vector of least length among those that bring a x
// nearest to b, and returns the rank of a, n × n. Only the lower triangle of a is read.
func (s *solver) solve(a []float64, n int, xs ...[]float64) int {
	if n == 2 {
		first, c := a[0], a[2]
		if left := a[3] - c*c/first; first > 0 && left > rankTolerance*a[3] {
			ratio := c / first
			for _, x := range xs {
				x[1] = (x[1] - ratio*x[0]) / left
				x[0] = (x[0] - c*x[1]) / first
			}
			return n
		}
	}
	s.factor = append(s.factor[:0], a[:n*n]...)
	l := s.factor
	rank := cholesky(l, n)
	var null [][]float64
	for i := range n {
		if rank < n && l[i*n+i] == 0 {
			null = append(null, nullVector(l, n, i))
		}
	}
	null = orthonormal(null)
	for _, x := range xs {
		project(null, x[:n])
		for i := range n {
			if x[i] -= dot(l[i*n:i*n+i], x); l[i*n+i] > 0 {
				x[i] /= l[i*n+i]
			} else {
				x[i] = 0
			}
		}
		back(l, n, n, x)
		project(null, x[:n])
	}
	return rank
}

// cholesky overwrites the lower triangle with L, a = LL', and returns the rank. The row of an unknown that
// earlier ones determine has 0 on the diagonal, and what makes its null vector before that.
func cholesky(a []float64, n int) (rank int) {
	for i := range n {
		row := a[i*n:][:i+1]
		for j := range i {
			if pivot := a[j*n+j]; pivot > 0 {
				row[j] = (row[j] - dot(row[:j], a[j*n:])) / pivot
			} else {
				row[j] = 0
			}
		}
		if left := row[i] - dot(row[:i], row); left > rankTolerance*row[i] {
			row[i] = math.Sqrt(left)
			rank++
		} else {
			row[i] = 0
		}
	}
	return rank
}

// back solves L'x = y for the first unknowns, with x = 0 where L has 0 on the diagonal.
func back(l []float64, n, unknowns int, x []float64) {
	for i := unknowns - 1; i >= 0; i-- {
		if !(l[i*n+i] > 0) {
			x[i] = 0
			continue
		}
		x[i] /= l[i*n+i]
		for j, v := range l[i*n : i*n+i] {
			x[j] -= v * x[i]
		}
	}
}

// nullVector returns z with LL'z = 0 and 1 for unknown i, which earlier ones determine.
func nullVector(l []float64, n, i int) []float64 {
	z := make([]float64, n)
	for j, v := range l[i*n : i*n+i] {
		z[j] = -v
	}
	back(l, n, i, z)
	z[i] = 1
	return z
}

// dot is Σ a_i b_i over the length of a.
func dot(a, b []float64) float64 {
	if len(a) > 16 {
		return floats.Dot(a, b[:len(a)])
	}
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// A pattern is which values meet in an m × m matrix: the connected components of its non-zero
// entries, each in ascending order. A value with a zero on the diagonal, one that no trial shows,
// is in none. (N06 Algorithm 2, step 1: A'A falls into such blocks.)
type pattern [][]int

// meet returns the pattern of a sum of matrices.
func meet(m int, grams ...[]float64) pattern {
	var parts pattern
	seen := make([]bool, m)
	for first := range m {
		if seen[first] || !slices.ContainsFunc(grams, func(g []float64) bool { return g[first*m+first] > 0 }) {
			continue
		}
		seen[first] = true
		part := []int{first}
		for next := 0; next < len(part); next++ {
			a := part[next]
			for b := range m {
				if !seen[b] && slices.ContainsFunc(grams, func(g []float64) bool { return linked(g, m, a, b) }) {
					seen[b] = true
					part = append(part, b)
				}
			}
		}
		slices.Sort(part)
		parts = append(parts, part)
	}
	return parts
}

// linked reports whether an entry is more than rounding.
func linked(g []float64, m, a, b int) bool {
	return math.Abs(g[a*m+b]) > 1e-13*math.Sqrt(math.Abs(g[a*m+a]*g[b*m+b]))
}
