package infer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// moved returns the network with an entry set to x and the others of its row in proportion, or equal
// when they are zero.
func moved(net *bn.Network, cell int, x float64) *bn.Network {
	net = net.Clone()
	v, config, state := net.Layout().Locate(cell)
	row := net.CPT(v).Row(config)
	rest := 0.0
	for i, p := range row {
		if i != state {
			rest += p
		}
	}
	for i, p := range row {
		switch {
		case i == state:
			row[i] = x
		case rest > 0:
			row[i] = p / rest * (1 - x)
		default:
			row[i] = (1 - x) / float64(len(row)-1)
		}
	}
	return net
}

// TestSensitivity compares every function, in three values of its entry, with enumeration of the network
// that has them: zeros, deterministic rows and all kinds of evidence.
func TestSensitivity(t *testing.T) {
	answers := 0
	for seed := range some(40) {
		rng := rand.New(rand.NewPCG(uint64(seed), 16))
		net := infertest.Random(rng, 1+rng.IntN(5), []float64{0, 0.3, 0.7}[seed%3])
		evidence := infertest.Evidence(rng, net, 0.3)
		if seed%2 == 1 {
			evidence = soft(rng, net, 0.4)
		}
		v := rng.IntN(net.Len())
		state := rng.IntN(net.Variable(v).Cardinality())
		target := net.Variable(v)
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		total, p := infertest.Enumerate(net, evidence)
		s, err := e.Sensitivity(evidence, target.Name, target.States[state])
		if total == 0 {
			if !errors.Is(err, infer.ErrImpossibleEvidence) {
				t.Errorf("seed %d: error %v for impossible evidence", seed, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		answers++
		numtest.Close(t, s.P, p[v][state]/total, 1e-12, 0)
		for cell := range net.Layout().Len() {
			u, config, i := net.Layout().Locate(cell)
			alpha, beta, gamma, delta := s.Coefficients(cell)
			for _, x := range []float64{0, 0.3, 1} {
				if net.Variable(u).Cardinality() == 1 {
					continue
				}
				changed, q := infertest.Enumerate(moved(net, cell, x), evidence)
				if !numtest.Close(t, gamma*x+delta, changed/total, 1e-10, 1e-10) ||
					!numtest.Close(t, alpha*x+beta, q[v][state]/total, 1e-10, 1e-10) {
					t.Fatalf("seed %d: P(%s=%s | %v) with entry %d, %d of %q at %v", seed, target.Name,
						target.States[state], evidence, config, i, net.Variable(u).Name, x)
				}
			}
			at := net.CPT(u).Row(config)[i]
			numtest.Close(t, gamma*at+delta, 1, 1e-10, 0)
			if h := 1e-6; at > h && at < 1-h {
				up, q := infertest.Enumerate(moved(net, cell, at+h), evidence)
				down, r := infertest.Enumerate(moved(net, cell, at-h), evidence)
				difference := (q[v][state]/up - r[v][state]/down) / (2 * h)
				numtest.Close(t, s.Derivative(cell), difference, 1e-6, 1e-6)
			}
		}
	}
	if answers < some(40)/3 {
		t.Errorf("%d answers only", answers)
	}
}

// TestSensitivityOfChains has evidence far below the smallest float64, and linear-Gaussian variables of
// which one is hidden; finite differences of the answers themselves say what the derivatives are.
func TestSensitivityOfChains(t *testing.T) {
	const length = 800
	var vars []bn.Variable
	var model strings.Builder
	evidence := infer.Evidence{"Y": 0.7}
	rng := rand.New(rand.NewPCG(3, 0))
	for i := range length {
		vars = append(vars, bn.Discrete(fmt.Sprint("H", i), "0", "1"), bn.Discrete(fmt.Sprint("X", i), "0", "1", "2"))
		if i == 0 {
			model.WriteString("[H0]")
		} else {
			fmt.Fprintf(&model, "[H%d|H%d]", i, i-1)
		}
		fmt.Fprintf(&model, "[X%d|H%d]", i, i)
		evidence[fmt.Sprint("X", i)] = fmt.Sprint(rng.IntN(3))
	}
	net, err := bn.New(model.String()+"[C|H400][Y|C]", append(vars, bn.Continuous("C"), bn.Continuous("Y"))...)
	if err != nil {
		t.Fatal(err)
	}
	for v := range net.Len() {
		if net.CPT(v) != nil {
			infertest.Fill(rng, net.CPT(v), 0)
		}
	}
	c, _ := net.Index("C")
	net.Gaussian(c).Intercept[1] = 1
	net.Gaussian(c + 1).Weights[0][0] = 2
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	if log, err := e.LogProbability(evidence); err != nil || log > -750 {
		t.Fatalf("log P %v, error %v: the evidence should be far below the smallest float64", log, err)
	}
	s, err := e.Sensitivity(evidence, "H400", "1")
	if err != nil {
		t.Fatal(err)
	}
	large := 0
	for _, name := range []string{"H0", "H399", "X400", "H401"} {
		u, _ := net.Index(name)
		lo, hi := net.Layout().Family(u)
		for cell := lo; cell < hi; cell++ {
			const h = 1e-5
			_, config, i := net.Layout().Locate(cell)
			at := net.CPT(u).Row(config)[i]
			var p [2]float64
			for side, x := range []float64{at - h, at + h} {
				post, err := infer.Posterior(moved(net, cell, x), evidence, "H400")
				if err != nil {
					t.Fatal(err)
				}
				p[side] = post.P[0][1]
			}
			numtest.Close(t, s.Derivative(cell), (p[1]-p[0])/(2*h), 1e-7, 1e-5)
			if math.Abs(s.Derivative(cell)) > 0.01 {
				large++
			}
		}
	}
	if large < 4 {
		t.Errorf("%d derivatives differ from 0, want 4 or more", large)
	}
}

func TestSensitivityErrors(t *testing.T) {
	net, err := bn.New("[h][z|h][x|h]", bn.Discrete("h", "a", "b"), bn.Discrete("z", "a", "b"), bn.Continuous("x"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(1).P, []float64{1, 0, 0, 1})
	net.Gaussian(2).Intercept[1] = 1000
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		evidence      infer.Evidence
		target, state string
		want          string
	}{
		{nil, "w", "a", `"w"`},
		{nil, "x", "a", `"x"`},
		{nil, "h", "c", `"c"`},
		{infer.Evidence{"h": "a", "z": "b"}, "h", "a", "h=a, z=b"},
		{infer.Evidence{"z": infer.Distribution{"a": 0.5, "b": 0.5}}, "h", "a", `Distribution of "z"`},
		{infer.Evidence{"z": "a", "x": 1000}, "h", "a", "beyond float64"},
	} {
		s, err := e.Sensitivity(c.evidence, c.target, c.state)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("P(%s=%s | %v): %v, error %v, want one with %q", c.target, c.state, c.evidence, s, err, c.want)
		}
	}
	s, err := e.Sensitivity(infer.Evidence{"h": "a"}, "h", "b") // observed, so that it is 0 whatever the tables are
	if err != nil {
		t.Fatal(err)
	}
	for cell := range net.Layout().Len() {
		alpha, beta, _, _ := s.Coefficients(cell)
		if s.P != 0 || alpha != 0 || beta != 0 || s.Derivative(cell) != 0 {
			t.Errorf("entry %d: P = (%v·x + %v)/(…)", cell, alpha, beta)
		}
	}
}

// A test with sensitivity 0.9 and specificity 0.8: with prevalence x, P(ill | positive) is
// 0.9x/(0.9x + 0.2(1−x)).
func ExampleEngine_Sensitivity() {
	ill, test := bn.Discrete("ill", "yes", "no"), bn.Discrete("test", "positive", "negative")
	net, err := bn.New("[ill][test|ill]", ill, test)
	if err != nil {
		panic(err)
	}
	copy(net.CPT(0).P, []float64{0.01, 0.99})
	copy(net.CPT(1).P, []float64{0.9, 0.1, 0.2, 0.8})
	e, err := infer.New(net, nil)
	if err != nil {
		panic(err)
	}
	s, err := e.Sensitivity(infer.Evidence{"test": "positive"}, "ill", "yes")
	if err != nil {
		panic(err)
	}
	at := net.Layout().Cell(0, 0, 0) // P(ill = yes)
	alpha, beta, gamma, delta := s.Coefficients(at)
	x := 0.1
	fmt.Printf("P(ill | positive) = %.4f, derivative by prevalence %.2f\n", s.P, s.Derivative(at))
	fmt.Printf("with prevalence 0.1: %.4f\n", (alpha*x+beta)/(gamma*x+delta))
	// Output:
	// P(ill | positive) = 0.0435, derivative by prevalence 4.20
	// with prevalence 0.1: 0.3333
}
