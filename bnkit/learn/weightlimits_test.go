package learn_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// withWeights has y = 1 + 2·x1 − x2/2 with noise; x1 is measured with a hole in each third case when punched.
func withWeights(t testing.TB, rows int, punched bool) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bn.New("[x1][x2][y|x1:x2]", bn.Continuous("x1"), bn.Continuous("x2"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(17, 0))
	var x1, x2, y []float64
	for i := range rows {
		a := rng.NormFloat64()
		b := a + rng.NormFloat64()
		x1, x2, y = append(x1, a), append(x2, b), append(y, 1+2*a-b/2+rng.NormFloat64())
		if punched && i%3 == 0 {
			x1[i] = math.NaN()
		}
	}
	table, err := data.New(data.Column{Var: net.Variable(0), Values: x1}, data.Column{Var: net.Variable(1), Values: x2},
		data.Column{Var: net.Variable(2), Values: y})
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

// TestWeightAtItsSign: a wrong sign puts the weight at 0, and all else is that of the regression without the parent.
func TestWeightAtItsSign(t *testing.T) {
	net, table := withWeights(t, 60, false)
	wrong := constraint.SignWeights{Var: "y", Parents: []string{"x2"}}
	right := constraint.SignWeights{Var: "y", Parents: []string{"x1"}}
	fit := func(net *bn.Network, s ...constraint.Constraint) *learn.Result {
		r, err := learn.Fit(context.Background(), net, table, learn.ML{Constraints: s}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	without, err := bn.New("[x1][x2][y|x1]", net.Variables()...)
	if err != nil {
		t.Fatal(err)
	}
	got, want := fit(net, wrong, right), fit(without)
	a, errA := got.Coefficients("y")
	b, errB := want.Coefficients("y")
	if errA != nil || errB != nil || len(a) != 4 || len(b) != 3 {
		t.Fatal(a, b, errA, errB)
	}
	if a[2].Estimate != 0 || a[2].HasInterval || a[2].Note != "held at the limit of a statement" {
		t.Errorf("the weight of the wrong sign is %+v", a[2])
	}
	for i, j := range []int{0, 1, 3} {
		if math.Abs(a[j].Estimate-b[i].Estimate) > 1e-9 || math.Abs(a[j].Low-b[i].Low) > 1e-9 ||
			math.Abs(a[j].High-b[i].High) > 1e-9 || !a[j].HasInterval {
			t.Errorf("%s: %+v, without the parent %+v", a[j].Term, a[j], b[i])
		}
	}
	free, errA := got.FreeParameters()
	fewer, errB := want.FreeParameters()
	if free != fewer || errA != nil || errB != nil {
		t.Errorf("%d free parameters, %d without the parent; errors %v, %v", free, fewer, errA, errB)
	}
	// One limit costs as half a chi-square with one degree and half a point at 0.
	verdicts, err := got.Audit(context.Background(), &learn.AuditSettings{Seed: 3, Simulations: 2000})
	if err != nil {
		t.Fatal(err)
	}
	v := verdicts[0]
	all := fit(net, right)
	if cost := all.LogLikelihood - got.LogLikelihood; math.Abs(v.Cost-cost) > 1e-9 || v.Degrees != 1 ||
		!v.HasInequalities {
		t.Errorf("a cost of %v in %d degrees, want %v in one", v.Cost, v.Degrees, cost)
	}
	half := distuv.ChiSquared{K: 1}.Survival(2*v.Cost) / 2
	if math.Abs(v.PValue/half-1) > 0.1 { // four standard errors of 2000 coins
		t.Errorf("p = %v, want about %v", v.PValue, half)
	}
	if v := verdicts[1]; v.Cost != 0 || v.PValue != 1 || v.Words != "holds in the data already" {
		t.Errorf("of the right sign: %+v", v)
	}
}

// TestEMWithinLimits: with missing cells the limits hold, the objective rises, and no small change of the weights
// within them raises the likelihood.
func TestEMWithinLimits(t *testing.T) {
	net, table := withWeights(t, 90, true)
	says := []constraint.Constraint{
		constraint.BoundWeights{Var: "y", Parents: []string{"x1"}, AtLeast: new(0.5), AtMost: new(1.2)},
		constraint.SignWeights{Var: "y", Parents: []string{"x2"}, Sign: constraint.Negative},
	}
	r, err := learn.Fit(context.Background(), net, table, learn.EM{Constraints: says},
		&learn.Settings{Seed: 1, Tolerance: 1e-13, MaxIterations: 5000})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range r.Trace[1:] {
		if step.Objective < r.Trace[i].Objective-1e-8 {
			t.Errorf("step %d: the objective falls from %v to %v", i+1, r.Trace[i].Objective, step.Objective)
		}
	}
	w := r.Net.Gaussian(2).Weights[0]
	if w[0] != 1.2 || w[1] > 0 {
		t.Fatalf("weights %v, want 1.2 at the limit and one that is not positive", w)
	}
	rng := rand.New(rand.NewPCG(2, 0))
	for range 30 {
		from := r.Net.Clone()
		g := from.Gaussian(2)
		g.Weights[0][0] = max(0.5, min(1.2, g.Weights[0][0]+0.05*rng.NormFloat64()))
		g.Weights[0][1] = min(0, g.Weights[0][1]+0.05*rng.NormFloat64())
		g.Intercept[0] += 0.05 * rng.NormFloat64()
		again, err := learn.Fit(context.Background(), net, table, learn.EM{Constraints: says},
			&learn.Settings{Seed: 1, From: from, MaxIterations: 1})
		if err != nil {
			t.Fatal(err)
		}
		if first := again.Trace[0].LogLikelihood; first > r.LogLikelihood+1e-6 {
			t.Errorf("%v at %v is beaten by %v at %v", r.LogLikelihood, r.Net.Gaussian(2), first, g)
		}
	}
	// A start outside the limits is brought inside.
	from := r.Net.Clone()
	from.Gaussian(2).Weights[0][0] = 9
	again, err := learn.Fit(context.Background(), net, table, learn.EM{Constraints: says},
		&learn.Settings{Seed: 1, From: from, MaxIterations: 1})
	if err != nil || again.Net.Gaussian(2).Weights[0][0] > 1.2 {
		t.Errorf("from outside: %v, error %v", again.Net.Gaussian(2), err)
	}
	for _, m := range []learn.Method{learn.APN{Constraints: says},
		learn.Averaged{Constraints: says, Strengths: []float64{.5, 1}}} {
		_, err := learn.Fit(context.Background(), net, table, m, &learn.Settings{Seed: 1})
		if err == nil || !strings.Contains(err.Error(), "use EM") && !strings.Contains(err.Error(), "continuous") &&
			!strings.Contains(err.Error(), "weights have no prior density") {
			t.Errorf("%s: %v", m, err)
		}
	}
}
