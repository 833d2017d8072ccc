package cores

import (
	"bnlab/internal/num"
	"bnlab/internal/presolve"
	"bnlab/internal/product"
	"bnlab/internal/spare"
)

// factored is a table under a noisy-OR, with influences and synergies of parents within a set. (Y13 Eq. 8.)
type factored struct {
	s               *product.Solver
	absent, present []int // by configuration of the sets, places in the core
	sizes           []int
	spaces          spare.List[*factoredSpace]
}

type factoredSpace struct{ f, n0, n1, from []float64 }

const (
	newtonInLogs = "barrier Newton in log g"
	convexSteps  = "convex-concave procedure"
)

// NewFactored is the core of a table under a noisy-OR, whose entries are all nodes of p: absent and
// present are the places of each configuration of the sets. Errors are those of [product.New].
func NewFactored(p *presolve.Program, problem product.Problem, absent, present []int) (*Core, error) {
	s := &factored{sizes: problem.Sizes, absent: absent, present: present}
	var err error
	if s.s, err = product.New(problem); err != nil {
		return nil, err
	}
	s.spaces.Fresh = func() *factoredSpace {
		float := func() []float64 { return make([]float64, len(absent)) }
		return &factoredSpace{float(), float(), float(), float()}
	}
	out := &Core{relations: p.Relations, method: s}
	for node := range p.Nodes {
		out.Nodes, out.Origins = append(out.Nodes, node), append(out.Origins, Origin{node, 1})
	}
	return out, nil
}

func (s *factored) name() string { return newtonInLogs }

func (s *factored) solve(x, n []float64) (Report, error) { return s.improve(x, n, nil) }

// improve starts a search at a point too, when there is one and a search is needed.
func (s *factored) improve(x, n, from []float64) (Report, error) {
	w := s.spaces.Take()
	defer s.spaces.Give(w)
	var start []float64
	for i, at := range s.absent {
		w.n0[i], w.n1[i] = n[at], n[s.present[i]]
	}
	if from != nil {
		start = w.from
		for i, at := range s.absent {
			start[i] = from[at]
		}
	}
	r := s.s.Solve(w.f, w.n0, w.n1, start)
	for i, f := range w.f {
		x[s.absent[i]], x[s.present[i]] = f, 1-f
	}
	out := Report{Method: newtonInLogs, Iterations: r.Steps, Gap: r.Gap, Residual: r.Residual, Starts: r.Starts,
		Agreed: r.Agreed}
	if r.Starts > 0 {
		out.Method = convexSteps
		if r.Proven {
			out.Certificate = LocalMaximum
		}
		if r.Gap <= GapTol*max(num.Sum(n), 1) {
			out.Certificate = GlobalMaximum
		}
	}
	return out, nil
}

// Open lists the places of rows that the counts do not determine: those whose log F does not follow
// from that of rows with counts.
func (s *factored) Open(n []float64) []int {
	entries := 0
	first := make([]int, len(s.sizes))
	for i, size := range s.sizes {
		first[i] = entries
		entries += size
	}
	row := func(x int) []presolve.Entry { // log F is the sum of an entry for each set
		list := make([]presolve.Entry, len(s.sizes))
		for i := len(s.sizes) - 1; i >= 0; i-- {
			list[i] = presolve.Entry{Column: first[i] + x%s.sizes[i], Value: 1}
			x /= s.sizes[i]
		}
		return list
	}
	var seen [][]presolve.Entry
	for x, at := range s.absent {
		if n[at]+n[s.present[x]] > 0 {
			seen = append(seen, row(x))
		}
	}
	var e presolve.Elimination
	e.Reset(entries)
	e.Rank(seen)
	var out []int
	for x, at := range s.absent {
		if len(e.Reduce(row(x))) > 0 {
			out = append(out, at, s.present[x])
		}
	}
	return out
}
