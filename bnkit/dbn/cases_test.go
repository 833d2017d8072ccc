package dbn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// TestExpect compares log-likelihood and expected counts with enumeration.
func TestExpect(t *testing.T) {
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			net := scene(t, sc.model, 1)
			s := holes(t, net, sc.hidden, 2, 3, 1, 2, 3)
			want, n := make([]float64, net.Template().Layout().Len()), make([]float64, net.Template().Layout().Len())
			for i := range s.Len() {
				all := worlds(t, net, s, i, s.Length(i), s.Length(i))
				sum := total(all)
				for _, w := range all {
					for slice := range w.states {
						for v := range net.Variables() {
							c, config := lookUp(t, net, w.states, slice, v)
							at, err := net.Template().Index(c.Child.Name)
							if err != nil {
								t.Fatal(err)
							}
							want[net.Template().Layout().Cell(at, config, w.states[slice][v])] += w.p / sum
						}
					}
				}
			}
			for _, workers := range []int{1, 3} {
				c, err := net.Cases(s, &infer.Options{Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				clear(n)
				loglik, err := c.Expect(n, parameters(net))
				if err != nil {
					t.Fatal(err)
				}
				numtest.Close(t, loglik, logLikelihood(t, net, s), 1e-11, 1e-11)
				for cell := range n {
					if !numtest.Close(t, n[cell], want[cell], 1e-11, 1e-11) {
						v, config, state := net.Template().Layout().Locate(cell)
						t.Fatalf("%s, configuration %d, state %d", net.Template().Variable(v), config, state)
					}
				}
			}
			loglik, err := net.LogLikelihood(s)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, loglik, logLikelihood(t, net, s), 1e-11, 1e-11)
		})
	}
}

// TestGradient: with θ = softmax(β) by rows the derivative of the log-likelihood by β is n −
// θ·(row sum of n), n being the counts summed over slices (R95 §6).
func TestGradient(t *testing.T) {
	for _, sc := range scenes {
		net := scene(t, sc.model, 3)
		c, err := net.Cases(holes(t, net, sc.hidden, 4, 5, 3, 5), nil)
		if err != nil {
			t.Fatal(err)
		}
		layout := net.Template().Layout()
		rows := func(f func(lo, hi int)) {
			for v := range net.Template().Len() {
				for config := range net.Template().CPT(v).Configs().Len() {
					f(layout.Row(v, config))
				}
			}
		}
		softmax := func(beta []float64) []float64 {
			theta := make([]float64, len(beta))
			rows(func(lo, hi int) {
				sum := 0.0
				for cell := lo; cell < hi; cell++ {
					theta[cell] = math.Exp(beta[cell])
					sum += theta[cell]
				}
				for cell := lo; cell < hi; cell++ {
					theta[cell] /= sum
				}
			})
			return theta
		}
		beta := make([]float64, layout.Len())
		rng := rand.New(rand.NewPCG(5, 5))
		for i := range beta {
			beta[i] = rng.NormFloat64()
		}
		theta, n := softmax(beta), make([]float64, len(beta))
		if _, err := c.Expect(n, theta); err != nil {
			t.Fatal(err)
		}
		want := fd.Gradient(nil, func(beta []float64) float64 {
			loglik, err := c.LogLikelihood(softmax(beta))
			if err != nil {
				t.Fatal(err)
			}
			return loglik
		}, beta, &fd.Settings{Formula: fd.Central})
		rows(func(lo, hi int) {
			sum := 0.0
			for cell := lo; cell < hi; cell++ {
				sum += n[cell]
			}
			for cell := lo; cell < hi; cell++ {
				if !numtest.Close(t, n[cell]-theta[cell]*sum, want[cell], 1e-7, 1e-6) {
					t.Fatalf("%s: cell %d", sc.name, cell)
				}
			}
		})
	}
}

