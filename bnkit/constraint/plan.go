package constraint

import (
	"bnlab/internal/auglag"
	"bnlab/internal/cores"
	"bnlab/internal/presolve"
	"cmp"
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
)

// A plan is how one part is solved: steps that reduce its table entries to fewer nodes,
// and the cores, if any, that are left over. It does not change once made. (N06 §4: independent subproblems.)
type plan struct {
	rows    []Row
	members []int // of the problem's bounds
	cells   []int // by leaf, the table entry
	nodes   int
	steps   []presolve.Step
	cores   []*cores.Core
	zero    []int // nodes that the statements force to zero
}

// newPlan reduces a part.
func newPlan(layout bn.Layout, bounds []Bound, members []int, s *presolve.Scratch) (*plan, error) {
	p := &plan{members: members}
	leaf := s.Leaf
	for _, m := range members {
		p.rows = append(p.rows, bounds[m].Links...)
	}
	slices.SortFunc(p.rows, func(a, b Row) int { return cmp.Or(a.Var-b.Var, a.Config-b.Config) })
	p.rows = slices.Compact(p.rows)
	size := 0
	for _, row := range p.rows {
		lo, hi := layout.Row(row.Var, row.Config)
		size += hi - lo
	}
	p.cells = s.KeptInts.Take(size)[:0]
	for _, row := range p.rows {
		lo, hi := layout.Row(row.Var, row.Config)
		for cell := lo; cell < hi; cell++ {
			leaf[cell] = int32(len(p.cells))
			p.cells = append(p.cells, cell)
		}
	}
	outside := -1 // a cell of no linked distribution
	local := func(cells []int) []int {
		list := s.Ints.Take(len(cells))
		for i, cell := range cells {
			if at, ok := p.leaf(leaf, cell); ok {
				list[i] = at
			} else {
				outside = cell
			}
		}
		return list
	}
	var ratios []presolve.Ratio
	smooth := false
	var sets *causes
	for _, m := range members {
		if bounds[m].product != nil {
			sets = bounds[m].product
		}
		for _, r := range bounds[m].Ratios {
			blocks := make([][]int, len(r.Blocks))
			for g, block := range r.Blocks {
				blocks[g] = local(block)
			}
			ratios = append(ratios, presolve.Ratio{Blocks: blocks})
		}
		smooth = smooth || len(bounds[m].Smooth) > 0
	}
	fresh := func(tieFirst bool) (*presolve.Program, *presolve.Tying, error) {
		prog := newProgram(layout, p.rows, s, size, len(members))
		t, err := addLinear(prog, bounds, members, local, tieFirst)
		return prog, t, err
	}
	prog, _, err := fresh(!smooth && len(ratios) == 0)
	if err != nil {
		return nil, err
	}
	if outside >= 0 {
		return nil, fmt.Errorf("a bound speaks of table entry %d, whose distribution is not among its Links", outside)
	}
	if sets != nil {
		p.nodes = prog.Nodes
		c, err := noisyORCore(prog, sets, layout, p.rows, bounds, members, local, &p.zero)
		if err != nil {
			return nil, err
		}
		p.cores = []*cores.Core{c}
		return p, nil
	}
	general := smooth
	if len(ratios) > 0 && !smooth {
		trial := prog.Clone()
		general = !trial.Factor(ratios)
		if general { // ties may join corresponding places of blocks
			tiedFirst, t, err := fresh(true)
			if err != nil {
				return nil, err
			}
			if moved, ok := t.Ratios(ratios); ok && tiedFirst.Factor(moved) {
				trial, general = tiedFirst, false
			}
		}
		if !general {
			prog = trial
		}
	}
	if general {
		p.nodes = prog.Nodes
		if slices.ContainsFunc(prog.Relations, func(r presolve.Relation) bool { return r.Price > 0 }) {
			return nil, fmt.Errorf("%w: an influence as a penalty does not go with proportions or formulas in the "+
				"same distributions; compile it as one that has to hold, or leave one of them out", ErrOverlap)
		}
		zero, negative := functionsOf(bounds, members, local)
		c, err := cores.NewCurved(prog, ratios, zero, negative, &p.zero)
		if err != nil {
			return nil, err
		}
		p.cores = []*cores.Core{c}
		return p, nil
	}
	if err := prog.Reduce(); err != nil {
		return nil, err
	}
	p.nodes, p.steps = prog.Nodes, prog.Steps
	for _, s := range p.steps {
		if f, ok := s.(*presolve.Fixed); ok && f.Value == 0 {
			p.zero = append(p.zero, f.Node)
		}
	}
	for _, relations := range prog.Components() {
		c, err := cores.New(relations, prog.Leaves, &p.zero)
		if err != nil {
			return nil, err
		}
		if c.CanImprove() {
			c.Origins = p.origins(c.Nodes)
		}
		p.cores = append(p.cores, c)
	}
	return p, nil
}

