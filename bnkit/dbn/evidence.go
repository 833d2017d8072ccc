package dbn

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// place is a slice of a series.
type place struct {
	series string
	slice  int
}

// given is evidence on a slice, with what was given before: a list, so that a finding in each of many slices takes
// no copies.
type given struct {
	at       place
	evidence infer.Evidence
	before   *given
}

// all collects what was given by slice.
func (g *given) all() map[place]infer.Evidence {
	by := make(map[place]infer.Evidence)
	for ; g != nil; g = g.before {
		if by[g.at] == nil {
			by[g.at] = make(infer.Evidence)
		}
		maps.Copy(by[g.at], g.evidence)
	}
	return by
}

// Given returns the series with evidence on one time of one of them besides its cells: states, sets of them,
// likelihoods, numbers, intervals, and for Smooth and MostProbable distributions that must hold. A time
// that was left out can be given.
//
//	s, err = s.Given("anna", 3, infer.Evidence{"rain": infer.Likelihood{"yes": .9, "no": .2}})
//
// Smooth, Filter, Predict and MostProbable use it. A fit does not: series with evidence are an error there. It
// returns an error for a series or time that there is not, and for a variable that was given before; what
// a network does not know is an error of the query.
func (s *Series) Given(series string, time int64, evidence infer.Evidence) (*Series, error) {
	i := slices.Index(s.names, series)
	if i < 0 {
		return nil, say.Errorf("dbn: evidence: there is no series %q", series)
	}
	slice := int((time - s.begin[i]) / s.step)
	if time < s.begin[i] || slice >= s.Length(i) || (time-s.begin[i])%s.step != 0 {
		return nil, say.Errorf("dbn: evidence: series %q has no time %d; it goes from %d to %d in steps of %d. A row "+
			"with missing cells makes it longer", series, time, s.begin[i], s.Time(i, s.Length(i)-1), s.step)
	}
	at := place{series, slice}
	for g := s.evidence; g != nil; g = g.before {
		if g.at != at {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(evidence)) {
			if _, twice := g.evidence[name]; twice {
				return nil, say.Errorf("dbn: evidence: %w: %q at time %d of series %q", bn.ErrDuplicate, name, time,
					series)
			}
		}
	}
	out := *s
	out.evidence = &given{at, maps.Clone(evidence), s.evidence}
	return &out, nil
}

// finding is what is known of a variable in a slice that is no cell.
type finding struct {
	v     int
	value any
}

// find takes the evidence of the series to the findings, by slice over all series.
func (o *observed) find() error {
	if o.series.evidence == nil {
		return nil
	}
	by := o.series.evidence.all()
	o.findings = make(map[int][]finding)
	for i, name := range o.series.names {
		for t := range o.series.Length(i) {
			evidence := by[place{name, t}]
			slice := o.series.start[i] + t
			for _, variable := range slices.Sorted(maps.Keys(evidence)) {
				v, err := o.net.index(variable)
				if err != nil {
					return say.Errorf("dbn: evidence: %w", err)
				}
				if o.seen(v, slice) {
					return say.Errorf("dbn: evidence: series %q, time %d: the cell of %q is not missing; leave one out",
						name, o.series.Time(i, t), variable)
				}
				isCell, err := o.cell(v, slice, evidence[variable])
				if err != nil {
					return say.Errorf("dbn: evidence: series %q, time %d: %w", name, o.series.Time(i, t), err)
				}
				if !isCell {
					o.findings[slice] = append(o.findings[slice], finding{v, evidence[variable]})
				}
			}
		}
	}
	return nil
}

// cell puts a state or a number in the place of a missing cell, and reports whether the value was one.
func (o *observed) cell(v, slice int, value any) (bool, error) {
	variable := o.net.vars[v]
	if variable.IsDiscrete() {
		name, ok := value.(string)
		if !ok {
			return false, nil
		}
		state, err := variable.StateIndex(name)
		if err != nil {
			return false, err
		}
		if o.states[v] == nil {
			o.states[v] = slices.Repeat([]bn.State{bn.Missing}, len(o.series.row))
		}
		o.states[v][slice] = bn.State(state)
		return true, nil
	}
	var x float64
	switch value := value.(type) {
	case float64:
		x = value
	case int:
		x = float64(value)
	case infer.Interval:
		return false, nil
	default:
		return false, say.Errorf("%q is continuous and cannot be %v; give a number or infer.Interval", variable.Name,
			value)
	}
	if !num.Finite(x) {
		return false, say.Errorf("%q cannot be %v; give a finite number", variable.Name, x)
	}
	if o.values[v] == nil {
		o.values[v] = slices.Repeat([]float64{math.NaN()}, len(o.series.row))
	}
	o.values[v][slice] = x
	return true, nil
}

// plain returns an error for series with evidence, which only queries use.
func (s *Series) plain() error {
	if s != nil && s.evidence != nil {
		return fmt.Errorf("dbn: the series have evidence besides their cells (Given), which only Smooth, Filter, " +
			"Predict and MostProbable use")
	}
	return nil
}

// interval returns the interval that a continuous variable is in, nil when none is given.
func (f *filter) interval(v, t int) *infer.Interval {
	if t >= f.length {
		return nil
	}
	for _, x := range f.findings[f.start+t] {
		if in, ok := x.value.(infer.Interval); ok && x.v == v {
			return &in
		}
	}
	return nil
}
