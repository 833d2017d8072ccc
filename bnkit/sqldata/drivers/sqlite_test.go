package drivers

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
)

func openFile(t testing.TB, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestSQLite(t *testing.T) {
	for name, change := range map[string]func(d *sqldata.Dialect){
		"as it is": func(*sqldata.Dialect) {}, "without merging": func(d *sqldata.Dialect) { d.MergeCells = 0 },
		"one by one": func(d *sqldata.Dialect) { d.MaxSets = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			dialect := sqldata.SQLite()
			change(&dialect)
			db := openFile(t, filepath.Join(t.TempDir(), "cases.db"))
			database{db: db, dialect: dialect, quote: `"`, text: "TEXT", number: "REAL"}.suite().Test(t)
		})
	}
}

// A file that may only be read is read, and a column that ignores case does not merge states.
func TestSQLiteReadOnly(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ward.db")
	if _, err := openFile(t, name).Exec(`CREATE TABLE ward (fever TEXT COLLATE NOCASE, stage INTEGER, ill BOOLEAN);
		INSERT INTO ward VALUES ('high', 2, true), ('High', 10, false), ('none', 2, false), (NULL, NULL, NULL)`); err != nil {
		t.Fatal(err)
	}
	cases, err := sqldata.Open(context.Background(), openFile(t, name+"?mode=ro"), sqldata.SQLite(),
		&sqldata.Options{Query: "SELECT * FROM ward WHERE stage < ?1 OR stage IS NULL", Args: []any{11}})
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	for _, v := range cases.Variables() {
		states = append(states, strings.Join(v.States, " "))
	}
	if want := []string{"High high none", "2 10", "0 1"}; !slices.Equal(states, want) {
		t.Errorf("states %q, want %q", states, want)
	}
	found, err := cases.CountFamilies(t.Context(), []data.Family{{Child: "ill", Parents: []string{"stage"}}},
		&data.CountOptions{SkipMissing: true})
	if err != nil || !slices.Equal(found[0].N, []float64{1, 1, 1, 0}) || found[0].Skipped != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := cases.CountFamilies(t.Context(), []data.Family{{Child: "pulse"}}, nil); err == nil ||
		!strings.Contains(err.Error(), bn.ErrUnknownVariable.Error()) {
		t.Errorf("an unknown column: %v", err)
	}
}

// Functions that a query is likely to call, and those of extensions and files.
func TestSQLiteFunctions(t *testing.T) {
	db := openFile(t, filepath.Join(t.TempDir(), "ward.db"))
	execute(t, db, "CREATE TABLE visits AS SELECT ' High ' AS fever, 39.5 AS degrees, '2020-02-29' AS seen")
	computes(t, db, sqldata.SQLite(), "lower(trim(fever))", "iif(degrees > 39, 'a', 'b')",
		"CAST(round(degrees) AS INTEGER)",
		"strftime('%Y', seen)", "CAST(julianday(seen) AS INTEGER)", "json_extract('{\"dose\": 2}', '$.dose')",
		"printf('%.1f', degrees)", "row_number() OVER (ORDER BY seen)", "substr(fever, 2, 2) || 'x'")
	refuses(t, db, sqldata.SQLite(), "load_extension('a')", "readfile('/etc/hostname')", "random()")
}

// computes opens queries that call functions on the table visits.
func computes(t *testing.T, db *sql.DB, d sqldata.Dialect, expressions ...string) {
	t.Helper()
	for _, e := range expressions {
		c, err := sqldata.Open(t.Context(), db, d, &sqldata.Options{Query: "SELECT " + e + " AS x FROM visits"})
		if err != nil || c.Rows() != 1 {
			t.Errorf("%s: %v", e, err)
		}
	}
}

// refuses opens queries whose expressions do more than compute; they are not sent.
func refuses(t *testing.T, db *sql.DB, d sqldata.Dialect, expressions ...string) {
	t.Helper()
	for _, e := range expressions {
		_, err := sqldata.Open(t.Context(), db, d, &sqldata.Options{Query: "SELECT " + e + " AS x FROM visits"})
		if err == nil || !strings.Contains(err.Error(), "the Query is not a single SELECT") {
			t.Errorf("%s: %v", e, err)
		}
	}
}

// A key has to be a whole number in each row, whatever SQLite lets a column hold.
func TestSQLiteKey(t *testing.T) {
	db := openFile(t, filepath.Join(t.TempDir(), "ward.db"))
	if _, err := db.Exec(`CREATE TABLE ward (x TEXT, id INTEGER, half INTEGER, hole INTEGER);
		INSERT INTO ward VALUES ('a', 1, 1, 1), ('b', 2, 1.5, NULL), ('a', 3, 'three', 3)`); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"id": "", "half": "is no whole number in 2 rows of 3",
		"hole": "is missing in 1 row of 3", "x": "is of the type TEXT"} {
		_, err := sqldata.Open(context.Background(), db, sqldata.SQLite(), &sqldata.Options{Table: "ward", Key: key,
			Columns: []string{"x"}}) // half mixes numbers and words, which is refused
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", key, err)
		}
	}
}
