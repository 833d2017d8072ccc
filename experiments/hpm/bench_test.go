package hpm

import (
	"math/rand/v2"
	"testing"

	"bnlab/experiments/run"
)

// BenchmarkStandin makes the study of all regions: 6 million values.
func BenchmarkStandin(b *testing.B) {
	voxels := formulaVoxels(tables(b).table3)
	b.ReportAllocs()
	for b.Loop() {
		defaultStandin().make(voxels, stream)
	}
}

// BenchmarkTables are N06 Table 2 (three models at 18 sizes) and Table 3 (three models in 24 regions) on the
// stand-in, each fit to convergence.
func BenchmarkTables(b *testing.B) {
	p := tables(b)
	study, _ := defaultStandin().make(formulaVoxels(p.table3), func(r int) rand.Source { return stream(r) })
	calc, err := study.Region(focus)
	if err != nil {
		b.Fatal(err)
	}
	s, job := &Source{name: fromStandin, Study: study}, &run.Job{Workers: 2}
	b.Run("Table2", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := course(b.Context(), job, s, calc, calc.LeaveOneOfEachOut(),
				ConfigFor(run.Paper).Sizes); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Table3", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := whole(b.Context(), job, s); err != nil {
				b.Fatal(err)
			}
		}
	})
}
