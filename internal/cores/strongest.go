package cores

import (
	"bnlab/internal/num"
	"bnlab/internal/presolve"
	"bnlab/internal/spare"
	"bnlab/internal/strongest"
)

// effects is a table that shows the strongest of independent effects, a noisy-MAX or noisy-OR, with what is stated of
// its rows.
type effects struct {
	s      *strongest.Solver
	states int
	cells  []int // by configuration of the sets and state, the weakest first, places in the core
	spaces spare.List[*effectsSpace]
}

type effectsSpace struct{ theta, n []float64 }

const barrierInEffects = "barrier Newton in log effects"

// NewStrongest is the core of a noisy-MAX, whose entries are all nodes of p: cells are their places by configuration
// of the sets and state. Errors are those of [strongest.New]. Nodes that can only be zero are added to zero.
func NewStrongest(p *presolve.Program, problem strongest.Problem, cells []int, zero *[]int) (*Core, error) {
	s := &effects{states: problem.States, cells: cells}
	var err error
	if s.s, err = strongest.New(problem); err != nil {
		return nil, err
	}
	for k, node := range cells {
		if y := k % s.states; y > 0 && s.s.Never(k/s.states, y-1) {
			*zero = append(*zero, node)
		}
	}
	s.spaces.Fresh = func() *effectsSpace {
		return &effectsSpace{make([]float64, len(cells)), make([]float64, len(cells))}
	}
	out := &Core{relations: p.Relations, method: s}
	for node := range p.Nodes {
		out.Nodes = append(out.Nodes, node)
	}
	return out, nil
}

func (s *effects) name() string {
	if s.s.Convex() {
		return barrierInEffects
	}
	return convexSteps
}

func (s *effects) solve(x, n []float64) (Report, error) {
	w := s.spaces.Take()
	defer s.spaces.Give(w)
	for i, at := range s.cells {
		w.n[i] = n[at]
	}
	r := s.s.Solve(w.theta, w.n)
	for i, at := range s.cells {
		x[at] = w.theta[i]
	}
	out := Report{Method: barrierInEffects, Iterations: r.Steps, Gap: r.Gap, Residual: r.Residual}
	if r.Searched {
		out.Method, out.Starts, out.Agreed = convexSteps, 1, 1
		if r.Proven {
			out.Certificate = LocalMaximum
		}
	}
	if r.Gap <= GapTol*max(num.Sum(n), 1) {
		out.Certificate = GlobalMaximum
	}
	return out, nil
}

// Open lists the places that the counts do not determine: what is at most a state among what is at most the next one is
// known where there are cases of it, or where it follows from such.
func (s *effects) Open(n []float64) []int {
	levels := s.states - 1
	row := func(config, level int) []presolve.Entry {
		var list []presolve.Entry
		for _, e := range s.s.Sum(config, level) {
			list = append(list, presolve.Entry{Column: e, Value: 1})
		}
		return list
	}
	var seen [][]presolve.Entry
	for _, r := range s.s.Known() {
		var list []presolve.Entry
		for k, e := range r.Index {
			list = append(list, presolve.Entry{Column: e, Value: r.Factor(k)})
		}
		seen = append(seen, list)
	}
	configs := len(s.cells) / s.states
	for x := range configs {
		below := n[s.cells[x*s.states]]
		for y := range levels {
			if below += n[s.cells[x*s.states+y+1]]; below > 0 {
				seen = append(seen, row(x, y))
			}
		}
	}
	var e presolve.Elimination
	e.Reset(s.s.Len())
	e.Rank(seen)
	var out []int
	for x := range configs {
		open := false
		for y := levels; y >= 0; y-- { // an entry depends on its own level, the one below and those above
			if y > 0 && len(e.Reduce(row(x, y-1))) > 0 {
				open = true
			}
			if open {
				out = append(out, s.cells[x*s.states+y])
			}
		}
	}
	return out
}
