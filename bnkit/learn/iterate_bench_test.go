package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// A hidden cause with three parents and four children, as in W00 Figure 1.
func loaded(b *testing.B) (*bn.Network, *infer.Plan, []constraint.Constraint) {
	b.Helper()
	two, three := []string{"0", "1"}, []string{"0", "1", "2"}
	net, err := bn.New("[A][B][C][L|A:B:C][E|L][F|L][G|L][H|A:L]", bn.Discrete("A", three...), bn.Discrete("B", two...),
		bn.Discrete("C", two...),
		bn.Discrete("L", three...), bn.Discrete("E", two...), bn.Discrete("F", two...), bn.Discrete("G", three...),
		bn.Discrete("H", two...))
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			total := 0.0
			for i := range t.Row(config) {
				t.Row(config)[i] = rng.ExpFloat64()
				total += t.Row(config)[i]
			}
			for i := range t.Row(config) {
				t.Row(config)[i] /= total
			}
		}
	}
	all, err := data.Sample(net, 1000, rng)
	if err != nil {
		b.Fatal(err)
	}
	seen, err := all.Keep("A", "B", "C", "E", "F", "G", "H")
	if err != nil {
		b.Fatal(err)
	}
	plan, err := infer.NewPlan(net, seen, &infer.Options{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	var knowledge []constraint.Constraint
	for _, arc := range [][2]string{{"A", "L"}, {"B", "L"}, {"C", "L"}, {"L", "E"}} {
		knowledge = append(knowledge, constraint.Influence{Parent: arc[0], Child: arc[1]})
	}
	return net, plan, knowledge
}

// BenchmarkIterations makes 100 iterations from one start, planning not counted.
func BenchmarkIterations(b *testing.B) {
	net, plan, knowledge := loaded(b)
	for _, m := range []learn.Method{
		learn.EM{}, learn.EM{Constraints: knowledge}, learn.AlternatingEM{Constraints: knowledge},
		learn.APN{}, learn.APN{Constraints: knowledge, ViolationWeight: 2},
		learn.APN{ConjugateGradient: true},
	} {
		b.Run(fmt.Sprint(m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := learn.FitCases(b.Context(), net, plan, m, &learn.Settings{Starts: 1, Seed: 1,
					MaxIterations: 100, Tolerance: math.SmallestNonzeroFloat64}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
