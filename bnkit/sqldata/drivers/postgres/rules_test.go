//go:build linux

package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
)

// Texts of several lines are states as in a CSV file, where a line ends in LF or CRLF.
func TestLinesWithinCells(t *testing.T) {
	db := postgres(t)
	execute(t, db, `CREATE TABLE lines (x text)`,
		`INSERT INTO lines VALUES (E'a\r\nb'), (E'a\nb'), ('c'), (E' a\r\nb ')`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE lines") })
	for _, o := range []*sqldata.Options{{Table: "lines"},
		{Table: "lines", States: map[string][]string{"x": {"a\nb", "c"}}}} {
		c, err := sqldata.Open(t.Context(), db, sqldata.PostgreSQL(), o)
		if err != nil {
			t.Fatal(err)
		}
		found, err := c.CountFamilies(t.Context(), []data.Family{{Child: "x"}}, nil)
		if err != nil || !slices.Equal(found[0].N, []float64{3, 1}) {
			t.Errorf("%+v, %v; want 3 and 1 of %v", found, err, c.Variables())
		}
	}
}

// The largest bounds are bounds, and none that a database would refuse.
func TestBoundsBeyondCounting(t *testing.T) {
	db := postgres(t)
	execute(t, db, `CREATE TABLE small AS SELECT chr(97 + i % 3) AS x FROM generate_series(1, 9) AS i`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE small") })
	c, err := sqldata.Open(t.Context(), db, sqldata.PostgreSQL(),
		&sqldata.Options{Table: "small", MaxStates: math.MaxInt, MaxRows: math.MaxInt, MaxStatements: math.MaxInt,
			CacheCells: math.MaxInt})
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := c.DistinctRows(t.Context()); err != nil || rows.Rows() != 3 {
		t.Errorf("%v, %v; want 3 different rows", rows, err)
	}
	if rows, err := c.Preview(t.Context(), math.MaxInt, 1); err != nil || rows.Rows() != 9 {
		t.Errorf("%v, %v; want all 9 rows", rows, err)
	}
}

// A table that is made anew with other types of columns is read, although the driver keeps
// statements for the old one.
func TestTableMadeAnew(t *testing.T) {
	db := postgres(t)
	t.Cleanup(func() { execute(t, db, "DROP TABLE anew") })
	for i, kind := range []string{"text", "integer", "boolean", "text"} {
		execute(t, db, "DROP TABLE IF EXISTS anew", "CREATE TABLE anew (x "+kind+")", "INSERT INTO anew VALUES ('1')")
		c, err := sqldata.Open(context.Background(), db, sqldata.PostgreSQL(), &sqldata.Options{Table: "anew"})
		if err != nil {
			t.Fatalf("%d, %s: %v", i, kind, err)
		}
		if _, err := c.DistinctRows(context.Background()); err != nil {
			t.Errorf("%d, %s: %v", i, kind, err)
		}
	}
}

// Columns of which nothing can be learned are named, with what to do.
func TestColumnsOfNoUse(t *testing.T) {
	db := postgres(t)
	execute(t, db, `CREATE TABLE useless (x text, signs text, day date, state text)`,
		`INSERT INTO useless VALUES ('a', ' NA ', '2020-01-01', 'NA'), ('b', '?', '2020-01-02', 'b')`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE useless") })
	_, err := sqldata.Open(t.Context(), db, sqldata.PostgreSQL(),
		&sqldata.Options{Table: "useless", Columns: []string{"x", "signs"}})
	if err == nil || !strings.Contains(err.Error(), `column "signs" has no values; give its states`) {
		t.Errorf("signs for missing values only: %v", err)
	}
	_, err = sqldata.Open(t.Context(), db, sqldata.PostgreSQL(),
		&sqldata.Options{Table: "useless", Columns: []string{"x"}, Weight: "day"})
	if !errors.Is(err, data.ErrWeight) || !strings.Contains(err.Error(), `"day" (DATE)`) {
		t.Errorf("dates as weights: %v", err)
	}
	c, err := sqldata.Open(t.Context(), db, sqldata.PostgreSQL(),
		&sqldata.Options{Table: "useless", Columns: []string{"x", "state"}})
	if err != nil || !slices.Equal(c.Variables()[1].States, []string{"b"}) {
		t.Errorf("%v; want the state b", err)
	}
}

// Columns of one state each multiply no cells, however many are counted together, and each still
// has a number for missing.
func TestManyConstantColumns(t *testing.T) {
	cols := []data.Column{{Var: bn.Discrete("x", "a", "b"), States: []bn.State{0, 1, 1, bn.Missing}}}
	for i := range 100 {
		cols = append(cols, data.Column{Var: bn.Discrete(fmt.Sprintf("constant%d", i), "always"),
			States: []bn.State{0, 0, 0, 0}})
	}
	cols[50].States[2] = bn.Missing
	cases, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	var list []data.Family
	for _, v := range cases.Variables()[1:] {
		list = append(list, data.Family{Child: "x", Parents: []string{v.Name}},
			data.Family{Child: v.Name, Parents: []string{"constant0"}}, data.Family{Child: v.Name})
	}
	list = append(list[:1], list[3:]...) // but constant0 given itself, and alone
	sqltest.Same(t, open(t, sqldata.PostgreSQL(), cases, nil), cases, list, skip)
}
