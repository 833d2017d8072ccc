package constraint

import (
	"fmt"

	"bnlab/internal/nnls"
)

// A Multiplier says how hard a relation of a statement presses on the estimate.
type Multiplier struct {
	Statement Constraint
	// Relation is the relation in words, as in "P(X=a) + P(X=b) ≤ 0.3".
	Relation string
	// Active: the relation holds with equality, or is broken at a price. Equalities are always active.
	Active bool
	// Multiplier is the Lagrange multiplier: by how many nats the objective would rise for
	// each unit by which the right side of the relation were larger. Zero when not active.
	Multiplier float64
}

// forceLimit bounds the work for the multipliers of a part: entries times relations
// squared.
const forceLimit = 1 << 28

// Multipliers returns the multipliers of the known values, sums and bounds that statements
// have, one for each relation; those of plain and proportional sharing are solved for too,
// but not reported, since many values are as good. They are found afresh from
// the estimate, as the non-negative least squares solution of
//
//	n_j = θ_j Σ_c λ_c ∂c/∂θ_j
//
// whose residual, relative to the cases, is the second result: a check of the estimate
// that does not depend on how it was found. It is the worst over parts, without those that
// are too large, which [Solution.LeftOut] lists.
func (s *Solution) Multipliers() (forces []Multiplier, residual float64, err error) {
	for _, part := range s.problem.parts {
		list, r, err := s.forces(part)
		if err != nil {
			return nil, 0, err
		}
		forces, residual = append(forces, list...), max(residual, r)
	}
	return forces, residual, nil
}

// LeftOut lists the parts, by place in Parts, that are too large for [Solution.Forces]: it
// has no forces of theirs, and its residual says nothing of them.
func (s *Solution) LeftOut() []int {
	var out []int
	for i, part := range s.problem.parts {
		if s.slopes(part, nil).large() {
			out = append(out, i)
		}
	}
	return out
}

// slopes gathers all relations of a part, ties among them.
func (s *Solution) slopes(part *plan, told telling) *gradients {
	g := s.problem.gradients(part, s.Theta, told)
	g.addTies()
	return g
}

// large reports whether there is too much work for the multipliers.
func (g *gradients) large() bool {
	return float64(len(g.leaf))*float64(len(g.cols))*float64(len(g.cols)) > forceLimit
}

func (s *Solution) forces(part *plan) (forces []Multiplier, residual float64, err error) {
	g := s.slopes(part, func(statement int, relation string, active bool) int {
		forces = append(forces, Multiplier{Statement: s.problem.statements[statement], Relation: relation,
			Active: active})
		return len(forces) - 1
	})
	if g.large() {
		return nil, 0, nil
	}
	b := make([]float64, len(part.cells))
	for leaf, cell := range part.cells {
		b[leaf] = s.counts[cell]
	}
	cases := total(b)
	if cases == 0 {
		return forces, 0, nil // nothing presses
	}
	for _, paid := range g.paid {
		for i, cell := range paid.Cells {
			b[g.leaf[cell]] -= paid.price * paid.coef(i) * s.Theta[cell]
		}
		forces[paid.of].Multiplier = paid.price
	}
	lambda, residual, err := nnls.Solve(g.matrix(), b, g.free)
	if err != nil {
		return nil, 0, fmt.Errorf("constraint: multipliers: %w", err)
	}
	for c, of := range g.of {
		if of >= 0 {
			forces[of].Multiplier = lambda[c]
		}
	}
	return forces, residual / cases, nil
}
