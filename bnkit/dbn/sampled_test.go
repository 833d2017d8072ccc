package dbn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// TestSampled: estimates from many samples are within five standard errors of the exact counts;
// the standard error is that of repeated estimates.
func TestSampled(t *testing.T) {
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			net := scene(t, sc.model, 100)
			s := holes(t, net, sc.hidden, 101, 4, 2, 1, 4)
			theta := parameters(net)
			exact, approx := must(net.Cases(s, nil))(t),
				must(net.Sampled(s, 500, rand.NewPCG(102, 0)))(t)
			want := make([]float64, len(theta))
			wantLoglik := must(exact.Expect(want, theta))(t)
			const repeats = 20
			var sum, squares = make([]float64, len(theta)+1), make([]float64, len(theta)+1)
			for range repeats {
				if err := approx.SetSamples(500); err != nil {
					t.Fatal(err)
				}
				n := make([]float64, len(theta), len(theta)+1)
				n = append(n, must(approx.Expect(n, theta))(t))
				for v, slices := range sums(net, want) { // of each table, its slices exactly
					numtest.Close(t, sums(net, n)[v], slices, 1e-9, 0)
				}
				for i, x := range n {
					sum[i] += x / repeats
					squares[i] += x * x / repeats
				}
			}
			for i, w := range append(want, wantLoglik) {
				se := math.Sqrt(max(squares[i]-sum[i]*sum[i], 0) / (repeats - 1))
				// The bias of a ratio is of the order of the variance of one estimate.
				if d := math.Abs(sum[i] - w); d > 5*se+20*repeats*se*se+1e-12 {
					t.Errorf("entry %d: %v ± %v, want %v", i, sum[i], se, w)
				}
			}
			observed := make([]float64, len(theta))
			plan := make([]float64, len(theta))
			approx.AddObserved(observed)
			exact.AddObserved(plan)
			for i := range plan {
				numtest.Close(t, observed[i], plan[i], 0, 0)
			}
		})
	}
}

// sums adds up the counts of each table.
func sums(net *dbn.Network, n []float64) []float64 {
	list := make([]float64, net.Template().Len())
	for v := range list {
		lo, hi := net.Template().Layout().Family(v)
		for _, x := range n[lo:hi] {
			list[v] += x
		}
	}
	return list
}

// TestSampledContinuous: hidden continuous variables can be sampled, and what follows is known:
// with no evidence on s its counts are prior ones, the log-likelihood is that of a normal sum.
func TestSampledContinuous(t *testing.T) {
	net := network(t, "[s|s[t-1]][x|x[t-1]][y|x]", bn.Discrete("s", "0", "1"), bn.Continuous("x"), bn.Continuous("y"))
	two := net.Template()
	for _, name := range []string{"x[1]", "y[1]"} {
		two.Gaussian(must(two.Index(name))(t)).Weights[0][0] = 1
	}
	two.Gaussian(must(two.Index("x[1]"))(t)).Variance[0] = 2
	two.Gaussian(must(two.Index("y[1]"))(t)).Variance[0] = 0.5
	s := csv(t, "series,time,y\n a,0,0.5\n a,1,1.5\n")
	c := must(net.Sampled(s, 200000, rand.NewPCG(110, 0)))(t)
	n := make([]float64, two.Layout().Len())
	loglik := must(c.Expect(n, parameters(net)))(t)
	// x0 ~ N(0, 1), x1 ~ N(x0, 2), y ~ N(x, ½): covariance [[1.5, 1], [1, 3.5]], determinant 4.25.
	a, b := 0.5, 1.5
	want := -math.Log(2*math.Pi) - math.Log(4.25)/2 - (3.5*a*a-2*a*b+1.5*b*b)/4.25/2
	numtest.Close(t, loglik, want, 0.02, 0)
	numtest.Close(t, n[0], 0.5, 0.02, 0)
}

