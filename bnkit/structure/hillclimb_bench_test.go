package structure_test

import (
	"context"
	"testing"

	"bnlab/bnkit/structure"
)

func BenchmarkHillClimb(b *testing.B) {
	for _, file := range []string{"alarm_10000", "insurance_10000"} {
		for _, how := range []structure.HillClimb{{Orders: 1}, {Orders: 8}} {
			b.Run(file+"/"+how.String(), func(b *testing.B) {
				table := reference(b, file+".csv.gz")
				b.ReportAllocs()
				for b.Loop() {
					if _, err := structure.Learn(context.Background(), table, structure.BIC{}, how, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
