package sqldata

import (
	"errors"
	"strings"
	"testing"
)

// Queries as people write them pass: functions, casts, windows, JSON, common table expressions and names of columns.
func TestQueriesThatCompute(t *testing.T) {
	for _, query := range []string{
		"SELECT lower(trim(a)) AS a, COALESCE(b, 0) AS b FROM t",
		"SELECT CASE WHEN (c > 1) THEN (1) ELSE (0) END AS c FROM t WHERE (d)",
		"SELECT date_trunc('month', seen)::text AS m, EXTRACT(YEAR FROM age(now(), born)) AS age FROM t",
		"SELECT CAST(a AS DECIMAL(10, 2)) AS a, CAST(b AS Nullable(Float64)) AS b, toInt32OrNull(c) FROM t",
		"SELECT a, row_number() OVER (PARTITION BY b ORDER BY c) AS n FROM t",
		"SELECT lag(d, 1) OVER w AS d FROM t WINDOW w AS (ORDER BY e)",
		"SELECT count(*) FILTER (WHERE a > 1) AS n, percentile_cont(0.5) WITHIN GROUP (ORDER BY b) AS m FROM t",
		"SELECT quantile(0.5)(x) AS m, countIf(y = 1) AS n FROM t GROUP BY GROUPING SETS ((a), (b))",
		"SELECT json_extract(j, '$.a') AS a, jsonb_array_elements_text(k) AS b FROM t",
		"SELECT q.a FROM (VALUES (1, 'x'), (2, 'y')) AS q(a, b) WHERE a IN (1, 2) AND NOT (b = 'z')",
		`WITH one(a, "b c") AS (SELECT 1, 2), RECURSIVE_two AS (SELECT 3), three (c) AS MATERIALIZED (SELECT 4)
			SELECT one.a FROM one JOIN three USING (a)`,
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL (SELECT i + 1 FROM n WHERE i < 9)) SELECT i FROM n",
		"SELECT DISTINCT ON (a) a, b FROM t ORDER BY (a)",
		"SELECT * EXCLUDE (a) REPLACE (lower(b) AS b) FROM read_csv_auto('x.csv')",
		"SELECT a FROM t TABLESAMPLE BERNOULLI (10) REPEATABLE (1)",
		"SELECT COUNT (*) AS n, Max(b) AS b, pg_catalog.lower(a) AS a FROM t GROUP BY a HAVING (count(*) > 1)",
		"SELECT nextval, load_file, \"pg_switch_wal\" FROM t WHERE query & (1) > 0 AND u & \"x\" = 1",
	} {
		if _, err := checkQuery(query, ""); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	const own = "SELECT records.Risk(a) AS risk, twice(b) AS b FROM t"
	if _, err := checkQuery(own, "", "records.risk", "Twice"); err != nil {
		t.Errorf("functions that the options name: %v", err)
	}
}

// Whatever is not known to compute is refused, however it is spelt.
func TestQueriesThatCall(t *testing.T) {
	for _, function := range []string{"nextval", "pg_switch_wal", "pg_create_restore_point", "pg_rotate_logfile",
		"query_to_xml_and_xmlschema", "database_to_xml", "load_file", "file", "url", "s3", "remote", "mysql",
		"executable", "random", "sleep", "get_lock", "lo_get", "dblink", "load_extension", "risk"} {
		for _, query := range []string{
			"SELECT NAME('s') AS a", "SELECT NAME /* */ ('s') AS a", "SELECT \"NAME\"('s') AS a",
			"SELECT 'NAME'('s') AS a",
			"SELECT pg_catalog.NAME\n('s') AS a", "SELECT * FROM NAME('s')", "SELECT * FROM t, NAME(b) AS (a int)",
			"SELECT DISTINCT ON (a) NAME('s') AS a FROM t", "SELECT (1) NAME('s')", "WITH NAME('s') AS f SELECT f AS a",
			"WITH x AS (SELECT 1 AS b) SELECT * FROM x, NAME(b) AS (a int)",
			"WITH x AS (SELECT NAME(a) FROM t) SELECT a FROM x",
			"WITH x AS (SELECT 1 AS b) FROM x, NAME(b) AS (a)", "SELECT x.NAME() AS a FROM t",
		} {
			query = strings.ReplaceAll(query, "NAME", function)
			_, err := checkQuery(query, "")
			if !errors.Is(err, errNotSelect) || !strings.Contains(err.Error(), function+" at line") {
				t.Errorf("%s: %v", query, err)
			}
		}
	}
	for query, says := range map[string]string{
		`SELECT U&"n\0065xtval"('s') AS a`:                 "escapes in the name",
		`SELECT u&"n!0065xtval" UESCAPE '!' ('s') AS a`:    "escapes in the name",
		"SELECT \"fi\\x6ce\"('x') AS a":                    "Options.Functions",
		"SELECT \u212aurtosis(x) AS a FROM t":              "Options.Functions", // the sign of kelvin
		"SELECT (SELECT 1) q(a)":                           "write AS before it",
		"SELECT NEXT VALUE FOR s AS a":                     "draws from a sequence",
		"SELECT a FROM t WHERE b OPERATOR(pg_catalog.=) 1": "Options.Functions",
	} {
		if _, err := checkQuery(query, ""); !errors.Is(err, errNotSelect) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", query, err, says)
		}
	}
	if _, err := checkQuery("SELECT @x := 1 AS a", MariaDB().Refused); !errors.Is(err, errNotSelect) ||
		!strings.Contains(err.Error(), "belongs to the session") {
		t.Errorf("a variable: %v", err)
	}
}
