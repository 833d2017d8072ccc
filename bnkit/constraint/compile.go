package constraint

import (
	"bnlab/internal/cores"
	"bnlab/internal/presolve"
	"bnlab/internal/say"
	"errors"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/internal/pool"
)

// Compile binds statements to the tables of net and finds, before any data are seen, how
// each group of linked distributions will be solved. It returns an error that names the
// statement for an unknown variable or state, a statement of the wrong kind of variable
// or a group that is empty; and one that wraps [ErrInfeasible] and names the smallest set
// of statements that contradict each other; statements that could hold only with
// probabilities of zero, such as P(a) ≤ P(b)/2 and P(b) ≤ P(a)/2, count as contradictions.
func Compile(net *bn.Network, statements ...Constraint) (*Problem, error) {
	return compile(net, 0, statements)
}

var errNoNetwork = errors.New("constraint: no network; make one with bn.New and check its error")

// compile turns influences and synergies into penalties of that price for each unit of violation when it is positive.
func compile(net *bn.Network, price float64, statements []Constraint) (*Problem, error) {
	if net == nil {
		return nil, errNoNetwork
	}
	p := &Problem{layout: net.Layout(), net: net, statements: statements}
	bound := make([][]Bound, len(statements))
	errs := make([]error, len(statements))
	pool.Each(len(statements), pool.Workers(0), func(i int) {
		if isNil(statements[i]) {
			errs[i] = fmt.Errorf("constraint: statement %d is nil", i+1)
			return
		}
		bound[i], errs[i] = bind(net, price, statements[i])
	})
	count := 0
	for i, err := range errs {
		if err != nil {
			return nil, err
		}
		count += len(bound[i])
	}
	if err := checkSigns(statements); err != nil {
		return nil, err
	}
	p.bounds, p.of = make([]Bound, 0, count), make([]int, 0, count)
	for i := range bound {
		for _, b := range bound[i] {
			if len(b.Shares) > 0 {
				continue // of linear-Gaussian nodes
			}
			for _, row := range b.Links {
				if row.Var < 0 || row.Var >= net.Len() || net.CPT(row.Var) == nil || row.Config < 0 ||
					row.Config >= net.CPT(row.Var).Configs().Len() {
					return nil, say.Errorf("constraint: %q links configuration %d of variable %d, which has no such "+
						"distribution", statements[i], row.Config, row.Var)
				}
			}
			p.bounds, p.of = append(p.bounds, b), append(p.of, i)
			for _, t := range b.Ties {
				if t.Alpha > 0 {
					p.priors = append(p.priors, t)
				}
			}
		}
	}
	if err := p.ownPriors(); err != nil {
		return nil, err
	}
	if err := p.checkSets(); err != nil {
		return nil, err
	}
	if err := p.plan(); err != nil {
		return nil, err
	}
	nodes := 0
	taken := make([]bool, p.layout.Len()) // by the first entry of a row
	for _, part := range p.parts {
		if len(part.zero) > 0 {
			if p.impossible == nil {
				p.impossible = make([]bool, p.layout.Len())
			}
			for _, leaf := range part.leavesOf(part.zero...) {
				p.impossible[part.cells[leaf]] = true
			}
		}
		for _, row := range part.rows {
			lo, _ := p.layout.Row(row.Var, row.Config)
			taken[lo] = true
		}
		nodes = max(nodes, part.nodes)
	}
	p.spaces.Fresh = func() *cores.Workspace { return cores.NewWorkspace(nodes) }
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			for config := range t.Configs().Len() {
				if lo, _ := p.layout.Row(v, config); taken[lo] {
					continue
				}
				if last := len(p.free) - 1; last >= 0 && p.free[last].v == v && p.free[last].to == config {
					p.free[last].to++
				} else {
					p.free = append(p.free, span{v, config, config + 1})
				}
			}
		}
	}
	return p, nil
}

// plan reduces the parts, which do not depend on each other.
func (p *Problem) plan() error {
	groups := link(p.layout, p.bounds)
	p.parts = make([]*plan, len(groups))
	errs := make([]error, len(groups))
	pool.Share(len(groups), pool.Workers(0), func() func(int) {
		s := &presolve.Scratch{Leaf: make([]int32, p.layout.Len())}
		return func(i int) { p.parts[i], errs[i] = newPlan(p.layout, p.bounds, groups[i], s) }
	})
	for i, err := range errs {
		if err != nil {
			return p.contradiction(groups[i], err)
		}
	}
	return nil
}

// link gathers the bounds that share a row, directly or through others. Each
// group and the groups themselves are in order of first appearance.
func link(layout bn.Layout, bounds []Bound) [][]int {
	u := presolve.NewMultiples(len(bounds))
	first := make([]int32, layout.Len()) // by the first entry of a row, its first bound plus one
	for i, b := range bounds {
		for _, row := range b.Links {
			lo, _ := layout.Row(row.Var, row.Config)
			if first[lo] > 0 {
				u.Join(i, int(first[lo])-1, 1)
			} else {
				first[lo] = int32(i) + 1
			}
		}
	}
	var groups [][]int
	place := make([]int32, len(bounds)) // by root, in groups, plus one
	for i := range bounds {
		r := u.Root(i)
		if place[r] == 0 {
			groups = append(groups, make([]int, 0, u.Size[r]))
			place[r] = int32(len(groups))
		}
		at := place[r] - 1
		groups[at] = append(groups[at], i)
	}
	return groups
}

// ownPriors refuses two Dirichlet counts for one parameter.
func (p *Problem) ownPriors() error {
	if len(p.priors) == 0 {
		return nil
	}
	seen := make(map[int]bool)
	for _, t := range p.priors {
		for _, cell := range t.Cells {
			if seen[cell] {
				return say.Errorf("constraint: %w: two statements give a Dirichlet count to P(%s); leave Alpha nil "+
					"in one of them", ErrOverlap, p.Name(cell))
			}
			seen[cell] = true
		}
	}
	return nil
}
