//go:build !cgo

package duckdb

import (
	"context"

	"bnlab/bnkit/sqldata"
)

// Cases are the rows of files, as counts.
type Cases struct {
	*sqldata.Cases
	Files []string
	Notes []string
}

// Open returns [ErrNoCgo]: this program was built without cgo.
func Open(context.Context, string, *Options) (*Cases, error) { return nil, ErrNoCgo }

// Close has nothing to end.
func (*Cases) Close() error { return nil }
