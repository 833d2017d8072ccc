package constraint

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/cores"
	"bnlab/internal/num"
	"bnlab/internal/say"
	"bnlab/internal/spare"
)

// A Problem is the estimation of all tables of a network under statements. It
// does not change once compiled and may be used by several goroutines.
type Problem struct {
	layout     bn.Layout
	net        *bn.Network
	statements []Constraint
	bounds     []Bound
	of         []int  // by bound, its statement
	free       []span // rows that no statement touches
	parts      []*plan
	priors     []Tie  // those with a Dirichlet count of their own
	impossible []bool // by table entry, what the statements make zero; nil if nothing
	spaces     spare.List[*cores.Workspace]
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
			return say.Errorf("constraint: the count of P(%s) is %v; counts must be finite and not negative",
				p.Name(cell), x)
		}
		all += x
	}
	if math.IsInf(all, 1) {
		return say.Errorf("constraint: %w: the counts add up to more than %v; divide all of them by one number",
			bn.ErrTooLarge, math.MaxFloat64)
	}
	return nil
}

// A span is consecutive rows [from, to) of a variable.
type span struct{ v, from, to int }

// freeRows yields the rows that no statement touches, in the order of the network.
func (p *Problem) freeRows(yield func(Row) bool) {
	for _, s := range p.free {
		for config := s.from; config < s.to; config++ {
			if !yield(Row{s.v, config}) {
				return
			}
		}
	}
}

func (p *Problem) maximizeFree(dst, n []float64) {
	for row := range p.freeRows {
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
// entry whose effective count is negative; one that wraps [bn.ErrTooLarge] refuses a prior that weighs
// more than 1e150 cases, as tables of cases refuse such weights. It panics when the lengths are not the
// layout's.
func (p *Problem) AddPrior(n, pseudocounts []float64) error {
	p.check(n, pseudocounts)
	if err := p.addPrior(n, pseudocounts); err != nil {
		return err
	}
	for cell, x := range n {
		if !(x >= 0) || math.IsInf(x, 1) {
			return say.Errorf("constraint: %w: the effective count of P(%s) is %v; give prior counts of at least one "+
				"(pseudocounts of at least zero), or more data", ErrNoMode, p.Name(cell), x)
		}
	}
	return nil
}

func (p *Problem) addPrior(n, pseudocounts []float64) error {
	all := 0.0
	own := make(map[int]bool)
	for _, t := range p.priors {
		// Only the sum counts. Equal parts of it are not negative unless it is.
		all += math.Abs(t.Alpha - 1)
		each := (sum(n, t.Cells) + t.Alpha - 1) / float64(len(t.Cells))
		for _, cell := range t.Cells {
			own[cell] = true
			n[cell] = each
		}
	}
	for cell, a := range pseudocounts {
		if !own[cell] && !p.Impossible(cell) {
			n[cell] += a
			all += math.Abs(a)
		}
	}
	if !(all <= num.MaxTotalWeight) {
		return say.Errorf("constraint: %w: the pseudocounts add up to %v; give fewer than %v", bn.ErrTooLarge, all,
			num.MaxTotalWeight)
	}
	return nil
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
