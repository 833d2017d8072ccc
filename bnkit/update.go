package bnkit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// UpdateSettings are the settings of [Update]. Nil means that earlier and new cases count equally.
type UpdateSettings struct {
	// Fading is the weight of each case of the earlier fit, above 0 and at most 1; 0 means 1. With a
	// fading f at each update, cases of k updates ago have weight f^k.
	Fading float64
	// SkipMissing leaves a row out of the counts of each table in which it has a missing cell.
	SkipMissing bool
	// Intervened names the column that says which variables were set in a row; see [Settings].
	Intervened string
	// Weight names the column of the weights of rows; see [Settings].
	Weight string
	// Again counts cases once more that the model has counted already. Without it [Update] refuses twenty rows and more
	// that are those of the fit or of an update before.
	Again bool
}

// Update returns a model updated with new cases: its counts are those of the model plus those of
// the new cases, its statements and prior are the model's. The result is that of [Fit] to all cases
// together, without needing the earlier ones (of which only a network may be left: [learn.PriorNetwork] makes it the
// prior of a fit); the given model is not changed. Statements that the model's cases suggested count as suggested by
// all cases then. A VarianceFloor is not kept, since a model does not store it.
//
// Two processes that each load a file, update and save it lose the cases of the one that saves first; let one process
// do it, or lock.
//
// It returns an error for a model whose tables are not the maximum for its counts, such as one with
// hidden variables (fit it again, From the earlier network), a fading out of range, a done ctx, cases that
// the model has already, and those of [Fit].
func Update(ctx context.Context, m *Model, df dataframe.DataFrame, set *UpdateSettings) (*Model, error) {
	net, err := fittedNetwork(m)
	if err != nil {
		return nil, err
	}
	if set == nil {
		set = &UpdateSettings{}
	}
	fading := set.Fading
	if fading == 0 {
		fading = 1
	}
	if !(fading > 0 && fading <= 1) {
		return nil, say.Errorf("bnkit: a Fading of %v; give a number above 0 and at most 1", set.Fading)
	}
	if m.Expected || len(m.Trace) > 1 || len(m.Targets) > 0 || len(m.CPDs) > 0 {
		return nil, say.Errorf("bnkit: the model was fitted by %s, whose tables are not the maximum for counts of its "+
			"cases; fit all cases again, with Settings.From set to its network", m.Method)
	}
	f := openFrame(df)
	t, err := cases(net, f, m.Discretization)
	if err != nil {
		return nil, err
	}
	if t, err = weighted(f, t, set.Weight); err != nil {
		return nil, err
	}
	if t, err = intervened(f, t, set.Intervened); err != nil {
		return nil, err
	}
	const few = 20 // of which two sets may well be the same
	if !set.Again && t.Rows() >= few && m.hasSeen(t) {
		return nil, fmt.Errorf("bnkit: the model has counted these %d rows already; set Again in UpdateSettings if "+
			"they are other cases with the same values", t.Rows())
	}
	if err := ctx.Err(); err != nil {
		return nil, say.Errorf("bnkit: before the new cases were counted: %w", err)
	}
	opts := &data.CountOptions{SkipMissing: set.SkipMissing}
	counts, err := t.Count(net, opts)
	if cell := (*data.ValueError)(nil); errors.As(err, &cell) && errors.Is(err, data.ErrMissing) {
		e := *cell
		e.Err = fmt.Errorf("%w; set SkipMissing in UpdateSettings to leave such rows out of the tables of the "+
			"variable and its children", data.ErrMissing)
		err = &e
	}
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	earlier := &data.Counts{Layout: net.Layout(), N: m.Counts, Rows: m.Cases, Skipped: skipped(m)}
	if counts, err = earlier.Merge(fading, counts); err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	var moments *data.Moments
	if m.Moments != nil {
		if moments, err = t.Crossproducts(net, opts); err == nil {
			moments, err = m.Moments.Merge(fading, moments)
		}
		if err != nil {
			return nil, say.Errorf("bnkit: %w", err)
		}
	}
	same, err := m.suggestedBy(counts)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	again, err := learn.Compile(net, same.sameMethod())
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	r, err := again.FitContext(ctx, counts, moments)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	return &Model{Result: r, Discretization: m.Discretization, DataHash: m.DataHash + "+" + t.Hash(), Seed: m.Seed,
		provenance: m.provenance.updated(t, set)}, nil
}

// suggestedBy returns the model with those statements that its own cases suggested marked as suggested by counts that
// hold these cases too: an audit of both together would find mostly what suggested them.
func (m *Model) suggestedBy(counts *data.Counts) (*Model, error) {
	is, err := m.Suggested()
	if err != nil || !slices.Contains(is, true) {
		return m, err
	}
	r := *m.Result
	r.Statements = slices.Clone(r.Statements)
	for i, s := range r.Statements {
		if !is[i] {
			continue
		}
		switch s := s.(type) {
		case constraint.ShareStates:
			v, _ := m.Net.Index(s.Var)
			s.SuggestedBy = counts.Hash(v)
			r.Statements[i] = s
		case constraint.ShareAcross:
			v, _ := m.Net.Index(s.Var)
			s.SuggestedBy = counts.Hash(v)
			r.Statements[i] = s
		}
	}
	again := *m
	again.Result = &r
	return &again, nil
}

func skipped(m *Model) []float64 {
	if m.Skipped != nil {
		return m.Skipped
	}
	return make([]float64, m.Net.Len())
}

// sameMethod returns the closed-form method with the statements and the prior of the model.
func (m *Model) sameMethod() learn.Method {
	again := m.mode()
	if m.Means == nil {
		return again
	}
	if m.Means.Sharing != nil {
		return *m.Means.Sharing
	}
	mean := learn.PosteriorMean{Constraints: m.Statements, Draws: m.Means.Draws, Seed: m.Means.Seed}
	if prior, ok := again.(learn.MAP); ok {
		mean.Pseudocount, mean.Alpha = prior.Pseudocount, prior.Alpha
	}
	if m.Weighing != nil {
		return m.Weighing.Method(m.Statements, mean)
	}
	return mean
}

// mode returns the method of the mode under the same statements and prior.
func (m *Model) mode() learn.Method {
	prior := m.prior()
	again := learn.MAP{Constraints: m.Statements}
	for v, p := range m.GaussianPriors {
		if p != nil {
			if again.GaussianOf == nil {
				again.GaussianOf = make(map[string]constraint.GaussianPrior)
			}
			again.GaussianOf[m.Net.Variable(v).Name] = *p
		}
	}
	if prior == nil && again.GaussianOf == nil {
		return learn.ML{Constraints: m.Statements}
	}
	if prior == nil {
		return again
	}
	if slices.Min(prior) == slices.Max(prior) {
		again.Pseudocount = prior[0]
		return again
	}
	again.Alpha = make(map[string][]float64)
	for v := range m.Net.Len() {
		lo, hi := m.Net.Layout().Family(v)
		if lo == hi {
			continue
		}
		alpha := slices.Clone(prior[lo:hi])
		for i := range alpha {
			// Parameters whose statement has a Dirichlet count of its own share their counts evenly, so an
			// entry of them may have any part; the statement gives it again.
			if alpha[i]++; !(alpha[i] > 0) {
				alpha[i] = 1
			}
		}
		again.Alpha[m.Net.Variable(v).Name] = alpha
	}
	return again
}
