package learn_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// achy has a fever that shows the strongest effect of a set of two parents and of a parent of three states.
func achy(t testing.TB) (*bn.Network, constraint.NoisyMAX) {
	t.Helper()
	net, err := bn.New("[flu][cold][asthma][fever|flu:cold:asthma]", bn.Discrete("flu", "none", "light", "severe"),
		bn.Discrete("cold", "no", "yes"), bn.Discrete("asthma", "no", "yes"),
		bn.Discrete("fever", "none", "mild", "high"))
	if err != nil {
		t.Fatal(err)
	}
	return net, constraint.NoisyMAX{Child: "fever", Sets: [][]string{{"asthma", "cold"}, {"flu"}}}
}

var feverIdle = bn.Given{"flu": "none", "cold": "no", "asthma": "no"}

// The family makes the table of the statement from what it reports, and its derivatives are its differences.
func TestNoisyMAXFamily(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 18))
	net, s := achy(t)
	for _, s.Min = range []bool{false, true} {
		for _, s.Idle = range []bn.Given{nil, feverIdle} {
			cpd := learn.NoisyMAXCPD(s)
			if err := learn.CheckGradient(net, cpd, rand.NewPCG(2, 18)); err != nil {
				t.Error(err)
			}
			p, err := cpd.Bind(net)
			if err != nil {
				t.Fatal(err)
			}
			want := 2 * (4 + 3)
			if s.Idle != nil {
				want = 2 * (3 + 2 + 1)
			}
			if len(p.Names) != want {
				t.Fatalf("%d parameters, want %d: %v", len(p.Names), want, p.Names)
			}
			lambda, natural := make([]float64, want), make([]float64, want)
			if err := p.Start(lambda, rng); err != nil {
				t.Fatal(err)
			}
			table := make([]float64, 36)
			p.Table(table, lambda)
			p.Natural(natural, lambda)
			weakest := 0
			if s.Min {
				weakest = 2
			}
			var list []constraint.Effect
			for i, size := range []int{4, 3, 1} {
				if i == 2 && s.Idle == nil {
					break
				}
				e := constraint.Effect{}
				for x := range size {
					row := make([]float64, 3)
					row[weakest] = 1
					if s.Idle == nil || x > 0 || i == 2 {
						row[1], row[2-weakest], natural = natural[0], natural[1], natural[2:]
						row[weakest] = 1 - row[1] - row[2-weakest]
					}
					e.P = append(e.P, row)
				}
				list = append(list, e)
			}
			stated, err := s.Table(net, list)
			if err != nil {
				t.Fatal(err)
			}
			for k, got := range table {
				if !(math.Abs(got-stated.P[k]) <= 1e-12) {
					t.Errorf("min %v, idle %v: entry %d is %v, by the statement %v", s.Min, s.Idle != nil, k, got,
						stated.P[k])
				}
			}
		}
	}
	if p, err := learn.NoisyMAXCPD(s).Bind(net); err != nil || p.Names[0] != "P(effect of {asthma, cold}=mild | "+
		"asthma=no, cold=yes)" && !strings.HasPrefix(p.Names[0], "P(effect of {asthma, cold}=") {
		t.Errorf("names %v, error %v", p, err)
	}
	if _, err := (learn.NoisyMAXCPD{Child: "flu"}).Bind(net); err == nil {
		t.Error("no error for a root")
	}
}

// With two states the family is the noisy-OR with a leak, to the last digits.
func TestNoisyMAXFamilyOfTwoStates(t *testing.T) {
	net, err := bn.New("[a][b][c][y|a:b:c]", bn.Discrete("a", "no", "yes"), bn.Discrete("b", "no", "yes"),
		bn.Discrete("c", "no", "yes"), bn.Discrete("y", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	most, err := learn.NoisyMAXCPD{Child: "y", Idle: bn.Given{"a": "no", "b": "no", "c": "no"}}.Bind(net)
	if err != nil {
		t.Fatal(err)
	}
	or, err := learn.NoisyORCPD{Child: "y", Leak: true}.Bind(net)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 18))
	lambda, g := make([]float64, 4), make([]float64, 16)
	var table, slope [2][16]float64
	for range 20 {
		for i := range lambda {
			lambda[i] = 6 * rng.NormFloat64()
		}
		for k := range g {
			g[k] = rng.NormFloat64()
		}
		for i, f := range []*learn.Parametric{most, or} {
			f.Table(table[i][:], lambda)
			f.Pullback(slope[i][:4], lambda, g)
		}
		for k := range table[0] {
			if a, b := table[0][k], table[1][k]; !(math.Abs(a-b) <= 1e-12*b) {
				t.Errorf("λ %v: entry %d is %v, of a noisy-OR %v", lambda, k, a, b)
			}
			if a, b := slope[0][k], slope[1][k]; !(math.Abs(a-b) <= 1e-12) {
				t.Errorf("λ %v: slope %d is %v, of a noisy-OR %v", lambda, k, a, b)
			}
		}
	}
}

// With missing cells EM under the statement and gradients of the family come to the same likelihood, and with many
// cases to what was planted.
func TestNoisyMAXWithMissingCells(t *testing.T) {
	net, s := achy(t)
	s.Idle = feverIdle
	planted, err := s.Table(net, []constraint.Effect{
		{P: [][]float64{{1, 0, 0}, {0.6, 0.3, 0.1}, {0.4, 0.5, 0.1}, {0.2, 0.4, 0.4}}},
		{P: [][]float64{{1, 0, 0}, {0.5, 0.4, 0.1}, {0.1, 0.3, 0.6}}},
		{P: [][]float64{{0.9, 0.08, 0.02}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(3).P, planted.P)
	cases, err := data.Sample(net, 3000, rand.NewPCG(4, 18))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 18))
	cols := cases.Columns()
	for v := range cols {
		cols[v].States = slices.Clone(cols[v].States)
		for row := range cols[v].States {
			if rng.IntN(10) == 0 {
				cols[v].States[row] = bn.Missing
			}
		}
	}
	if cases, err = data.New(cols...); err != nil {
		t.Fatal(err)
	}
	em, err := learn.Fit(context.Background(), net, cases, learn.EM{Constraints: []constraint.Constraint{s}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	apn, err := learn.Fit(context.Background(), net, cases,
		learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyMAXCPD(s)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(em.LogLikelihood-apn.LogLikelihood) <= 0.01) {
		t.Errorf("log-likelihood by EM %v, by gradients %v", em.LogLikelihood, apn.LogLikelihood)
	}
	for k, p := range em.Net.CPT(3).P {
		if q := apn.Net.CPT(3).P[k]; !(math.Abs(p-q) <= 0.005) || !(math.Abs(p-planted.P[k]) <= 0.08) {
			t.Errorf("entry %d: by EM %v, by gradients %v, planted %v", k, p, q, planted.P[k])
		}
	}
	if _, err := s.Effects(em.Net); err != nil {
		t.Error(err)
	}
}
