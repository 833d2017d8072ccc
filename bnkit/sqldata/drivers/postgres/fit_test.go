//go:build linux

package postgres

import (
	"context"
	"slices"
	"testing"
	"time"

	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/sqldata/sqltest"
	"bnlab/internal/datatest"
)

// alarm has 37 variables: GROUPING takes fewer columns than that.
func TestAlarmIsCountedByFewStatements(t *testing.T) {
	net, err := bif.ReadFile(datatest.Path(t, "networks/alarm.bif"))
	if err != nil {
		t.Fatal(err)
	}
	cases := sqltest.Holed(t, sqltest.Sample(t, net, 2000), 0.01)
	var families []data.Family
	for v := range net.Len() {
		f := data.Family{Child: net.Variable(v).Name}
		for _, parent := range net.DAG().Parents(v) {
			f.Parents = append(f.Parents, net.Variable(parent).Name)
		}
		families = append(families, f)
	}
	for name, d := range dialects() {
		t.Run(name, func(t *testing.T) {
			c := open(t, d, cases, nil)
			before := c.Cost().Statements
			opts := &data.CountOptions{SkipMissing: true}
			begin := time.Now()
			got, err := c.CountFamilies(context.Background(), families, opts)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v, %+v", time.Since(begin), c.Cost())
			want, err := cases.CountFamilies(context.Background(), families, opts)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if !slices.Equal(got[i].N, want[i].N) || got[i].Skipped != want[i].Skipped {
					t.Errorf("the counts of %v are not those in memory", families[i])
				}
			}
			statements := map[string]int{"PostgreSQL": 2, "without merging": 1}[name] // 9 groupings are left of 37
			if n := c.Cost().Statements - before; statements > 0 && n != statements {
				t.Errorf("%d statements for the families of alarm, want %d", n, statements)
			}
		})
	}
}
