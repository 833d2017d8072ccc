package constraint

import (
	"bnlab/internal/cores"
	"bnlab/internal/presolve"
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/pool"
	"bnlab/internal/spare"
)

// A Problem is the estimation of all tables of a network under statements. It
// does not change once compiled and may be used by several goroutines.
type Problem struct {
	layout     bn.Layout
	net        *bn.Network
	statements []Constraint
	bounds     []Bound
	of         []int // by bound, its statement
	free       []Row // rows that no statement touches
	parts      []*plan
	priors     []Tie  // those with a Dirichlet count of their own
	impossible []bool // by table entry, what the statements make zero; nil if nothing
	spaces     spare.List[*cores.Workspace]
}

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
					return nil, fmt.Errorf("constraint: %q links configuration %d of variable %d, which has no such "+
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
				if lo, _ := p.layout.Row(v, config); !taken[lo] {
					p.free = append(p.free, Row{v, config})
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
				return fmt.Errorf("constraint: %w: two statements give a Dirichlet count to P(%s); leave Alpha nil "+
					"in one of them", ErrOverlap, p.Name(cell))
			}
			seen[cell] = true
		}
	}
	return nil
}

// Layout numbers the parameters of the problem.
func (p *Problem) Layout() bn.Layout { return p.layout }

// Statements returns the statements that the problem was compiled from.
func (p *Problem) Statements() []Constraint { return p.statements }

// Maximize writes to dst the parameters that maximise Σ n log θ under the
// statements: the M-step of EM, and, with counts, the whole of maximum likelihood. Both
// slices follow the layout; n are counts, expected counts or counts plus pseudocounts,
// not negative. Where the counts leave a distribution open its entries have equal parts
// of what the statements leave; [Problem.Solve] says where. Where there is a closed form,
// nothing is allocated after the first call. It returns an error that wraps
// [ErrInfeasible] when the statements leave no probability for something that has counts,
// one for a solver that does not converge, [bn.ErrTooLarge] for counts that float64 cannot add up, and one that names a
// count that is negative or not finite. It panics when the lengths are not the layout's.
func (p *Problem) Maximize(dst, n []float64) error {
	return p.maximize(dst, n, nil)
}

func (p *Problem) maximize(dst, n []float64, report func(*plan, cores.Report)) error {
	p.check(dst, n)
	if err := p.checkCounts(n); err != nil {
		return err
	}
	p.maximizeFree(dst, n)
	w := p.spaces.Take()
	defer p.spaces.Give(w)
	for _, part := range p.parts {
		var each func(cores.Report)
		if report != nil {
			each = func(r cores.Report) { report(part, r) }
		}
		if err := part.maximize(dst, n, w, each); err != nil {
			return p.unsolved(part, err)
		}
	}
	return nil
}

func (p *Problem) check(slices ...[]float64) {
	for _, s := range slices {
		if len(s) != p.layout.Len() {
			panic(fmt.Sprintf("constraint: %d entries for %d parameters", len(s), p.layout.Len()))
		}
	}
}

// checkCounts rejects negative or non-finite counts.
func (p *Problem) checkCounts(n []float64) error {
	all := 0.0
	for cell, x := range n {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("constraint: the count of P(%s) is %v; counts must be finite and not negative",
				p.Name(cell), x)
		}
		all += x
	}
	if math.IsInf(all, 1) {
		return fmt.Errorf("constraint: %w: the counts add up to more than %v; divide all of them by one number",
			bn.ErrTooLarge, math.MaxFloat64)
	}
	return nil
}

func (p *Problem) maximizeFree(dst, n []float64) {
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
}

// AddPrior turns counts into effective counts, in place: to each entry its
// pseudocount is added, except that entries which the statements make zero get none, and
// that a parameter whose statement carries a
// constrained Dirichlet count α of its own gets α−1 in all; its entries then have
// equal parts of the sum. With the result Maximize gives the mode of the Dirichlet density
// restricted to the statements. An error that wraps [ErrNoMode] names the first
// entry whose effective count is negative. It panics when the lengths are not the
// layout's.
func (p *Problem) AddPrior(n, pseudocounts []float64) error {
	p.check(n, pseudocounts)
	p.addPrior(n, pseudocounts)
	for cell, x := range n {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("constraint: %w: the effective count of P(%s) is %v; give prior counts of at least one "+
				"(pseudocounts of at least zero), or more data", ErrNoMode, p.Name(cell), x)
		}
	}
	return nil
}

func (p *Problem) addPrior(n, pseudocounts []float64) {
	own := make(map[int]bool)
	for _, t := range p.priors {
		// Only the sum counts. Equal parts of it are not negative unless it is.
		each := (sum(n, t.Cells) + t.Alpha - 1) / float64(len(t.Cells))
		for _, cell := range t.Cells {
			own[cell] = true
			n[cell] = each
		}
	}
	for cell, a := range pseudocounts {
		if !own[cell] && !p.Impossible(cell) {
			n[cell] += a
		}
	}
}

// Impossible reports whether the statements make a table entry zero, whatever the data.
func (p *Problem) Impossible(cell int) bool { return p.impossible != nil && p.impossible[cell] }

// Violation returns the largest amount by which theta breaks a statement.
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

func sum(n []float64, cells []int) float64 {
	total := 0.0
	for _, cell := range cells {
		total += n[cell]
	}
	return total
}
