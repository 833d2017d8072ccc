//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/sqldata"
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

// same returns the columns of all files, described one by one, or an error that says which
// files differ in what.
func (v viewer) same(ctx context.Context, query func(file string) string, types bool) ([]field, error) {
	var first []field
	for i, file := range v.files {
		fields, err := v.describe(ctx, query(file))
		if err != nil {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("duckdb: %w", err)
			}
			return nil, fmt.Errorf("duckdb: %s is damaged, or %w: %w", file, errFormat, err)
		}
		if i == 0 {
			first = fields
			continue
		}
		for _, f := range first {
			j := slices.IndexFunc(fields, func(g field) bool { return g.name == f.name })
			switch {
			case j < 0:
				return nil, fmt.Errorf("duckdb: %w: %s has the column %q, and %s has not", errColumns, v.files[0],
					f.name, file)
			case types && fields[j].kind != f.kind:
				return nil, fmt.Errorf("duckdb: %w: the column %q is of type %s in %s, and %s in %s", errColumns,
					f.name, f.kind, v.files[0], fields[j].kind, file)
			}
		}
		for _, f := range fields {
			if !slices.ContainsFunc(first, func(g field) bool { return g.name == f.name }) {
				return nil, fmt.Errorf("duckdb: %w: %s has the column %q, and %s has not", errColumns, file, f.name,
					v.files[0])
			}
		}
	}
	return first, nil
}

// parquet is the SELECT of Parquet files. Columns are found by their names in each file.
func (v viewer) parquet(ctx context.Context) (string, error) {
	read := func(files []string) string {
		return "SELECT * FROM read_parquet(" + list(files) +
			", union_by_name = true, binary_as_string = true, hive_partitioning = false)"
	}
	fields, err := v.same(ctx, func(file string) string { return read([]string{file}) }, true)
	if err != nil {
		return "", err
	}
	if err := v.renamed(ctx, fields); err != nil {
		return "", err
	}
	return read(v.files), v.states(ctx)
}

// renamed refuses columns whose names differ in case only: DuckDB takes these for the same
// name, and renames one of them.
func (v viewer) renamed(ctx context.Context, fields []field) error {
	rows, err := v.db.QueryContext(ctx, "SELECT name FROM parquet_schema("+list(v.files[:1])+")")
	if err != nil {
		return fmt.Errorf("duckdb: %w", err)
	}
	defer rows.Close()
	inFile := make(map[string]bool)
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return fmt.Errorf("duckdb: %w", err)
		}
		inFile[name] = true
	}
	for _, f := range fields {
		if !inFile[f.name] {
			return fmt.Errorf("duckdb: %s: %w: DuckDB does not tell capital letters from small ones in names of "+
				"columns, and calls one column %q; give the columns other names", v.files[0], bn.ErrDuplicate, f.name)
		}
	}
	return rows.Err()
}

// statesKey is the key of a Parquet file's metadata under which package parquet keeps the states.
const statesKey = "bnkit.states"

// states takes the lists of states that package parquet wrote into the files, for the columns in
// which all files agree. What the options say goes first.
func (v viewer) states(ctx context.Context) error {
	rows, err := v.db.QueryContext(ctx, "SELECT decode(value) FROM parquet_kv_metadata("+list(
		v.files)+") WHERE decode(key) = $1", statesKey)
	if err != nil {
		return fmt.Errorf("duckdb: the metadata of %s: %w", v.files[0], err)
	}
	defer rows.Close()
	found := make(map[string][]string)
	agree := make(map[string]int) // by column, the files with this list
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return fmt.Errorf("duckdb: the metadata of %s: %w", v.files[0], err)
		}
		var lists map[string][]string
		if err := json.Unmarshal([]byte(text), &lists); err != nil {
			return fmt.Errorf("duckdb: the lists of states in the metadata of %s: %w", v.files[0], err)
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
		return fmt.Errorf("duckdb: the metadata of %s: %w", v.files[0], err)
	}
	states := make(map[string][]string)
	for column, list := range found {
		wanted := v.opts.Columns == nil || slices.Contains(v.opts.Columns, column)
		if agree[column] == len(v.files) && wanted && column != v.opts.Weight {
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
