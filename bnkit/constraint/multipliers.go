package constraint

import (
	"bnlab/internal/nnls"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// A Multiplier is the shadow price of a relation of a statement at the estimate.
type Multiplier struct {
	Statement Constraint
	// Relation is the relation in words, as in "P(X=a) + P(X=b) ≤ 0.3".
	Relation string
	// Active: the relation holds with equality, or is violated under a penalty. Equalities are always active.
	Active bool
	// Value is the Lagrange multiplier: by how many nats the objective would rise for
	// each unit by which the right side of the relation were larger. Zero when not active.
	Value float64
}

// multiplierLimit bounds the work for the multipliers of a part: entries times relations
// squared.
const multiplierLimit = 1 << 28

// Multipliers returns the multipliers of the fixed values, sums and bounds that statements
// have, one for each relation; those of plain and proportional sharing are solved for too,
// but not reported, since many values are as good. They are found afresh from
// the estimate, as the non-negative least squares solution of
//
//	n_j = θ_j Σ_c λ_c ∂c/∂θ_j
//
// whose residual, relative to the cases, is the second result: a check of the estimate
// that does not depend on how it was found. It is the worst over parts, without those that
// are too large, which [Solution.LeftOut] lists. (N06 §3.2: the Karush–Kuhn–Tucker conditions.)
func (s *Solution) Multipliers() (multipliers []Multiplier, residual float64, err error) {
	for _, part := range s.problem.parts {
		list, r, err := s.multipliers(part)
		if err != nil {
			return nil, 0, err
		}
		multipliers, residual = append(multipliers, list...), max(residual, r)
	}
	return multipliers, residual, nil
}

// LeftOut lists the parts, by place in Parts, that are too large for [Solution.Multipliers]: it
// has no multipliers of theirs, and its residual says nothing of them.
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
	return float64(len(g.leaf))*float64(len(g.cols))*float64(len(g.cols)) > multiplierLimit
}

func (s *Solution) multipliers(part *plan) (multipliers []Multiplier, residual float64, err error) {
	g := s.slopes(part, func(statement int, relation string, active bool) int {
		multipliers = append(multipliers, Multiplier{Statement: s.problem.statements[statement], Relation: relation,
			Active: active})
		return len(multipliers) - 1
	})
	if g.large() {
		return nil, 0, nil
	}
	b := make([]float64, len(part.cells))
	for leaf, cell := range part.cells {
		b[leaf] = s.counts[cell]
	}
	cases := num.Sum(b)
	if cases == 0 {
		return multipliers, 0, nil // nothing presses
	}
	for _, paid := range g.paid {
		for i, cell := range paid.Cells {
			b[g.leaf[cell]] -= paid.price * paid.coef(i) * s.Theta[cell]
		}
		multipliers[paid.of].Value = paid.price
	}
	lambda, residual, err := nnls.Solve(g.matrix(), b, g.free)
	if err != nil {
		return nil, 0, say.Errorf("constraint: multipliers: %w", err)
	}
	for c, of := range g.of {
		if of >= 0 {
			multipliers[of].Value = lambda[c]
		}
	}
	return multipliers, residual / cases, nil
}
