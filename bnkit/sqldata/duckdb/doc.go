// Package duckdb opens Parquet and CSV files, also such as are larger than memory, as cases
// to learn from. DuckDB, the database inside, reads Parquet where it is and answers with
// counts; CSV becomes Parquet first, by the rules of package data.
//
//	cases, err := duckdb.Open(ctx, "visits/*.parquet", nil)
//	...
//	defer cases.Close()
//	fit, err := learn.Fit(ctx, net, cases, learn.MAP{Pseudocount: 1}, nil)
//
// [Cases] are those of package sqldata, so learners and searches take them as they take a table
// in memory.
//
// This package is a module of its own: DuckDB comes as a large C++ library and needs cgo.
// Without cgo the package compiles, and Open returns [ErrNoCgo].
package duckdb
