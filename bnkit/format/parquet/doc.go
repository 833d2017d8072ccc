// Package parquet reads and writes tables of cases as Apache Parquet, the columnar files of
// pandas, DuckDB, Spark and R's arrow.
//
//	t, err := parquet.Read("patients.parquet", nil)
//	...
//	err = parquet.Write("train.parquet", t)
//
// [Read] holds the whole table in memory and refuses files that are too large for it; package
// sqldata learns from those in place. [FromRecord] takes an Arrow record.
// A [Writer] writes tables of any length piece by piece.
//
// States are written as dictionary-encoded text, numbers as doubles, missing cells as nulls.
// The order of the states, which Parquet has no place for, is kept in the key bnkit.states of
// the file's metadata; other programs ignore it.
//
// Dates and times are states when few of them differ, else numbers, the seconds since 1970-01-01 00:00 UTC, to be cut
// by data.Periods. Decimals are the nearest floating-point numbers.
//
// Not here: nested columns and times of the day.
package parquet

// statesKey is the key of the file metadata with the states of the discrete columns: JSON,
// names of columns to lists of states, lowest first.
const statesKey = "bnkit.states"
