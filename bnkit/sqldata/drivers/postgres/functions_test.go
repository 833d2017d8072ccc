//go:build linux

package postgres

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"bnlab/bnkit/sqldata"
)

// Functions that a query is likely to call run, and those that do more are not sent, however their names are spelt.
func TestFunctions(t *testing.T) {
	db := postgres(t)
	execute(t, db, "CREATE TABLE visits AS SELECT ' High '::text AS fever, 39.5 AS degrees, "+
		"DATE '2020-02-29' AS seen, "+`'{"dose": 2, "drugs": ["a"]}'::jsonb AS notes`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE visits") })
	for _, e := range []string{"lower(trim(fever))", "CAST(round(degrees) AS INTEGER)", "to_char(seen, 'YYYY-MM')",
		"CAST(EXTRACT(YEAR FROM seen) AS INTEGER)", "date_trunc('month', seen)::text", "notes ->> 'dose'",
		"jsonb_array_length(notes -> 'drugs')", "CASE WHEN (degrees > 39) THEN ('a') ELSE ('b') END",
		"(SELECT count(*) FILTER (WHERE degrees > 39) FROM visits)",
		"row_number() OVER (PARTITION BY fever ORDER BY seen)",
		"width_bucket(degrees, 35, 42, 7)", "regexp_replace(fever, 'H', 'h')", "COALESCE(NULLIF(fever, ''), 'none')",
		"(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY degrees) FROM visits)::text", "md5(fever)",
		"(SELECT string_agg(q.b, ',') FROM (VALUES (1, 'x')) AS q(a, b))",
		"EXTRACT(DAY FROM age(DATE '2020-03-02', seen))::int",
	} {
		c, err := sqldata.Open(t.Context(), db, sqldata.PostgreSQL(), &sqldata.Options{
			Query: "SELECT " + e + " AS x FROM visits"})
		if err != nil || c.Rows() != 1 {
			t.Errorf("%s: %v", e, err)
		}
	}
	for _, e := range []string{"pg_switch_wal()::text", "pg_catalog.pg_switch_wal()::text", `"pg_switch_wal"()::text`,
		`U&"pg\005fswitch_wal"()::text`, `u&"pg!005fswitch_wal" UESCAPE '!' ()::text`,
		"query_to_xml_and_xmlschema('SELECT 1', true, true, '')::text", "pg_read_file('PG_VERSION')", "random()::text",
	} {
		_, err := sqldata.Open(t.Context(), db, sqldata.PostgreSQL(), &sqldata.Options{
			Query: "SELECT " + e + " AS x FROM visits"})
		if !says(err, "the Query is not a single SELECT") {
			t.Errorf("%s: %v", e, err)
		}
	}
}

// The role that docs/databases.md makes reads its table and no other, changes nothing, even in a transaction that may
// write, and sees no file.
func TestRoleThatReads(t *testing.T) {
	db := postgres(t)
	execute(t, db, "CREATE SCHEMA records", "CREATE TABLE records.visits AS SELECT 'a' AS x",
		"CREATE TABLE records.secrets AS SELECT 'a' AS x", "CREATE SEQUENCE records.counter",
		"CREATE ROLE reader LOGIN", "GRANT USAGE ON SCHEMA records TO reader",
		"GRANT SELECT ON records.visits TO reader",
		"ALTER ROLE reader SET default_transaction_read_only = on", "ALTER ROLE reader SET statement_timeout = '10min'")
	t.Cleanup(func() { execute(t, db, "DROP SCHEMA records CASCADE", "DROP ROLE reader") })
	config, err := pgx.ParseConfig("host=" + startServer().folder + " user=reader dbname=postgres")
	if err != nil {
		t.Fatal(err)
	}
	reader := stdlib.OpenDB(*config)
	defer reader.Close()
	if _, err := sqldata.Open(t.Context(), reader, sqldata.PostgreSQL(),
		&sqldata.Options{Table: "records.visits"}); err != nil {
		t.Errorf("the role does not read: %v", err)
	}
	for _, text := range []string{"DELETE FROM records.visits", "SELECT x FROM records.secrets",
		"CREATE TABLE more (x int)",
		"SELECT nextval('records.counter')", "SELECT pg_switch_wal()", "SELECT pg_read_file('PG_VERSION')",
		"SELECT query_to_xml('SELECT * FROM records.secrets', true, true, '')"} {
		_, err := reader.Exec("BEGIN READ WRITE; " + text + "; COMMIT")
		if err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("%s: %v", text, err)
		}
		reader.Exec("ROLLBACK")
	}
}
