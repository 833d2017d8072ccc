package constraint

import (
	"errors"

	"bnlab/internal/linprog"
	"bnlab/internal/presolve"
)

// redundantLimit bounds the linear programs that look for redundant statements: entries
// times relations of a part.
const redundantLimit = 1 << 16

// Redundant returns the places, in the list that was compiled, of statements that cannot
// matter: whatever the data, they hold when the others do. A statement that says the same
// as another makes both redundant. Ratios, functions and parts too large for a small linear
// program are not examined.
func (p *Problem) Redundant() ([]int, error) {
	cannot := make([]bool, len(p.statements))
	for i := range cannot {
		cannot[i] = true
	}
	examined := make([]bool, len(p.statements))
	for _, part := range p.parts {
		bounds := p.impliedBounds(part)
		for _, statement := range p.statementsOf(part.members) {
			examined[statement] = true
			if !cannot[statement] {
				continue
			}
			follows, known := bounds[statement]
			if !known {
				var err error
				if follows, err = p.follows(part, statement); err != nil {
					return nil, err
				}
			}
			cannot[statement] = follows
		}
	}
	var out []int
	for s, c := range cannot {
		if c && examined[s] {
			out = append(out, s)
		}
	}
	return out, nil
}

// impliedBounds finds, of the statements that are inequalities in a part, whether the others imply them: all of them
// from one tableau, which costs hardly more than a few by themselves. It leaves out what it cannot tell.
func (p *Problem) impliedBounds(part *plan) map[int]bool {
	if len(part.members) < 2 || p.isLarge(part) {
		return nil
	}
	q, leaf := p.sumsToOne(part)
	rows, other := make(map[int][]int), make(map[int]bool)
	for _, m := range part.members {
		b, statement := p.bounds[m], p.of[m]
		equal, atMost := b.linear(leaf)
		if len(equal)+len(b.Ratios)+len(b.Smooth) > 0 || b.price > 0 {
			other[statement] = true
		}
		if b.price > 0 {
			continue // need not hold
		}
		for i := range atMost {
			rows[statement] = append(rows[statement], len(q.AtMost)+i)
		}
		q.Equal, q.AtMost = append(q.Equal, equal...), append(q.AtMost, atMost...)
	}
	var statements []int
	var groups [][]int
	for _, s := range p.statementsOf(part.members) {
		if !other[s] {
			statements, groups = append(statements, s), append(groups, rows[s])
		}
	}
	implied, err := linprog.Redundant(q, groups, presolve.FeasibleTol)
	if err != nil {
		return nil // by themselves
	}
	found := make(map[int]bool)
	for i, s := range statements {
		found[s] = implied[i]
	}
	return found
}

// isLarge reports whether a part is too large for a small linear program.
func (p *Problem) isLarge(part *plan) bool {
	relations := len(part.rows)
	for _, m := range part.members {
		b := p.bounds[m]
		relations += len(b.Fixed) + len(b.Equal) + len(b.AtMost)
		for _, t := range b.Ties {
			relations += len(t.Cells) - 1
		}
	}
	return len(part.cells)*relations > redundantLimit
}

// follows reports whether the others imply what a statement says of a part.
func (p *Problem) follows(part *plan, statement int) (bool, error) {
	if p.isLarge(part) {
		return false, nil
	}
	q, leaf := p.sumsToOne(part)
	var claims []claim
	for _, m := range part.members {
		b := p.bounds[m]
		equal, atMost := b.linear(leaf)
		if p.of[m] != statement {
			if b.price > 0 {
				continue // need not hold
			}
			q.Equal, q.AtMost = append(q.Equal, equal...), append(q.AtMost, atMost...)
			continue
		}
		if len(b.Ratios) > 0 || len(b.Smooth) > 0 {
			return false, nil
		}
		for _, r := range equal {
			claims = append(claims, claim{r, true})
		}
		for _, r := range atMost {
			claims = append(claims, claim{r, false})
		}
	}
	for _, c := range claims {
		ok, err := c.follows(q)
		if err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// sumsToOne says of the distributions of a part that each sums to one, with the place of each cell among them.
func (p *Problem) sumsToOne(part *plan) (set linprog.Problem, leaf map[int]int) {
	leaf = make(map[int]int, len(part.cells))
	for i, cell := range part.cells {
		leaf[cell] = i
	}
	set.Len = len(part.cells)
	for _, row := range part.rows {
		lo, hi := p.layout.Row(row.Var, row.Config)
		r := linprog.Row{Value: 1}
		for cell := lo; cell < hi; cell++ {
			r.Index = append(r.Index, leaf[cell])
		}
		set.Equal = append(set.Equal, r)
	}
	return set, leaf
}

// A claim is a relation that may follow from others.
type claim struct {
	linprog.Row
	equal bool
}

func (c claim) follows(q linprog.Problem) (bool, error) {
	signs := []float64{1}
	if c.equal {
		signs = append(signs, -1)
	}
	for _, sign := range signs {
		objective := make([]float64, q.Len)
		for i, at := range c.Index {
			if c.Coef == nil {
				objective[at] += sign
			} else {
				objective[at] += sign * c.Coef[i]
			}
		}
		most, _, err := linprog.Maximise(q, objective)
		switch {
		case errors.Is(err, linprog.ErrUnbounded):
			return false, nil
		case err != nil:
			return false, err
		case most > sign*c.Value+presolve.FeasibleTol:
			return false, nil
		}
	}
	return true, nil
}

// linear gives what a bound says linearly, over the leaves of its part.
func (b Bound) linear(leaf map[int]int) (equal, atMost []linprog.Row) {
	row := func(l Linear) linprog.Row {
		r := linprog.Row{Coef: l.Coef, Value: l.Value}
		for _, cell := range l.Cells {
			r.Index = append(r.Index, leaf[cell])
		}
		return r
	}
	for _, f := range b.Fixed {
		equal = append(equal, linprog.Row{Index: []int{leaf[f.Cell]}, Value: f.P})
	}
	for _, t := range b.Ties {
		for i := 1; i < len(t.Cells); i++ {
			equal = append(equal, linprog.Row{
				Index: []int{leaf[t.Cells[0]], leaf[t.Cells[i]]},
				Coef:  []float64{t.scale(i), -t.scale(0)},
			})
		}
	}
	for _, l := range b.Equal {
		equal = append(equal, row(l))
	}
	for _, l := range b.AtMost {
		atMost = append(atMost, row(l))
	}
	return equal, atMost
}

// Binding returns the number of independent relations that hold the parameters of the
// linked distributions at theta: equalities, proportions, and inequalities that are met
// with equality, on top of the sums to one. Entries that statements force to zero, such as those
// beside one that is fixed at 1, are among them. It is the number of dimensions that the
// statements take from the data there.
//
// Cells that are multiples of one parameter count as one column from the start, and the
// rest is sparse elimination: time follows the number of terms, unless many long relations
// overlap.
func (p *Problem) Binding(theta []float64) int {
	p.check(theta)
	total := 0
	for _, part := range p.parts {
		g := p.gradients(part, theta, nil)
		for _, leaf := range part.leavesOf(part.zero...) { // those of a row in which others add up to 1, too
			g.cols = append(g.cols, []slope{{part.cells[leaf], 1}})
		}
		total += g.rank() - len(part.rows)
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

// Inequalities returns the number of inequalities that the statements amount to.
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
