package regress

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// A solution of a least-squares problem.
type solution struct {
	beta     []float64
	open     []bool      // parameters that the rows do not determine
	residual float64     // norm of what no β reaches
	classes  map[int]int // place of each class in beta
}

// Singular values below this part of the largest, with columns of equal norm, are zero.
const smallestSingular = 1e-12

var errNotFinite = errors.New("the values are too large or too small to compute with; measure in another unit")

// leastSquares minimises ‖y − Zβ‖ for rows [z, y] of q+1 numbers, which it overwrites. The
// columns of Z are brought to equal norm; among many solutions that of smallest norm in
// these units is taken. (N06 §4.3, types 12 and 13.)
func leastSquares(rows []float64, q int) (solution, error) {
	s := solution{beta: make([]float64, q), open: make([]bool, q)}
	norm := make([]float64, q)
	t := triangle(&rows, q+1, norm)
	for _, x := range rows[:(q+1)*(q+1)] {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return s, errNotFinite
		}
	}
	y := column(t, q, q)
	s.residual = math.Abs(t.Data[q*t.Stride+q])
	r := blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: q, Stride: t.Stride, Data: t.Data}
	if lapack64.Trcon(lapack.MaxColumnSum, r, make([]float64, 3*q), make([]int, q)) > smallestSingular {
		copy(s.beta, y)
		blas64.Trsv(blas.NoTrans, r, blas64.Vector{N: q, Inc: 1, Data: s.beta})
	} else if err := s.smallest(r, y); err != nil {
		return s, err
	}
	for i := range s.beta {
		s.beta[i] /= norm[i]
	}
	return s, nil
}

// triangle scales all columns but the last to norm 1, writing the norms to dst (1 for a
// column of zeros), and reduces the rows of k numbers to an upper triangle in place. There
// are at least k rows afterwards.
func triangle(rows *[]float64, k int, norms []float64) blas64.General {
	for len(*rows) < k*k {
		*rows = append(*rows, 0)
	}
	a := blas64.General{Rows: len(*rows) / k, Cols: k, Stride: k, Data: *rows}
	for i := range norms {
		c := blas64.Vector{N: a.Rows, Inc: k, Data: a.Data[i:]}
		if norms[i] = blas64.Nrm2(c); norms[i] == 0 {
			norms[i] = 1
		}
		for row := range a.Rows {
			a.Data[row*k+i] /= norms[i]
		}
	}
	tau, work := make([]float64, k), make([]float64, 1)
	lapack64.Geqrf(a, tau, work, -1)
	work = make([]float64, int(work[0]))
	lapack64.Geqrf(a, tau, work, len(work))
	return a
}

// column copies the first n entries of a column.
func column(a blas64.General, at, n int) []float64 {
	c := make([]float64, n)
	for i := range c {
		c[i] = a.Data[i*a.Stride+at]
	}
	return c
}

// smallest solves Rβ = y in the least-squares sense with the β of smallest norm, and finds
// the parameters that are open.
func (s *solution) smallest(r blas64.Triangular, y []float64) error {
	q := r.N
	full := mat.NewDense(q, q, nil)
	for i := range q {
		for j := i; j < q; j++ {
			full.Set(i, j, r.Data[i*r.Stride+j])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(full, mat.SVDFull) {
		return errNotFinite
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	for l, value := range values {
		part := 0.0
		for i := range q {
			part += u.At(i, l) * y[i]
		}
		if value > smallestSingular*values[0] {
			for i := range q {
				s.beta[i] += v.At(i, l) * part / value
			}
			continue
		}
		s.residual = math.Hypot(s.residual, part)
		for i := range q {
			// A direction without cases moves a parameter, or it does so by rounding.
			s.open[i] = s.open[i] || math.Abs(v.At(i, l)) > 1e-6
		}
	}
	return nil
}
