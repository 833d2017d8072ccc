//go:build linux

package sqldata_test

import (
	"context"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
	"bnlab/internal/numtest"
)

// open opens a table of cases in a database with the states it has in memory.
func open(t testing.TB, d sqldata.Dialect, cases *data.Table, change func(o *sqldata.Options)) *sqldata.Cases {
	t.Helper()
	db := postgres(t)
	load(t, db, t.Name(), cases)
	o := &sqldata.Options{Table: quoted(t.Name()), States: data.StatesOf(cases.Variables()...)}
	if cases.Weights() != nil {
		o.Weight = "weight"
	}
	if change != nil {
		change(o)
	}
	c, err := sqldata.Open(context.Background(), db, d, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCountsAreThoseInMemory(t *testing.T) {
	plain := sample(t, asia(t), 3000)
	tables := map[string]*data.Table{
		"complete": plain, "missing": holed(t, plain, 0.1), "weights": weighted(t, plain),
		"missing and weights": weighted(t, holed(t, plain, 0.3)), "odd names": odd(t, plain),
	}
	for of, cases := range tables {
		for name, d := range dialects() {
			t.Run(of+"/"+name, func(t *testing.T) {
				c := open(t, d, cases, nil)
				if !numtest.Close(t, c.TotalWeight(), cases.TotalWeight(), 0, 1e-15) {
					t.FailNow()
				}
				list := someFamilies(c.Variables())
				opts := &data.CountOptions{SkipMissing: true}
				same(t, c, cases, list, opts)
				same(t, c, cases, list[:5], opts) // from what is kept
			})
		}
	}
}
