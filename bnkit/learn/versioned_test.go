package learn_test

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// shifting cases are ten nats less likely with each version.
type shifting struct {
	*infer.Plan
	version uint64
}

func (c *shifting) Version() uint64 { return c.version }

func (c *shifting) Expect(n, theta []float64) (float64, error) {
	loglik, err := c.Plan.Expect(n, theta)
	return loglik - 10*float64(c.version), err
}

// A level that falls faster than the search rises does not stop it: it ends where EM does, on the
// level of the last version.
func TestAPNOnChangingCases(t *testing.T) {
	net, table := naive(t, 200, 11)
	table = holes(t, table, .15, rand.New(rand.NewPCG(12, 0)))
	want := fit(t, net, table, learn.EM{Pseudocount: 1})
	for _, search := range searches {
		plan, err := infer.NewPlan(net, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := &shifting{Plan: plan}
		r, err := learn.FitCases(t.Context(), net, c, learn.APN{Pseudocount: 1,
			ConjugateGradient: search}, &learn.Settings{
			MaxIterations: 200, Progress: func(learn.Progress) { c.version++ }})
		if err != nil {
			t.Fatal(err)
		}
		equalTables(t, r.Net, want.Net, 1e-3)
		if level := r.LogLikelihood + 10*float64(c.version); !(level > want.LogLikelihood-1e-3) {
			t.Errorf("%v: %v on the first level, EM has %v", search, level, want.LogLikelihood)
		}
	}
}