// TestObserved counts by hand: 0 → 1, a gap, then 1 → 1 of one series and a single 0.
func TestObserved(t *testing.T) {
	net := network(t, "[s|s[t-1]][y|s][z]", bn.Discrete("s", "0", "1"), bn.Discrete("y", "0", "1"),
		bn.Discrete("z", "0", "1"))
	s := csv(t, "series,time,s,y\n a,5,0,1\n a,6,1,\n a,8,1,1\n a,9,1,0\n b,0,0,1\n")
	c, err := net.Cases(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The template is s[0] s[1] y[1] z[1].
	want := []float64{2, 0 /**/, 0, 1, 0, 1 /**/, 0, 2, 1, 1 /**/, 0, 0}
	n := make([]float64, len(want))
	c.AddObserved(n)
	for cell := range want {
		if n[cell] != want[cell] {
			t.Fatalf("observed %v, want %v", n, want)
		}
	}
	if got := strings.Join(c.Hidden(), " "); got != "z[1]" || c.IsComplete() || c.Weight() != 6 {
		t.Errorf("hidden %q, complete %v, weight %v; want z[1], false, 6 slices", got, c.IsComplete(), c.Weight())
	}
	one := csv(t, "series,time,s,y,z\n a,0,0,1,1\n b,0,0,1,0\n")
	if c, err = net.Cases(one, nil); err != nil {
		t.Fatal(err)
	}
	if len(c.Hidden()) != 0 || !c.IsComplete() {
		t.Errorf("hidden %v in complete series of one slice", c.Hidden())
	}
}

func TestCasesErrors(t *testing.T) {
	net := weather(t)
	sure := weather(t)
	if err := sure.SetTable("umbrella[1]", "rain[1] | no yes\n no | 1 0\n yes | 1 0"); err != nil {
		t.Fatal(err)
	}
	impossible := csv(t, "series,time,umbrella\n fine,0,no\n odd,0,no\n odd,1,yes\n")
	line := network(t, "[x|x[t-1]][y|x]", bn.Continuous("x"), bn.Continuous("y"))
	for name, c := range map[string]struct {
		err     error
		is      error
		message string
	}{
		"no column": {second(net.Cases(csv(t, "series,time,sun\n a,0,no\n"), nil)),
			bn.ErrUnknownVariable, "rain"},
		"unknown column": {second(net.Cases(csv(t, "series,time,umbrella,sun\n a,0,no,no\n"), nil)),
			bn.ErrUnknownVariable, `"sun"`},
		"unknown state": {second(net.Cases(csv(t, "series,time,umbrella\n a,0,no\n a,3,perhaps\n"), nil)),
			bn.ErrUnknownState, `row 2, column "umbrella", value "perhaps"`},
		"wrong kind": {second(net.Cases(csv(t, "series,time,umbrella\n a,0,0.5\n a,3,1.25\n"), nil)),
			bn.ErrNotDiscrete, "umbrella"},
		"states":     {second(line.Cases(csv(t, "series,time,y\n a,0,no\n"), nil)), nil, "continuous"},
		"impossible": {second(sure.LogLikelihood(impossible)), infer.ErrImpossibleEvidence, `series "odd"`},
		"name of a column": {second(network(t, "[time]", bn.Discrete("time", "0", "1")).Cases(
			csv(t, "series,time\n a,0\n"), nil)), bn.ErrDuplicate, "SeriesOptions"},
	} {
		if c.err == nil || c.is != nil && !errors.Is(c.err, c.is) || !strings.Contains(c.err.Error(), c.message) {
			t.Errorf("%s: error %v, want %v with %q", name, c.err, c.is, c.message)
		}
	}
}

// TestNothing: no network, series, table or template, and parameters of another network, are errors.
func TestNothing(t *testing.T) {
	net := weather(t)
	s := csv(t, "series,time,umbrella\n a,0,no\n a,1,yes\n")
	other := scene(t, "[s|s[t-1]][u|s][y|s:u]", 30)
	otherSeries := must(other.Sample([]int{3}, rand.NewPCG(31, 0)))(t)
	_, _, path := net.MostProbable(nil)
	theta := parameters(other)
	cases, sampled := must(net.Cases(s, nil))(t), must(net.Sampled(s, 2, rand.NewPCG(1, 0)))(t)
	line := network(t, "[x]", bn.Continuous("x"))
	lines := must(line.Cases(csv(t, "series,time,x\n a,0,0.5\n"), nil))(t)
	pair := network(t, "[x|x[t-1]]", bn.Continuous("x")).Template()
	alike := network(t, "[cloud|cloud[t-1]][umbrella|cloud]", bn.Discrete("cloud", "no", "yes"),
		bn.Discrete("umbrella", "no", "yes"))
	renamed := must(alike.Cases(s, nil))(t)
	set := &learn.Settings{Seed: 1, HeldOut: must(other.Cases(otherSeries, nil))(t)}
	for name, c := range map[string]struct {
		err     error
		message string
	}{
		"fit no network":     {second(dbn.Fit(t.Context(), nil, s, learn.EM{}, nil)), "no network"},
		"fit empty network":  {second(dbn.Fit(t.Context(), new(dbn.Network), s, learn.EM{}, nil)), "no network"},
		"fit no series":      {second(dbn.Fit(t.Context(), net, nil, learn.EM{}, nil)), "no series"},
		"sampled no network": {second((*dbn.Network)(nil).Sampled(s, 1, rand.NewPCG(1, 0))), "no network"},
		"smooth":             {second(net.Smooth(nil)), "no series"},
		"filter":             {second(net.Filter(nil)), "no series"},
		"most probable":      {path, "no series"},
		"likelihood":         {second(net.LogLikelihood(nil)), "no series"},
		"table":              {second(dbn.NewSeries(nil, nil)), "no table"},
		"template":           {second(net.With(nil)), "no template"},
		"held out alike": {second(dbn.Fit(t.Context(), net, s, learn.EM{Pseudocount: 1},
			&learn.Settings{Seed: 1, HeldOut: renamed})), `variable 1 is "cloud`},
		"held out":           {second(dbn.Fit(t.Context(), net, s, learn.EM{Pseudocount: 1}, set)), "another network"},
		"expect":             {second(cases.Expect(theta, theta)), "another network"},
		"expect sampled":     {second(sampled.Expect(theta, theta)), "another network"},
		"likelihood cases":   {second(cases.LogLikelihood(theta)), "another network"},
		"likelihood sampled": {second(sampled.LogLikelihood(theta)), "another network"},
		"moments": {second(cases.ExpectMoments(theta, nil, theta,
			make([]*bn.LinearGaussian, net.Template().Len()))), "another network"},
		"parameters": {second(cases.ExpectMoments(nil, nil, theta,
			make([]*bn.LinearGaussian, net.Template().Len()))), "another network"},
		"linear-Gaussian": {second(lines.ExpectMoments(nil, nil, nil, []*bn.LinearGaussian{pair.Gaussian(1)})),
			"another network"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.message) {
			t.Errorf("%s: error %v, want one with %q", name, c.err, c.message)
		}
	}
}

func second[T any](_ T, err error) error { return err }
