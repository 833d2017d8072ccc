package constraint

import (
	"bnlab/internal/cores"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Solution is an estimate with its provenance. Its methods do not change it, and several
// goroutines may call them.
type Solution struct {
	Theta []float64 // by the layout
	Parts []Part    // one for each group of distributions that statements link
	Flags []Flag    // what the counts leave open, in the order of the network

	problem *Problem
	counts  []float64
}

// A Part is the estimate of one group of linked distributions.
type Part struct {
	Statements []Constraint
	Rows       []Row
	// Method is "closed form", "closed form with limits", "isotonic regression", "Newton by blocks",
	// "dual Newton", "interior point", "augmented Lagrangian", under a noisy-OR "barrier Newton in log g" or
	// "convex-concave procedure", or several of them.
	Method     string
	Iterations int
	// Objective is Σ n log θ over the part, with the counts that were maximised, less what it
	// pays for violations ([CompileSoft]). Counts below 1e-12 of the part's, which may get no
	// probability, are left out where they get none.
	Objective float64
	// Gap bounds by how much Objective could still be higher, in nats; 0 for closed forms.
	// Differences of objectives, as in likelihood ratios, are not known better than that.
	Gap float64
	// Residual is how far the conditions for an optimum are missed, relative to the number
	// of cases; for curved statements only.
	Residual float64
	// Local: this is a local maximum, checked by second derivatives on the tangent space. Without it
	// the estimate is a stationary point that satisfies the statements, and no more is known.
	Local bool
	// Global: this is the maximum, by a closed form or by a bound from the dual problem, which puts the
	// average log-likelihood of a case within 1e-8 nats of the highest. What that may be in all
	// cases together is the Gap. A global maximum is Local too.
	Global bool
	// Starts is how often a search that could end in several places started, Agreed how
	// often it ended in the best.
	Starts, Agreed int
}

// Solve maximises Σ n log θ as [Problem.Maximize] does, and says how.
func (p *Problem) Solve(n []float64) (*Solution, error) {
	s, err := p.SolveUnflagged(n)
	if err != nil {
		return nil, err
	}
	s.Flags = p.Flags(s.Theta, n)
	return s, nil
}

// SolveUnflagged is Solve without the flags, which are words about each distribution of the network: for solving many
// simulated counts.
func (p *Problem) SolveUnflagged(n []float64) (*Solution, error) {
	s := &Solution{Theta: make([]float64, p.layout.Len()), problem: p, counts: slices.Clone(n)}
	reports := make(map[*plan][]cores.Report)
	if err := p.maximize(s.Theta, n, func(part *plan, r cores.Report) {
		reports[part] = append(reports[part],
			r)
	}); err != nil {
		return nil, err
	}
	for _, part := range p.parts {
		s.Parts = append(s.Parts, p.describe(part, reports[part], s.Theta, n))
	}
	return s, nil
}

func (p *Problem) describe(part *plan, reports []cores.Report, theta, n []float64) Part {
	out := Part{Rows: part.rows, Local: true, Global: true}
	for _, s := range p.statementsOf(part.members) {
		out.Statements = append(out.Statements, p.statements[s])
	}
	cases := 0.0
	for _, cell := range part.cells {
		cases += n[cell]
	}
	for _, cell := range part.cells {
		if n[cell] > cores.Faint*cases || n[cell] > 0 && theta[cell] > 0 {
			out.Objective += n[cell] * math.Log(theta[cell])
		}
	}
	for _, m := range part.members {
		out.Objective -= p.bounds[m].penalty(theta)
	}
	var methods []string
	for _, r := range reports {
		if !slices.Contains(methods, r.Method) {
			methods = append(methods, r.Method)
		}
		out.Iterations += r.Iterations
		out.Gap += r.Gap
		out.Residual = max(out.Residual, r.Residual)
		out.Starts, out.Agreed = max(out.Starts, r.Starts), max(out.Agreed, r.Agreed)
		certificate := r.Certificate
		if r.Starts == 0 && r.Gap <= cores.GapTol*max(cases, 1) {
			certificate = cores.GlobalMaximum
		}
		out.Local = out.Local && certificate >= cores.LocalMaximum
		out.Global = out.Global && certificate >= cores.GlobalMaximum
	}
	if len(methods) == 0 {
		methods = []string{"closed form"}
	}
	out.Method = strings.Join(methods, ", ")
	return out
}

// Certificate says in words what is proven about the estimate.
func (p Part) Certificate() string {
	switch {
	case p.Global:
		return "global maximum, certified"
	case p.Local:
		return "local maximum, checked"
	}
	return "stationary, not certified"
}

// String summarises the part in a line.
func (p Part) String() string {
	s := fmt.Sprintf("%d distributions under %d statements: %s, %s", len(p.Rows), len(p.Statements), p.Method,
		p.Certificate())
	switch {
	case p.Starts > 0:
		s += fmt.Sprintf(" (residual %.1g, %d of %d starts agree)", p.Residual, p.Agreed, p.Starts)
	case p.Gap > 0:
		s += fmt.Sprintf(" (gap %.1g nats after %d iterations)", p.Gap, p.Iterations)
	}
	return s
}
