//go:build cgo

package duckdb

import (
	"database/sql"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
)

// TestSuite runs what every database passes on tables of DuckDB.
func TestSuite(t *testing.T) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	tables := 0
	load := func(t testing.TB, cases *data.Table) *sqldata.Options {
		t.Helper()
		tables++
		o := &sqldata.Options{Table: fmt.Sprintf("cases%d", tables)}
		var kinds []string
		for _, c := range cases.Columns() {
			kind := "VARCHAR"
			if !c.Var.IsDiscrete() {
				kind = "DOUBLE"
			}
			if c.Var.Name == "key" {
				kind = "BIGINT"
			}
			kinds = append(kinds, `"`+strings.ReplaceAll(c.Var.Name, `"`, `""`)+`" `+kind)
		}
		weights := cases.Weights()
		if weights != nil {
			o.Weight = "weight"
			kinds = append(kinds, "weight DOUBLE")
		}
		if _, err := db.Exec("CREATE TABLE " + o.Table + " (" + strings.Join(kinds, ", ") + ")"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Exec("DROP TABLE " + o.Table) })
		path := filepath.Join(t.TempDir(), "cases.csv")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w := csv.NewWriter(f)
		for row := range cases.Rows() {
			var cells []string
			for _, c := range cases.Columns() {
				switch {
				case c.IsMissing(row):
					cells = append(cells, "NULL")
				case c.Var.IsDiscrete():
					cells = append(cells, c.Text(row))
				default:
					cells = append(cells, strconv.FormatFloat(c.Values[row], 'g', -1, 64))
				}
			}
			if weights != nil {
				cells = append(cells, strconv.FormatFloat(weights[row], 'g', -1, 64))
			}
			if err := w.Write(cells); err != nil {
				t.Fatal(err)
			}
		}
		if w.Flush(); w.Error() != nil {
			t.Fatal(w.Error())
		}
		_, err = db.Exec("COPY " + o.Table + " FROM " + literal(path) + " (FORMAT csv, HEADER false, NULLSTR 'NULL')")
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	for name, merge := range map[string]int{"as it is": sqldata.DuckDB().MergeCells, "without merging": 0} {
		t.Run(name, func(t *testing.T) {
			dialect := sqldata.DuckDB()
			dialect.MergeCells = merge
			sqltest.Suite{Load: load, NaN: true, Open: func(t testing.TB, o *sqldata.Options) *sqldata.Cases {
				t.Helper()
				c, err := sqldata.Open(t.Context(), db, dialect, o)
				if err != nil {
					t.Fatal(err)
				}
				return c
			}}.Test(t)
		})
	}
}
