package constraint

import (
	"math"

	"bnlab/internal/cores"
	"bnlab/internal/num"
	"bnlab/internal/presolve"
)

// Improve writes to dst what [Problem.Maximize] does, starting at from, parameters that satisfy
// the statements, such as those of the iteration before: with it the M-step of EM under
// influences takes a few Newton steps. It promises less: dst satisfies the statements, and
//
//	Σ n log θ − Penalty(θ)
//
// is no lower at dst than at from in any group of linked distributions, counts below 1e-12 of the
// group's apart; so that EM with it is a generalised EM, whose objective never falls. Today it is
// the exact maximum wherever Maximize is; only a group with formulas or proportions that others cut
// across, which has several local maxima, may stay at from. At its fixed points every group is at
// such a maximum. dst may be from. From need not be positive, and where it breaks a statement it
// counts as no more than a hint. Errors and panics are those of Maximize. (N06 Algorithm 1, the M-step; W00
// §4.4 leaves it open for its Eq. 4.)
func (p *Problem) Improve(dst, n, from []float64) error {
	p.check(dst, n, from)
	if err := p.checkCounts(n); err != nil {
		return err
	}
	w := p.spaces.Take()
	defer p.spaces.Give(w)
	for _, part := range p.parts {
		if err := p.improve(part, dst, n, from, w); err != nil {
			return p.unsolved(part, err)
		}
	}
	p.maximizeFree(dst, n)
	return nil
}

func (p *Problem) improve(part *plan, dst, n, from []float64, w *cores.Workspace) error {
	for leaf, cell := range part.cells {
		w.From[leaf] = from[cell]
	}
	before := p.objective(part, from, n)
	w.Start = w.From
	err := part.maximize(dst, n, w, nil)
	w.Start = nil
	if err != nil {
		return err
	}
	if !(p.objective(part, dst, n) < before) {
		return nil
	}
	now := w.X[:len(part.cells)] // done with
	for leaf, cell := range part.cells {
		now[leaf], dst[cell] = dst[cell], w.From[leaf]
	}
	if !(p.violation(part, dst) <= presolve.FeasibleTol) {
		for leaf, cell := range part.cells {
			dst[cell] = now[leaf]
		}
	}
	return nil
}

// objective of a part, without what has hardly any counts.
func (p *Problem) objective(part *plan, theta, n []float64) float64 {
	all, value := 0.0, 0.0
	for _, cell := range part.cells {
		all += n[cell]
	}
	for _, cell := range part.cells {
		if n[cell] > cores.Faint*all {
			value += n[cell] * math.Log(theta[cell])
		}
	}
	for _, m := range part.members {
		value -= p.bounds[m].penalty(theta)
	}
	return value
}

// violation is the largest amount by which theta breaks a statement about a part, the sums
// to one among them.
func (p *Problem) violation(part *plan, theta []float64) float64 {
	worst := 0.0
	for _, row := range part.rows {
		lo, hi := p.layout.Row(row.Var, row.Config)
		worst = max(worst, math.Abs(num.Sum(theta[lo:hi])-1))
		for _, x := range theta[lo:hi] {
			worst = max(worst, -x)
		}
	}
	for _, m := range part.members {
		worst = max(worst, p.bounds[m].Violation(theta))
	}
	return worst
}

// origins finds, for nodes, entries of which each is a multiple: those are known at a point before
// anything is solved. It returns nil when a node has no origin.
func (p *plan) origins(nodes []int) []cores.Origin {
	out := make([]cores.Origin, len(nodes))
	for i, node := range nodes {
		at := cores.Origin{Leaf: node, Scale: 1}
		for at.Leaf >= len(p.cells) {
			t := p.tying(at.Leaf)
			if t == nil {
				return nil
			}
			at = cores.Origin{Leaf: t.Old[0], Scale: at.Scale / t.Scale[0]}
		}
		out[i] = at
	}
	return out
}

// tying is the step that made a node of its multiples, if one did.
func (p *plan) tying(node int) *presolve.Tied {
	for _, s := range p.steps {
		if t, ok := s.(*presolve.Tied); ok && t.Node == node {
			return t
		}
	}
	return nil
}
