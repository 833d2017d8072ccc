//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/sqldata"
	"bnlab/internal/notnull"
	"bnlab/internal/say"
)

// A viewer writes the SELECT that reads files as one table. It may complete the options by
// what the files say of themselves.
type viewer struct {
	db    *sql.DB
	files []string
	opts  *sqldata.Options
}

// A field is a column as DuckDB describes it.
type field struct{ name, kind string }

// describe returns the columns of a query.
func (v viewer) describe(ctx context.Context, query string) ([]field, error) {
	rows, err := v.db.QueryContext(ctx, "SELECT column_name, column_type FROM (DESCRIBE "+query+")")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var fields []field
	for rows.Next() {
		var f field
		if err := rows.Scan(&f.name, &f.kind); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, rows.Err()
}

// A schema is the columns of several files read as one table.
type schema struct {
	fields []field
	in     map[string][]string // by column, the files that have it, in order
}

// parquet is the SELECT of Parquet files. Columns are found by their names in each file; those that a file has not are
// missing cells there.
func (v viewer) parquet(ctx context.Context, hive bool) (query string, notes []string, err error) {
	read := func(files []string) string {
		return fmt.Sprintf("SELECT * FROM read_parquet(%s, union_by_name = true, binary_as_string = true, "+
			"hive_partitioning = %v)", list(files), hive)
	}
	s, err := v.schema(ctx, func(file string) string { return read([]string{file}) }, hive)
	if err != nil {
		return "", nil, err
	}
	return read(v.files), s.notes(v.files), v.states(ctx, s)
}

// schema describes the files one by one. A column may be wanting in some of them, and its numbers may be of several
// types; other differences are errors that say which files differ in what.
func (v viewer) schema(ctx context.Context, query func(file string) string, hive bool) (*schema, error) {
	s := &schema{in: make(map[string][]string)}
	for _, file := range v.files {
		fields, err := v.describe(ctx, query(file))
		if err != nil {
			if ctx.Err() != nil {
				return nil, say.Errorf("duckdb: %w", err)
			}
			return nil, say.Errorf("duckdb: %s is damaged, or %w: %w", file, errFormat, err)
		}
		if err := v.renamed(ctx, file, fields, hive); err != nil {
			return nil, err
		}
		for _, f := range fields {
			i := slices.IndexFunc(s.fields, func(g field) bool { return strings.EqualFold(g.name, f.name) })
			if i < 0 {
				s.fields = append(s.fields, f)
				s.in[f.name] = []string{file}
				continue
			}
			known := s.fields[i]
			first := s.in[known.name][0]
			switch {
			case known.name != f.name:
				return nil, say.Errorf("duckdb: %w: the column %q of %s is %q in %s, and DuckDB does not tell capital "+
					"letters from small ones", errColumns, known.name, first, f.name, file)
			case family(known.kind) != family(f.kind):
				return nil, say.Errorf("duckdb: %w: the column %q is of type %s in %s, and %s in %s", errColumns,
					f.name, known.kind, first, f.kind, file)
			}
			s.in[f.name] = append(s.in[f.name], file)
		}
	}
	return s, nil
}

// family names the types that one column may have in several files: numbers of all widths, and dates and timestamps,
// but not those with a time zone among those without.
func family(kind string) string {
	name, _, _ := strings.Cut(kind, "(")
	switch name {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT",
		"DOUBLE", "DECIMAL":
		return "number"
	case "DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS":
		return "time"
	}
	return kind
}

// notes names the columns that some files have not.
func (s *schema) notes(files []string) []string {
	var notes []string
	for _, f := range s.fields {
		in := s.in[f.name]
		if len(in) == len(files) {
			continue
		}
		without := files[slices.IndexFunc(files, func(file string) bool { return !slices.Contains(in, file) })]
		name := filepath.Base(without)
		if folder := filepath.Base(filepath.Dir(without)); strings.Contains(folder, "=") {
			name = filepath.Join(folder, name)
		}
		notes = append(notes, fmt.Sprintf("column %q is in %d of %d files; in the others, such as %s, its cells are "+
			"missing", f.name, len(in), len(files), name))
	}
	return notes
}

// renamed refuses columns of a file whose names differ in case only: DuckDB takes these for the same
// name, and renames one of them.
func (v viewer) renamed(ctx context.Context, file string, fields []field, hive bool) error {
	rows, err := v.db.QueryContext(ctx, "SELECT name FROM parquet_schema("+list([]string{file})+")")
	if err != nil {
		return say.Errorf("duckdb: %w", err)
	}
	defer rows.Close()
	inFile := make(map[string]bool)
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return say.Errorf("duckdb: %w", err)
		}
		inFile[name] = true
	}
	for _, f := range fields {
		if !inFile[f.name] && !(hive && strings.Contains(filepath.ToSlash(file), "/"+f.name+"=")) {
			return say.Errorf("duckdb: %s: %w: DuckDB does not tell capital letters from small ones in names of "+
				"columns, and calls one column %q; give the columns other names", file, bn.ErrDuplicate, f.name)
		}
	}
	return rows.Err()
}

// statesKey is the key of a Parquet file's metadata under which package parquet keeps the states.
const statesKey = "bnkit.states"

// states takes the lists of states that package parquet wrote into the files, for the columns in
// which all files that have them agree. What the options say goes first.
func (v viewer) states(ctx context.Context, s *schema) error {
	rows, err := v.db.QueryContext(ctx, "SELECT decode(value) FROM parquet_kv_metadata("+list(
		v.files)+") WHERE decode(key) = $1", statesKey)
	if err != nil {
		return say.Errorf("duckdb: the metadata of %s: %w", v.files[0], err)
	}
	defer rows.Close()
	found := make(map[string][]string)
	agree := make(map[string]int) // by column, the files with this list
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return say.Errorf("duckdb: the metadata of %s: %w", v.files[0], err)
		}
		var lists map[string][]string
		if err := notnull.Unmarshal([]byte(text), &lists); err != nil {
			return say.Errorf("duckdb: the lists of states in the metadata of %s: %w", v.files[0], err)
		}
		for column, list := range lists {
			if found[column] == nil {
				found[column] = list
			}
			if slices.Equal(found[column], list) {
				agree[column]++
			}
		}
	}
	if err := rows.Err(); err != nil {
		return say.Errorf("duckdb: the metadata of %s: %w", v.files[0], err)
	}
	states := make(map[string][]string)
	for column, list := range found {
		wanted := v.opts.Columns == nil || slices.Contains(v.opts.Columns, column)
		if agree[column] == len(s.in[column]) && wanted && column != v.opts.Weight {
			states[v.variable(column)] = list
		}
	}
	if d := v.opts.Discretization; d != nil {
		for _, b := range d.Columns {
			delete(states, b.Column)
		}
	}
	maps.Copy(states, v.opts.States)
	v.opts.States = states
	return nil
}

// variable is the name that the options give a column.
func (v viewer) variable(column string) string {
	if name, ok := v.opts.Names[column]; ok {
		return name
	}
	return column
}
