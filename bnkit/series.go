package bnkit

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// FitSeries estimates a dynamic network from a frame of series: a column "series", a column "time"
// of whole numbers, and a column for each observed variable; see [dbn.NewSeries]. Other columns are
// ignored. Times in equal steps are one slice each, whatever the step, which the model keeps; in others say
// by Settings.Step how far slices are apart. Times may be left out, cells may be missing, and with iterative
// methods, such as [learn.EM] and [learn.APN], whole columns. The network itself is not changed. A done ctx ends
// a fit with the best network so far, as in [Fit]. Statements are about the template of the network; see
// [dbn.Fit].
//
//	net, err := dbn.New("[rain|rain[t-1]][umbrella|rain]", bn.Discrete("rain", "no", "yes"), …)
//	rises := constraint.Influence{Parent: "rain[1]", Child: "umbrella[1]"} // else no and yes may change places
//	em := learn.EM{Constraints: []constraint.Constraint{rises}}
//	fit, err := bnkit.FitSeries(ctx, net, df, em, &bnkit.Settings{Seed: 1, Hidden: []string{"rain"}})
//	rain, err := bnkit.SmoothSeries(fit, df)
//	now, err := bnkit.CPT(fit.Net.Template(), "rain[1]") // its parent is "rain[0]"
//
// What the states of a hidden variable are called is an accident of a random start unless a statement tells them apart;
// the fit says so (Interchangeable of [learn.Result]).
//
// HeldOut of the settings are series too. Errors name the row and column of a series or time that
// cannot be read, an unknown state, or the statement that does not fit the network.
func FitSeries(ctx context.Context, net *dbn.Network, df dataframe.DataFrame, m learn.Method,
	set *Settings) (*SeriesModel, error) {
	if set == nil {
		set = &Settings{}
	}
	if set.Intervened != "" {
		return nil, errors.New("bnkit: Settings.Intervened is not for series; leave it out, and the rows in which a " +
			"variable was set")
	}
	f := openFrame(df)
	s, err := seriesOf(net, f, reading{discretization: set.Discretization, step: set.Step})
	if err != nil {
		return nil, err
	}
	if set.Weight != "" {
		return nil, errors.New("bnkit: Settings.Weight is not for series")
	}
	if _, err := f.hidden(net.Variables(), set.Hidden, "series", "time"); err != nil {
		return nil, err
	}
	var heldOut learn.Cases
	if set.HeldOut != nil {
		other := openFrame(*set.HeldOut)
		if err := sameHidden(net.Variables(), f, other); err != nil {
			return nil, say.Errorf("bnkit: held-out series: %w", err)
		}
		held, err := seriesOf(net, other, reading{discretization: set.Discretization, step: s.Step()})
		if err != nil {
			return nil, say.Errorf("bnkit: held-out series: %w", err)
		}
		if heldOut, err = net.Cases(held, &infer.Options{Workers: set.Workers}); err != nil {
			return nil, say.Errorf("bnkit: held-out series: %w", err)
		}
	}
	fit, err := dbn.Fit(ctx, net, s, m, set.learn(heldOut))
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	return &SeriesModel{Fitted: fit, Discretization: set.Discretization, DataHash: s.Table().Hash(), Seed: set.Seed,
		provenance: set.remember(s.Table(), m)}, nil
}

// A reading says how frames become series: the mapping from values to states, and the time between two slices, 0
// where the frame has to tell it; and the variables that need no column in a question.
type reading struct {
	discretization *data.Discretization
	step           int64
	open           []string
}

