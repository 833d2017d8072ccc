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
	"bnlab/bnkit/learn"
	"bnlab/bnkit/validate"
	"bnlab/internal/english"
	"bnlab/internal/say"
)

// CrossValidate compares learners by how well they predict the target in held-out rows. A learner
// is one method, or several candidates among which an inner cross-validation on the training rows
// selects:
//
//	cv, err := bnkit.CrossValidate(ctx, net, df, "recurrence", []validate.Learner{
//		{Name: "free", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}, learn.MAP{Pseudocount: 5}}},
//		{Name: "monotone", Candidates: []learn.Method{
//			learn.MAP{Pseudocount: 1, Constraints: statements},
//			learn.MAP{Pseudocount: 5, Constraints: statements}}},
//	}, &validate.Settings{Seed: 1})
//
// Statements that the same cases suggested ([GroupAll]) have a warning, since the test cases are among them. Rows are
// dealt one by one: several of one patient, or copies, land in training and test cases, and scores are too good; keep
// one row of each, or validate cases in a database with the patient as their Key (sqldata), which stay together.
//
// The result prints as a table; [ScoreTable] makes a frame of it. Compare tests two learners,
// ROC and Calibration give curves for viz. Every row must have the target. A discretisation goes
// into the settings, and so does the column that says which variables were set in a row (Intervened): what
// was set is left out of the counts, as in [Fit], and rows are predicted by the network after [bn.Network.Do].
// A done ctx, such as nb.Context when the cell is interrupted, ends with the folds
// that are complete. See [validate.CrossValidate] for the errors.
func CrossValidate(ctx context.Context, net *bn.Network, df dataframe.DataFrame, target string,
	learners []validate.Learner, set *validate.Settings) (*validate.Result, error) {
	t, set, err := validation(net, df, learners, set)
	if err != nil {
		return nil, err
	}
	r, err := validate.CrossValidate(ctx, net, t, target, learners, set)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	r.Warnings = append(r.Warnings, leaks(net, t, learners)...)
	return r, nil
}

// LearningCurve compares learners by the number of training rows: for each size they learn from
// rows drawn at random and predict the rest, 100 times unless Repeats says otherwise. The curve
// prints as a table; viz.LearningCurve draws it. See [CrossValidate] and [validate.LearningCurve].
func LearningCurve(ctx context.Context, net *bn.Network, df dataframe.DataFrame, target string,
	learners []validate.Learner, sizes []int, set *validate.Settings) (*validate.Curve, error) {
	t, set, err := validation(net, df, learners, set)
	if err != nil {
		return nil, err
	}
	c, err := validate.LearningCurve(ctx, net, t, target, learners, sizes, set)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	c.Warnings = append(c.Warnings, leaks(net, t, learners)...)
	return c, nil
}

// EquivalentSampleSize measures how many cases knowledge is worth: the number of training rows that
// a learner without it needs to predict as well as one with it at each of the sizes, by the log
// score or the Criterion in the settings. The result prints as sentences. "At least
// 80" means no more than that 80 was the largest size: give larger ones, up to what the frame has beside test rows.
// See [validate.EquivalentSampleSize].
func EquivalentSampleSize(ctx context.Context, net *bn.Network, df dataframe.DataFrame, target string,
	without, with validate.Learner, sizes []int, set *validate.Settings) (*validate.SampleSizeEquivalence, error) {
	t, set, err := validation(net, df, []validate.Learner{without, with}, set)
	if err != nil {
		return nil, err
	}
	w, err := validate.EquivalentSampleSize(ctx, net, t, target, without, with, sizes, set)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	w.Curve.Warnings = append(w.Curve.Warnings, leaks(net, t, []validate.Learner{without, with})...)
	return w, nil
}

