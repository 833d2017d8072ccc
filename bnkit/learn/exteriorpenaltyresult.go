package learn

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
)

// A penaltyEnd is where a round of a child ended.
type penaltyEnd struct {
	iterations int // in all rounds so far
	converged  bool
	weight     float64
	loglik     float64 // of the counts
	objective  float64 // J
	outside    float64 // the largest δ without the method's margin; at most 0 where all statements hold
}

// holds reports whether every statement holds, up to rounding.
func (e penaltyEnd) holds() bool { return e.outside <= feasible }

// penaltyFit is what the search found for some counts.
type penaltyFit struct {
	solution *constraint.Solution
	ends     [][]penaltyEnd // by child and round
	families []FittedCPD
}

// run climbs each child.
func (s *penaltySearch) run(counts []float64) (*penaltyFit, error) {
	solution, err := MAP{Pseudocount: s.Pseudocount}.estimate(s.free, s.net, counts)
	if err != nil {
		return nil, err
	}
	f := &penaltyFit{solution: solution}
	for _, c := range s.children {
		if cases := floats.Sum(counts[c.lo:c.hi]); !(cases <= mostPenalty) {
			return nil, fmt.Errorf("learn: %v cases of %q are too many for a gradient; divide all weights by a number",
				cases, s.net.Variable(c.v).Name)
		}
		p := c.climbs.Take()
		f.ends = append(f.ends, s.rounds(p, counts[c.lo:c.hi], solution.Theta[c.lo:c.hi]))
		if c.sets != nil {
			f.families = append(f.families, p.family())
		}
		c.climbs.Give(p)
	}
	solution.Flags = s.flags(solution.Flags, counts)
	return f, nil
}

// rounds is Algorithm 1 for one child. It writes its table.
func (s *penaltySearch) rounds(p *penaltyClimb, counts, table []float64) []penaltyEnd {
	for i, n := range counts {
		p.n[i] = n + s.Pseudocount
	}
	if p.cases = floats.Sum(p.n); p.cases < 1/mostPenalty {
		p.cases = 1 // none, or too few for their squares
	}
	if p.weight = s.Weight; p.weight == 0 {
		p.weight = p.cases
	}
	copy(p.x, p.start)
	var ends []penaltyEnd
	total := 0
	for range s.Rounds {
		iterations, converged := p.round(s.StepLink, s.StepCPT, s.MaxIterations)
		total += iterations
		p.write(table)
		end := penaltyEnd{
			iterations: total, converged: converged, weight: p.weight,
			loglik: logLikelihood(counts, table), objective: p.objective, outside: p.outside(s.Margin),
		}
		if ends = append(ends, end); end.holds() {
			break
		}
		p.weight = min(p.weight*s.Growth, mostPenalty)
	}
	return ends
}

// write makes the table of the child at the current point.
func (p *penaltyClimb) write(table []float64) {
	if p.now == nil {
		copy(table, p.theta[0][p.tables[0].lo:p.tables[0].hi])
		return
	}
	for config := range len(table) / 2 {
		table[2*config+1-p.now.present], table[2*config+p.now.present] = p.now.entries(config)
	}
}

// outside is the largest δ of a statement, whose own margin it has.
func (p *penaltyClimb) outside(margin float64) float64 {
	most := 0.0
	for i, t := range p.tables {
		if t.penalty.Inequalities() > 0 {
			most = max(most, t.penalty.Largest(p.theta[i])-margin)
		}
	}
	return most
}

// family reports links and causes as the last iteration left them.
func (p *penaltyClimb) family() FittedCPD {
	f := NoisyORSetsCPD(p.noisyOR)
	values := append(append([]float64(nil), p.now.q...), p.now.p...)
	return FittedCPD{Family: f.String(), Children: []string{f.Child}, Names: f.parameters(p.now), Values: values}
}

// estimate is the search without its trace.
func (s *penaltySearch) estimate(_ *constraint.Problem, _ *bn.Network, counts []float64) (*constraint.Solution, error) {
	f, err := s.run(counts)
	if err != nil {
		return nil, err
	}
	return f.solution, nil
}

// found is a method that has its estimate already.
type found struct {
	Method
	solution *constraint.Solution
}

func (m found) estimate(*constraint.Problem, *bn.Network, []float64) (*constraint.Solution, error) {
	return m.solution, nil
}

// search is the whole fit to counts.
func (s *penaltySearch) search(p *problem, c *data.Counts, moments *data.Moments) (*Result, error) {
	f, err := s.run(c.N)
	if err != nil {
		return nil, err
	}
	done := *p
	done.method = found{s, f.solution}
	r, err := done.fit(c, moments)
	if err != nil {
		return nil, err
	}
	prior := MAP{Pseudocount: s.Pseudocount}
	pseudo, err := prior.pseudocounts(s.free, s.net)
	if err != nil {
		return nil, err
	}
	if s.Pseudocount > 0 {
		r.Pseudocounts = slices.Clone(pseudo)
	}
	r.Solution, r.CPDs = nil, f.families
	r.Method += f.outcome()
	r.Trace, r.Status = s.trace(f, r, pseudo)
	return r, nil
}

// outcome says whether the statements hold, and at which price.
func (f *penaltyFit) outcome() string {
	weight, outside, holds := 0.0, 0.0, true
	for _, ends := range f.ends {
		last := ends[len(ends)-1]
		weight, outside, holds = max(weight, last.weight), max(outside, last.outside), holds && last.holds()
	}
	switch {
	case len(f.ends) == 0:
		return ""
	case holds:
		return fmt.Sprintf("; every statement holds, with the weight %.3g", weight)
	}
	return fmt.Sprintf("; statements are broken by up to %.2g, with the weight %.3g", outside, weight)
}

// trace has a step for each round, in which children that ended earlier stand still.
func (s *penaltySearch) trace(f *penaltyFit, r *Result, pseudo []float64) ([]Step, Status) {
	rounds, status := 1, Converged
	rest := Step{LogLikelihood: r.LogLikelihood} // of the other variables
	for i, ends := range f.ends {
		c, last := s.children[i], ends[len(ends)-1]
		rounds = max(rounds, len(ends))
		rest.LogLikelihood -= last.loglik
		clear(pseudo[c.lo:c.hi]) // J has it
		if !last.converged {
			status = IterationLimit
		}
	}
	rest.Objective = rest.LogLikelihood + logLikelihood(pseudo, f.solution.Theta)
	trace := make([]Step, rounds)
	for k := range trace {
		step := rest
		for _, ends := range f.ends {
			end := ends[min(k, len(ends)-1)]
			step.Iteration = max(step.Iteration, end.iterations)
			step.LogLikelihood += end.loglik
			step.Objective += end.objective
			step.Violation = max(step.Violation, end.outside)
		}
		trace[k] = step
	}
	return trace, status
}
