package learn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// fever has two causes.
func fever(t testing.TB) *bn.Network {
	t.Helper()
	net, err := bn.New("[flu][cold][fever|flu:cold]",
		bn.Discrete("flu", "no", "yes"), bn.Discrete("cold", "no", "yes"), bn.Discrete("fever", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// rows repeats cases: states of the variables of net, and how often.
func rows(t testing.TB, net *bn.Network, cases ...[]int) *data.Table {
	t.Helper()
	cols := make([]data.Column, net.Len())
	for v := range cols {
		cols[v].Var = net.Variable(v)
		for _, c := range cases {
			for range c[net.Len()] {
				cols[v].States = append(cols[v].States, bn.State(c[v]))
			}
		}
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Links of .5 and .2 and a leak of .1 give fever with 1 − .9·(1, .8, .5, .4) = .1, .28, .55,
// .64 by cause; in a hundred cases each these are the counts, and no other table is as likely.
func TestNoisyORByHand(t *testing.T) {
	net := fever(t)
	table := rows(t, net,
		[]int{0, 0, 0, 90}, []int{0, 0, 1, 10}, []int{0, 1, 0, 72}, []int{0, 1, 1, 28},
		[]int{1, 0, 0, 45}, []int{1, 0, 1, 55}, []int{1, 1, 0, 36}, []int{1, 1, 1, 64})
	for _, search := range searches {
		m := learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "fever", Leak: true}},
			ConjugateGradient: search}
		r := trained(t, net, table, m, &exact)
		for i, want := range []float64{.9, .1, .72, .28, .45, .55, .36, .64} {
			numtest.Close(t, r.Net.CPT(2).P[i], want, 1e-5, 0)
		}
		f := r.CPDs[0]
		for i, want := range []float64{.5, .2, .1} {
			numtest.Close(t, f.Values[i], want, 1e-5, 0)
		}
		if f.Family != "noisy-OR of fever with leak" ||
			strings.Join(f.Names, ", ") != "link of flu, link of cold, leak" {
			t.Errorf("%+v", f)
		}
	}
	// Without a leak the case of fever without a cause is impossible, and is said to be.
	if _, err := learn.Fit(t.Context(), net, table,
		learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "fever"}}},
		nil); err == nil || !strings.Contains(err.Error(), "Leak") {
		t.Errorf("no leak: %v", err)
	}
}

// The table is that of the formula, link by link, with states that mean present in either place; and the slopes
// are its derivatives.
func TestNoisyORByFormula(t *testing.T) {
	net := manyCauses(t, 4)
	f := learn.NoisyORCPD{Child: "Y", Leak: true, Present: map[string]string{"P1": "no", "P2": "no", "Y": "no"}}
	p, err := f.Bind(net)
	if err != nil {
		t.Fatal(err)
	}
	links := []float64{0.1, 0.25, 0.5, 0.8, 0.04}
	lambda := make([]float64, 5)
	for i, q := range links {
		lambda[i] = math.Log(q / (1 - q))
	}
	got := make([]float64, 32)
	p.Table(got, lambda)
	for config := range 16 {
		absent := 1 - links[4]
		for i, state := range net.CPT(4).Configs().States(nil, config) {
			if present := []int{1, 0, 0, 1}[i]; state == present {
				absent *= 1 - links[i]
			}
		}
		numtest.Close(t, got[2*config], 1-absent, 1e-15, 0)
		numtest.Close(t, got[2*config+1], absent, 1e-15, 0)
	}
	g := make([]float64, 32)
	rng := rand.New(rand.NewPCG(72, 0))
	for i := range g {
		g[i] = rng.NormFloat64()
	}
	slopes, want := make([]float64, 5), make([]float64, 5)
	p.Pullback(slopes, lambda, g)
	fd.Gradient(want, func(x []float64) float64 {
		table := make([]float64, 32)
		p.Table(table, x)
		return floats.Dot(g, table)
	}, lambda, &fd.Settings{Formula: fd.Central})
	for i := range want {
		numtest.Close(t, slopes[i], want[i], 1e-8, 0)
	}
}

// Twenty parents are the most.
func TestNoisyORTooLarge(t *testing.T) {
	net := manyCauses(t, 21)
	_, family := learn.NoisyORCPD{Child: "Y"}.Bind(net)
	s := constraint.NoisyOR{Child: "Y"}
	for _, v := range net.CPT(21).Parents {
		s.Sets = append(s.Sets, []string{v.Name})
	}
	_, sets := learn.NoisyORSetsCPD(s).Bind(net)
	_, statement := s.Bind(net)
	for _, err := range []error{family, sets, statement} {
		if !errors.Is(err, bn.ErrTooLarge) || !strings.Contains(err.Error(), "20") {
			t.Errorf("21 parents: error %v", err)
		}
	}
}

