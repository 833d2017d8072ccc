//go:build cgo

package duckdb

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
)

// BenchmarkOpenCSV opens many rows and many columns.
func BenchmarkOpenCSV(b *testing.B) {
	for name, size := range map[string]struct{ rows, columns int }{"rows": {200_000, 10}, "columns": {20, 3000}} {
		b.Run(name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 0))
			cols := make([]data.Column, size.columns)
			for i := range cols {
				states := make([]bn.State, size.rows)
				for row := range states {
					states[row] = bn.State(rng.IntN(3))
				}
				cols[i] = data.Column{Var: bn.Discrete(fmt.Sprint("c", i), "low", "medium", "high"), States: states}
			}
			path := filepath.Join(b.TempDir(), "cases.csv")
			if err := must(data.New(cols...))(b).WriteCSVFile(path); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := must(Open(b.Context(), path, nil))(b).Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

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