// ScoreTable returns the results of a cross-validation as a frame, with a row for each learner:
//
//	learner                           its name
//	auc, auc_stderr                   mean over folds and its standard error; NaN for none
//	log_score_nats, log_score_stderr  of the target given the rest, per case
//	accuracy, accuracy_stderr         share of cases whose most probable state occurred
//	setting                           the candidate chosen most often, in words
//	chosen                            in how many of the folds
//	folds                             number of all folds
//
// The frame of a nil result carries an error.
func ScoreTable(r *validate.Result) dataframe.DataFrame {
	if r == nil {
		return dataframe.DataFrame{Err: errors.New("bnkit: no result to make a frame of; check the error " +
			"that came with it")}
	}
	n := len(r.Learners)
	names, settings, chosen, folds := make([]string, n), make([]string, n), make([]int, n), make([]int, n)
	means, errs := make([][]float64, 3), make([][]float64, 3)
	for i := range r.Learners {
		l := &r.Learners[i]
		names[i], folds[i] = l.Name, len(l.Folds)
		settings[i], chosen[i] = l.Setting()
		for k, m := range []validate.Mean{l.AUC, l.LogScore, l.Accuracy} {
			means[k] = append(means[k], orNaN(m.Value, m.N > 0))
			errs[k] = append(errs[k], orNaN(m.StdErr, m.N > 1))
		}
	}
	cols := []series.Series{series.New(names, series.String, "learner")}
	for k, name := range [][2]string{{"auc", "auc_stderr"}, {"log_score_nats", "log_score_stderr"},
		{"accuracy", "accuracy_stderr"}} {
		cols = append(cols, series.New(means[k], series.Float, name[0]), series.New(errs[k], series.Float, name[1]))
	}
	return dataframe.New(append(cols, series.New(settings, series.String, "setting"),
		series.New(chosen, series.Int, "chosen"), series.New(folds, series.Int, "folds"))...)
}

// leaks warns of learners whose statements all cases together suggested ([GroupAll]): the test cases among them have
// had their say.
func leaks(net *bn.Network, t *data.Table, learners []validate.Learner) (warnings []string) {
	counts, err := t.Count(net, &data.CountOptions{SkipMissing: true})
	if err != nil {
		return nil
	}
	for _, l := range learners {
		n := 0
		for _, m := range l.Candidates {
			r := &learn.Result{Net: net, Counts: counts.N, Statements: statementsOf(m)}
			is, err := r.Suggested()
			if err != nil {
				return nil
			}
			n = max(n, len(slices.DeleteFunc(is, func(is bool) bool { return !is })))
		}
		if n > 0 {
			warnings = append(warnings, fmt.Sprintf("the cases suggested %s of %q, those to test among them: it "+
				"scores too well; learn.AveragedSharing finds such in each training set",
				english.Count(n, "statement"), l.Name))
		}
	}
	return warnings
}

// statementsOf returns the statements of a method.
func statementsOf(m learn.Method) []constraint.Constraint {
	switch m := m.(type) {
	case learn.ML:
		return m.Constraints
	case learn.MAP:
		return m.Constraints
	case learn.EM:
		return m.Constraints
	case learn.PosteriorMean:
		return m.Constraints
	}
	return nil
}

// validation turns a frame into cases for all the learners.
func validation(net *bn.Network, df dataframe.DataFrame, learners []validate.Learner,
	set *validate.Settings) (t *data.Table, own *validate.Settings, err error) {
	if err := checkNetwork(net); err != nil {
		return nil, nil, err
	}
	own = &validate.Settings{}
	if set != nil {
		*own = *set
	}
	var most learn.Method = learn.ML{} // the method that needs fewest columns
	for _, l := range learners {
		for _, m := range l.Candidates {
			if learn.Iterates(m) {
				most = m
			}
		}
	}
	d, net := remembered(net)
	all := (&Settings{Discretization: own.Discretization, Intervened: own.Intervened}).with(d)
	if t, err = all.cases(net, openFrame(df), most); err != nil {
		return nil, nil, err
	}
	own.Discretization, own.Intervened = nil, "" // have been applied
	return t, own, nil
}
