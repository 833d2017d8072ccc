//go:build linux

package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
)

// open opens a table of cases in a database with the states it has in memory.
func open(t testing.TB, d sqldata.Dialect, cases *data.Table, change func(o *sqldata.Options)) *sqldata.Cases {
	t.Helper()
	o := loaded(t, cases)
	o.States = data.StatesOf(cases.Variables()...)
	if change != nil {
		change(o)
	}
	return opened(t, d, o)
}

var tables atomic.Int64

// loaded writes cases to a table of their own.
func loaded(t testing.TB, cases *data.Table) *sqldata.Options {
	t.Helper()
	name := fmt.Sprintf("t%d; DROP", tables.Add(1))
	load(t, postgres(t), name, cases)
	o := &sqldata.Options{Table: quoted(name)}
	if cases.Weights() != nil {
		o.Weight = "weight"
	}
	return o
}

func opened(t testing.TB, d sqldata.Dialect, o *sqldata.Options) *sqldata.Cases {
	t.Helper()
	c, err := sqldata.Open(context.Background(), postgres(t), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPostgreSQL(t *testing.T) {
	for name, d := range dialects() {
		t.Run(name, func(t *testing.T) {
			sqltest.Suite{Load: loaded, NaN: true, Open: func(t testing.TB, o *sqldata.Options) *sqldata.Cases {
				return opened(t, d, o)
			}}.Test(t)
		})
	}
}
