package validate

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// five is 300 cases of a target with five parents, a domain of Y13's size.
func five(b *testing.B) (*sample, []learn.Method) {
	b.Helper()
	net := parse(b, "[A][B][C][D][E][Y|A:B:C:D:E]", nil, 1)
	var statements []constraint.Constraint
	for _, parent := range []string{"A", "B", "C", "D", "E"} {
		statements = append(statements, constraint.Influence{Parent: parent, Child: "Y"})
	}
	return mustSample(b, net, draw(b, net, 300, 1), "Y"), []learn.Method{
		learn.MAP{Pseudocount: 1}, learn.MAP{Pseudocount: 1, Constraints: statements},
	}
}

// What an inner loop costs for one candidate: ten fits, and their scores.
func BenchmarkInner(b *testing.B) {
	s, methods := five(b)
	in, err := s.inner(numbers(0, 270), 10, rand.NewPCG(1, 0))
	if err != nil {
		b.Fatal(err)
	}
	for i, name := range []string{"free", "monotone"} {
		compiled, err := learn.Compile(s.net, methods[i])
		if err != nil {
			b.Fatal(err)
		}
		for _, what := range []string{"estimate", "estimate and score"} {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.ReportAllocs()
				buffer := &buffer{}
				e := byCounts{s, compiled}
				theta := make([]float64, s.dense.layout.Len())
				for b.Loop() {
					for f, test := range in.test {
						if what == "estimate" {
							if err := compiled.Tables(theta, in.train[f].n); err != nil {
								b.Fatal(err)
							}
							continue
						}
						dist, err := e.predict(b.Context(), in.train[f], test, buffer, nil)
						if err != nil {
							b.Fatal(err)
						}
						s.score(dist, in.train[f], test)
					}
				}
			})
		}
	}
}

// Dealing the training cases into ten inner folds and counting them.
func BenchmarkDeal(b *testing.B) {
	s, _ := five(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.inner(numbers(0, 270), 10, rand.NewPCG(1, 0)); err != nil {
			b.Fatal(err)
		}
	}
}

// Ten folds, two learners of three candidates each chosen in ten inner folds: 620 fits.
func BenchmarkCrossValidate(b *testing.B) {
	s, m := five(b)
	var learners []Learner
	for i, name := range []string{"free", "monotone"} {
		l := Learner{Name: name}
		for _, pseudocount := range []float64{0.2, 1, 5} {
			c := m[i].(learn.MAP)
			c.Pseudocount = pseudocount
			l.Candidates = append(l.Candidates, c)
		}
		learners = append(learners, l)
	}
	table := s.table
	b.ReportAllocs()
	for b.Loop() {
		if _, err := CrossValidate(b.Context(), s.net, table, "Y", learners,
			&Settings{Seed: 1, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// 20,000 rows: folds are counted once, not copied.
func BenchmarkCrossValidateLarge(b *testing.B) {
	net := parse(b, "[A][B][C][D][E][F][G][Y|A:B:C:D:E:F:G]", nil, 1)
	table, err := data.Sample(net, 20000, rand.NewPCG(1, 0))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := CrossValidate(b.Context(), net, table, "Y", []Learner{named("free", methods(0.2, 1, 5))},
			&Settings{Seed: 1, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