// TestSampledRepeats: the same random numbers serve until SetSamples.
func TestSampledRepeats(t *testing.T) {
	net := weather(t)
	s := csv(t, "series,time,umbrella\n a,1,yes\n a,2,yes\n")
	c := must(net.Sampled(s, 10, rand.NewPCG(120, 0)))(t)
	theta := parameters(net)
	first := must(c.LogLikelihood(theta))(t)
	if again := must(c.Expect(make([]float64, len(theta)), theta))(t); again != first {
		t.Errorf("%v, then %v", first, again)
	}
	if err := c.SetSamples(20); err != nil || c.Samples() != 20 {
		t.Fatal(err)
	}
	if other := must(c.LogLikelihood(theta))(t); other == first {
		t.Error("the same estimate from other samples")
	}
	// A learner takes it: the estimate is near that of exact counts.
	fit, err := learn.FitCases(t.Context(), net.Template(), must(net.Sampled(s, 5000, rand.NewPCG(121, 0)))(t),
		learn.EM{Pseudocount: 1}, &learn.Settings{From: net.Template(), Starts: 1, MaxIterations: 5})
	if err != nil {
		t.Fatal(err)
	}
	exact := must(dbn.Fit(t.Context(), net, s, learn.EM{Pseudocount: 1},
		&learn.Settings{From: net.Template(), Starts: 1, MaxIterations: 5}))(t)
	fitted := must(net.With(fit.Net))(t)
	for cell, want := range parameters(exact.Net) {
		numtest.Close(t, parameters(fitted)[cell], want, 0.03, 0)
	}
}

func TestSampledErrors(t *testing.T) {
	net := weather(t)
	if err := net.SetTable("umbrella[1]", "rain[1] | no yes\n no | 1 0\n yes | 1 0"); err != nil {
		t.Fatal(err)
	}
	odd := csv(t, "series,time,umbrella\n fine,0,no\n odd,0,no\n odd,1,yes\n")
	line := network(t, "[x]", bn.Continuous("x"))
	line.Template().Gaussian(0).Variance[0] = 0
	c := must(net.Sampled(odd, 10, rand.NewPCG(1, 0)))(t)
	for name, c := range map[string]struct {
		err     error
		is      error
		message string
	}{
		"no source":  {second(net.Sampled(odd, 10, nil)), bn.ErrNoSource, ""},
		"no samples": {second(net.Sampled(odd, 0, rand.NewPCG(1, 0))), nil, "at least one"},
		"none later": {c.SetSamples(-1), nil, "at least one"},
		"impossible": {second(c.LogLikelihood(parameters(net))), infer.ErrNoSample, `series "odd"`},
		"no density": {second(line.Sampled(csv(t, "series,time,x\n a,0,0.5\n"), 1, rand.NewPCG(1, 0))),
			infer.ErrNoDensity, `"x`},
	} {
		if c.err == nil || c.is != nil && !errors.Is(c.err, c.is) || !strings.Contains(c.err.Error(), c.message) {
			t.Errorf("%s: error %v, want %v with %q", name, c.err, c.is, c.message)
		}
	}
}

// Samples may be drawn anew during a fit: it goes on, and comes most of the way that exact counts go.
func TestSampledAnew(t *testing.T) {
	net := weather(t)
	s := must(must(net.Sample([]int{8, 8, 8, 8, 8, 8}, rand.NewPCG(130, 0)))(t).Keep("umbrella"))(t)
	from := must(dbn.New(net.String(), net.Variables()...))(t).Template().Clone()
	for v := range from.Len() { // away from the saddle of uniform tables
		for config := range from.CPT(v).Configs().Len() {
			row := from.CPT(v).Row(config)
			row[0] += 0.1 * float64(1-2*config)
			row[1] = 1 - row[0]
		}
	}
	start := must(must(net.With(from))(t).LogLikelihood(s))(t)
	for _, search := range []bool{false, true} {
		m := learn.APN{Pseudocount: 1, ConjugateGradient: search}
		exact := must(dbn.Fit(t.Context(), net, s, m, &learn.Settings{From: from}))(t)
		c := must(net.Sampled(s, 100, rand.NewPCG(131, 0)))(t)
		fit, err := learn.FitCases(t.Context(), net.Template(), c, m, &learn.Settings{From: from, MaxIterations: 10,
			Progress: func(learn.Progress) {
				if err := c.SetSamples(c.Samples() + 10); err != nil {
					t.Fatal(err)
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		end := must(must(net.With(fit.Net))(t).LogLikelihood(s))(t)
		if !(end-start > (exact.LogLikelihood-start)/2) || len(fit.Trace) < 5 {
			t.Errorf("%v: from %v to %v in %d iterations, exactly to %v", search, start, end, len(fit.Trace)-1,
				exact.LogLikelihood)
		}
	}
}
