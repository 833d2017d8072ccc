package bnkit

import (
	"context"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// Settings govern Fit. Nil means the defaults.
type Settings struct {
	// SkipMissing leaves a row out of the counts of each table in which it has a
	// missing cell, instead of refusing the frame.
	SkipMissing bool
	// Workers bounds the number of processors; 0 means all. Results do not depend
	// on it.
	Workers int
	// Discretization is applied to the frame first and kept in the model; see
	// [Discretize].
	Discretization *data.Discretization
	// Seed is stored in the model; give the seed of the split or sample the frame
	// came from. Random starts come from it.
	Seed uint64

	// The rest is for methods that iterate, such as [learn.EM] and [learn.APN].

	// Starts is how often to start; the best end is kept. 0 means 1, or 5 when a variable
	// has no column. Starts after the first, and all of them when a variable has no
	// column, are random.
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
	// HeldOut, when not nil, are cases to stop by: when their log-likelihood has not risen
	// for Patience iterations (0 means 10), the network that was best for them is the fit.
	HeldOut  *dataframe.DataFrame
	Patience int
	// Progress, when not nil, is called after each iteration, and once more when the fit is
	// interrupted; nb.FitProgress shows it.
	Progress func(learn.Progress)
	// Context, when not nil, ends a fit early, as Ctrl-C does: the best network so far
	// comes back, and prints that it was interrupted.
	Context context.Context
}

// run are the settings of package learn, and the context of the fit, which Settings.Context ends too. Until
// stop is called Ctrl-C ends a fit that iterates with the best so far; a second one ends the program, as ever.
func (s *Settings) run(ctx context.Context, m learn.Method, heldOut learn.Cases) (_ context.Context,
	ls *learn.Settings, stop context.CancelFunc) {
	ls = &learn.Settings{
		SkipMissing: s.SkipMissing, Workers: s.Workers,
		Starts: s.Starts, Seed: s.Seed, From: s.From, Flat: s.Flat, MaxIterations: s.MaxIterations,
		Tolerance: s.Tolerance,
		HeldOut:   heldOut, Patience: s.Patience, Progress: s.Progress,
	}
	if !learn.Iterates(m) {
		return ctx, ls, func() {}
	}
	if s.Context == nil {
		ctx, stop = interruptible(ctx)
		return ctx, ls, stop
	}
	both, stop := interruptible(s.Context)
	context.AfterFunc(ctx, stop)
	return both, ls, stop
}
