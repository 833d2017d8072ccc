package learn

import (
	"errors"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/bnkit/learn/internal/violation"
	"bnlab/internal/say"
)

// A Result is a fitted network with its provenance. Its methods do not change it, so several goroutines may use it
// as long as none writes to a field.
type Result struct {
	Net        *bn.Network
	Method     string                  // in words
	Statements []constraint.Constraint // the constraints it was fitted under
	// LogLikelihood of the data at the estimate: natural logarithm, summed over
	// weighted cases, each family over the rows that are complete in it.
	LogLikelihood float64
	Cases         float64       // total weight of the rows
	Counts        []float64     // observed, by the network's Layout
	Moments       *data.Moments // observed, of the linear-Gaussian nodes; nil without any
	// GaussianPriors of the linear-Gaussian nodes by variable, nil for none.
	GaussianPriors []*constraint.GaussianPrior
	Skipped        []float64         // weight of rows left out for a missing cell, by variable
	Flags          []constraint.Flag // distributions not to be taken at face value
	Trace          []Step            // the steps that led there; one for a closed form
	// Solution says how the tables were estimated: methods, certificates, multipliers. It is
	// nil when they are not the maximum for Counts, as after a gradient method.
	Solution *constraint.Solution
	// Expected: Counts are expected counts, from cases with missing cells.
	Expected bool
	// Hidden names the variables that no case observes.
	Hidden []string
	// Starts were made by an iteration, and Agreed of them, the best included, ended with the
	// best objective but for 0.1 nats; 0 for a closed form.
	Starts, Agreed int
	// Planned is the number of starts that were asked for, more than Starts when the fit was interrupted.
	Planned int
	// Ends are where the starts ended, in turn, and Best is the number of the one that the fit is, from 1.
	// A closed form has none, and 0.
	Ends []End
	Best int
	// Failed says for each start that ended in an error why; the fit is the best of the others.
	Failed []string
	// Kept is the iteration of the estimate: the last of Trace, or with Settings.HeldOut the
	// best for the held-out cases.
	Kept int
	// CPDs are the parameters of tables that are made from few (APN).
	CPDs []FittedCPD
	// Status says why an iteration ended.
	Status Status
	// Pseudocounts were added to Counts, by Layout. Nil for none, or where Solution holds them.
	Pseudocounts []float64
	// Means is not nil when the tables are posterior means, not a maximum.
	Means *Means
	// Weighing is what the data made of statements that were weighed ([Averaged]), which are not among Statements; nil
	// for other methods.
	Weighing *Weighing
	// ViolationWeight is what influences and synergies among Statements cost for each unit of violation, in
	// nats; 0 when they hold.
	ViolationWeight float64
	// Targets are the variables whose likelihood given the others was raised (APN); none when
	// it was that of all. LogLikelihood is of all in either case.
	Targets []string
	rows    *fittedRows // of expected counts, for Audit; nil after Load
}

// fittedRows are the rows behind expected counts, and how they were fitted.
type fittedRows struct {
	table  *data.Table
	method Method
	set    Settings
}

// priced is a method under which influences and synergies may be violated at a penalty.
type priced interface {
	// price is that of a unit of violation, in nats; 0 when all statements hold.
	price() float64
}

var _, _, _ priced = EM{}, APN{}, AlternatingEM{}

func (m EM) price() float64            { return m.ViolationWeight }
func (m APN) price() float64           { return m.ViolationWeight }
func (m AlternatingEM) price() float64 { return m.weight() }

// note records what the method maximised beyond the likelihood of all variables under statements
// that hold.
func (r *Result) note(p *problem, m Method) error {
	if m, ok := m.(priced); ok {
		r.ViolationWeight = m.price()
	}
	if m, ok := m.(conditional); ok {
		r.Targets = m.conditions()
	}
	with, ok := m.(interface{ prior() MAP })
	if !ok || r.Solution != nil {
		return nil
	}
	pseudo, err := with.prior().pseudocounts(p.tables, p.net)
	if slices.ContainsFunc(pseudo, func(a float64) bool { return a != 0 }) {
		r.Pseudocounts = pseudo
	}
	return err
}

// hard are the statements that hold.
func (r *Result) hard() []constraint.Constraint {
	return slices.DeleteFunc(slices.Clone(r.Statements), func(s constraint.Constraint) bool {
		_, priced := statement.As[constraint.AtPrice](s)
		return priced || r.ViolationWeight > 0 && violation.IsQualitative(s)
	})
}

// FamilyCounts returns the observed counts behind the table of a variable, in the
// order of its entries; nil when the network was not fitted to counts.
func (r *Result) FamilyCounts(name string) ([]float64, error) {
	v, err := r.index(name)
	if err != nil {
		return nil, err
	}
	if r.Net.CPT(v) == nil {
		return nil, say.Errorf("learn: %q: %w", name, bn.ErrNotDiscrete)
	}
	if r.Counts == nil {
		return nil, nil
	}
	lo, hi := r.Net.Layout().Family(v)
	return r.Counts[lo:hi:hi], nil
}

// RowStatements returns, for each configuration of a variable's discrete parents, the sentences
// of the statements that bind it.
func (r *Result) RowStatements(name string) ([][]string, error) {
	v, err := r.index(name)
	if err != nil {
		return nil, err
	}
	var configs bn.Configs
	if t := r.Net.CPT(v); t != nil {
		configs = t.Configs()
	} else {
		configs = r.Net.Gaussian(v).Configs()
	}
	rows := make([][]string, configs.Len())
	for _, s := range r.Statements {
		if f, ok := incomplete(s); ok {
			s = standIn(f)
		}
		bounds, err := s.Bind(r.Net)
		if err != nil {
			return nil, say.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			for _, row := range b.Links {
				if row.Var == v {
					rows[row.Config] = append(rows[row.Config], s.String())
				}
			}
		}
	}
	return rows, nil
}

// Incomplete returns the formulas that have lost their functions because they come from a
// file, which keeps their texts and cells only. To use them again put the whole
// [constraint.Formula] in their places in Statements. It returns an error for a formula
// whose cells are not of the network.
func (r *Result) Incomplete() ([]constraint.Constraint, error) {
	if r == nil || r.Net == nil {
		return nil, errors.New("learn: the result has no network")
	}
	var list []constraint.Constraint
	for _, s := range r.Statements {
		f, ok := incomplete(s)
		if !ok {
			continue
		}
		if _, err := standIn(f).Bind(r.Net); err != nil {
			return nil, say.Errorf("learn: %w", err)
		}
		list = append(list, s)
	}
	return list, nil
}

// incomplete reports whether s is a formula without functions.
func incomplete(s constraint.Constraint) (constraint.Formula, bool) {
	f, ok := s.(constraint.Formula)
	return f, ok && len(f.Equal)+len(f.AtMost) == 0
}

// standIn binds to the same distributions as f and says nothing of them.
func standIn(f constraint.Formula) constraint.Formula {
	f.Equal = []constraint.Function{{Value: func([]float64) float64 { return 0 }}}
	return f
}

func (r *Result) index(name string) (int, error) {
	if r == nil || r.Net == nil {
		return 0, errors.New("learn: the result has no network")
	}
	v, err := r.Net.Index(name)
	if err != nil {
		return 0, say.Errorf("learn: %w", err)
	}
	return v, nil
}
