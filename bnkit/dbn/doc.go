// Package dbn implements dynamic Bayesian networks: networks whose variables recur in every time
// slice, with tables that do not change from slice to slice, learned from series.
//
//	net, err := dbn.New("[rain|rain[t-1]][umbrella|rain]",
//		bn.Discrete("rain", "no", "yes"),
//		bn.Discrete("umbrella", "no", "yes"))
//	...
//	s, err := dbn.NewSeries(table, nil) // columns series, time, umbrella
//	rises := constraint.Influence{Parent: "rain[1]", Child: "umbrella[1]"} // tells its states apart
//	fit, err := dbn.Fit(net, s, learn.EM{Constraints: []constraint.Constraint{rises}}, &learn.Settings{Seed: 1})
//
// A [Network] is kept as an ordinary network over two slices, its template: variables
// "rain[0]" of the first slice and "rain[1]" of every later one. Each table
// is stored once, so that methods of package learn and statements of package constraint, about
// "rain[1]" or "umbrella[1]", apply as they are. [Network.Unroll] copies the tables to as many
// slices as a series has; package infer answers there.
//
// [Series] come from a table with a column of series and a column of times. Their lengths
// differ, times may be left out, cells may be missing, and a variable without a column is
// hidden everywhere.
//
// [Fit] learns. [Cases] returns exact expected counts, summed over the slices that
// share a table (R95 §6), [Sampled] estimates of them (R95 §7). [Network.Smooth],
// [Network.Filter], [Network.Predict] and [Network.MostProbable] query
// series, with [Series.Given] also under likelihoods, sets of states and intervals. [Network.Joint]
// makes the hidden Markov model of several hidden variables.
//
// Not here: finding arcs between slices (LearnDynamic of package structure).
package dbn
