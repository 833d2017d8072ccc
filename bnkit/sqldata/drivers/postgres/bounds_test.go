//go:build linux

package postgres

import (
	"context"
	"errors"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
)

// Bounds hold to the row: a preview, the rows fetched, and rows that went.
func TestBoundsToTheRow(t *testing.T) {
	db := postgres(t)
	execute(t, db,
		`CREATE TABLE bounded AS SELECT CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS x FROM generate_series(1, 500) AS i`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE bounded") })
	ctx := context.Background()
	opts := sqldata.Options{Table: "bounded", States: map[string][]string{"x": {"a", "b"}}, MaxRows: 2}
	x := []data.Family{{Child: "x"}}
	c, err := sqldata.Open(ctx, db, sqldata.PostgreSQL(), &opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CountFamilies(ctx, x, nil); err != nil {
		t.Errorf("two rows where two are allowed: %v", err)
	}
	opts.MaxRows = 1
	if c, err = sqldata.Open(ctx, db, sqldata.PostgreSQL(), &opts); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CountFamilies(ctx, x, nil); !errors.Is(err, bn.ErrTooLarge) {
		t.Errorf("two rows where one is allowed: %v", err)
	}
	opts.MaxRows = 0
	if c, err = sqldata.Open(ctx, db, sqldata.PostgreSQL(), &opts); err != nil {
		t.Fatal(err)
	}
	if rows, err := c.Preview(ctx, 10, 1); err != nil || rows.Rows() != 10 {
		t.Errorf("%v, %v; want ten rows of 500", rows, err)
	}
	execute(t, db, "DELETE FROM bounded WHERE ctid = (SELECT min(ctid) FROM bounded)")
	if _, err := c.CountFamilies(ctx, x, nil); !says(err, changed) {
		t.Errorf("a row less: %v", err)
	}
	opts.Discretization = &data.Discretization{Columns: []data.Binning{{Column: "x", States: []string{"any"},
		From: [][]string{{"a", "b"}}}}}
	if _, err := sqldata.Open(ctx, db, sqldata.PostgreSQL(), &opts); !errors.Is(err, bn.ErrDuplicate) {
		t.Errorf("states given twice: %v", err)
	}
}

// Columns that are called as ours are in statements.
func TestColumnsWithOurNames(t *testing.T) {
	db := postgres(t)
	execute(t, db, `CREATE TABLE ours (c1 text, c0 text, w double precision, n text, "_c2" text)`,
		`INSERT INTO ours VALUES ('a', 'x', 0.5, '1', 'p'), ('b', 'y', 2, '2', 'p'), ('a', 'x', 1, '1', 'q')`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE ours") })
	for name, d := range dialects() {
		c, err := sqldata.Open(context.Background(), db, d, &sqldata.Options{Table: "ours", Weight: "w"})
		if err != nil {
			t.Fatal(err)
		}
		found, err := c.CountFamilies(context.Background(), []data.Family{{Child: "c0", Parents: []string{"c1"}},
			{Child: "_c2", Parents: []string{"n"}}}, nil)
		if err != nil || !slices.Equal(found[0].N, []float64{1.5, 0, 0, 2}) ||
			!slices.Equal(found[1].N, []float64{0.5, 1, 2, 0}) {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}

func TestBadWeights(t *testing.T) {
	db := postgres(t)
	execute(t, db, `CREATE TABLE weighed (x text, w numeric)`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE weighed") })
	for _, w := range []string{"-1", "NULL", "'NaN'", "'Infinity'"} {
		execute(t, db, "TRUNCATE weighed", "INSERT INTO weighed VALUES ('a', 1.5), ('b', "+w+")")
		_, err := sqldata.Open(context.Background(), db, sqldata.PostgreSQL(),
			&sqldata.Options{Table: "weighed", Weight: "w"})
		if !errors.Is(err, data.ErrWeight) {
			t.Errorf("the weight %s: %v", w, err)
		}
		execute(t, db, "TRUNCATE weighed", "INSERT INTO weighed VALUES ('a', 1.5), ('b', 0.5)")
		c, err := sqldata.Open(context.Background(), db, sqldata.PostgreSQL(),
			&sqldata.Options{Table: "weighed", Weight: "w"})
		if err != nil {
			t.Fatal(err)
		}
		execute(t, db, "UPDATE weighed SET w = "+w+" WHERE x = 'b'") // the number of rows stays
		if found, err := c.CountFamilies(context.Background(), []data.Family{{Child: "x"}}, nil); !errors.Is(err,
			data.ErrWeight) {
			t.Errorf("the weight %s since it was opened: %v, %v", w, found, err)
		}
		if rows, err := c.Preview(context.Background(), 2, 1); !errors.Is(err, data.ErrWeight) {
			t.Errorf("the weight %s in a preview: %v, %v", w, rows, err)
		}
	}
}
