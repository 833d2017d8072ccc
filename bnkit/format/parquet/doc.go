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
// Not here: nested columns, dates and times, which are no variables of a network.
package parquet

// statesKey is the key of the file metadata with the states of the discrete columns: JSON,
// names of columns to lists of states, lowest first.
const statesKey = "bnkit.states"
