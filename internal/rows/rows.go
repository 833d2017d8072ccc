// Package rows holds the form in which linear constraints pass between the numerical
// packages.
package rows

// A Row is a linear function Σ Coef·x_Index and the value that it has or may have at most.
// Each index stands once. A nil Coef means 1 everywhere.
type Row struct {
	Index []int
	Coef  []float64
	Value float64
}

// Factor is the coefficient of the k-th index.
func (r Row) Factor(k int) float64 {
	if r.Coef == nil {
		return 1
	}
	return r.Coef[k]
}

// Dot is the function at x.
func (r Row) Dot(x []float64) float64 {
	total := 0.0
	for k, i := range r.Index {
		total += r.Factor(k) * x[i]
	}
	return total
}

// A Set holds all x ≥ 0 with Len entries in which the functions of Equal have their
// values, and those of AtMost no more than theirs.
type Set struct {
	Len           int
	Equal, AtMost []Row
}
