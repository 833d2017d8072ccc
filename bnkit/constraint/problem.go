package constraint

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
)

// A Problem is the estimation of all tables of a network under statements. It
// does not change once compiled and may be used by several goroutines.
type Problem struct {
	layout bn.Layout
	net    *bn.Network
	bounds []Bound
	free   []Row  // rows that no statement touches
	parts  []part // groups of rows linked by statements
}

// A part is solved by itself.
type part interface {
	// maximize writes the entries of its rows.
	maximize(dst, n []float64)
	// flags reports what the counts leave open.
	flags(p *Problem, n []float64) map[Row][]Flag
	// addPrior makes the effective counts of the entries whose statements carry a
	// prior of their own, and reports which entries those are.
	addPrior(n []float64, own []bool)
}

// Compile binds statements to the tables of net. It returns an error that names
// the statement for an unknown variable or state, a statement of the wrong kind
// of variable, a group that is empty, or, wrapping [ErrOverlap], statements that
// meet in one distribution and have no joint method.
func Compile(net *bn.Network, statements ...Constraint) (*Problem, error) {
	p := &Problem{layout: net.Layout(), net: net}
	var of []Constraint
	for i, s := range statements {
		if s == nil {
			return nil, fmt.Errorf("constraint: statement %d is nil", i+1)
		}
		bounds, err := s.Bind(net)
		if err != nil {
			return nil, err
		}
		for _, b := range bounds {
			p.bounds, of = append(p.bounds, b), append(of, s)
		}
	}
	linked := link(p.bounds)
	taken := make(map[Row]bool)
	for _, members := range linked {
		part, err := newShared(p.layout, p.bounds, members, of)
		if err != nil {
			return nil, err
		}
		p.parts = append(p.parts, part)
		for _, row := range part.rows {
			taken[row] = true
		}
	}
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			for config := range t.Configs().Len() {
				if !taken[Row{v, config}] {
					p.free = append(p.free, Row{v, config})
				}
			}
		}
	}
	return p, nil
}

// link gathers the bounds that share a row, directly or through others. Each
// group and the groups themselves are in order of first appearance.
func link(bounds []Bound) [][]int {
	root := make([]int, len(bounds))
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	first := make(map[Row]int)
	for i, b := range bounds {
		root[i] = i
		for _, row := range b.Links {
			if j, ok := first[row]; ok {
				a, b := find(i), find(j)
				root[max(a, b)] = min(a, b)
			} else {
				first[row] = i
			}
		}
	}
	var groups [][]int
	place := make(map[int]int)
	for i := range bounds {
		r := find(i)
		at, ok := place[r]
		if !ok {
			at = len(groups)
			place[r] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

// Layout numbers the parameters of the problem.
func (p *Problem) Layout() bn.Layout { return p.layout }

// Maximize writes to dst the parameters that maximise Σ n log θ under the
// statements. Both slices follow the layout; n are counts, expected counts or
// counts plus pseudocounts, not negative. Where the counts leave a distribution
// open it is made uniform within what the statements fix; [Problem.Flags] says
// where. Nothing is allocated. It panics when the lengths are not the layout's.
func (p *Problem) Maximize(dst, n []float64) {
	if len(dst) != p.layout.Len() || len(n) != p.layout.Len() {
		panic(fmt.Sprintf("constraint: %d and %d entries for %d parameters", len(dst), len(n), p.layout.Len()))
	}
	for _, row := range p.free {
		lo, hi := p.layout.Row(row.Var, row.Config)
		total := 0.0
		for _, x := range n[lo:hi] {
			total += x
		}
		for i := lo; i < hi; i++ {
			if total > 0 {
				dst[i] = n[i] / total
			} else {
				dst[i] = 1 / float64(hi-lo)
			}
		}
	}
	for _, part := range p.parts {
		part.maximize(dst, n)
	}
}

// AddPrior turns counts into effective counts, in place: to each entry its
// pseudocount is added, except that a parameter whose statement carries a
// constrained Dirichlet count α of its own gets α−1 in all; its entries then have
// equal parts of the sum. With the result Maximize gives the mode of the Dirichlet density
// restricted to the statements. An error that wraps [ErrNoMode] names the first
// entry whose effective count is negative. It panics when the lengths are not the
// layout's.
func (p *Problem) AddPrior(n, pseudocounts []float64) error {
	if len(n) != p.layout.Len() || len(pseudocounts) != p.layout.Len() {
		panic(fmt.Sprintf("constraint: %d and %d entries for %d parameters", len(n), len(pseudocounts), p.layout.Len()))
	}
	own := make([]bool, len(n))
	for _, part := range p.parts {
		part.addPrior(n, own)
	}
	for cell, a := range pseudocounts {
		if !own[cell] {
			n[cell] += a
		}
		if !(n[cell] >= 0) || math.IsInf(n[cell], 1) {
			return fmt.Errorf("constraint: %w: the effective count of P(%s) is %v; give prior counts of at least one (pseudocounts of at least zero), or more data", ErrNoMode, p.Name(cell), n[cell])
		}
	}
	return nil
}

// Violation is the largest amount by which theta breaks a statement.
func (p *Problem) Violation(theta []float64) float64 {
	worst := 0.0
	for _, b := range p.bounds {
		worst = max(worst, b.Violation(theta))
	}
	return worst
}

// Name spells a parameter, as in "grass=wet | rain=yes, sprinkler=off".
func (p *Problem) Name(cell int) string {
	v, config, state := p.layout.Locate(cell)
	name := p.net.Variable(v).Name + "=" + p.net.Variable(v).States[state]
	if given := p.given(Row{v, config}); given != "" {
		name += " | " + given
	}
	return name
}

func (p *Problem) given(row Row) string {
	t := p.net.CPT(row.Var)
	g := ""
	for i, state := range t.ConfigNames(row.Config) {
		if i > 0 {
			g += ", "
		}
		g += t.Parents[i].Name + "=" + state
	}
	return g
}
