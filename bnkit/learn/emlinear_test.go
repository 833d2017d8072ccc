package learn_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// A mixture of two normal distributions: the iterates are those of the textbook formulas.
func TestEMMixture(t *testing.T) {
	net, err := bn.New("[H][Y|H]", bn.Discrete("H", "0", "1"), bn.Continuous("Y"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 0))
	y := make([]float64, 60)
	for i := range y {
		y[i] = rng.NormFloat64()
		if i%3 == 0 {
			y[i] = 4 + 0.5*rng.NormFloat64()
		}
	}
	table, err := data.New(data.Column{Var: bn.Continuous("Y"), Values: y})
	if err != nil {
		t.Fatal(err)
	}
	from := net.Clone()
	copy(from.CPT(0).P, []float64{.5, .5})
	g := from.Gaussian(1)
	g.Intercept[0], g.Intercept[1], g.Variance[0], g.Variance[1] = -1, 2, 1, 2
	r, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{From: from, MaxIterations: 7})
	if err != nil {
		t.Fatal(err)
	}
	p, mean, variance := [2]float64{.5, .5}, [2]float64{-1, 2}, [2]float64{1, 2}
	for iteration := range 8 {
		loglik := 0.0
		var n, s, ss [2]float64
		for _, x := range y {
			var d [2]float64
			for h := range d {
				d[h] = p[h] * math.Exp(-(x-mean[h])*(x-mean[h])/(2*variance[h])) / math.Sqrt(2*math.Pi*variance[h])
			}
			loglik += math.Log(d[0] + d[1])
			for h := range d {
				w := d[h] / (d[0] + d[1])
				n[h], s[h], ss[h] = n[h]+w, s[h]+w*x, ss[h]+w*x*x
			}
		}
		if got := r.Trace[iteration].LogLikelihood; math.Abs(got-loglik) > 1e-9 {
			t.Errorf("iteration %d: log-likelihood %v, want %v", iteration, got, loglik)
		}
		if iteration == 7 {
			break
		}
		for h := range p {
			p[h], mean[h] = n[h]/float64(len(y)), s[h]/n[h]
			variance[h] = ss[h]/n[h] - mean[h]*mean[h]
		}
	}
	fit := r.Net.Gaussian(1)
	for h := range mean {
		if math.Abs(fit.Intercept[h]-mean[h]) > 1e-9 || math.Abs(fit.Variance[h]-variance[h]) > 1e-9 ||
			math.Abs(r.Net.CPT(0).P[h]-p[h]) > 1e-9 {
			t.Errorf("component %d: p %v mean %v variance %v, want %v %v %v", h, r.Net.CPT(0).P[h], fit.Intercept[h],
				fit.Variance[h], p[h], mean[h], variance[h])
		}
	}
}

// Hidden causes of discrete and continuous children, some cells missing: the objective never
// falls, with a floor and with a prior, under shared weights, and the truth is found.
func TestEMMixed(t *testing.T) {
	net, err := bn.New("[H][X|H][W][Y|H:W][Z|H:Y]", bn.Discrete("H", "0", "1"), bn.Discrete("X", "a", "b"),
		bn.Continuous("W"), bn.Continuous("Y"), bn.Continuous("Z"))
	if err != nil {
		t.Fatal(err)
	}
	if err := net.SetTable("X", "H | a b\n0 | 0.9 0.1\n1 | 0.2 0.8"); err != nil {
		t.Fatal(err)
	}
	for v, at := range map[int][2]float64{3: {-2, 2}, 4: {0, 3}} {
		g := net.Gaussian(v)
		for h := range at {
			g.Intercept[h], g.Weights[h][0], g.Variance[h] = at[h], 1, 1
		}
	}
	full, err := data.Sample(net, 1500, rand.NewPCG(5, 0))
	if err != nil {
		t.Fatal(err)
	}
	seen, err := full.Keep("X", "W", "Y", "Z")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(6, 0))
	cols := seen.Columns()
	for i := range cols {
		if cols[i].Var.Name == "X" {
			cols[i].States = append([]bn.State(nil), cols[i].States...)
			for row := range cols[i].States {
				if rng.Float64() < .3 {
					cols[i].States[row] = bn.Missing
				}
			}
		}
	}
	holed, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []learn.EM{
		{VarianceFloor: .01},
		{Pseudocount: 1, Gaussian: &constraint.GaussianPrior{Shape: 2, Scale: 2, Precision: .1,
			InterceptPrecision: .1}},
		{VarianceFloor: .01, Constraints: []constraint.Constraint{constraint.ShareWeightsAcross{Var: "Y"}}},
	} {
		r, err := learn.Fit(t.Context(), net, holed, m, &learn.Settings{Seed: 1, Starts: 4,
			Tolerance: 1e-10})
		if err != nil {
			t.Errorf("%v: %v", m, err)
			continue
		}
		for i := 1; i < len(r.Trace); i++ {
			if r.Trace[i].Objective < r.Trace[i-1].Objective-1e-7 {
				t.Errorf("%v: the objective falls from %v to %v", m, r.Trace[i-1].Objective, r.Trace[i].Objective)
			}
		}
		terms, err := r.Coefficients("Y")
		if err != nil {
			t.Fatal(err)
		}
		if m.Gaussian == nil && (!terms[0].HasInterval || !strings.Contains(terms[0].Note, "missing")) {
			t.Errorf("%v: an interval that takes expected moments for known ones has the note %q", m, terms[0].Note)
		}
		lo, hi := 0, 1
		y := r.Net.Gaussian(3)
		if y.Intercept[0] > y.Intercept[1] {
			lo, hi = 1, 0
		}
		// 750 cases in each component: standard errors of means about 0.04.
		for _, e := range []struct {
			what      string
			got, want float64
		}{
			{"Y given the lower", y.Intercept[lo], -2}, {"Y given the higher", y.Intercept[hi], 2},
			{"its weight", y.Weights[lo][0], 1},
			{"its variance", y.Variance[hi], 1}, {"Z given the higher", r.Net.Gaussian(4).Intercept[hi], 3},
			{"P(X=a) given the lower", r.Net.CPT(1).Row(lo)[0], .9},
		} {
			if !(math.Abs(e.got-e.want) < .2) {
				t.Errorf("%v: %s is %v, the truth %v", m, e.what, e.got, e.want)
			}
		}
	}
}

