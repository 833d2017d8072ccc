package data_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// Periods cut seconds and states that are dates alike, and a period begins with its start.
func TestPeriods(t *testing.T) {
	const year2024 = 1704067200 // seconds
	when := data.Column{Var: bn.Continuous("when"), Values: []float64{year2024 - 1e-6, year2024, math.NaN(),
		year2024 + 31*86400}}
	text := data.Column{Var: bn.Discrete("text", "2023-12-31", "2024-01-01 00:00:00", "2024-02-01T00:00:00Z"),
		States: []bn.State{0, 1, bn.Missing, 2}}
	table, err := data.New(when, text)
	if err != nil {
		t.Fatal(err)
	}
	starts := []string{"2024-01-01", "2024-02-01"}
	d, err := data.Steps{data.Periods{Column: "when", Starts: starts}, data.Periods{Column: "text", Starts: starts}}.
		Fit(table)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := d.Apply(table)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cut.Columns() {
		if !slices.Equal(c.Var.States, []string{"<2024-01-01", "2024-01-01..2024-02-01", ">=2024-02-01"}) ||
			!slices.Equal(c.States, []bn.State{0, 1, bn.Missing, 2}) || len(d.Notes) > 0 {
			t.Errorf("%v %v, notes %q", c.Var, c.States, d.Notes)
		}
	}
	for want, p := range map[string]data.Periods{
		`period 2 starts at "1.2.2024"`: {Column: "when", Starts: []string{"2024-01-01", "1.2.2024"}},
		"not ascending":                 {Column: "when", Starts: []string{"2024-01-01", "2024-01-01T00:00Z"}},
		"no starts":                     {Column: "when"},
		"2 bins, there are 3 names":     {Column: "when", Starts: starts[:1], Names: []string{"a", "b", "c"}},
	} {
		for _, train := range []*data.Table{nil, table} {
			if _, err := p.Fit(train); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
}
