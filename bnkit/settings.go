package bnkit

import (
	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
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
	// Discretization is applied to the frame first and kept in the model; see
	// [Discretize].
	Discretization *data.Discretization
	// Seed is the seed of random starts. It is stored in the model: give the seed of the split or
	// sample that the frame came from.
	Seed uint64

	// The rest is for iterative methods, such as [learn.EM] and [learn.APN].

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
