package identify

import (
	"slices"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Equations returns the slopes, by table entry, of what the statements and the sums of
// distributions hold equal.
func Equations(net *bn.Network, statements []constraint.Constraint, theta []float64) ([]Sparse, error) {
	var list []Sparse
	for v := range net.Len() {
		for config := range net.CPT(v).Configs().Len() {
			lo, hi := net.Layout().Row(v, config)
			var sum Sparse
			for cell := lo; cell < hi; cell++ {
				sum.add(cell, 1)
			}
			list = append(list, sum)
		}
	}
	for _, s := range statements {
		bounds, err := s.Bind(net)
		if err != nil {
			return nil, err
		}
		for _, b := range bounds {
			list = append(list, slopes(b, theta)...)
		}
	}
	return list, nil
}

// slopes differentiates the equalities of a bound at theta.
func slopes(b constraint.Bound, theta []float64) []Sparse {
	var list []Sparse
	for _, f := range b.Fixed {
		list = append(list, Sparse{[]int{f.Cell}, []float64{1}})
	}
	for _, t := range b.Ties { // θ_i/s_i = θ_0/s_0
		for i := 1; i < len(t.Cells); i++ {
			x := []float64{1, -1}
			if t.Scale != nil {
				x = []float64{t.Scale[0], -t.Scale[i]}
			}
			list = append(list, Sparse{[]int{t.Cells[i], t.Cells[0]}, x})
		}
	}
	for _, l := range b.Equal {
		x := l.Coef
		if x == nil {
			x = slices.Repeat([]float64{1}, len(l.Cells))
		}
		list = append(list, Sparse{l.Cells, x})
	}
	for _, r := range b.Ratios { // θ_gi·m_0 = θ_0i·m_g
		first, mass := r.Blocks[0], 0.0
		for _, cell := range first {
			mass += theta[cell]
		}
		for _, block := range r.Blocks[1:] {
			own := 0.0
			for _, cell := range block {
				own += theta[cell]
			}
			for i := range block {
				var row Sparse
				for k := range block {
					a, b := theta[block[i]], -theta[first[i]]
					if k == i {
						a, b = a-own, b+mass
					}
					row.add(first[k], a)
					row.add(block[k], b)
				}
				list = append(list, row)
			}
		}
	}
	for _, f := range b.Smooth {
		at := make([]float64, len(f.Cells))
		for i, cell := range f.Cells {
			at[i] = theta[cell]
		}
		for _, g := range f.Equal {
			x := make([]float64, len(at))
			if g.Gradient != nil {
				g.Gradient(x, at)
			} else {
				fd.Gradient(x, g.Value, at, nil)
			}
			list = append(list, Sparse{f.Cells, x})
		}
	}
	return list
}
