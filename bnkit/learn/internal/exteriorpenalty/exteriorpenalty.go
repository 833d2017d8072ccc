// Package exteriorpenalty is the machine of learn.ExteriorPenalty: Y13's Algorithm 1, the climb of
//
//	J(μ) = Σ (N + Pseudocount) log θ − ω Σ I(δ > 0) δ²
//
// for one child after another, with ω growing from round to round (Y13 Eqs. 2, 3, 6, 7 and 10 to 13).
package exteriorpenalty

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/constraint"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// Settings are the fields of learn.ExteriorPenalty, which says what they are.
type Settings struct {
	Pseudocount       float64
	Constraints       []constraint.Constraint
	Margin            float64
	Weight            float64
	Growth            float64
	StepCPT, StepLink float64
	MaxIterations     int
	Rounds            int
	Src               rand.Source
	Watch             func(child string, iterations int, table []float64)
}

// Defaults of Settings.
const (
	DefaultGrowth     = 10
	DefaultRounds     = 6
	DefaultIterations = 1000
)

// MostPenalty bounds cases and weights, whose squares are still numbers.
const MostPenalty = 1e100

// Feasible is the violation up to which statements count as satisfied: rounding.
const Feasible = 1e-9

// filled has the defaults in place of zeros, but for the weight.
func (m Settings) filled() Settings {
	for _, f := range []struct {
		value *float64
		or    float64
	}{{&m.Growth, DefaultGrowth}, {&m.StepCPT, 1}, {&m.StepLink, 1}} {
		if *f.value == 0 {
			*f.value = f.or
		}
	}
	if m.MaxIterations == 0 {
		m.MaxIterations = DefaultIterations
	}
	if m.Rounds == 0 {
		m.Rounds = DefaultRounds
	}
	return m
}

// An End is where a round of a child ended.
type End struct {
	Iterations    int // in all rounds so far
	Converged     bool
	Weight        float64
	LogLikelihood float64 // of the counts
	Objective     float64 // J
	Outside       float64 // the largest δ without the method's margin; at most 0 where all statements hold
}

// Holds reports whether every statement holds, up to rounding.
func (e End) Holds() bool { return e.Outside <= Feasible }

// Found is what the search found for one child.
type Found struct {
	Ends  []End     // of the rounds
	Links []float64 // of a noisy-OR, and after them the tables of its causes by place; nil without one
}

// Run climbs each child, for the counts of the network's layout, and writes its table to theta.
func (s *Search) Run(counts, theta []float64) ([]Found, error) {
	var list []Found
	for _, c := range s.Children {
		if cases := floats.Sum(counts[c.Lo:c.Hi]); !(cases <= MostPenalty) {
			return nil, say.Errorf("learn: %v cases of %q are too many for a gradient; divide all weights by a number",
				cases, s.net.Variable(c.V).Name)
		}
		p := c.climbs.Take()
		if table := theta[c.Lo:c.Hi]; s.Watch != nil {
			p.after = func(iterations int) {
				p.write(table)
				s.Watch(s.net.Variable(c.V).Name, iterations, table)
			}
		}
		f := Found{Ends: s.rounds(p, counts[c.Lo:c.Hi], theta[c.Lo:c.Hi])}
		if c.Sets != nil {
			f.Links = append(append([]float64(nil), p.now.Q...), p.now.P...)
		}
		list = append(list, f)
		p.after = nil
		c.climbs.Give(p)
	}
	return list, nil
}

// rounds is Algorithm 1 for one child. It writes its table.
func (s *Search) rounds(p *climb, counts, table []float64) []End {
	for i, n := range counts {
		p.n[i] = n + s.Pseudocount
	}
	p.see()
	if p.cases = floats.Sum(p.n); p.cases < 1/MostPenalty {
		p.cases = 1 // none, or too few for their squares
	}
	if p.weight = s.Weight; p.weight == 0 {
		p.weight = p.cases
	}
	copy(p.x, p.start)
	if p.total = 0; p.after != nil {
		p.value(p.x)
		p.after(0)
	}
	var ends []End
	for range s.Rounds {
		converged := p.round(s.StepLink, s.StepCPT, s.MaxIterations)
		p.write(table)
		end := End{
			Iterations: p.total, Converged: converged, Weight: p.weight,
			LogLikelihood: num.LogLikelihood(counts, table), Objective: p.objective, Outside: p.outside(s.Margin),
		}
		if ends = append(ends, end); end.Holds() {
			break
		}
		p.weight = min(p.weight*s.Growth, MostPenalty)
	}
	return ends
}

// write makes the table of the child at the current point.
func (p *climb) write(table []float64) {
	if p.now == nil {
		copy(table, p.theta[0][p.tables[0].lo:p.tables[0].hi])
		return
	}
	for config := range len(table) / 2 {
		table[2*config+1-p.now.Present], table[2*config+p.now.Present] = p.now.Entries(config)
	}
}

// outside is the largest δ of a statement, whose own margin it has.
func (p *climb) outside(margin float64) float64 {
	most := 0.0
	for i, t := range p.tables {
		if t.penalty.Inequalities() > 0 {
			most = max(most, t.penalty.Largest(p.theta[i])-margin)
		}
	}
	return most
}
