package drivers

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
)

// A database is one that the suite runs on.
type database struct {
	db      *sql.DB
	dialect sqldata.Dialect
	quote   string // around a name
	text    string // the type of texts
	number  string // and of numbers
	integer string // and of whole ones; empty means BIGINT
	engine  string // what follows the columns of a new table
	nan     bool   // there are numbers that are none
	// insert writes rows to a table; nil prepares a statement.
	insert func(table string, rows [][]any) error
}

func (d database) suite() sqltest.Suite {
	return sqltest.Suite{Load: d.load, Open: d.open, NaN: d.nan}
}

func (d database) name(name string) string {
	return d.quote + strings.ReplaceAll(name, d.quote, d.quote+d.quote) + d.quote
}

var tables atomic.Int64

// load writes cases to a table of their own.
func (d database) load(t testing.TB, cases *data.Table) *sqldata.Options {
	t.Helper()
	table := fmt.Sprintf("cases%d", tables.Add(1))
	o := &sqldata.Options{Table: table}
	if d.integer == "" {
		d.integer = "BIGINT"
	}
	var kinds, marks []string
	for _, c := range cases.Columns() {
		kind := d.text
		if !c.Var.IsDiscrete() {
			kind = d.number
		}
		if c.Var.Name == "key" {
			kind = d.integer
		}
		kinds, marks = append(kinds, d.name(c.Var.Name)+" "+kind), append(marks, "?")
	}
	weights := cases.Weights()
	if weights != nil {
		o.Weight = "weight"
		kinds, marks = append(kinds, "weight "+d.number), append(marks, "?")
	}
	if _, err := d.db.Exec("CREATE TABLE " + table + " (" + strings.Join(kinds, ", ") + ")" + d.engine); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.db.Exec("DROP TABLE " + table) })
	rows := make([][]any, cases.Rows())
	for row := range rows {
		cells := make([]any, len(marks))
		for i, c := range cases.Columns() {
			switch {
			case c.IsMissing(row):
				cells[i] = nil
			case c.Var.IsDiscrete():
				cells[i] = c.Text(row)
			default:
				cells[i] = c.Values[row]
			}
		}
		if weights != nil {
			cells[len(marks)-1] = weights[row]
		}
		rows[row] = cells
	}
	insert := d.insert
	if insert == nil {
		insert = func(table string, rows [][]any) error {
			return d.prepared("INSERT INTO "+table+" VALUES ("+strings.Join(marks, ", ")+")", rows)
		}
	}
	if err := insert(table, rows); err != nil {
		t.Fatal(err)
	}
	return o
}

// prepared executes a statement for each row, in one transaction.
func (d database) prepared(text string, rows [][]any) error {
	tx, err := d.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	statement, err := tx.Prepare(text)
	if err != nil {
		return err
	}
	defer statement.Close()
	for _, cells := range rows {
		if _, err := statement.Exec(cells...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (d database) open(t testing.TB, o *sqldata.Options) *sqldata.Cases {
	t.Helper()
	c, err := sqldata.Open(context.Background(), d.db, d.dialect, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
