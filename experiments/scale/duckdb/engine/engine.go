// Package engine adds DuckDB to the experiment on scale: scale.New(engine.DuckDB{}).
package engine

import (
	"context"
	"errors"

	"bnlab/bnkit/sqldata/duckdb"
	"bnlab/experiments/scale"
	"bnlab/internal/say"
)

// DuckDB opens the files of the experiment by [duckdb.Open].
type DuckDB struct {
	Threads int // 0 means one for each processor
}

var _ scale.Engine = DuckDB{}

// String is the name in the tables.
func (DuckDB) String() string { return "duckdb" }

// Open opens a file within the memory that is the default. Without cgo it returns
// [scale.ErrAbsent].
func (d DuckDB) Open(ctx context.Context, file scale.File) (scale.Cases, error) {
	cases, err := duckdb.Open(ctx, file.Path, &duckdb.Options{Threads: d.Threads})
	if errors.Is(err, duckdb.ErrNoCgo) {
		return nil, say.Errorf("%w: %w", scale.ErrAbsent, err)
	}
	if err != nil {
		return nil, err
	}
	return cases, nil
}
