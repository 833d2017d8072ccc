package constraint

import (
	"bnlab/internal/presolve"

	"gonum.org/v1/gonum/mat"
)

// DenseBinding is Binding by singular values of all slopes at once: rows times θ where that
// is positive, columns of unit length. It fits small problems with no small probabilities.
func (p *Problem) DenseBinding(theta []float64) int {
	total := 0
	for _, part := range p.parts {
		g := p.gradients(part, theta, nil)
		g.addTies()
		a := mat.NewDense(len(g.leaf), len(g.cols), nil)
		for c, col := range g.cols {
			for _, t := range col {
				scale := 1.0
				if theta[t.cell] > 0 {
					scale = theta[t.cell]
				}
				a.Set(g.leaf[t.cell], c, a.At(g.leaf[t.cell], c)+t.slope*scale)
			}
		}
		for c := range g.cols {
			col := a.ColView(c).(*mat.VecDense)
			if norm := mat.Norm(col, 2); norm > 0 {
				col.ScaleVec(1/norm, col)
			}
		}
		total += presolve.Rank(a) - len(part.rows)
	}
	return total
}
