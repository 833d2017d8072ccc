package constraint

import "bnlab/internal/presolve"

// Binding returns the number of independent relations that hold the parameters of the
// linked distributions at theta: equalities, proportions, and inequalities that are met
// with equality, on top of the sums to one. It is the number of dimensions that the
// statements take from the data there.
//
// Cells that are multiples of one parameter count as one column from the start, and the
// rest is sparse elimination: time follows the number of terms, unless many long relations
// overlap.
func (p *Problem) Binding(theta []float64) int {
	p.check(theta)
	total := 0
	for _, part := range p.parts {
		total += p.gradients(part, theta, nil).rank() - len(part.rows)
	}
	return total
}

// rank counts the independent relations, ties among them.
//
// Cells that are known multiples of each other, θ_cell = s·φ, take as many relations as
// there are cells less parameters φ. What other relations add to that is the rank of their
// slopes in φ, Σ s·slope over the cells, here times φ where that is positive: so a ratio of
// small probabilities counts like one of large ones.
func (g *gradients) rank() int {
	u := presolve.NewMultiples(len(g.leaf))
	cols := g.cols
	count := 0
	for _, t := range g.ties {
		for i := 1; i < len(t.Cells); i++ {
			a, b := g.leaf[t.Cells[i]], g.leaf[t.Cells[0]]
			joined := u.Root(a) != u.Root(b)
			switch agrees := u.Join(a, b, t.scale(i)/t.scale(0)); {
			case joined:
				count++
			case !agrees: // all of them are zero
				cols = append(cols, g.tie(t, i))
			}
		}
	}
	phi := make([]float64, len(g.leaf)) // by root
	for cell, leaf := range g.leaf {
		root, scale := u.Find(leaf)
		phi[root] = max(phi[root], g.theta[cell]/scale)
	}
	var e presolve.Elimination
	e.Reset(len(g.leaf))
	rows := make([][]presolve.Entry, len(cols))
	for c, col := range cols {
		for _, t := range col {
			root, scale := u.Find(g.leaf[t.cell])
			if phi[root] > 0 {
				scale *= phi[root]
			}
			e.Add(root, scale*t.slope)
		}
		rows[c] = e.Take()
	}
	return count + e.Rank(rows)
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
