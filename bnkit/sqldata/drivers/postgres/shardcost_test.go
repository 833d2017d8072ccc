//go:build linux

package postgres

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
)

// TestShardCosts measures what counting all families of ASIA takes against rows and shards, and writes the table that
// experiments/scale shows, in the module's folder by
// BNLAB_SHARDS=../../../../experiments/scale/shards.csv go test -run TestShardCosts ./postgres.
func TestShardCosts(t *testing.T) {
	path := os.Getenv("BNLAB_SHARDS")
	if path == "" {
		t.Skip("measures: set BNLAB_SHARDS to the file to write")
	}
	table := [][]string{{"rows", "shards", "sent", "statements", "fetched", "bytes", "seconds"}}
	for _, shards := range []int{1, 2, 4} {
		c := startShards(t, shards)
		for _, rows := range []int{1000, 10_000, 100_000} {
			cases := sqltest.Sample(t, infertest.Asia(), rows)
			o := c.load(t, cases)
			o.States = data.StatesOf(cases.Variables()...)
			whole := *o
			whole.Shards = nil
			for _, way := range []struct {
				name string
				opts sqldata.Options
			}{{"groups", *o}, {"rows", whole}} {
				bytes, seconds, cost := int64(0), 0.0, sqldata.Cost{}
				for repeat := range 3 {
					source := c.open(t, &way.opts)
					opened, before, start := source.Cost(), c.bytes.Load(), time.Now()
					list := sqltest.Families(source.Variables())
					if _, err := source.CountFamilies(t.Context(), list, nil); err != nil {
						t.Fatal(err)
					}
					took := time.Since(start).Seconds()
					bytes = c.bytes.Load() - before
					cost = source.Cost()
					cost.Statements -= opened.Statements
					cost.Rows -= opened.Rows
					if repeat == 0 || took < seconds {
						seconds = took
					}
				}
				table = append(table, strings.Fields(fmt.Sprintf("%d %d %s %d %d %d %.4f", rows, shards, way.name,
					cost.Statements, cost.Rows, bytes, seconds)))
				t.Log(table[len(table)-1])
			}
		}
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := csv.NewWriter(f).WriteAll(table); err != nil {
		t.Fatal(err)
	}
}
