package sqldata

import (
	"errors"
	"strings"
	"testing"
)

func TestQueriesThatAreOneSelect(t *testing.T) {
	for _, query := range []string{
		"SELECT * FROM t",
		"  select a, b from t ; ",
		"SELECT * FROM t; -- the end; really",
		"WITH x AS (SELECT 1 AS a) SELECT a FROM x",
		"(SELECT a FROM t) UNION ALL (SELECT a FROM u)",
		"/* ; DROP TABLE t */ SELECT a FROM t -- ) ; DROP TABLE t",
		"SELECT 'it''s; DELETE FROM t' AS a, \"odd\"\"; name\" FROM t",
		"SELECT replace(a, 'x', 'y') AS a, \"delete\" FROM t WHERE year = $1 AND b > $2",
		"SELECT a FROM read_parquet(?)",
		"SELECT '\\d' || a AS a FROM t",
		"SELECT größe FROM t -- 😀\r\nWHERE name = '😀 “x”\u00a0'",
		"SELECT updated_at, insert_time FROM t",
	} {
		if _, err := checkQuery(query, ""); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	got, err := checkQuery(" SELECT a FROM t ; -- x", "")
	if err != nil || got != "SELECT a FROM t" {
		t.Errorf("%q, %v: want the statement without what follows", got, err)
	}
}

func TestQueriesThatAreRefused(t *testing.T) {
	tests := []struct{ query, says string }{
		{"", "empty"},
		{"-- nothing", "empty"},
		{"DELETE FROM t", `begins with "DELETE"`},
		{"EXPLAIN ANALYZE DELETE FROM t", `begins with "EXPLAIN"`},
		{"(DELETE FROM t)", `begins with "DELETE"`},
		{"; SELECT 1", "follows the semicolon"},
		{"SELECT 1; DROP TABLE t", "line 1, column 11"},
		{"SELECT 1;\n-- x\n/* y */ DROP TABLE t", "line 3, column 9"},
		{"WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", `the word "DELETE"`},
		{"WITH x AS (/* y */ insert into t values (1) returning a) SELECT * FROM x", `the word "insert"`},
		{"WITH x AS (SELECT 1) UPDATE t SET a = 1", `the word "UPDATE"`},
		{"WITH x AS (SELECT 1) REPLACE INTO t SELECT * FROM x", `the word "INTO"`},
		{"SELECT * INTO u FROM t", `the word "INTO"`},
		{"SELECT 1) AS q; DROP TABLE t; SELECT (1", "closes none"},
		{"SELECT 1) AS q, (SELECT 2", "closes none"},
		{"SELECT (1", "are open"},
		{"SELECT 'x", "does not end"},
		{`SELECT "x`, "does not end"},
		{"SELECT 1 /* x", "does not end"},
		{"SELECT 1 /* /* */ ; DROP TABLE t; /* */ */", "holds another"},
		{"SELECT 1 /*! ; DROP TABLE t */", "holds another"},
		{`SELECT '\'; DROP TABLE t; --'`, "backslash"},
		{`SELECT E'\\\'; DROP TABLE t; --'`, "backslash"},
		{`SELECT "\"; DROP TABLE t; --"`, "backslash"},
		{"SELECT $$ ' $$; DROP TABLE t; --'", "dollars"},
		{"SELECT $q$ ' $q$; DROP TABLE t; --'", "dollars"},
		{"SELECT $😀$ ' $😀$ AS a) AS q; DROP TABLE t; SELECT * FROM (SELECT 'z' AS a --'", "differently"},
		{"SELECT $٣$ ' $٣$; DROP TABLE t; --'", "differently"},
		{"SELECT $a\u0301$ ' $a\u0301$; DROP TABLE t; --'", "differently"},
		{"SELECT $\xff$ ' $\xff$; DROP TABLE t; --'", "differently"},
		{"SELECT ‘ ' ’; DROP TABLE t; -- '", "differently"},
		{"WITH x AS (\u00a0DELETE FROM t RETURNING *) SELECT * FROM x", "differently"},
		{"WITH x AS (\f\vDELETE FROM t RETURNING *) SELECT * FROM x", `the word "DELETE"`},
		{"SELECT a FROM t --\r) AS q; DROP TABLE t; SELECT a FROM (SELECT a FROM t\nWHERE true", "carriage return"},
		{"SELECT ` ; DROP TABLE t; `", "double quotes"},
		{"SELECT 1 # '\n; DROP TABLE t; -- '", "double quotes"},
		{"SELECT 1 #!'\n; DROP TABLE t; -- '", "double quotes"},
		{"SELECT 1\x00", "zero byte"},
		{"SELECT nextval('s')", "the function nextval at line 1, column 15 is not among those known"},
		{"SELECT a FROM \"Read_Text\" ('x')", "make a view or a table"},
		{"42", `begins with "4"`},
		{"SELECT a FROM t WHERE b = --1) AS q; DROP TABLE t --", "put a space after them"},
	}
	for _, test := range tests {
		_, err := checkQuery(test.query, "")
		if !errors.Is(err, errNotSelect) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s\n%v\nwant an error that says %q", test.query, err, test.says)
		}
	}
	const bracket = "SELECT [ ' ] FROM t; DROP TABLE t; -- ' ]"
	if _, err := checkQuery(bracket, "["); !errors.Is(err, errNotSelect) ||
		!strings.Contains(err.Error(), "double quotes") {
		t.Errorf("%s: %v", bracket, err)
	}
}

// What begins a comment in MariaDB, and what quotes a text there.
func TestQueryOfMariaDB(t *testing.T) {
	for _, query := range []string{"SELECT 1 #'\n; DROP TABLE t; -- '", `SELECT "a" FROM t`} {
		_, err := checkQuery(query, MariaDB().Refused)
		if !errors.Is(err, errNotSelect) || !strings.Contains(err.Error(), "make a view") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func FuzzQuery(f *testing.F) {
	f.Add("SELECT 'a' FROM t; --")
	f.Add("WITH x AS (SELECT $1) /* y */ SELECT \"z\" FROM x")
	f.Fuzz(func(t *testing.T, query string) {
		got, err := checkQuery(query, "")
		if err != nil {
			return
		}
		again, err := checkQuery(got, "")
		if err != nil || again != got {
			t.Errorf("%q gives %q, and that gives %q, %v", query, got, again, err)
		}
	})
}

func TestTableNames(t *testing.T) {
	tests := []struct{ name, want string }{
		{"alarm", `"alarm"`},
		{"hospital.alarm", `"hospital"."alarm"`},
		{`"a.b".c`, `"a.b"."c"`},
		{`lake.s."Größe ""x""; --"`, `"lake"."s"."Größe ""x""; --"`},
		{"t; DROP TABLE t --", `"t; DROP TABLE t --"`},
	}
	for _, test := range tests {
		got, err := PostgreSQL().table(test.name)
		if err != nil || got != test.want {
			t.Errorf("%s: %s, %v; want %s", test.name, got, err, test.want)
		}
	}
	for _, name := range []string{"", ".", "a.", ".a", `a"b`, `"a`, `"a"b`, `""`, "a\x00"} {
		if got, err := PostgreSQL().table(name); err == nil {
			t.Errorf("%q: %s, want an error", name, got)
		}
	}
}
