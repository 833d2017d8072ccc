package sqldata_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
)

// letters is a small table of cases with missing cells: a {x, y}, b {p, q, r}, c {no, yes}.
func letters(t testing.TB, rows int) *data.Table {
	t.Helper()
	a, b, c := make([]bn.State, rows), make([]bn.State, rows), make([]bn.State, rows)
	for i := range rows {
		a[i], b[i], c[i] = bn.State(i%2), bn.State(i/2%3), bn.State(i/5%2)
		if i%7 == 3 {
			b[i] = bn.Missing
		}
	}
	out, err := data.New(data.Column{Var: bn.Discrete("a", "x", "y"), States: a},
		data.Column{Var: bn.Discrete("b", "p", "q", "r"), States: b}, data.Column{Var: bn.Discrete("c", "no", "yes"),
			States: c})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Each dialect's statements, answered as its database would, give the counts in memory. Of
// Trino and ClickHouse no more is known than that.
func TestDialectsCount(t *testing.T) {
	cases := letters(t, 40)
	families := sqltest.Families(cases.Variables())
	for _, d := range []sqldata.Dialect{sqldata.DuckDB(), sqldata.PostgreSQL(), sqldata.Trino(), sqldata.ClickHouse(),
		sqldata.SQLite()} {
		for _, merge := range []int{0, 4, d.MergeCells} {
			t.Run(d.Name, func(t *testing.T) {
				d.MergeCells = merge
				f := &fake{cases: cases}
				if d.Name == "ClickHouse" {
					f.rolledUp = "" // unless group_by_use_nulls is set
				}
				c, err := sqldata.Open(context.Background(), f.open(t), d,
					&sqldata.Options{Table: "t", States: map[string][]string{"a": {"x", "y"}, "b": {"p", "q", "r"}}})
				if err != nil {
					t.Fatal(err)
				}
				sqltest.Same(t, c, cases, families, &data.CountOptions{SkipMissing: true})
				readOnly := d.ReadOnly || d.Begin != ""
				for _, s := range f.sent {
					if s.readOnly != readOnly {
						t.Errorf("in a read-only transaction: %v, want %v: %s", s.readOnly, readOnly, s.text)
					}
				}
				got, err := c.DistinctRows(context.Background(), "c", "b")
				if err != nil {
					t.Fatal(err)
				}
				want, _ := cases.DistinctRows(context.Background(), "c", "b")
				if g, w := sortedRows(got), sortedRows(want); !slices.Equal(g, w) {
					t.Errorf("distinct rows %v, want %v", g, w)
				}
			})
		}
	}
}

// sortedRows prints rows with their weights.
func sortedRows(t *data.Table) []string {
	var list []string
	for row := range t.Rows() {
		var s strings.Builder
		for _, c := range t.Columns() {
			s.WriteString(c.Var.Name + "=" + c.Text(row) + " ")
		}
		list = append(list, s.String()+strings.Repeat("|", int(t.Weights()[row])))
	}
	slices.Sort(list)
	return list
}

// What is sent, word by word: two families that are joined, and two that are not.
func TestStatements(t *testing.T) {
	const inner = ` FROM (SELECT "a" AS "c0", "b" AS "c1", "c" AS "c2" FROM "s"."t") AS "cases"`
	tests := []struct {
		name string
		d    sqldata.Dialect
		want string
	}{
		{"joined", sqldata.PostgreSQL(), `SELECT "c0", "c1", "c2", COUNT(*) AS "n"` + inner +
			` GROUP BY "c0", "c1", "c2" LIMIT 10000001`},
		{"grouping sets", apart(sqldata.PostgreSQL()),
			`SELECT GROUPING("c0", "c1", "c2") AS "g0", "c0", "c1", "c2", COUNT(*) AS "n"` + inner +
				` GROUP BY GROUPING SETS (("c0", "c1"), ("c1", "c2")) LIMIT 10000001`},
		{"union all", apart(sqldata.SQLite()),
			`SELECT 0 AS "g0", "c0", "c1", COUNT(*) AS "n" FROM (SELECT "a" COLLATE BINARY AS "c0", "b" COLLATE BINARY AS "c1" FROM "s"."t") AS "cases" GROUP BY "c0", "c1"` +
				` UNION ALL SELECT 1 AS "g0", "c1", "c2", COUNT(*) AS "n" FROM (SELECT "b" COLLATE BINARY AS "c1", "c" COLLATE BINARY AS "c2" FROM "s"."t") AS "cases" GROUP BY "c1", "c2" LIMIT 10000001`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cases := letters(t, 40)
			f := &fake{cases: cases}
			c, err := sqldata.Open(context.Background(), f.open(t), test.d,
				&sqldata.Options{Table: "s.t", States: data.StatesOf(cases.Variables()...)})
			if err != nil {
				t.Fatal(err)
			}
			before := len(f.texts())
			// b alone is a margin, and the families of a and b have the same columns.
			_, err = c.CountFamilies(context.Background(),
				[]data.Family{{Child: "b"}, {Child: "a", Parents: []string{"b"}}, {Child: "b", Parents: []string{"a"}},
					{Child: "c", Parents: []string{"b"}}}, &data.CountOptions{SkipMissing: true})
			if err != nil {
				t.Fatal(err)
			}
			got := f.texts()[before:]
			if len(got) != 1 || got[0] != test.want {
				t.Errorf("sent\n%s\nwant\n%s", strings.Join(got, "\n"), test.want)
			}
		})
	}
}

func apart(d sqldata.Dialect) sqldata.Dialect {
	d.MergeCells = 0
	return d
}

// Names stand in statements as the dialect quotes them, and nowhere else.
func TestQuoting(t *testing.T) {
	for _, test := range []struct {
		d    sqldata.Dialect
		want string
	}{
		{sqldata.DuckDB(), `"a""; DROP TABLE t; --\"`},
		{sqldata.PostgreSQL(), `"a""; DROP TABLE t; --\"`},
		{sqldata.Trino(), `"a""; DROP TABLE t; --\"`},
		{sqldata.SQLite(), `"a""; DROP TABLE t; --\" COLLATE BINARY`},
		{sqldata.ClickHouse(), `"a\"; DROP TABLE t; --\\"`},
	} {
		cases, err := data.New(data.Column{Var: bn.Discrete(`a"; DROP TABLE t; --\`, "x"), States: []bn.State{0}})
		if err != nil {
			t.Fatal(err)
		}
		f := &fake{cases: cases}
		// the fake does not understand the name
		_, err = sqldata.Open(context.Background(), f.open(t), test.d, &sqldata.Options{Table: "t"})
		if err == nil {
			t.Fatal("the fake has answered")
		}
		got := f.texts()[2]
		if want := `SELECT "c0", COUNT(*) AS "n" FROM (SELECT ` + test.want +
			` AS "c0" FROM "t") AS "cases" GROUP BY "c0" LIMIT 1002`; got != want {
			t.Errorf("%s: %s\nwant %s", test.d.Name, got, want)
		}
	}
}