// Present turns states round: health is a noisy-OR of being without flu and without a cold.
func TestNoisyORPresent(t *testing.T) {
	net := fever(t)
	f := learn.NoisyORCPD{Child: "fever", Present: map[string]string{"fever": "no", "flu": "no", "cold": "no"}}
	p, err := f.Bind(net)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 8)
	p.Table(got, []float64{0, math.Log(1. / 3)}) // links of 1/2 and 1/4
	for i, want := range []float64{1 - .5*.75, .5 * .75, .5, .5, .25, .75, 0, 1} {
		numtest.Close(t, got[i], want, 1e-15, 0)
	}
	if p.Table(got, []float64{-1000, -1000}); math.Signbit(got[3]) || math.Signbit(got[6]) {
		t.Errorf("a zero with a sign: %v", got)
	}
	for _, c := range []struct {
		present map[string]string
		want    string
	}{{map[string]string{"flu": "maybe"}, "maybe"}, {map[string]string{"cough": "yes"}, `"cough", which is neither`}} {
		if _, err := (learn.NoisyORCPD{Child: "fever", Present: c.present}).Bind(net); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.present, err)
		}
	}
}

// Without a leak the entry that is zero has no pseudocount. With flu alone the objective is
// (30 + 1) log q + (10 + 1) log (1 − q), and the like for a cold alone; both together are never seen
// and have a pseudocount in each entry: log (1 − (1−q)(1−c)) + log (1−q)(1−c).
func TestNoisyORWithPrior(t *testing.T) {
	net := fever(t)
	table := rows(t, net, []int{0, 0, 0, 7}, []int{1, 0, 0, 10}, []int{1, 0, 1, 30}, []int{0, 1, 0, 20},
		[]int{0, 1, 1, 5})
	for _, search := range searches {
		r := trained(t, net, table, learn.APN{Pseudocount: 1,
			CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "fever"}}, ConjugateGradient: search}, &exact)
		q, c := r.CPDs[0].Values[0], r.CPDs[0].Values[1]
		u := (1 - q) * (1 - c)
		numtest.Close(t, 31/q-12/(1-q)+(1-c)/(1-u), 0, 1e-3, 0)
		numtest.Close(t, 6/c-22/(1-c)+(1-q)/(1-u), 0, 1e-3, 0)
	}
}

// Causes that are never seen: six findings of two hidden diseases. The links come out near the
// truth, up to the names of the diseases, and at least as likely as it.
func TestNoisyORHidden(t *testing.T) {
	var vars []bn.Variable
	model := "[D][E]"
	vars = append(vars, bn.Discrete("D", "no", "yes"), bn.Discrete("E", "no", "yes"))
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		model += "[" + name + "|D:E]"
		vars = append(vars, bn.Discrete(name, "no", "yes"))
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	truth := net.Clone()
	copy(truth.CPT(0).P, []float64{.7, .3})
	copy(truth.CPT(1).P, []float64{.6, .4})
	links := [][3]float64{{.9, .1, .02}, {.8, .05, .05}, {.7, .1, .02}, {.1, .9, .02}, {.05, .8, .05}, {.1, .7, .02}}
	var families []learn.ParametricCPD
	for i, l := range links {
		p := truth.CPT(2 + i).P
		for config := range 4 {
			absent := 1 - l[2]
			if config/2 == 1 {
				absent *= 1 - l[0]
			}
			if config%2 == 1 {
				absent *= 1 - l[1]
			}
			p[2*config], p[2*config+1] = absent, 1-absent
		}
		families = append(families, learn.NoisyORCPD{Child: vars[2+i].Name, Leak: true})
	}
	table, err := data.Sample(truth, 4000, rand.NewPCG(4, 0))
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.Keep("a", "b", "c", "d", "e", "f"); err != nil {
		t.Fatal(err)
	}
	set := &learn.Settings{Seed: 1, Tolerance: 1e-9}
	r := trained(t, net, table, learn.APN{CPDs: families}, set)
	if want := observedLogLikelihood(truth, table); r.LogLikelihood < want {
		t.Errorf("log-likelihood %v, of the truth %v", r.LogLikelihood, want)
	}
	swap := 0
	if r.CPDs[0].Values[0] < r.CPDs[0].Values[1] {
		swap = 1
	}
	for i, l := range links {
		got := r.CPDs[i].Values
		numtest.Close(t, got[swap], l[0], .12, 0)
		numtest.Close(t, got[1-swap], l[1], .12, 0)
		numtest.Close(t, got[2], l[2], .05, 0)
	}
}
