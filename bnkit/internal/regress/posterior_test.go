package regress_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/internal/regress"
	"bnlab/internal/numtest"
)

func posterior(t testing.TB, net *bn.Network, v int, data rows, prior constraint.GaussianPrior,
	statements ...constraint.Constraint) *regress.GaussianPosterior {
	t.Helper()
	shares, _, err := constraint.BindWeights(net, statements...)
	if err != nil {
		t.Fatal(err)
	}
	p, err := regress.Posterior(net, v, 0, data.factor(t), shares, prior)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A prior density of w and σ², restricted to w = Cβ, times the likelihood, integrated over β
// and log σ² on a grid that reaches far enough; over its own integral without the cases it is
// the marginal likelihood, and its moments are those of the posterior.
func TestPosteriorByQuadrature(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	net, v := linear(t, 1, 0)
	prior := constraint.GaussianPrior{Shape: 3, Scale: 2, Precision: 0.8, InterceptPrecision: 0.5,
		Mean: map[string]float64{"x1": 1}}
	for name, test := range map[string]struct {
		statements []constraint.Constraint
		expand     func(b []float64) []float64
		free       int
	}{
		"free": {nil, func(b []float64) []float64 { return b }, 2},
		"tied": {[]constraint.Constraint{constraint.ProportionalWeights{Var: "y",
			Weights: map[string]float64{constraint.Intercept: -1, "x1": 2}}},
			func(b []float64) []float64 { return []float64{-b[0], 2 * b[0]} }, 1},
		"equal": {[]constraint.Constraint{constraint.ShareWeights{Var: "y",
			Groups: [][]string{{constraint.Intercept, "x1"}}}},
			func(b []float64) []float64 { return []float64{b[0], b[0]} }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			data := drawn(rng, 4, 1, 1)
			p := posterior(t, net, v, data, prior, test.statements...)
			// Trapezium sums over a wide grid converge fast for smooth functions that vanish at
			// its ends: s = log σ² in [−5, 6], β within six standard deviations of the prior or more.
			integrate := func(f func(w []float64, variance float64) float64) float64 {
				steps := 61
				if test.free == 1 {
					steps = 241 // the tied density is narrower
				}
				return trapezium(-5, 6, 41, func(s float64) float64 {
					variance := math.Exp(s)
					wide := 9 * math.Sqrt(variance)
					over := func(rest func(b float64) float64, mean float64) float64 {
						return trapezium(mean-wide, mean+wide, steps, rest)
					}
					if test.free == 1 {
						return variance * over(func(b float64) float64 {
							return f(test.expand([]float64{b}),
								variance)
						}, 0)
					}
					return variance * over(func(b0 float64) float64 {
						return over(func(b1 float64) float64 { return f([]float64{b0, b1}, variance) }, 1)
					}, 0)
				})
			}
			density := func(d rows) func(w []float64, variance float64) float64 {
				return func(w []float64, variance float64) float64 {
					return math.Exp(logPosterior(d, w, variance,
						prior))
				}
			}
			joint := density(data)
			before, after := integrate(density(nil)), integrate(joint)
			numtest.Close(t, p.LogMarginal, math.Log(after/before), 1e-5, 0)
			numtest.Close(t, p.Mean[0], integrate(func(w []float64, s float64) float64 {
				return w[0] *
					joint(w, s)
			})/after, 1e-5, 0)
			numtest.Close(t, p.Mean[1], integrate(func(w []float64, s float64) float64 {
				return w[1] *
					joint(w, s)
			})/after, 1e-5, 0)
			numtest.Close(t, p.Variance(), integrate(func(w []float64, s float64) float64 {
				return s *
					joint(w, s)
			})/after, 1e-4, 0)
			x, y := 0.7, 2.5
			predictive := integrate(func(w []float64, s float64) float64 {
				e := y - w[0] - w[1]*x
				return math.Exp(-e*e/(2*s)) / math.Sqrt(2*math.Pi*s) * joint(w, s)
			}) / after
			numtest.Close(t, p.Predict([]float64{x}).Prob(y), predictive, 1e-5, 0)
		})
	}
}

// trapezium is the sum of equally spaced values times their distance.
func trapezium(lo, hi float64, n int, f func(float64) float64) float64 {
	h, total := (hi-lo)/float64(n-1), 0.0
	for i := range n {
		total += f(lo + float64(i)*h)
	}
	return total * h
}

