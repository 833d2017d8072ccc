package data

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// A folder takes rows of k numbers and keeps their triangular factor: below the k rows of
// the factor so far it gathers new ones, and reduces all of them by Householder steps
// when its space is used.
type folder struct {
	a         blas64.General
	tau, work []float64
	used      int // rows
}

func newFolder(k int) *folder {
	rows := 5*k + 16
	f := &folder{a: blas64.General{Rows: rows, Cols: k, Stride: k, Data: make([]float64, rows*k)},
		tau: make([]float64, k), work: make([]float64, 1)}
	lapack64.Geqrf(f.a, f.tau, f.work, -1)
	f.work = make([]float64, int(f.work[0]))
	return f
}

// next returns the place of a new row, to be written whole.
func (f *folder) next() []float64 {
	if f.used == f.a.Rows {
		f.reduce()
	}
	f.used++
	return f.a.Data[(f.used-1)*f.a.Stride : f.used*f.a.Stride]
}

func (f *folder) reduce() {
	k := f.a.Cols
	used := f.a
	used.Rows = max(f.used, k)
	clear(f.a.Data[f.used*k:])
	lapack64.Geqrf(used, f.tau, f.work, len(f.work))
	for i := range k {
		clear(f.a.Data[i*k : i*k+i])
	}
	f.used = k
}

// factor returns the factor of the rows so far and begins anew.
func (f *folder) factor() []float64 {
	f.reduce()
	k := f.a.Cols
	r := append([]float64(nil), f.a.Data[:k*k]...)
	for i := range k {
		if row := r[i*k : (i+1)*k]; row[i] < 0 {
			for j := i; j < k; j++ {
				row[j] = 0 - row[j]
			}
		}
	}
	f.used = 0
	return r
}
