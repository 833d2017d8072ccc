//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
	"bnlab/internal/say"
)

// Cases are the rows of files, as counts. They are those of package sqldata until Close.
type Cases struct {
	*sqldata.Cases
	// Files are the files that are read, in order.
	Files []string
	// Notes name the columns that are in some of the files only.
	Notes []string

	db        *sql.DB
	temporary string
}

var _ data.Source = (*Cases)(nil)

// Open opens a Parquet or CSV file, all those of a folder, or all those that a pattern such
// as visits/2024-*.parquet matches. Parquet files are known by their content, CSV files by
// the names .csv, .tsv and .txt, also with .gz or .zst behind, and have a header. Several
// files are read as one table. A folder without such files is read with its subfolders, and the
// values of subfolders such as date=2024-01-31 are a column, date. The caller closes the cases.
//
// A column that some Parquet files have not, since the schema grew, is missing in the rows of these,
// as Cases.Notes says; its numbers may be of several types. CSV files must have the same columns.
//
// Parquet files are not copied: each statement reads the columns it needs, and memory stays
// within Options.MemoryMB whatever their size. CSV files are read twice by package data, and their
// rows kept as Parquet in Options.Temporary until Close, in a fraction of the space: so the
// variables, their states, the missing cells and the errors are those of [data.ReadCSVFile], with
// file, line and column. A tab separates the cells of .tsv files.
//
// It returns [errNoFiles], [errFormat] and [errColumns] with the files in question,
// [ErrNoCgo] without cgo, and the errors of [sqldata.Open].
func Open(ctx context.Context, path string, opts *Options) (*Cases, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Cases{}
	if c.Files, err = find(path); err != nil {
		return nil, err
	}
	kind, err := formatOf(c.Files)
	if err != nil {
		return nil, err
	}
	if err := c.start(o); err != nil {
		return nil, err
	}
	if err := c.open(ctx, path, kind, o); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// open makes the files of a path a view and opens that.
func (c *Cases) open(ctx context.Context, path string, kind format, opts Options) error {
	o := opts.Cases
	v := viewer{db: c.db, files: c.Files, opts: &o}
	var query string
	var err error
	if kind == parquetFile {
		query, c.Notes, err = v.parquet(ctx, slices.ContainsFunc(c.Files, partitioned(path)))
	} else {
		query, err = c.csv(ctx, opts, &v)
	}
	if err != nil {
		return err
	}
	if _, err := c.db.ExecContext(ctx, "CREATE VIEW cases AS "+query); err != nil {
		return say.Errorf("duckdb: %w", err)
	}
	o.Table = "cases"
	if c.Cases, err = sqldata.Open(ctx, c.db, sqldata.DuckDB(), &o); err != nil {
		return say.Errorf("duckdb: %s: %w", c.Files[0], err)
	}
	return nil
}

// Close ends DuckDB and removes its temporary files. The cases cannot be used afterwards. Cases
// that are nil, as beside an error of Open, have nothing to end.
func (c *Cases) Close() error {
	if c == nil {
		return nil
	}
	return errors.Join(c.db.Close(), os.RemoveAll(c.temporary))
}

// temporaryFolder is where DuckDB may write: it makes the folder when it needs it.
func temporaryFolder(parent string) (string, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	dir, err := os.MkdirTemp(parent, "bnkit-duckdb-*")
	if err != nil {
		return "", say.Errorf("duckdb: the folder for temporary files: %w", err)
	}
	return filepath.Abs(dir)
}
