//go:build linux

package postgres

import (
	"errors"
	"slices"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
)

// Dates, timestamps and decimals of PostgreSQL are cut at their ends, exactly, and few different dates are states. By
// hand: rows 0 to 29 lie before each cut, row 30 at it.
func TestTimesOfPostgreSQL(t *testing.T) {
	db := postgres(t)
	execute(t, db, `CREATE TABLE times AS SELECT DATE '2024-01-01' + (i - 30) AS day,
		TIMESTAMP '2024-01-01' + (i - 30) * INTERVAL '1 microsecond' AS at,
		TIMESTAMPTZ '2024-01-01 02:00:00+02' + (i - 30) * INTERVAL '1 microsecond' AS zoned,
		(0.3 + (i - 30) * 0.00000000000000001)::numeric(38,20) AS n, DATE '2024-02-28' + i % 3 AS few
		FROM generate_series(0, 59) AS i`)
	t.Cleanup(func() { execute(t, db, "DROP TABLE times") })
	d := &data.Discretization{}
	for _, name := range []string{"day", "at", "zoned"} {
		p, err := data.Periods{Column: name, Starts: []string{"2024-01-01"}}.Fit(nil)
		if err != nil {
			t.Fatal(err)
		}
		d.Columns = append(d.Columns, p.Columns...)
	}
	d.Columns = append(d.Columns, cuts("n", 0.3).Columns...)
	o := &sqldata.Options{Table: "times", Discretization: d}
	c, err := sqldata.Open(t.Context(), db, sqldata.PostgreSQL(), o)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"day": {30, 30}, "at": {30, 30}, "zoned": {30, 30},
		"few": {20, 20, 20}, "n": {32, 28}} { // the number nearest to 0.3 is so up to 1.67e-17 above it
		found, err := c.CountFamilies(t.Context(), []data.Family{{Child: name}}, nil)
		if err != nil || !slices.Equal(found[0].N, want) {
			t.Errorf("%s: %v, %v; want %v", name, found, err, want)
		}
	}
	if got := c.Variables()[4].States; !slices.Equal(got, []string{"2024-02-28", "2024-02-29", "2024-03-01"}) {
		t.Errorf("dates as states: %q", got)
	}
	o.Discretization = nil
	_, err = sqldata.Open(t.Context(), db, sqldata.PostgreSQL(), o)
	if !says(err, noState) || !says(err, "60 different dates or times") {
		t.Errorf("many dates: %v", err)
	}
	execute(t, db, "INSERT INTO times (day) VALUES ('infinity')")
	o.Discretization = &data.Discretization{Columns: d.Columns[:1]}
	o.Columns = []string{"day"}
	if c, err = sqldata.Open(t.Context(), db, sqldata.PostgreSQL(), o); err == nil {
		_, err = c.CountFamilies(t.Context(), []data.Family{{Child: "day"}}, nil)
	}
	if !errors.Is(err, data.ErrNumber) {
		t.Errorf("a date without end: %v", err)
	}
}
