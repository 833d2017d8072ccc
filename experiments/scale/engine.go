package scale

import (
	"context"
	"errors"
	"fmt"

	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
	"bnlab/bnkit/sqldata"
	"bnlab/internal/say"
)

// An Engine opens a file of cases and counts them. String is its name in the tables.
type Engine interface {
	// Open opens a Parquet file. An error that wraps [ErrAbsent] means that the engine
	// cannot be had for it, and is no failure.
	Open(ctx context.Context, file File) (Cases, error)
	String() string
}

// Cases are those of an opened file.
type Cases interface {
	data.Source
	// Cost is what a database has been asked since the file was opened.
	Cost() sqldata.Cost
	Close() error
}

// ErrAbsent says that an engine cannot be had here.
var ErrAbsent = errors.New("not available")

// Absent stands for an engine that cannot be had, and says why.
type Absent struct{ Name, Why string }

// String is the name.
func (a Absent) String() string { return a.Name }

// Open returns ErrAbsent.
func (a Absent) Open(context.Context, File) (Cases, error) {
	return nil, say.Errorf("%w: %s", ErrAbsent, a.Why)
}

// noDuckDB stands for DuckDB in programs of this module.
var noDuckDB = Absent{"duckdb", "DuckDB is in a module of its own: cd experiments/scale/duckdb && go run ."}

// Memory reads the whole file into a [data.Table].
type Memory struct{}

// String is the name.
func (Memory) String() string { return "memory" }

// Open reads the file. It refuses one whose table of two bytes a cell would take more than a third of what is free: at
// ten million rows EM takes 2.1 times the table, opening it and a climb 1.2 times.
func (Memory) Open(ctx context.Context, file File) (Cases, error) {
	need := 2 * int64(file.Rows) * int64(file.Net.Len())
	if free := available(); free >= 0 && 3*need > free {
		return nil, fmt.Errorf("%w: the table takes %.1f GB, and %.1f GB of memory are free; it is read where it "+
			"takes a third of that at most, since EM takes 2.1 times the table", ErrAbsent, float64(need)/1e9,
			float64(free)/1e9)
	}
	t, err := parquet.Read(file.Path, &parquet.Options{MaxBytes: need})
	if err != nil {
		return nil, err
	}
	return inMemory{t}, ctx.Err()
}

// learned is what learners are given: of a table the table itself, as users give it, since they know
// how to count in one without asking it.
func learned(c Cases) data.Source {
	if t, ok := c.(inMemory); ok {
		return t.Table
	}
	return c
}

// inMemory is a table, which no statement is sent to.
type inMemory struct{ *data.Table }

func (inMemory) Cost() sqldata.Cost { return sqldata.Cost{} }
func (inMemory) Close() error       { return nil }