// seriesOf converts the columns of a frame that the network has to series.
func seriesOf(net *dbn.Network, f *frame, how reading) (*dbn.Series, error) {
	d := how.discretization
	if err := checkDynamic(net); err != nil {
		return nil, err
	}
	if f.err != nil {
		return nil, f.err
	}
	if err := f.noSoft(net.Variables()); err != nil {
		return nil, err
	}
	names, made := []string{"series", "time"}, discretized(d)
	opts := &data.CSVOptions{States: make(map[string][]string)}
	if at := f.at["series"]; len(at) > 0 && f.types[at[0]] != series.Float {
		opts.Discrete = append(opts.Discrete, "series")
	}
	for _, v := range net.Variables() {
		if !f.has(v.Name) {
			continue
		}
		names = append(names, v.Name)
		if !v.IsDiscrete() {
			opts.Continuous = append(opts.Continuous, v.Name)
		} else if !slices.Contains(made, v.Name) {
			opts.States[v.Name] = v.States
		}
	}
	t, err := f.undeclared(names, opts)
	if err != nil {
		return nil, noSoftCells(net.Variables(), hint(err, d))
	}
	if t, err = discretize(t, d); err != nil {
		return nil, err
	}
	s, err := dbn.NewSeries(t, &dbn.SeriesOptions{Step: how.step})
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	return s, nil
}

// SampleSeries draws complete series of the given lengths as a frame with the columns "series"
// (1, 2, …) and "time" (from 0); drop columns to hide variables. It returns [bn.ErrNoSource] when
// src is nil, and an error for a length below 1; see [dbn.Network.Sample].
func SampleSeries(m dbn.Model, lengths []int, src rand.Source) (dataframe.DataFrame, error) {
	net, _, err := dynamic(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	s, err := net.Sample(lengths, src)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	return Frame(s.Table()), nil
}

// A SeriesModel is a fitted dynamic network with everything needed to use it again, and with its
// provenance. It prints the model string, how the fit ended and the tables, and is a [dbn.Model]:
// verbs about series take it or a *[dbn.Network].
type SeriesModel struct {
	*dbn.Fitted
	// Discretization maps new rows to the network's states; nil if not needed. The verbs apply it.
	Discretization *data.Discretization
	// DataHash identifies the series that the model was fitted to.
	DataHash string
	// Seed of the random steps, 0 when there were none.
	Seed uint64

	provenance *provenance // nil for an unknown one
}

var _ dbn.Model = (*SeriesModel)(nil)

// Dynamic returns the network, m.Net, or nil when there is none.
func (m *SeriesModel) Dynamic() *dbn.Network {
	if m == nil {
		return nil
	}
	return m.Fitted.Dynamic()
}

// String prints the fit as [dbn.Fitted.String] does.
func (m *SeriesModel) String() string {
	if m == nil {
		return (*dbn.Fitted)(nil).String()
	}
	return m.Fitted.String()
}

func (m *SeriesModel) discretization() *data.Discretization {
	if m == nil {
		return nil
	}
	return m.Discretization
}

// errNoDynamic is errNoNetwork for dynamic networks.
var errNoDynamic = errors.New("bnkit: there is no dynamic network; " +
	"make one with dbn.New, FitSeries or LoadSeries and look at the error that they return")

func checkDynamic(net *dbn.Network) error {
	if len(net.Variables()) == 0 {
		return errNoDynamic
	}
	return nil
}

// dynamic returns the network of a model and how it reads series.
func dynamic(m dbn.Model) (*dbn.Network, reading, error) {
	var how reading
	if m == nil {
		return nil, how, errNoDynamic
	}
	if fit := fitOf(m); fit != nil {
		how.step = fit.Step
	}
	if m, ok := m.(interface {
		discretization() *data.Discretization
	}); ok { // also of a type that embeds a SeriesModel
		how.discretization = m.discretization()
	}
	net := m.Dynamic()
	if err := checkDynamic(net); err != nil {
		return nil, how, err
	}
	var hidden []string
	if fit := fitOf(m); fit != nil && fit.Result != nil {
		hidden = fit.Hidden
	}
	for _, v := range net.Variables() {
		if v.Hidden || slices.Contains(hidden, dbn.At(v.Name, 1)) {
			how.open = append(how.open, v.Name)
		}
	}
	return net, how, nil
}

// fitOf returns the fit of a model, nil where there is none.
func fitOf(m dbn.Model) *dbn.Fitted {
	switch m := m.(type) {
	case *dbn.Fitted:
		return m
	case interface{ saved() *SeriesModel }: // also a type that embeds a SeriesModel
		if s := m.saved(); s != nil {
			return s.Fitted
		}
	}
	return nil
}
