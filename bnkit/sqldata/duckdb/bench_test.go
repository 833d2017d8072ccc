//go:build cgo

package duckdb

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/parquet"
)

// BenchmarkCountFamilies opens 200,000 rows of four columns and counts five families.
func BenchmarkCountFamilies(b *testing.B) {
	net := garden(b)
	path := filepath.Join(b.TempDir(), "cases.parquet")
	if err := parquet.Write(path, must(data.Sample(net, 200_000, rand.NewPCG(1, 0)))(b)); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		cases := must(Open(b.Context(), path, nil))(b)
		if _, err := cases.CountFamilies(b.Context(), families(net), nil); err != nil {
			b.Fatal(err)
		}
		if err := cases.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
