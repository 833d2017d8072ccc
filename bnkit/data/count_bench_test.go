package data_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/data"
)

// BenchmarkCount counts all 37 families of the ALARM structure.
func BenchmarkCount(b *testing.B) {
	net := alarmNet(b)
	all, err := data.Sample(net, 1_000_000, rand.NewPCG(1, 0))
	if err != nil {
		b.Fatal(err)
	}
	for _, rows := range []int{100, 10_000, 1_000_000} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("alarm/rows=%d/workers=%d", rows, workers), func(b *testing.B) {
				t := all.Head(rows)
				b.ReportAllocs()
				b.SetBytes(int64(rows * 37 * 2))
				for b.Loop() {
					if _, err := t.Count(net, &data.CountOptions{Workers: workers}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
