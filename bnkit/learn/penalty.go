package learn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/exteriorpenalty"
	"bnlab/internal/num"
)

// preparer is a method of which another is made for a network, that has all that does not depend on data.
type preparer interface {
	prepared(net *bn.Network, tables *constraint.Problem) (Method, error)
}

// fitter is a method that says how it came to its estimate.
type fitter interface {
	search(ctx context.Context, p *problem, c *data.Counts, moments *data.Moments) (*Result, error)
}

var (
	_ preparer = ExteriorPenalty{}
	_ fitter   = (*penaltySearch)(nil)
)

// penaltySearch is an ExteriorPenalty made ready for a network. It does not change. (Y13 Algorithm 1.)
type penaltySearch struct {
	ExteriorPenalty
	net  *bn.Network
	free *constraint.Problem // without statements
	of   *exteriorpenalty.Search
}

func (m ExteriorPenalty) prepared(net *bn.Network, tables *constraint.Problem) (Method, error) {
	return m.prepare(net, tables)
}

// prepare compiles the statements; free is without any.
func (m ExteriorPenalty) prepare(net *bn.Network, free *constraint.Problem) (*penaltySearch, error) {
	of, err := exteriorpenalty.New(net, exteriorpenalty.Settings(m))
	if err != nil {
		return nil, err
	}
	return &penaltySearch{m, net, free, of}, nil
}

// bind leaves the tables free: statements are for the penalty.
func (m ExteriorPenalty) bind(net *bn.Network, _ ...constraint.Constraint) (*constraint.Problem, error) {
	return constraint.Compile(net)
}

func (m ExteriorPenalty) estimate(p *constraint.Problem, net *bn.Network, counts []float64) (*constraint.Solution,
	error) {
	s, err := m.prepare(net, p)
	if err != nil {
		return nil, err
	}
	return s.estimate(p, net, counts)
}

// penaltyFit is what the search found for some counts.
type penaltyFit struct {
	solution *constraint.Solution
	found    []exteriorpenalty.Found // by child
	families []FittedCPD
}

// run climbs each child.
func (s *penaltySearch) run(counts []float64) (*penaltyFit, error) {
	solution, err := MAP{Pseudocount: s.Pseudocount}.estimate(s.free, s.net, counts)
	if err != nil {
		return nil, err
	}
	f := &penaltyFit{solution: solution}
	if f.found, err = s.of.Run(counts, solution.Theta); err != nil {
		return nil, err
	}
	for i, c := range s.of.Children {
		if c.Sets != nil {
			cpd := NoisyORSetsCPD(c.NoisyOR)
			f.families = append(f.families, FittedCPD{Family: cpd.String(), Children: []string{cpd.Child},
				Names: cpd.parameters(c.Sets), Values: f.found[i].Links})
		}
	}
	solution.Flags = s.flags(solution.Flags, counts)
	return f, nil
}

// estimate is the search without its trace.
func (s *penaltySearch) estimate(_ *constraint.Problem, _ *bn.Network, counts []float64) (*constraint.Solution, error) {
	f, err := s.run(counts)
	if err != nil {
		return nil, err
	}
	return f.solution, nil
}

// tables is the search without what is said of it.
func (s *penaltySearch) tables(theta, counts, pseudo []float64) error {
	if err := maximum(s.free, theta, counts, pseudo); err != nil {
		return err
	}
	_, err := s.of.Run(counts, theta)
	return err
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
func (s *penaltySearch) search(ctx context.Context, p *problem, c *data.Counts, moments *data.Moments) (*Result,
	error) {
	f, err := s.run(c.N)
	if err != nil {
		return nil, err
	}
	done := *p
	done.method = found{s, f.solution}
	r, err := done.fit(ctx, c, moments)
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
	for _, found := range f.found {
		last := found.Ends[len(found.Ends)-1]
		weight, outside, holds = max(weight, last.Weight), max(outside, last.Outside), holds && last.Holds()
	}
	switch {
	case len(f.found) == 0:
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
	for i, found := range f.found {
		c, last := s.of.Children[i], found.Ends[len(found.Ends)-1]
		rounds = max(rounds, len(found.Ends))
		rest.LogLikelihood -= last.LogLikelihood
		clear(pseudo[c.Lo:c.Hi]) // J has it
		if !last.Converged {
			status = IterationLimit
		}
	}
	rest.Objective = rest.LogLikelihood + num.LogLikelihood(pseudo, f.solution.Theta)
	trace := make([]Step, rounds)
	for k := range trace {
		step := rest
		for _, found := range f.found {
			end := found.Ends[min(k, len(found.Ends)-1)]
			step.Iteration = max(step.Iteration, end.Iterations)
			step.LogLikelihood += end.LogLikelihood
			step.Objective += end.Objective
			step.Violation = max(step.Violation, end.Outside)
		}
		trace[k] = step
	}
	return trace, status
}

// flags are those of the free tables, and of the others the rows that no case bears on.
func (s *penaltySearch) flags(free []constraint.Flag, counts []float64) []constraint.Flag {
	of := make(map[string]*exteriorpenalty.Child)
	for _, c := range s.of.Children {
		of[s.net.Variable(c.V).Name] = c
	}
	var list []constraint.Flag
	for v := range s.net.Len() {
		name := s.net.Variable(v).Name
		if c := of[name]; c != nil {
			list = append(list, openRows(c, s.net.CPT(v), counts[c.Lo:c.Hi], s.Pseudocount)...)
			continue
		}
		for _, flag := range free {
			if flag.Var == name {
				list = append(list, flag)
			}
		}
	}
	return list
}

// openRows lists the rows of a table without cases; under a noisy-OR those for which a set has none.
func openRows(c *exteriorpenalty.Child, t *bn.CPT, counts []float64, pseudocount float64) []constraint.Flag {
	if pseudocount > 0 {
		return nil
	}
	of, places, width := c.At(t)
	cases := make([]float64, places)
	for config := range t.Configs().Len() {
		for _, place := range of[config*width : (config+1)*width] {
			for state := range t.Child.Cardinality() {
				cases[place] += counts[config*t.Child.Cardinality()+state]
			}
		}
	}
	var list []constraint.Flag
	for config := range t.Configs().Len() {
		for _, place := range of[config*width : (config+1)*width] {
			if cases[place] > 0 {
				continue
			}
			list = constraint.Flag{Var: t.Child.Name}.AppendTo(list, func() (string, string) {
				return strings.TrimPrefix(cellName(t, config, 0), t.Child.Name+"="+t.Child.States[0]+" | "),
					"no cases to go by; the start of the search and the penalty made it"
			})
			break
		}
	}
	return list
}
