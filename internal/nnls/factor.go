package nnls

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// A factor holds all columns and the right side, turned by one rotation such that the
// chosen columns, in their order, are an upper triangle.
type factor struct {
	column [][]float64
	b      []float64
	order  []int
	chosen []bool
}

// newPart is the length of the part of column j outside the span of the chosen ones.
func (f *factor) newPart(j int) float64 { return floats.Norm(f.column[j][len(f.order):], 2) }

// residual is the length of what the chosen columns leave of b.
func (f *factor) residual() float64 { return floats.Norm(f.b[len(f.order):], 2) }

// descent is the inner product of column j with the residual, 0 for a column that
// depends on the chosen ones.
func (f *factor) descent(j int) float64 {
	if !(f.newPart(j) > dependent) {
		return 0
	}
	k := len(f.order)
	return floats.Dot(f.column[j][k:], f.b[k:])
}

// add chooses column j, by a reflection of the rows below the triangle.
func (f *factor) add(j int) {
	k := len(f.order)
	v := append([]float64(nil), f.column[j][k:]...)
	end := -math.Copysign(floats.Norm(v, 2), v[0])
	v[0] -= end
	square := floats.Dot(v, v)
	reflect := func(y []float64) { floats.AddScaled(y, -2*floats.Dot(v, y)/square, v) }
	f.order, f.chosen[j] = append(f.order, j), true
	for i, y := range f.column {
		if !f.chosen[i] {
			reflect(y[k:])
		}
	}
	reflect(f.b[k:])
	f.column[j][k] = end
	clear(f.column[j][k+1:])
}

// remove gives up the column at a place of the order. The columns after it have one entry
// below the triangle each, which a rotation of two rows takes away.
func (f *factor) remove(place int) {
	f.chosen[f.order[place]] = false
	f.order = append(f.order[:place], f.order[place+1:]...)
	for k := place; k < len(f.order); k++ {
		lead := f.column[f.order[k]]
		r := math.Hypot(lead[k], lead[k+1])
		c, s := lead[k]/r, lead[k+1]/r
		rotate := func(y []float64) { y[k], y[k+1] = c*y[k]+s*y[k+1], c*y[k+1]-s*y[k] }
		for _, y := range f.column {
			rotate(y)
		}
		rotate(f.b)
		lead[k], lead[k+1] = r, 0
	}
}

// backSubstitute writes to z the least squares solution in the chosen columns, 0 for the
// others.
func (f *factor) backSubstitute(z []float64) {
	clear(z)
	for k := len(f.order) - 1; k >= 0; k-- {
		sum := f.b[k]
		for _, j := range f.order[k+1:] {
			sum -= f.column[j][k] * z[j]
		}
		z[f.order[k]] = sum / f.column[f.order[k]][k]
	}
}
