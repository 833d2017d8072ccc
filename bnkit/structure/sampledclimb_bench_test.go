package structure_test

import (
	"context"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// BenchmarkSampledClimb climbs in a sample of many rows and then in all of them: of alarm, of whose variables few joint
// states occur, and of a random network, of which many do.
func BenchmarkSampledClimb(b *testing.B) {
	for _, test := range []struct {
		name  string
		table func() *data.Table
	}{
		{"alarm", func() *data.Table { return sampled(b, "alarm.bif", 2_500_000) }},
		{"random", func() *data.Table { return made(b, 30, 2_500_000) }},
	} {
		b.Run(test.name, func(b *testing.B) {
			table := test.table()
			b.ReportAllocs()
			for b.Loop() {
				found, err := structure.Learn(context.Background(), table, structure.BIC{},
					structure.HillClimb{Orders: 1, Sample: 100_000}, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(found.Score, "score")
			}
		})
	}
}
