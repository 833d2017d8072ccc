package bnkit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// tableDraws are draws of tables, or of answers made with them.
type tableDraws struct {
	*constraint.Draws
	missing  string // how far missing cells are accounted for
	observed bool   // by the observed information
}

// missing returns the cases of a fit with missing cells when the settings have them, nil for none.
func (m *Model) missing(set *IntervalSettings) (*infer.Plan, error) {
	if set.Cases == nil || !m.Expected {
		return nil, nil
	}
	s := &Settings{Discretization: m.Discretization}
	t, err := s.cases(m.Net, openFrame(*set.Cases), learn.EM{})
	if err != nil {
		return nil, fmt.Errorf("cases of the fit: %w", err)
	}
	if t.Hash() != m.DataHash {
		return nil, fmt.Errorf("the Cases are not those of the fit; give the frame that the model was fitted to")
	}
	return infer.NewPlan(m.Net, t, nil)
}

// allTables names the discrete variables, whose tables have a posterior.
func (m *Model) allTables() ([]string, error) {
	var names []string
	for _, v := range m.Net.Variables() {
		if !v.IsDiscrete() {
			continue
		}
		if err := m.hasPosterior(v.Name); err != nil {
			return nil, err
		}
		names = append(names, v.Name)
	}
	return names, nil
}

// observe replaces draws of all tables in which cells are missing, where that is possible.
func (d *tableDraws) observe(m *Model, p *constraint.Problem, cases learn.Cases, src rand.Source) {
	if err := m.Observed(d.Theta, p, cases, m.pseudo(), src); err != nil {
		d.missing = "too narrow: the missing cells are taken as known, by their expected counts, since there is no " +
			"other way: " + strings.TrimPrefix(err.Error(), "learn: ")
		return
	}
	d.observed = true
	d.missing = "missing cells: normal approximation by the observed information of EM's maximum"
}

// keep keeps the tables of some variables, in their order, of draws of all.
func (d *tableDraws) keep(net *bn.Network, names []string) {
	start := make(map[string]int)
	at := 0
	for v, x := range net.Variables() {
		if t := net.CPT(v); t != nil {
			start[x.Name] = at
			at += len(t.P)
		}
	}
	for i, theta := range d.Theta {
		var some []float64
		for _, name := range names {
			v, _ := net.Index(name)
			some = append(some, theta[start[name]:][:len(net.CPT(v).P)]...)
		}
		d.Theta[i] = slices.Clip(some)
	}
}

// hasPosterior returns an error for a table that was not estimated from counts and statements.
func (m *Model) hasPosterior(name string) error {
	if len(m.Targets) > 0 {
		return fmt.Errorf("%w: the fit maximizes the likelihood of %s given the rest, which needs more than "+
			"counts; fit without Targets", errNoIntervals, strings.Join(m.Targets, ", "))
	}
	if m.Means != nil && m.Means.Sharing != nil {
		return fmt.Errorf("%w: the tables are averaged over what may be tied, whose draws are not there yet; "+
			"fit by learn.PosteriorMean", errNoIntervals)
	}
	for _, f := range m.CPDs {
		if slices.Contains(f.Children, name) {
			return fmt.Errorf("%w: the table of %q is that of %s, whose parameters have no intervals yet; fit a free "+
				"table", errNoIntervals, name, f.Family)
		}
	}
	return nil
}
