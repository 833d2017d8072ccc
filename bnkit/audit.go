package bnkit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/learn/sharing"
	"bnlab/internal/say"
)

// Audit tests each statement that a model was fitted under against the data, given the other
// statements. The frame has a row for each:
//
//	statement         the sentence
//	cost_nats         the log-likelihood that it costs
//	degrees           the free parameters that it removes
//	p_value           the probability that a true statement costs as much; NaN if unknown
//	p_error           its standard error where it is simulated, 0 where it is not
//	holm_p_value      the same adjusted for the number of statements, by Holm's method
//	log_bayes_factor  in nats, above 0 in favour of the statement; NaN if unknown
//	stderr            its standard error, 0 for a closed form
//	method            what the p-value and the Bayes factor come from
//	verdict           in words (docs/verdicts.md), by the adjusted p-value
//	note              what [Check] notes of the order of two states
//
// Simulations are drawn by the seed in the settings. A done ctx ends the audit; the verdict of a
// statement that was not tested by then says so. The model may come from [Load], since it keeps its
// counts. [learn.Result.Audit] explains the numbers and lists the errors.
func Audit(ctx context.Context, m *Model, set *learn.AuditSettings) (dataframe.DataFrame, error) {
	if _, err := fittedNetwork(m); err != nil {
		return dataframe.DataFrame{}, err
	}
	verdicts, err := m.Result.Audit(ctx, set)
	if err != nil && verdicts == nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	n := len(verdicts)
	statements, words, methods, notes := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	degrees := make([]int, n)
	cost, p, holm, wide := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	bayes, stderr := make([]float64, n), make([]float64, n)
	for i, v := range verdicts {
		statements[i], words[i], degrees[i], cost[i] = v.Statement.String(), v.Words, v.Degrees, v.Cost
		_, notes[i] = constraint.Describe(m.Net, v.Statement)
		methods[i] = v.Method
		wide[i] = orNaN(v.PError, v.HasPValue)
		p[i], holm[i] = orNaN(v.PValue, v.HasPValue), orNaN(v.HolmPValue, v.HasPValue)
		bayes[i], stderr[i] = orNaN(v.LogBayesFactor.Value, v.HasBayesFactor),
			orNaN(v.LogBayesFactor.StdErr, v.HasBayesFactor)
	}
	return dataframe.New(
		series.New(statements, series.String, "statement"),
		series.New(cost, series.Float, "cost_nats"),
		series.New(degrees, series.Int, "degrees"),
		series.New(p, series.Float, "p_value"),
		series.New(wide, series.Float, "p_error"),
		series.New(holm, series.Float, "holm_p_value"),
		series.New(bayes, series.Float, "log_bayes_factor"),
		series.New(stderr, series.Float, "stderr"),
		series.New(methods, series.String, "method"),
		series.New(words, series.String, "verdict"),
		series.New(notes, series.String, "note"),
	), nil
}

// GroupAll finds shared parameters in all tables of a model, configurations first and then states.
// It returns statements that can hold together, and the log of their Bayes factor against no
// sharing; those of the model are ignored. They are what the cases suggest: picked from very many, they may make
// estimates worse, and cases that suggested a statement cannot also test it ([Audit] refuses; use others there, or
// AuditSettings.HeldOut, and for [LogScore]).
// For estimates, [learn.AveragedSharing] weighs what may be tied and picks nothing. If ctx is done, GroupAll returns
// what it has found and an error with the number of tables searched. Package sharing searches one
// variable, by [sharing.GroupStates] and [sharing.GroupRows], and tells how probable it is that two are tied.
//
//	model, err := bnkit.Fit(ctx, net, train, learn.ML{}, nil)
//	suggested, _, err := bnkit.GroupAll(ctx, model, nil)
//	model, err = bnkit.Fit(ctx, net, train, learn.AveragedSharing{}, nil)
func GroupAll(ctx context.Context, m *Model, set *sharing.Settings) (
	statements []constraint.Constraint, logBayesFactor float64, err error) {
	counts, err := countsOf(m)
	if err != nil {
		return nil, 0, err
	}
	statements, logBayesFactor, err = sharing.GroupAll(ctx, m.Net, counts, set)
	if err != nil {
		return statements, logBayesFactor, say.Errorf("bnkit: %w", err)
	}
	return statements, logBayesFactor, nil
}

// countsOf returns the counts of the cases that a model was fitted to.
func countsOf(m *Model) (*data.Counts, error) {
	net, err := fittedNetwork(m)
	if err != nil {
		return nil, err
	}
	if m.Expected {
		return nil, errors.New("bnkit: grouping needs complete cases, and these are expected counts from EM")
	}
	return &data.Counts{Layout: net.Layout(), N: m.Counts, Rows: m.Cases, Skipped: m.Skipped}, nil
}

