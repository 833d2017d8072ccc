package bnkit

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// Settings are the settings of [Fit]. Nil means the defaults. They repeat the fields of
// [learn.Settings] rather than embed them, so that each is set by its name alone, as in
// &bnkit.Settings{Seed: 1, Starts: 5}; held-out cases are a frame.
type Settings struct {
	// SkipMissing leaves a row out of the counts of each table in which it has a
	// missing cell, instead of refusing the frame.
	SkipMissing bool
	// Workers bounds the number of processors; 0 means all. Results do not depend
	// on it.
	Workers int
	// Intervened names the column that says which variables were set in a row by intervention rather
	// than observed: a name, several separated by ";", or nothing. Their value is in their own columns.
	// Such a row is left out of the counts of the variables that were set (Cooper and Yoo 1999).
	Intervened string
	// Discretization is applied to the frame first and kept in the model; see [Discretize]. Nil means that of the
	// network, from [NewNetwork].
	Discretization *data.Discretization
	// Step is the time between two slices of series, in FitSeries; see [dbn.SeriesOptions]. 0 means the time between
	// rows where it is the same throughout.
	Step int64
	// Weight names the column of numbers that says how many cases a row stands for, also in HeldOut.
	Weight string
	// Seed is the seed of random starts. It is stored in the model: give the seed of the split or
	// sample that the frame came from.
	Seed uint64

	// Knowledge is the file that the statements of the method come from. The model keeps who states them, and how
	// sure they are, for [Methods].
	Knowledge *knowledge.File

	// The rest is for iterative methods, such as [learn.EM] and [learn.APN].

	// Hidden names variables that the frame has no column for, beside those that NetworkOptions.Hidden or a
	// knowledge file declares as hidden. Any other needs its column.
	Hidden []string
	// Starts is the number of starts; the best result is kept. 0 means 1, or 5 when a variable has
	// no column. Starts after the first are random, and the first too when a variable has no column.
	Starts int
	// From, when not nil, is the network whose parameters are the first start, such as the Net
	// of an earlier fit; of FitSeries it is the Template of one.
	From *bn.Network
	// Flat makes random starts nearly uniform; see [learn.Settings].
	Flat bool
	// MaxIterations bounds the iterations from each start; 0 means 1000.
	MaxIterations int
	// Tolerance is the change of the objective, relative to its size, at which iteration
	// stops; 0 means 1e-8.
	Tolerance float64
	// HeldOut, when not nil, are cases for early stopping: when their log-likelihood has not risen
	// for Patience iterations (0 means 10), the network that was best on them is returned.
	HeldOut  *dataframe.DataFrame
	Patience int
	// Progress, when not nil, is called after each iteration, and once more when the fit is
	// interrupted; nb.Progress shows it.
	Progress func(learn.Progress)
}

// learn returns the settings of package learn.
func (s *Settings) learn(heldOut learn.Cases) *learn.Settings {
	return &learn.Settings{
		SkipMissing: s.SkipMissing, Workers: s.Workers,
		Starts: s.Starts, Seed: s.Seed, From: s.From, Flat: s.Flat, MaxIterations: s.MaxIterations,
		Tolerance: s.Tolerance,
		HeldOut:   heldOut, Patience: s.Patience, Progress: s.Progress,
	}
}

// refuseCopies returns an error for rows that Impute has repeated, which would count several times.
func (f *frame) refuseCopies(net *bn.Network) error {
	if _, err := net.Index(copiesColumn); err == nil || !f.has(copiesColumn) {
		return nil
	}
	cells, err := f.trimmed(copiesColumn)
	if err != nil {
		return err
	}
	copies := len(slices.Compact(slices.Sorted(slices.Values(cells))))
	if copies < 2 {
		return nil
	}
	return say.Errorf("bnkit: the frame has %d imputations of its rows (column %q of Impute), which would count as so "+
		"many times the cases; fit each and average the answers, give a column of 1/%d as Weight, or fit by learn.EM "+
		"without imputing", copies, copiesColumn, copies)
}

// errNoSlices is for a Step between slices in a verb about cases.
var errNoSlices = errors.New("bnkit: Settings.Step is for series; FitSeries takes it")