// leaf returns the place of a table entry among those of the part.
func (p *plan) leaf(leaf []int32, cell int) (at int, ok bool) {
	if cell < 0 || cell >= len(leaf) {
		return 0, false
	}
	at = int(leaf[cell])
	return at, at < len(p.cells) && p.cells[at] == cell
}

// newProgram has a node for each table entry of the rows, which add up to 1.
func newProgram(layout bn.Layout, rows []Row, s *presolve.Scratch, size, members int) *presolve.Program {
	p := presolve.NewProgram(s, size, 2*len(rows)+members)
	for _, row := range rows {
		lo, hi := layout.Row(row.Var, row.Config)
		p.AddSum(hi - lo)
	}
	return p
}

// addLinear adds what the bounds say linearly. Ties join nodes at once when they are to
// come first, and are returned; otherwise they are relations, which ratios can see.
func addLinear(p *presolve.Program, bounds []Bound, members []int, local func([]int) []int,
	tieFirst bool) (*presolve.Tying, error) {
	for _, m := range members {
		b := bounds[m]
		for _, f := range b.Fixed {
			p.AddFixed(local([]int{f.Cell})[0], f.P)
		}
		for _, t := range b.Ties {
			nodes := local(t.Cells)
			for i, node := range nodes[1:] {
				ratio := t.scale(i+1) / t.scale(0)
				if !tieFirst {
					p.AddMultiple(nodes[0], node, ratio)
				} else if err := p.Join(node, nodes[0], ratio); err != nil {
					return nil, err
				}
			}
		}
		for k, list := range [][]Linear{b.Equal, b.AtMost} {
			for _, l := range list {
				p.AddRelation(presolve.Relation{Index: local(l.Cells), Coef: l.Coef, Value: l.Value, AtMost: k == 1,
					Price: b.price})
			}
		}
	}
	return p.ReplaceJoined(), nil
}

// maximize writes the entries of the part's rows. The reports of the cores go to report,
// when it is not nil.
func (p *plan) maximize(dst, n []float64, w *cores.Workspace, report func(cores.Report)) error {
	p.pool(n, w)
	for _, node := range p.zero {
		if w.N[node] > 0 {
			return p.forced(node, w.N[node])
		}
	}
	for _, c := range p.cores {
		r, err := c.Maximize(w)
		if err != nil {
			return err
		}
		if report != nil {
			report(r)
		}
	}
	p.expand(dst, w)
	return nil
}

func (p *plan) pool(n []float64, w *cores.Workspace) {
	for leaf, cell := range p.cells {
		w.N[leaf] = n[cell]
	}
	for _, s := range p.steps {
		s.Pool(w.N)
	}
}

func (p *plan) expand(dst []float64, w *cores.Workspace) {
	for i := len(p.steps) - 1; i >= 0; i-- {
		p.steps[i].Expand(w.X, w.N)
	}
	for leaf, cell := range p.cells {
		dst[cell] = w.X[leaf]
	}
}

// forced is the error for n cases of a node that is zero.
func (p *plan) forced(node int, n float64) error {
	e := &cores.ForcedError{Node: node, N: n}
	for _, c := range p.cores {
		e.Unresolved = e.Unresolved || c.IsUnresolved(node)
	}
	return e
}

// leavesOf returns the leaves behind any of some nodes, given that steps only join.
func (p *plan) leavesOf(nodes ...int) []int {
	behind := make([]bool, p.nodes)
	for _, node := range nodes {
		behind[node] = true
	}
	for i := len(p.steps) - 1; i >= 0; i-- {
		switch s := p.steps[i].(type) {
		case *presolve.Tied:
			if behind[s.Node] {
				for _, old := range s.Old {
					behind[old] = true
				}
			}
		case *presolve.Split:
			if behind[s.Node] {
				for _, old := range s.Old {
					behind[old] = true
				}
			}
		case *presolve.Shaped:
			for g, block := range s.Old {
				for k, old := range block {
					if behind[s.Mass[g]] || behind[s.Shape[k]] {
						behind[old] = true
					}
				}
			}
		}
	}
	var out []int
	for leaf := range p.cells {
		if behind[leaf] {
			out = append(out, leaf)
		}
	}
	return out
}

// functionsOf gathers the functions of bounds, those that are zero and those that are at most that.
func functionsOf(bounds []Bound, members []int, local func([]int) []int) (zero, negative []auglag.Function) {
	for _, m := range members {
		for _, f := range bounds[m].Smooth {
			index := local(f.Cells)
			for _, g := range f.Equal {
				zero = append(zero, auglag.Function{Index: index, Value: g.Value, Gradient: g.Gradient,
					Hessian: g.Hessian})
			}
			for _, h := range f.AtMost {
				negative = append(negative, auglag.Function{Index: index, Value: h.Value, Gradient: h.Gradient,
					Hessian: h.Hessian})
			}
		}
	}
	return zero, negative
}