// AuditKnowledge tests each statement of a knowledge file against the rows of a frame, given the
// others: [Encode], then [Fit] under all statements by AuditSettings.Method, maximum likelihood where it is nil, then
// [Audit]. Where cells are missing or variables hidden, learn.EM{} as Method makes use of all rows. The frame
// is that of Audit, with the annotations of the file:
//
//	statement   the sentence
//	source      who says it
//	mark        the sign for the kind of source
//	strength    the probability that the source gives it, NaN where none
//	line        where it stands in the file, 0 for one made in a program
//	cost_nats, degrees, p_value, p_error, holm_p_value, log_bayes_factor, stderr, method, verdict, note as in [Audit]
//
// It returns the errors of [knowledge.File.Network], [knowledge.File.Check] and those steps,
// among them one for missing cells, unless Method takes them or SkipMissing in the settings leaves them out, for
// hidden variables, and for a Method that is not learn.ML, MAP, EM or APN or has statements of its own.
func AuditKnowledge(ctx context.Context, k *knowledge.File, df dataframe.DataFrame,
	set *learn.AuditSettings) (dataframe.DataFrame, error) {
	if k == nil {
		return dataframe.DataFrame{}, errors.New("bnkit: no knowledge file; read one with knowledge.Read")
	}
	net, err := k.Network()
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	if err := k.Check(net); err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	if net, err = doubted(net); err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	cases, _, err := Encode(df, k)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if set == nil {
		set = &learn.AuditSettings{}
	}
	method, err := under(set.Method, k.Statements())
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	for _, v := range k.Variables {
		if v.Hidden && !learn.Iterates(method) {
			return dataframe.DataFrame{}, say.Errorf("bnkit: %q is hidden; set Method to learn.EM{} in "+
				"learn.AuditSettings, or audit a file without it", v.Name)
		}
	}
	m, err := Fit(ctx, net, cases, method, &Settings{SkipMissing: set.SkipMissing, Seed: set.Seed,
		Workers: set.Workers})
	if cell := (*data.ValueError)(nil); errors.As(err, &cell) && errors.Is(err, data.ErrMissing) {
		e := *cell
		e.Err = fmt.Errorf("%w; in learn.AuditSettings set Method to learn.EM{}, or SkipMissing to leave such rows "+
			"out of the tables of the variable and its children", data.ErrMissing)
		err = say.Errorf("bnkit: %w", &e)
	}
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	verdicts, err := Audit(ctx, m, set)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	n := len(k.Entries)
	source, mark, strength, line := make([]string, n), make([]string, n), make([]float64, n), make([]int, n)
	for i, e := range k.Entries {
		source[i], mark[i], strength[i], line[i] = e.Source, e.Mark, orNaN(e.Strength, e.Strength != 0), e.Line()
	}
	list := []series.Series{
		verdicts.Col("statement"),
		series.New(source, series.String, "source"),
		series.New(mark, series.String, "mark"),
		series.New(strength, series.Float, "strength"),
		series.New(line, series.Int, "line"),
	}
	for _, name := range verdicts.Names()[1:] {
		list = append(list, verdicts.Col(name))
	}
	return dataframe.New(list...), nil
}

// under is the method of an audit with these statements.
func under(m learn.Method, statements []constraint.Constraint) (learn.Method, error) {
	var own []constraint.Constraint
	switch given := m.(type) {
	case nil:
		return learn.ML{Constraints: statements}, nil
	case learn.ML:
		own, given.Constraints = given.Constraints, statements
		m = given
	case learn.MAP:
		own, given.Constraints = given.Constraints, statements
		m = given
	case learn.EM:
		own, given.Constraints = given.Constraints, statements
		m = given
	case learn.APN:
		own, given.Constraints = given.Constraints, statements
		m = given
	default:
		return nil, say.Errorf("bnkit: the Method of an audit is learn.ML, MAP, EM or APN, not %s", m)
	}
	if len(own) > 0 {
		return nil, errors.New("bnkit: the statements of an audit are those of the file; leave the Constraints of " +
			"Method empty")
	}
	return m, nil
}

// doubted is the network with those orders of two states open to doubt whose names say the opposite, as high < low,
// so that it is noted though the file declares them. Of names that say no order the file is believed.
func doubted(net *bn.Network) (*bn.Network, error) {
	vars := net.Variables()
	turned := slices.Clone(vars)
	for i, v := range turned {
		if turned[i].Encoding = nil; len(v.States) == 2 {
			turned[i].States, turned[i].Sorted = []string{v.States[1], v.States[0]}, true
		}
	}
	other, err := bn.NewNetwork(net.DAG(), turned)
	if err != nil {
		return nil, err
	}
	for i, v := range vars {
		_, odd := constraint.Describe(other, constraint.NoisyMAX{Child: v.Name}) // of its states turned round
		vars[i].Sorted, vars[i].Encoding = len(v.States) == 2 && odd == "", nil  // the rows are encoded already
	}
	return bn.NewNetwork(net.DAG(), vars)
}