// Fit estimates the tables of a network, and the regressions of its continuous variables, from a
// frame, by a method such as [learn.ML], or [learn.MAP] with an expert's statements. The network is
// not changed, and other columns of the frame are ignored.
//
// If the network comes from a knowledge file, or Settings has a Discretization, rows have the
// values of the data; the model keeps both, so that later rows and evidence may have them too. With
// iterative methods, such as [learn.EM] and [learn.APN], cells may be missing, and the whole columns of variables that
// are declared as hidden (NetworkOptions.Hidden, Settings.Hidden).
//
// A done ctx ends an iterative fit with the best network so far; in a notebook pass nb.Context,
// which ends when the cell is interrupted, elsewhere context.Background or a context of your own.
// Several imputations of the same rows, by [Impute], are an error without a Weight. Others name the missing column, the
// row with an unknown state or a missing cell (see Settings.SkipMissing), or the statement that does not fit the
// network.
func Fit(ctx context.Context, net *bn.Network, df dataframe.DataFrame, m learn.Method, set *Settings) (*Model, error) {
	if err := checkNetwork(net); err != nil {
		return nil, err
	}
	if m == nil {
		return nil, errors.New("bnkit: no method; pass for example learn.MAP{Pseudocount: 1}")
	}
	if set == nil {
		set = &Settings{}
	}
	d, net := remembered(net)
	set = set.with(d)
	if set.HeldOut != nil && set.Intervened != "" {
		return nil, errors.New("bnkit: Settings.HeldOut with Settings.Intervened: early stopping takes observed " +
			"cases; set one of them")
	}
	if set.Step != 0 {
		return nil, errNoSlices
	}
	f := openFrame(df)
	if set.Weight == "" {
		if err := f.refuseCopies(net); err != nil {
			return nil, err
		}
	}
	t, err := set.cases(net, f, m)
	if err != nil {
		return nil, err
	}
	var heldOut learn.Cases
	if set.HeldOut != nil {
		held := openFrame(*set.HeldOut)
		if err := sameHidden(net.Variables(), f, held); err != nil {
			return nil, say.Errorf("bnkit: held-out cases: %w", err)
		}
		if heldOut, err = set.heldOut(net, held, m); err != nil {
			return nil, say.Errorf("bnkit: held-out cases: %w", err)
		}
	}
	r, err := learn.Fit(ctx, net, t, m, set.learn(heldOut))
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	return &Model{Result: r, Discretization: set.Discretization, DataHash: t.Hash(), Seed: set.Seed,
		provenance: set.remember(t, m)}, nil
}

// cases turns a frame into cases for the method; one that iterates can do without columns.
func (s *Settings) cases(net *bn.Network, f *frame, m learn.Method) (*data.Table, error) {
	var open []string
	if learn.Iterates(m) {
		if f.err != nil {
			return nil, f.err
		}
		var err error
		if open, err = f.hidden(net.Variables(), s.Hidden, s.ownColumns()...); err != nil {
			return nil, err
		}
	} else if len(s.Hidden) > 0 {
		return nil, say.Errorf("bnkit: Settings.Hidden names %q; fit by learn.EM, which does not need the column",
			s.Hidden[0])
	}
	t, err := cases(net, f, s.Discretization, open...)
	if errors.Is(err, bn.ErrUnknownVariable) && !learn.Iterates(m) {
		err = say.Errorf("%w; fit by learn.EM, which does not need the column", err)
	}
	if err != nil {
		return nil, err
	}
	if t, err = weighted(f, t, s.Weight); err != nil {
		return nil, err
	}
	t, err = intervened(f, t, s.Intervened)
	if err == nil && s.Intervened != "" && t.Regimes() == nil {
		return nil, say.Errorf("bnkit: the column %q, Settings.Intervened, names no variable in any row; leave it out "+
			"of the settings, or name the variables that were set", s.Intervened)
	}
	return t, err
}

// ownColumns are those that are no variables.
func (s *Settings) ownColumns() []string {
	var names []string
	for _, name := range []string{s.Weight, s.Intervened} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// weighted gives the rows the weights in a column of the frame.
func weighted(f *frame, t *data.Table, column string) (*data.Table, error) {
	if column == "" {
		return t, nil
	}
	if _, err := t.Column(column); err == nil {
		return nil, say.Errorf("bnkit: column %q is in Settings.Weight and a variable of the network", column)
	}
	cells, err := f.trimmed(column)
	if err != nil {
		return nil, err
	}
	weights := make([]float64, len(cells))
	for row, cell := range cells {
		if weights[row], err = numberOf(cell); err != nil || math.IsNaN(weights[row]) {
			return nil, say.Errorf("bnkit: %w", &data.ValueError{Row: row + 1, Name: column, Value: cell,
				Err: data.ErrWeight})
		}
	}
	t, err = t.WithWeights(weights)
	var e *data.ValueError
	if errors.As(err, &e) {
		e.Name = column
	}
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	return t, nil
}

// intervened records the interventions that a column of the frame tells of.
func intervened(f *frame, t *data.Table, column string) (*data.Table, error) {
	if column == "" {
		return t, nil
	}
	cells, err := f.texts(column)
	if err != nil {
		return nil, err
	}
	missing := data.DefaultMissing()
	for row, cell := range cells {
		if slices.Contains(missing, strings.TrimSpace(cell)) {
			cells[row] = ""
		}
	}
	if t, err = t.WithInterventions(column, cells); err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	return t, nil
}

// heldOut plans the cases to stop by.
func (s *Settings) heldOut(net *bn.Network, f *frame, m learn.Method) (learn.Cases, error) {
	t, err := s.cases(net, f, m)
	if err != nil {
		return nil, err
	}
	return infer.NewPlan(net, t, &infer.Options{Workers: s.Workers})
}
