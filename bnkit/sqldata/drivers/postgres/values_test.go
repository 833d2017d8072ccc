//go:build linux

package postgres

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
	"bnlab/internal/numtest"
)

// execute runs statements, in order.
func execute(t *testing.T, db *sql.DB, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// States of columns of many types, by the rules of CSV files.
func TestStatesOfTypes(t *testing.T) {
	db := postgres(t)
	execute(t, db, `CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad')`,
		`CREATE TABLE types (i int, s smallint, b boolean, c char(5), v varchar, d date, n numeric(4,1), f double precision, m mood, u text)`,
		`INSERT INTO types VALUES
			(10, 1, true, 'ab', 'x', '2020-01-01', 1.5, 3, 'ok', 'ja'),
			(2, 2, false, 'abc', ' x', '2020-01-02', 2.5, 1.25, 'sad', ' nein '),
			(NULL, 1, NULL, 'ab', 'NA', NULL, NULL, 'NaN', NULL, ''),
			(2, 3, true, '', '?', '2020-01-01', 1.5, 3, 'glad', 'ja')`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE types", "DROP TYPE mood") })
	ctx := context.Background()
	_, err := sqldata.Open(ctx, db, sqldata.PostgreSQL(), &sqldata.Options{Table: "types"})
	if !says(err, noState) || says(err, `"d"`) {
		t.Errorf("columns of fractions, and one of dates: %v", err)
	}
	_, err = sqldata.Open(ctx, db, sqldata.PostgreSQL(),
		&sqldata.Options{Table: "types", Columns: []string{"n", "i", "f"}})
	if !says(err, noState) || !says(err, `"n"`) || !says(err, `"f"`) {
		t.Errorf("columns of fractions: %v", err)
	}
	c, err := sqldata.Open(ctx, db, sqldata.PostgreSQL(), &sqldata.Options{
		Query: "SELECT *, n::text AS part FROM types WHERE s < $1 -- all", Args: []any{4},
		Columns: []string{"i", "s", "b", "c", "v", "d", "part", "m", "u"},
		Names:   map[string]string{"m": "mood"}, States: map[string][]string{"mood": {"sad", "ok", "glad"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []bn.Variable{
		bn.Discrete("i", "2", "10"), bn.Discrete("s", "1", "2", "3"), bn.Discrete("b", "false", "true"),
		bn.Discrete("c", "ab", "abc"), bn.Discrete("v", "x"),
		bn.Discrete("d", "2020-01-01", "2020-01-02"), bn.Discrete("part", "1.5", "2.5"),
		bn.Discrete("mood", "sad", "ok", "glad"), bn.Discrete("u", "ja", "nein"),
	}
	for _, i := range []int{2, 3, 8} {
		want[i].Sorted = true // texts whose order nobody declared
	}
	if diff := cmp.Diff(want, c.Variables()); diff != "" {
		t.Error(diff)
	}
	rows, err := c.DistinctRows(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for row := range rows.Rows() {
		var cells []string
		for _, col := range rows.Columns() {
			cells = append(cells, col.Text(row))
		}
		got = append(got, strings.Join(cells, ","))
	}
	if want := []string{"2,2,false,abc,x,2020-01-02,2.5,sad,nein", "2,3,true,,,2020-01-01,1.5,glad,ja",
		"10,1,true,ab,x,2020-01-01,1.5,ok,ja", ",1,,ab,,,,,"}; !slices.Equal(got, want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// NaN is a missing cell, an infinite number an error.
func TestOddNumbers(t *testing.T) {
	db := postgres(t)
	execute(t, db, `CREATE TABLE far (x real)`, `INSERT INTO far VALUES (1), (2), ('NaN'), (2)`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE far") })
	opts := &sqldata.Options{Table: "far", Discretization: cuts("x", 1.5)}
	c, err := sqldata.Open(context.Background(), db, sqldata.PostgreSQL(), opts)
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.CountFamilies(context.Background(), []data.Family{{Child: "x"}}, skip)
	if err != nil || !slices.Equal(found[0].N, []float64{1, 2}) || found[0].Skipped != 1 {
		t.Errorf("%+v, %v; want 1 low, 2 high and 1 missing", found, err)
	}
	execute(t, db, `INSERT INTO far VALUES ('-Infinity')`)
	if c, err = sqldata.Open(context.Background(), db, sqldata.PostgreSQL(), opts); err != nil {
		t.Fatal(err)
	}
	if _, err = c.DistinctRows(context.Background()); !errors.Is(err, data.ErrNumber) {
		t.Errorf("−∞: %v", err)
	}
}

// Texts that mean one state are one row.
func TestDistinctRowsAreOfStates(t *testing.T) {
	db := postgres(t)
	execute(t, db, `CREATE TABLE spaced (x text)`,
		`INSERT INTO spaced VALUES ('a'), (' a'), ('b'), (NULL), ('NA'), ('?')`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE spaced") })
	c, err := sqldata.Open(context.Background(), db, sqldata.PostgreSQL(), &sqldata.Options{Table: "spaced"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := c.DistinctRows(context.Background())
	if err != nil || !slices.Equal(rows.Weights(), []float64{2, 1, 3}) {
		t.Errorf("%v, %v; want a 2, b 1, missing 3", rows, err)
	}
}

// A connection that the server ends in the middle of a statement, and at each attempt.
func TestServerEndsConnections(t *testing.T) {
	db := postgres(t)
	cases := sqltest.Sample(t, infertest.Asia(), 500)
	load(t, db, "ended", cases)
	ctx := context.Background()
	end := func() {
		for range 400 {
			var n int
			if err := db.QueryRow("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE " +
				"'%pg_sleep%' AND pid <> pg_backend_pid()").Scan(&n); err == nil && n > 0 {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	for _, retries := range []int{-1, 1} {
		c, err := sqldata.Open(ctx, db, sqldata.PostgreSQL(), &sqldata.Options{
			Query: "SELECT * FROM ended, (SELECT pg_sleep($1)) AS slow", Args: []any{1.0},
			Functions: []string{"pg_sleep"},
			Columns:   []string{"asia", "tub"},
			States:    map[string][]string{"asia": {"no", "yes"}, "tub": {"no", "yes"}}, Retries: retries,
		})
		if err != nil {
			t.Fatal(err)
		}
		go end()
		found, err := c.CountFamilies(ctx, []data.Family{{Child: "asia"}}, nil)
		switch {
		case retries < 0 && !says(err, "failed at the first attempt, after"):
			t.Errorf("without retries: %v", err)
		case retries > 0 && err != nil:
			t.Errorf("with a retry: %v", err)
		case retries > 0:
			want, _ := cases.CountFamilies(ctx, []data.Family{{Child: "asia"}}, nil)
			if !slices.Equal(found[0].N, want[0].N) || c.Cost().Retries != 1 {
				t.Errorf("counts %v, %+v; want %v after one retry", found[0].N, c.Cost(), want)
			}
		}
	}
}

func TestServerTimesOut(t *testing.T) {
	db := postgres(t)
	execute(t, db, "CREATE TABLE slow AS SELECT 'a' AS x")
	t.Cleanup(func() { execute(t, db, "DROP TABLE slow") })
	_, err := sqldata.Open(context.Background(), db, sqldata.PostgreSQL(), &sqldata.Options{
		Query: "SELECT x, pg_sleep(10)::text AS y FROM slow", Functions: []string{"pg_sleep"},
		Timeout: 50 * time.Millisecond,
	})
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "Timeout in Options") {
		t.Errorf("%v", err)
	}
}

// Transactions only read, whatever functions a query calls.
func TestNothingIsWritten(t *testing.T) {
	db := postgres(t)
	execute(t, db, "CREATE SEQUENCE counter", "CREATE TABLE kept AS SELECT 'a' AS x",
		"CREATE FUNCTION wipe() RETURNS text LANGUAGE sql AS $$ DELETE FROM kept RETURNING x $$",
		"CREATE FUNCTION draw() RETURNS bigint LANGUAGE sql AS $$ SELECT nextval('counter') $$")
	t.Cleanup(func() {
		execute(t, db, "DROP FUNCTION wipe", "DROP FUNCTION draw", "DROP TABLE kept", "DROP SEQUENCE counter")
	})
	for _, query := range []string{"SELECT wipe() AS x", "SELECT draw() AS x", "SELECT x FROM kept FOR SHARE"} {
		_, err := sqldata.Open(context.Background(), db, sqldata.PostgreSQL(), &sqldata.Options{Query: query,
			Functions: []string{"wipe", "draw"}})
		if !says(err, "sqldata: the statement that ") || !says(err, "read-only") {
			t.Errorf("%s: %v", query, err)
		}
	}
	var n int
	if err := db.QueryRow("SELECT count(*) FROM kept").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d rows are left, %v", n, err)
	}
}

func TestRowsThatCome(t *testing.T) {
	db := postgres(t)
	execute(t, db, "CREATE TABLE growing AS SELECT 'a' AS x, 'b' AS y")
	t.Cleanup(func() { execute(t, db, "DROP TABLE growing") })
	c, err := sqldata.Open(context.Background(), db, sqldata.PostgreSQL(), &sqldata.Options{Table: "growing"})
	if err != nil {
		t.Fatal(err)
	}
	execute(t, db, "INSERT INTO growing VALUES ('a', 'b')")
	if _, err := c.CountFamilies(context.Background(), []data.Family{{Child: "x"}}, nil); !says(err, changed) {
		t.Errorf("a row more: %v", err)
	}
}

// A preview is of rows that are there, the same for a seed, and about as frequent.
func TestPreview(t *testing.T) {
	db := postgres(t)
	cases := sqltest.Sample(t, infertest.Asia(), 4000)
	load(t, db, "previewed", cases)
	execute(t, db, "CREATE VIEW seen AS SELECT * FROM previewed")
	t.Cleanup(func() { execute(t, db, "DROP VIEW seen") })
	ctx := context.Background()
	for _, table := range []string{"previewed", "seen"} {
		c, err := sqldata.Open(ctx, db, sqldata.PostgreSQL(),
			&sqldata.Options{Table: table, States: data.StatesOf(cases.Variables()...)})
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Preview(ctx, 1000, 7)
		if err != nil {
			t.Fatal(err)
		}
		n, err := p.CountFamilies(ctx, []data.Family{{Child: "smoke"}}, nil)
		if err != nil || p.Rows() != 1000 || p.Weights() != nil {
			t.Fatalf("%d rows, %v", p.Rows(), err)
		}
		numtest.Close(t, n[0].N[0]/1000, 0.5, 0.08, 0) // five standard deviations
		again, err := c.Preview(ctx, 1000, 7)
		if err != nil || table == "previewed" && again.Hash() != p.Hash() {
			t.Errorf("%s: another preview of the same seed (%v)", table, err)
		}
		other, err := c.Preview(ctx, 1000, 8)
		if err != nil || other.Hash() == p.Hash() {
			t.Errorf("%s: the same preview of another seed (%v)", table, err)
		}
		all, err := c.Preview(ctx, 5000, 7)
		if err != nil || all.Rows() != 4000 {
			t.Errorf("%s: %d rows of 4000 (%v)", table, all.Rows(), err)
		}
	}
}