// The density of the cases together is the product of those of each given the ones before.
func TestMarginalIsSequentialPrediction(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 0))
	net, v := linear(t, 3, 0)
	prior := constraint.GaussianPrior{Shape: 0.7, Scale: 1.3, Precision: 0.4, InterceptPrecision: 0.1,
		Mean: map[string]float64{"x2": 2}}
	for _, s := range [][]constraint.Constraint{nil,
		{constraint.ShareWeights{Var: "y", Groups: [][]string{{"x1", "x3"}}}}} {
		data := drawn(rng, 12, 3, 2)
		total := 0.0
		for i, row := range data {
			// A row of zeros stands for no case but counts as one.
			before := posterior(t, net, v, append(rows{make([]float64, 5)}, data[:i]...), prior, s...)
			before.Shape -= 0.5
			total += before.Predict(row[1:4]).LogProb(row[4])
		}
		numtest.Close(t, posterior(t, net, v, data, prior, s...).LogMarginal, total, 1e-10, 0)
	}
}

// The mode of the coefficients is their posterior mean, and the joint mode of the variance
// is b_n/(a_n + q/2 + 1), in the restricted density's own numbers.
func TestPosteriorAndModeAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 0))
	net, v := linear(t, 3, 0)
	prior := constraint.GaussianPrior{Shape: 2, Scale: 1, Precision: 1, InterceptPrecision: 2}
	alike := constraint.ShareWeights{Var: "y", Groups: [][]string{{"x1", "x2", "x3"}}}
	data := drawn(rng, 7, 3, 1)
	p := posterior(t, net, v, data, prior, alike)
	mode := estimate(t, net, v, []rows{data}, &prior, 0, alike).Node
	for j, w := range coefficients(mode, 0) {
		numtest.Close(t, p.Mean[j], w, 1e-12, 0)
	}
	numtest.Close(t, mode.Variance[0], p.Scale/(p.Shape+2./2+1), 1e-12, 0)
}

func TestPosteriorErrors(t *testing.T) {
	net, v := linear(t, 1, 2)
	f := rows{{1, 0, 0}, {1, 1, 2}, {1, 2, 1}}.factor(t)
	proper := constraint.GaussianPrior{Shape: 1, Scale: 1, Precision: 1, InterceptPrecision: 1}
	flat := constraint.GaussianPrior{Shape: 1, Scale: 1, Precision: 1}
	shares, _, err := constraint.BindWeights(net, constraint.ShareWeightsAcross{Var: "y"})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		f      data.Factor
		shares []constraint.Weights
		prior  constraint.GaussianPrior
		says   string
	}{
		"flat":              {f, nil, flat, "flat"},
		"shared":            {f, shares, proper, "y given s=a shares weights"},
		"no factor":         {data.Factor{N: 3}, nil, proper, "0 numbers"},
		"a prior of no use": {f, nil, constraint.GaussianPrior{}, "Shape"},
	} {
		if _, err := regress.Posterior(net, v, 0, test.f, test.shares, test.prior); err == nil ||
			!strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, test.says)
		}
	}
	none, err := regress.Posterior(net, v, 0, data.Factor{}, nil, proper)
	if err != nil || none.LogMarginal != 0 || !math.IsInf(none.Variance(), 1) {
		t.Errorf("no cases: %+v, %v", none, err)
	}
}

func ExamplePosterior() {
	net, err := bn.New("[y]", bn.Continuous("y"))
	if err != nil {
		fmt.Println(err)
		return
	}
	// Two cases, 1 and 3: n = 2, Σy = 4, Σy² = 10.
	cases := data.Factor{N: 2, R: []float64{math.Sqrt(2), 4 / math.Sqrt(2), 0, math.Sqrt(2)}}
	prior := constraint.GaussianPrior{Shape: 1, Scale: 1, InterceptPrecision: 2, Precision: 1}
	p, err := regress.Posterior(net, 0, 0, cases, nil, prior)
	if err != nil {
		fmt.Println(err)
		return
	}
	next := p.Predict(nil)
	fmt.Printf("mean %.3f, variance %.3f; next: t with %v degrees of freedom about %.3f\n", p.Mean[0], p.Variance(),
		next.Nu, next.Mu)
	// Output:
	// mean 1.000, variance 4.000; next: t with 4 degrees of freedom about 1.000
}
