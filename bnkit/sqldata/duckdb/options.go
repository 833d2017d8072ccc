package duckdb

import (
	"errors"
	"fmt"

	"bnlab/bnkit/sqldata"
)

var (
	// ErrNoCgo is returned where the program was built without cgo.
	ErrNoCgo = errors.New("DuckDB needs cgo: install a C compiler and build with CGO_ENABLED=1")
	// errNoFiles is returned when no file matches.
	errNoFiles = errors.New("no such file")
	// errFormat is returned for files that are neither Parquet nor CSV, or not what their
	// names say.
	errFormat = errors.New("neither Parquet nor CSV")
	// errColumns is returned for files with different columns.
	errColumns = errors.New("the files have different columns")
)

// Options say how files are read. The zero value, and nil, are useful.
type Options struct {
	// MemoryMB bounds the memory of DuckDB, in units of 10^6 bytes; 0 means 1000. What does
	// not fit goes to temporary files.
	MemoryMB int
	// Threads is the number of threads of DuckDB; 0 means one for each processor. Counts do
	// not depend on it.
	Threads int
	// Temporary is the folder for temporary files, and for the rows of CSV files; empty means the
	// system's. A folder within it is made, and removed by Close.
	Temporary string
	// Comma separates the cells of CSV files; 0 means a comma, and a tab in .tsv files.
	Comma byte
	// MaxColumns bounds the columns of CSV files; 0 means 100,000.
	MaxColumns int
	// Cases say which columns become which variables, and bound the statements; Table, Query
	// and Args stay empty. States that are not given are those that [bnkit/format/parquet] wrote
	// into the file, and else those that are found in the data.
	Cases sqldata.Options
}

// withDefaults returns the options with defaults for zeros, or what is wrong with them.
func (o *Options) withDefaults() (Options, error) {
	var s Options
	if o != nil {
		s = *o
	}
	switch {
	case s.MemoryMB < 0:
		return s, fmt.Errorf("duckdb: MemoryMB is %d; give a positive number of megabytes, or 0 for 1000", s.MemoryMB)
	case s.Threads < 0:
		return s, fmt.Errorf("duckdb: Threads is %d; give a positive number, or 0 for all processors", s.Threads)
	case s.Cases.Table != "" || s.Cases.Query != "" || len(s.Cases.Args) > 0:
		return s, errors.New("duckdb: Table, Query and Args of Options.Cases stay empty; the files are the table")
	}
	if s.MemoryMB == 0 {
		s.MemoryMB = 1000
	}
	return s, nil
}
