//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"bnlab/bnkit/sqldata"
)

// TestNoSideEffects sends SELECTs that would change a sequence or the session, or read files as they
// are: by name, and hidden in a view, a macro or quotes.
func TestNoSideEffects(t *testing.T) {
	ctx := t.Context()
	db := must(sql.Open("duckdb", ""))(t)
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a database of its own
	for _, text := range []string{
		"CREATE SEQUENCE s", "CREATE MACRO hidden() AS nextval('s')", "CREATE VIEW draws AS SELECT nextval('s') AS a",
		"CREATE TABLE plain AS SELECT 1 AS nextval, 2 AS query", "SET VARIABLE x = 1",
	} {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, opts := range []sqldata.Options{
		{Query: "SELECT nextval('s') AS a"}, {Query: "SELECT NextVal\n('s') AS a"},
		{Query: `SELECT "nextval"('s') AS a`},
		{Query: "SELECT main.nextval /* */ ('s') AS a"}, {Query: "SELECT a FROM draws"},
		{Query: "SELECT hidden() AS a"}, {Query: "SELECT hidden() AS a", Functions: []string{"hidden"}},
		{Table: "draws"}, {Query: "SELECT currval('s') AS a"}, {Query: "SELECT setseed(0.5) AS a"},
		{Query: "SELECT content AS a FROM read_text('go.mod')"}, {Query: "SELECT file AS a FROM glob('*')"},
		{Query: "SELECT getvariable('x') AS a"}, {Query: "SELECT current_setting('threads') AS a"},
		{Query: "SELECT write_log('x') AS a"}, {Query: "SELECT * FROM query('SELECT 1 AS a')"},
		{Query: "SELECT Success FROM checkpoint()"}, {Query: "SELECT * FROM enable_logging()"},
	} {
		if _, err := sqldata.Open(ctx, db, sqldata.DuckDB(), &opts); err == nil {
			t.Errorf("%s%s: no error", opts.Query, opts.Table)
		}
	}
	cases := must(sqldata.Open(ctx, db, sqldata.DuckDB(),
		&sqldata.Options{Query: `SELECT nextval, query FROM plain WHERE query IN (1, 2)`}))(t)
	if cases.Rows() != 1 {
		t.Errorf("%d rows, want 1", cases.Rows())
	}
	var next int
	if err := db.QueryRow("SELECT nextval('s')").Scan(&next); err != nil || next != 1 {
		t.Errorf("the sequence gives %d, %v; nothing drew from it", next, err)
	}
}

// TestNothingIsWritten sends what would write if one statement could become two: DuckDB's driver
// runs all that a text holds, and has no read-only transactions.
func TestNothingIsWritten(t *testing.T) {
	ctx := context.Background()
	db := must(sql.Open("duckdb", ""))(t)
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a database of its own
	for _, text := range []string{"CREATE TABLE victim AS SELECT 'x' AS a FROM range(2)",
		`CREATE TABLE "odd ""one""; --" AS SELECT 'x' AS "a""; DELETE FROM victim; --", 1.0 AS "w\'"`} {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, query := range []string{
		"SELECT $😀$ ' $😀$ AS a) AS q; DELETE FROM victim; SELECT * FROM (SELECT 'z' AS a --'",
		"SELECT $$ ' $$ AS a) AS q; DELETE FROM victim; SELECT * FROM (SELECT 'z' AS a --'",
		"SELECT $t$ ' $t$ AS a) AS q; DELETE FROM victim; SELECT * FROM (SELECT 'z' AS a --'",
		"SELECT 'x' AS a --\r) AS q; DELETE FROM victim; SELECT * FROM (SELECT 'z' AS a\nWHERE true",
		"SELECT E'\\' AS a) AS q; DELETE FROM victim; SELECT * FROM (SELECT 'z' AS a --'",
		"SELECT 'x' AS a /* /* */ ' */) AS q; DELETE FROM victim; SELECT * FROM (SELECT 'z' AS a --'",
		"SELECT 'x' AS a) AS q; DELETE FROM victim; SELECT * FROM (SELECT 'z' AS a",
		"WITH x AS (\u00a0DELETE FROM victim RETURNING a) SELECT a FROM x",
		"WITH x AS (DELETE FROM victim RETURNING a) SELECT a FROM x",
		"SELECT * FROM query('DELETE FROM victim')",
		"SELECT a FROM (DROP TABLE victim) AS b",
		"SELECT a FROM (COPY victim TO 'victim.csv') AS b",
		"SELECT a INTO other FROM victim",
		"EXPLAIN ANALYZE DELETE FROM victim",
		"CALL checkpoint()", "PRAGMA database_list", "INSTALL httpfs", "ATTACH ':memory:' AS other",
	} {
		if _, err := sqldata.Open(ctx, db, sqldata.DuckDB(), &sqldata.Options{Query: query}); err == nil {
			t.Errorf("%s: no error", query)
		}
	}
	for _, table := range []string{"victim; DELETE FROM victim", `victim" AS q; DELETE FROM victim; --`,
		`"victim"") AS q; DELETE FROM victim; --"`} {
		if _, err := sqldata.Open(ctx, db, sqldata.DuckDB(), &sqldata.Options{Table: table}); err == nil {
			t.Errorf("the table %s: no error", table)
		}
	}
	cases := must(sqldata.Open(ctx, db, sqldata.DuckDB(), &sqldata.Options{
		Table: `"odd ""one""; --"`, Weight: `w\'`,
		Names:   map[string]string{`a"; DELETE FROM victim; --`: `b"; DELETE FROM victim; --`},
		Missing: []string{"'; DELETE FROM victim; --"},
	}))(t)
	if rows := must(cases.DistinctRows(ctx))(t); rows.Rows() != 1 || cases.TotalWeight() != 1 {
		t.Errorf("%v of weight %g, want one row of weight 1", rows, cases.TotalWeight())
	}
	var n int
	if err := db.QueryRow("SELECT count(*) FROM victim").Scan(&n); err != nil || n != 2 {
		t.Errorf("the table has %d rows, %v; it had 2", n, err)
	}
}
