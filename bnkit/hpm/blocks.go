package hpm

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// solver solves symmetric, positive semidefinite systems of a few unknowns, and owns the memory.
type solver struct {
	factor []float64
}

// rankTolerance is the share of a diagonal entry, and of the greatest eigenvalue, below
// which a direction counts as undetermined.
const rankTolerance = 1e-11

// solve overwrites each x, a right-hand side, with the solution of least length of a x = b, and
// returns the rank of a, n × n. Only the lower triangle of a is read.
func (s *solver) solve(a []float64, n int, xs ...[]float64) int {
	if n == 2 {
		if left := a[3] - a[2]*a[2]/a[0]; a[0] > 0 && left > rankTolerance*a[3] {
			for _, x := range xs {
				x[1] = (x[1] - a[2]/a[0]*x[0]) / left
				x[0] = (x[0] - a[2]*x[1]) / a[0]
			}
			return n
		}
		return leastLength(a, n, xs)
	}
	s.factor = append(s.factor[:0], a[:n*n]...)
	if !cholesky(s.factor, n) {
		return leastLength(a, n, xs)
	}
	l := s.factor
	for _, x := range xs {
		for i := range n {
			x[i] = (x[i] - dot(l[i*n:i*n+i], x)) / l[i*n+i]
		}
		for i := n - 1; i >= 0; i-- {
			x[i] /= l[i*n+i]
			for j, v := range l[i*n : i*n+i] {
				x[j] -= v * x[i]
			}
		}
	}
	return n
}

// cholesky overwrites the lower triangle with L, a = LL'. It returns false where a pivot is
// hardly more than rounding.
func cholesky(a []float64, n int) bool {
	for i := range n {
		row := a[i*n:][:i+1]
		for j := range i {
			row[j] = (row[j] - dot(row[:j], a[j*n:])) / a[j*n+j]
		}
		left := row[i] - dot(row[:i], row)
		if !(left > rankTolerance*row[i]) {
			return false
		}
		row[i] = math.Sqrt(left)
	}
	return true
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

// leastLength solves by eigenvectors.
func leastLength(a []float64, n int, xs [][]float64) (rank int) {
	values, vectors := eigen(a, n)
	for rank < n && values[n-1-rank] > rankTolerance*values[n-1] {
		rank++
	}
	for _, x := range xs {
		b := slices.Clone(x[:n])
		clear(x[:n])
		for e := n - rank; e < n; e++ {
			load := 0.0
			for i, v := range b {
				load += v * vectors.At(i, e)
			}
			for i := range b {
				x[i] += load / values[e] * vectors.At(i, e)
			}
		}
	}
	return rank
}

// eigen returns the eigenvalues in ascending order, and the eigenvectors in columns. The
// lower triangle of a is read.
func eigen(a []float64, n int) ([]float64, *mat.Dense) {
	upper := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			upper.SetSym(i, j, a[i*n+j])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(upper, true) { // cannot fail for finite entries
		return make([]float64, n), mat.NewDense(n, n, nil)
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	return e.Values(nil), &vectors
}

// A pattern is which values meet in an m × m matrix: the connected components of its non-zero
// entries, each in ascending order. A value with a zero on the diagonal, one that no trial shows,
// is in none.
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