// Without a floor a component may withdraw to one case.
func TestEMUnbounded(t *testing.T) {
	net, err := bn.New("[H][Y|H]", bn.Discrete("H", "0", "1"), bn.Continuous("Y"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(data.Column{Var: bn.Continuous("Y"), Values: []float64{0, 0.1, -0.2, 0.3, 50}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{Seed: 1}); !errors.Is(err,
		constraint.ErrUnbounded) {
		t.Errorf("without a floor: %v", err)
	}
	if _, err := learn.Fit(t.Context(), net, table, learn.EM{VarianceFloor: .01},
		&learn.Settings{Seed: 1}); err != nil {
		t.Errorf("with a floor: %v", err)
	}
}

// A start that breaks a statement about weights, or has a variance below the floor, is left before
// the first step: the objective does not fall, and a fit that is interrupted at once holds them.
func TestEMOfGaussiansHoldsAtTheStart(t *testing.T) {
	net, err := bn.New("[K][x][y|x:K]", bn.Discrete("K", "a", "b"), bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	from := net.Clone()
	y := from.Gaussian(2)
	copy(y.Intercept, []float64{1, -1})
	y.Weights[0][0], y.Weights[1][0] = 5, -5
	copy(y.Variance, []float64{.1, .1})
	table, err := data.Sample(from, 60, rand.NewPCG(6, 0))
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := table.Keep("x", "y")
	if err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, cases := range []*data.Table{table, hidden} {
		for _, tied := range []string{"x", constraint.Intercept} {
			for _, start := range []*bn.Network{nil, from} {
				for _, m := range []learn.Method{
					learn.EM{VarianceFloor: .5,
						Constraints: []constraint.Constraint{constraint.ShareWeightsAcross{Var: "y",
							Parents: []string{tied}}}},
					learn.APN{Gaussian: &constraint.GaussianPrior{Shape: 1, Scale: 1},
						Constraints: []constraint.Constraint{constraint.ShareWeightsAcross{Var: "y",
							Parents: []string{tied}}}},
				} {
					for _, ctx := range []context.Context{t.Context(), done} {
						r, err := learn.Fit(ctx, net, cases, m, &learn.Settings{Seed: 1, Starts: 1,
							From: start})
						if err != nil {
							t.Fatal(err)
						}
						for i, step := range r.Trace[1:] {
							if !(step.Objective >= r.Trace[i].Objective-1e-9) {
								t.Errorf("%v: iteration %d: %v after %v", m, step.Iteration, step.Objective,
									r.Trace[i].Objective)
							}
						}
						g := r.Net.Gaussian(2)
						one, other := g.Intercept[0], g.Intercept[1]
						if tied == "x" {
							one, other = g.Weights[0][0], g.Weights[1][0]
						}
						numtest.Close(t, one, other, 0, 1e-9)
						if em, ok := m.(learn.EM); ok && slices.Min(g.Variance) < em.VarianceFloor {
							t.Errorf("%v: variances %v", m, g.Variance)
						}
					}
				}
			}
		}
	}
}
