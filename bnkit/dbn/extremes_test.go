package dbn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/internal/numtest"
)

// TestManySensors: a slice in which 60 sensors are improbable each, 1e-8 in one state and 2e-8
// in the other, is possible: the odds are 2⁶⁰.
func TestManySensors(t *testing.T) {
	model, head, cells := "[s|s[t-1]]", "series,time", ""
	vars := []bn.Variable{bn.Discrete("s", "0", "1")}
	for i := range 60 {
		name := fmt.Sprintf("y%d", i)
		model, head, cells = model+"["+name+"|s]", head+","+name, cells+",1"
		vars = append(vars, bn.Discrete(name, "0", "1"))
	}
	net := network(t, model, vars...)
	for _, v := range vars[1:] {
		if err := net.SetTable(v.Name+"[1]", "s[1] | 0 1\n 0 | 0.99999999 1e-8\n 1 | 0.99999998 2e-8"); err != nil {
			t.Fatal(err)
		}
	}
	p := must(net.Filter(csv(t, head+"\na,0"+cells+"\n")))(t)[0][0].Of("s")
	numtest.Close(t, p[0], math.Exp2(-60), 0, 1e-9)
	numtest.Close(t, p[1], 1, 1e-12, 0)
}

// TestContradictions: a state that never changes is seen far from its mean in one slice, and the
// other state farther in the next, beyond the exponents of numbers each.
func TestContradictions(t *testing.T) {
	net := network(t, "[s|s[t-1]][x|s]", bn.Discrete("s", "0", "1"), bn.Continuous("x"))
	if err := net.SetTable("s[1]", "s[0] | 0 1\n 0 | 1 0\n 1 | 0 1"); err != nil {
		t.Fatal(err)
	}
	copy(net.Template().Gaussian(2).Intercept, []float64{0, 100})
	s := csv(t, "series,time,x\n a,0,0\n a,1,100\n a,2,49.99\n")
	odds := math.Exp(50.01*50.01/2 - 49.99*49.99/2) // of state 0 in the last slice; the others cancel
	want := []float64{1, 0.5, odds / (1 + odds)}
	filter, smooth := must(net.Filter(s))(t), must(net.Smooth(s))(t)
	for slice, p := range want {
		numtest.Close(t, filter[0][slice].Of("s")[0], p, 1e-9, 0)
		numtest.Close(t, smooth[0][slice].Of("s")[0], want[2], 1e-9, 0)
	}
	loglik, err := net.LogLikelihood(s)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, loglik, -5000-49.99*49.99/2-1.5*math.Log(2*math.Pi)+math.Log(0.5)+math.Log1p(1/odds), 0, 1e-12)
}

// TestSubnormal: samples are weighted by the logarithm of a probability below the smallest
// normal number, ln 1e-310 = −310·ln 10.
func TestSubnormal(t *testing.T) {
	net := network(t, "[y]", bn.Discrete("y", "0", "1"))
	if err := net.SetTable("y[1]", "0 1\n 1 1e-310"); err != nil {
		t.Fatal(err)
	}
	c := must(net.Sampled(csv(t, "series,time,y\n a,0,1\n a,1,0\n"), 3, rand.NewPCG(1, 0)))(t)
	loglik, err := c.LogLikelihood(parameters(net))
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, loglik, -310*math.Ln10, 0, 1e-12)
}

// TestTwice: series that are selected twice, as in a bootstrap sample, have paths twice.
func TestTwice(t *testing.T) {
	net := weather(t)
	s := csv(t, "series,time,umbrella\n a,0,yes\n a,2,no\n b,5,no\n")
	once, logs, err := net.MostProbable(s)
	if err != nil {
		t.Fatal(err)
	}
	order := []int{1, 0, 1, 0}
	twice, again, err := net.MostProbable(s.Select(order...))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(twice.Table()), fmt.Sprint(once.Select(order...).Table()); got != want {
		t.Errorf("the paths are\n%s, want\n%s", got, want)
	}
	for i, of := range order {
		numtest.Close(t, again[i], logs[of], 0, 0)
		if twice.Length(i) != s.Length(of) || twice.Time(i, 0) != s.Time(of, 0) {
			t.Errorf("path %d has %d slices from %d", i, twice.Length(i), twice.Time(i, 0))
		}
	}
}

// TestBeyondMemory: what is too long or too wide to hold is an error before it is made.
func TestBeyondMemory(t *testing.T) {
	net := weather(t)
	s := csv(t, "series,time,umbrella\n a,0,yes\n b,0,no\n")
	for _, steps := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt >> 4} {
		if _, err := net.Predict(s, steps); err == nil || !strings.Contains(err.Error(), "give 1 to 25000000 slices") {
			t.Errorf("%d steps: %v", steps, err)
		}
	}
	states := make([]string, 300)
	for i := range states {
		states[i] = fmt.Sprint(i)
	}
	wide := network(t, "[s|s[t-1]]", bn.Discrete("s", states...))
	if _, err := wide.Unroll(50_000); err == nil || !strings.Contains(err.Error(), "90000") {
		t.Errorf("4.5e9 entries: %v", err)
	}
}

// TestNoNetwork: a network that was not made has no variables and no answers.
func TestNoNetwork(t *testing.T) {
	s := csv(t, "series,time,umbrella\n a,0,yes\n")
	for _, none := range []*dbn.Network{nil, {}} {
		for what, err := range map[string]error{
			"predict": second(none.Predict(s, 1)), "filter": second(none.Filter(s)), "smooth": second(none.Smooth(s)),
			"unroll": second(none.Unroll(1)),
			"sample": second(none.Sample([]int{1}, rand.NewPCG(1, 0))), "fit": second(dbn.Fit(t.Context(), none, s, nil,
				nil)),
			"likelihood": second(none.LogLikelihood(s)),
		} {
			if err == nil || !strings.Contains(err.Error(), "no network") {
				t.Errorf("%s: %v", what, err)
			}
		}
		if vars := none.Variables(); vars != nil {
			t.Errorf("variables %v", vars)
		}
	}
}
