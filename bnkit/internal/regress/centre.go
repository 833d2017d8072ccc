package regress

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

const (
	// far is the mean of a column, in units of its standard deviation, from which a configuration is centred.
	far = 1e3
	// rounding is the part of a mean below which a standard deviation comes from the rounding of the values.
	rounding = 2 * 0x1p-52
)

// centre takes the means of columns from configurations whose columns lie far from zero, so that neither their digits
// nor their rank are lost beside the means: y − ȳ = w'(x − x̄) with the intercept 0. It wants an intercept that nothing
// else is said of, and parents that the cases determine. The first row of a factor has the means, and nothing else is
// in its first column, so that taking them out is to leave the first row.
func (r *regressor) centre() {
	of := make(map[int]int)
	for _, classes := range r.ties.class {
		for _, class := range classes {
			of[class]++
		}
	}
	r.means = make([][]float64, len(r.rows))
	for config, rows := range r.rows {
		class := r.ties.class[config][0]
		_, limited := r.ties.limits[class]
		if r.n[config] == 0 || of[class] > 1 || limited || !r.isFar(rows) {
			continue
		}
		rows = append([]float64(nil), rows...)
		r.means[config] = make([]float64, r.k)
		for j := 1; j < r.k; j++ {
			r.means[config][j] = rows[j] / rows[0]
			rows[j] = 0
		}
		r.rows[config] = rows
	}
}

// isFar reports whether a configuration is to be centred.
func (r *regressor) isFar(rows []float64) bool {
	for at := r.k; at < len(rows); at += r.k {
		if rows[at] != 0 {
			return false // a prior of the intercept
		}
	}
	if rows[0] == 0 {
		return false
	}
	distant := false
	a := blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: r.k - 2, Stride: max(1, r.k-2),
		Data: make([]float64, (r.k-2)*(r.k-2))}
	for j := 1; j < r.k; j++ {
		spread := r.spread(rows, j)
		if !(spread > rounding*math.Abs(rows[j])) {
			return false // constant
		}
		distant = distant || math.Abs(rows[j]) > far*spread
		for i := 1; i <= j && j < r.k-1; i++ {
			a.Data[(i-1)*a.Stride+j-1] = rows[i*r.k+j] / spread
		}
	}
	return distant && (a.N == 0 ||
		lapack64.Trcon(lapack.MaxColumnSum, a, make([]float64, 3*a.N), make([]int, a.N)) > smallestSingular)
}

// spread is the root of the sum of squares of a column about its mean.
func (r *regressor) spread(rows []float64, column int) float64 {
	return blas64.Nrm2(blas64.Vector{N: r.k - 1, Inc: r.k, Data: rows[r.k+column:]})
}

// uncentre gives the intercept of a configuration where values are as they were.
func (r *regressor) uncentre(intercept float64, weights []float64, config int) float64 {
	means := r.means[config]
	if means == nil {
		return intercept
	}
	intercept += means[r.k-1]
	for p, w := range weights {
		intercept -= w * means[p+1]
	}
	return intercept
}
