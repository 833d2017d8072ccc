package constraint

import (
	"gonum.org/v1/gonum/mat"
)

// Binding returns the number of independent relations that hold the parameters of the
// linked distributions at theta: equalities, proportions, and inequalities that are met
// with equality, on top of the sums to one. It is the number of dimensions that the
// statements take from the data there.
func (p *Problem) Binding(theta []float64) int {
	p.check(theta)
	total := 0
	for _, part := range p.parts {
		g := p.gradients(part, theta, func(int, string, bool) int { return -1 })
		total += g.rank() - len(part.rows)
	}
	return total
}

// rankTol is the singular value, relative to the largest, below which relations depend on
// each other.
const rankTol = 1e-9

func (g *gradients) rank() int { return rank(g.matrix(false)) }

// rank counts the independent rows of a.
func rank(a *mat.Dense) int {
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDNone) {
		return min(a.Dims())
	}
	values := svd.Values(nil)
	count := 0
	for _, v := range values {
		if v > rankTol*values[0] {
			count++
		}
	}
	return count
}

// Inequalities is the number of inequalities that the statements amount to.
func (p *Problem) Inequalities() int {
	n := 0
	for _, b := range p.bounds {
		n += len(b.AtMost)
		for _, s := range b.Smooth {
			n += len(s.AtMost)
		}
	}
	return n
}
