package hpm

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// any reports whether there are nuisance terms.
func (n Nuisance) any() bool { return n.Intercept || n.Drift > 0 || len(n.Confounds) > 0 }

// basis returns orthonormal vectors over the images of a run that span its nuisance terms.
// Terms that depend on earlier ones are left out. Drift is made of Legendre polynomials.
func (n Nuisance) basis(run []*Trial) [][]float64 {
	images := 0
	for _, t := range run {
		images += t.Images
	}
	var terms [][]float64
	add := func(value func(image int) float64) {
		x := make([]float64, images)
		for i := range x {
			x[i] = value(i)
		}
		terms = append(terms, x)
	}
	if n.Intercept || n.Drift > 0 {
		add(func(int) float64 { return 1 })
	}
	for d := range min(n.Drift, images-1) { // polynomials of that degree are all there are
		add(func(image int) float64 { return legendre(d+1, position(image, images)) })
	}
	for c := range n.Confounds {
		var column []float64
		for _, t := range run {
			for i := c; i < len(t.Confounds); i += len(n.Confounds) {
				column = append(column, t.Confounds[i])
			}
		}
		terms = append(terms, column)
	}
	return orthonormal(terms)
}

// position maps images 0 … n−1 to −1 … 1.
func position(image, n int) float64 {
	if n == 1 {
		return 0
	}
	return 2*float64(image)/float64(n-1) - 1
}

// legendre returns the Legendre polynomial of degree d ≥ 1 at x.
func legendre(d int, x float64) float64 {
	before, p := 1.0, x
	for i := 1; i < d; i++ {
		before, p = p, (float64(2*i+1)*x*p-float64(i)*before)/float64(i+1)
	}
	return p
}

// orthonormal runs Gram and Schmidt's method, twice for each vector, and drops those of which
// less than a part in 10¹⁰ is new. The vectors are overwritten.
func orthonormal(vectors [][]float64) [][]float64 {
	var q [][]float64
	for _, x := range vectors {
		size := floats.Norm(x, math.Inf(1))
		if size == 0 {
			continue
		}
		floats.Scale(1/size, x)
		whole := floats.Norm(x, 2)
		for range 2 {
			project(q, x)
		}
		if left := floats.Norm(x, 2); left > 1e-10*whole {
			floats.Scale(1/left, x)
			q = append(q, x)
		}
	}
	return q
}

// project takes out of x what lies along the orthonormal q.
func project(q [][]float64, x []float64) {
	for _, u := range q {
		floats.AddScaled(x, -floats.Dot(u, x), u)
	}
}
