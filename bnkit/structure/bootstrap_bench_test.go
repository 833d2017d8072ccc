package structure_test

import (
	"context"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// BenchmarkStrengths learns graphs by BIC from 200 replicates, each with the best of 8 orders.
func BenchmarkStrengths(b *testing.B) {
	for _, test := range []struct {
		name  string
		table func(b *testing.B) *data.Table
	}{
		{"alarm_1000", func(b *testing.B) *data.Table { return sampled(b, "alarm.bif", 1000) }},
		{"alarm_10000", func(b *testing.B) *data.Table { return reference(b, "alarm_10000.csv.gz") }},
	} {
		b.Run(test.name, func(b *testing.B) {
			table := test.table(b)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := structure.ArcStrengths(context.Background(), table, structure.BIC{}, structure.HillClimb{},
					structure.Bootstrap{Seed: 1}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
