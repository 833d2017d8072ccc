//go:build cgo

package duckdb

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
	"bnlab/bnkit/sqldata"
	"bnlab/internal/say"
)

// A converter reads CSV files by package data and keeps their rows as Parquet. DuckDB's own
// reader guesses separator, quotes, header and types where it is not told, and differs from
// encoding/csv in line ends, quotes, empty lines and space where it is: what the rows are would
// depend on who reads them. Parquet also answers each statement many times faster.
type converter struct {
	files []string
	comma byte // 0: by the name of the file
	most  int  // columns
	opts  sqldata.Options
}

// convert writes the rows to a Parquet file.
func (c *converter) convert(ctx context.Context, path string) error {
	found, err := c.scan(ctx, c.reading(), nil)
	if err != nil {
		return err
	}
	vars := found.Variables()
	if found.Rows() == 0 {
		return say.Errorf("data: %s: only a header: %w", c.files[0], data.ErrNoRows)
	}
	if err := c.check(vars); err != nil {
		return err
	}
	opts := &data.CSVOptions{
		Comma: c.comma, MaxColumns: c.most, Missing: c.opts.Missing, States: data.StatesOf(vars...),
		Columns: []string{},
	}
	if c.opts.Weight != "" {
		vars = append(vars, bn.Continuous(c.opts.Weight))
	}
	for _, v := range vars {
		opts.Columns = append(opts.Columns, v.Name)
		if !v.IsDiscrete() {
			opts.Continuous = append(opts.Continuous, v.Name)
		}
	}
	w, err := parquet.Create(path, vars, &parquet.WriterOptions{GroupRows: max(1024, min(1<<18, (1<<24)/len(vars)))})
	if err != nil {
		return err
	}
	defer w.Discard()
	if _, err := c.scan(ctx, opts, w.Write); err != nil {
		return err
	}
	return w.Close()
}

// scan reads all files.
func (c *converter) scan(ctx context.Context, opts *data.CSVOptions, do func(*data.Table) error) (*data.CSVScanner,
	error) {
	if opts.Comma == 0 && unpacked(c.files[0]) == ".tsv" {
		opts.Comma = '\t'
	}
	s := &data.CSVScanner{Options: opts}
	for _, file := range c.files {
		if err := scanFile(ctx, s, file, do); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func scanFile(ctx context.Context, s *data.CSVScanner, file string, do func(*data.Table) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := unpack(f, file)
	if err != nil {
		return say.Errorf("%s: %w", file, err)
	}
	defer r.Close()
	return s.Scan(&untilDone{ctx, r}, file, do)
}

// unpack reads a compressed file as what it holds.
func unpack(f io.Reader, file string) (io.ReadCloser, error) {
	switch ending(file) {
	case ".gz":
		return gzip.NewReader(f)
	case ".zst":
		d, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(f), nil
}

// untilDone reads until the context ends.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (r *untilDone) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// reading are the options of the first reading, which finds what the columns are.
func (c *converter) reading() *data.CSVOptions {
	o := &data.CSVOptions{
		Comma: c.comma, MaxColumns: c.most, Missing: c.opts.Missing, Weight: c.opts.Weight,
		States: make(map[string][]string),
	}
	if c.opts.Columns != nil {
		o.Columns = slices.DeleteFunc(slices.Clone(c.opts.Columns),
			func(name string) bool { return name == c.opts.Weight })
	}
	column := func(variable string) string {
		for name, as := range c.opts.Names {
			if as == variable {
				return name
			}
		}
		return variable
	}
	for variable, states := range c.opts.States {
		o.States[column(variable)] = states
	}
	if c.opts.Discretization != nil {
		seen := make(map[string]bool)
		for _, step := range c.opts.Discretization.Columns {
			if step.From == nil && !seen[step.Column] {
				o.Continuous = append(o.Continuous, column(step.Column))
			}
			seen[step.Column] = true
		}
	}
	return o
}

// check refuses columns that cannot be cases.
func (c *converter) check(vars []bn.Variable) error {
	lower := make(map[string]string)
	for _, v := range vars {
		if other, ok := lower[strings.ToLower(v.Name)]; ok {
			return say.Errorf("duckdb: %s: %w: DuckDB does not tell capital letters from small ones in names of "+
				"columns, and there are %q and %q; give the columns other names",
				c.files[0], bn.ErrDuplicate, other, v.Name)
		}
		lower[strings.ToLower(v.Name)] = v.Name
	}
	most := c.opts.MaxStates
	if most == 0 {
		most = 1000
	}
	given := c.reading().States
	for _, v := range vars {
		if len(v.States) > most && given[v.Name] == nil {
			return say.Errorf("duckdb: %s: column %q: %w: it has %d different values; leave it out of Columns if it "+
				"is no variable, cut it by a Discretization, or raise MaxStates above %d",
				c.files[0], v.Name, bn.ErrTooLarge, len(v.States), most)
		}
	}
	return nil
}

// csv keeps the rows of CSV files as Parquet, and is the SELECT of that.
func (c *Cases) csv(ctx context.Context, o Options, v *viewer) (string, error) {
	path := filepath.Join(c.temporary, "cases.parquet")
	if err := (&converter{files: c.Files, comma: o.Comma, most: o.MaxColumns, opts: *v.opts}).convert(ctx,
		path); err != nil {
		if strings.HasPrefix(err.Error(), "duckdb: ") {
			return "", err
		}
		return "", say.Errorf("duckdb: %w", err)
	}
	v.files = []string{path}
	query, _, err := v.parquet(ctx, false)
	return query, err
}
