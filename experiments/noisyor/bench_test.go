package noisyor

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
)

// The tables of a domain's 300 cases or fewer, by each learner and by 100 iterations of Algorithm 1, compiled
// once. Reported is the median over the domains at hand, the slowest, and what compiling takes at the median.
func BenchmarkLearners(b *testing.B) {
	domains, err := Domains(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	domains = slices.DeleteFunc(domains, func(d *Domain) bool { return d.Missing != nil })
	for _, l := range knowledge.Learners() {
		b.Run(l.String(), func(b *testing.B) {
			benchmark(b, domains, func(s []constraint.Constraint) learn.Method {
				return learn.MAP{Pseudocount: 0.5, Constraints: l.Select(s)}
			})
		})
	}
	for _, l := range []knowledge.Learner{knowledge.Monotone, knowledge.SynergyNoisyOR} {
		b.Run("Algorithm 1 with "+l.String(), func(b *testing.B) {
			benchmark(b, domains, func(s []constraint.Constraint) learn.Method {
				return learn.ExteriorPenalty{Pseudocount: 0.5, Constraints: l.Select(s), Margin: 0.01, Weight: 1e3,
					MaxIterations: 100, Rounds: 1}
			})
		})
	}
}

func benchmark(b *testing.B, domains []*Domain, method func([]constraint.Constraint) learn.Method) {
	b.ReportAllocs()
	type one struct {
		compiled *learn.Compiled
		n, theta []float64
		spent    time.Duration
	}
	var all []one
	var compile []float64
	for _, d := range domains {
		start := time.Now()
		c, err := learn.Compile(d.Net, method(d.Knowledge.Statements()))
		if err != nil {
			b.Fatal(err)
		}
		compile = append(compile, time.Since(start).Seconds())
		counts, err := d.draw(rand.New(rand.NewPCG(1, 0))).Count(d.Net, nil)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, one{compiled: c, n: counts.N, theta: make([]float64, len(counts.N))})
	}
	rounds := 0
	for b.Loop() {
		rounds++
		for i := range all {
			start := time.Now()
			if err := all[i].compiled.Tables(all[i].theta, all[i].n); err != nil {
				b.Fatal(err)
			}
			all[i].spent += time.Since(start)
		}
	}
	var each []float64
	for _, o := range all {
		each = append(each, o.spent.Seconds()/float64(rounds))
	}
	slices.Sort(each)
	slices.Sort(compile)
	b.ReportMetric(each[len(each)/2]*1e6, "median-µs/fit")
	b.ReportMetric(each[len(each)-1]*1e6, "worst-µs/fit")
	b.ReportMetric(compile[len(compile)/2]*1e6, "median-µs/compile")
}

// One split of the domain with the most parents, in all ways of the paper profile.
func BenchmarkSplit(b *testing.B) {
	all, err := Domains(b.Context(), "census", "iris")
	if err != nil {
		b.Fatal(err)
	}
	for _, d := range all {
		if d.Missing != nil {
			continue
		}
		b.Run(d.name, func(b *testing.B) {
			s, c := &Sweep{Domain: d, maxima: newMaxima()}, ConfigFor(run.Paper)
			job := &run.Job{Seed: 1}
			cases, folds := s.deal(job, c, 0)
			var parts [2][]int
			for row, fold := range folds {
				k := min(fold, 1)
				parts[k] = append(parts[k], row)
			}
			test, train := cases.Select(parts[0]), cases.Select(parts[1])
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.split(b.Context(), job, c, 0, train, test); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
