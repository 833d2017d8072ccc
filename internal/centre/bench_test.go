package centre_test

import (
	"math/rand/v2"
	"testing"

	"bnlab/internal/centre"
)

func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		name    string
		problem centre.Problem
		zeros   float64
	}{
		{"linked=20x50", linked(20, 35, 30, rand.New(rand.NewPCG(1, 1))), 0},
		{"linked=20x50/zeros", linked(20, 35, 30, rand.New(rand.NewPCG(1, 1))), 0.2},
		{"monotone=128x5", monotone(7, 5), 0},
		{"monotone=128x5/zeros", monotone(7, 5), 0.3},
		{"monotone=16x3", monotone(4, 3), 0.1},
		{"monotone=32x2", monotone(5, 2), 0.1},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, err := centre.New(c.problem)
			if err != nil {
				b.Fatal(err)
			}
			n := counts(c.problem.Len, 50, c.zeros, rand.New(rand.NewPCG(2, 2)))
			x := make([]float64, c.problem.Len)
			var r centre.Report
			if err := s.SolveInto(&r, x, n); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := s.SolveInto(&r, x, n); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(r.Iterations), "iterations")
			b.ReportMetric(r.Gap/sum(n), "gap/N")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for _, c := range []struct {
		name    string
		problem centre.Problem
	}{
		{"linked=20x50", linked(20, 35, 30, rand.New(rand.NewPCG(1, 1)))},
		{"monotone=128x5", monotone(7, 5)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := centre.New(c.problem); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
