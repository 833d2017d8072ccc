package bnkit_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/numtest"
)

// firingSquad is that of Pearl (2009, §1.4.3 and §7.1): the court's order makes the captain signal, on which riflemen
// A and B fire; A may also fire from nerves. Either bullet kills.
func firingSquad(order, nerves float64) *bn.Network {
	names := []string{"order", "nerves", "captain", "a", "b", "dead"}
	vars := make([]bn.Variable, len(names))
	for i, name := range names {
		vars[i] = bn.Discrete(name, "no", "yes")
	}
	net, err := bn.New("[order][nerves][captain|order][a|captain:nerves][b|captain][dead|a:b]", vars...)
	if err != nil {
		panic(err)
	}
	either, same := []float64{1, 0, 0, 1, 0, 1, 0, 1}, []float64{1, 0, 0, 1}
	for v, p := range [][]float64{{1 - order, order}, {1 - nerves, nerves}, same, either, same, either} {
		copy(net.CPT(v).P, p)
	}
	return net
}

// The prisoner is dead. Would he be alive, had A not fired? Only if A fired from nerves, without an order:
// (1 − p)q / (1 − (1 − p)(1 − q)), with p = 0.7 and q = 0.2 that is 0.06/0.76 (Pearl 2009, §7.1.2).
func ExampleCounterfactual() {
	df, err := bnkit.Counterfactual(firingSquad(0.7, 0.2), infer.Evidence{"dead": "yes"}, "dead", bn.Set("a", "no"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range df.Nrow() {
		fmt.Printf("dead %-3v  given %.4f  had a not fired %.4f\n", df.Elem(row, 0), df.Elem(row, 1).Float(),
			df.Elem(row, 2).Float())
	}
	// Output:
	// dead no   given 0.0000  had a not fired 0.0789
	// dead yes  given 1.0000  had a not fired 0.9211
}

// Joe studied 1 and scored 1.5 with encouragement 0.5: had he studied 2, he had scored 1.9, for certain (Pearl,
// Glymour and Jewell 2016, §4.2.3).
func TestCounterfactualOfHomework(t *testing.T) {
	net, err := bn.New("[x][h|x][y|x:h]", bn.Continuous("x"), bn.Continuous("h"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	net.Gaussian(1).Weights[0][0] = 0.5
	copy(net.Gaussian(2).Weights[0], []float64{0.7, 0.4})
	joe := infer.Evidence{"x": 0.5, "h": 1.0, "y": 1.5}
	df, err := bnkit.Counterfactual(net, joe, "y", bn.Set("h", "2"))
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, df.Elem(0, 2).Float(), 1.9, 1e-12, 0)
	numtest.Close(t, df.Elem(1, 2).Float(), 0, 1e-6, 0)
	// Had he been encouraged by 1: h = 0.5 + 0.75, y = 0.7 + 0.4·1.25 + 0.75.
	if df, err = bnkit.Counterfactual(net, joe, "y", bn.Set("x", "1")); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, df.Elem(0, 2).Float(), 1.95, 1e-12, 0)
	// Without evidence the noise is as before: y | do(h = 2) has mean 0.8 and variance 0.49 + 1.
	if df, err = bnkit.Counterfactual(net, nil, "y", bn.Set("h", "2")); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, df.Elem(0, 2).Float(), 0.8, 1e-12, 0)
	numtest.Close(t, df.Elem(1, 2).Float(), math.Sqrt(1.49), 1e-9, 0)
}

// Discrete causes of a continuous outcome: its noise is what it was.
func TestCounterfactualOfMixed(t *testing.T) {
	net, err := bn.New("[g][d][y|g:d:z][z]", bn.Discrete("g", "0", "1"), bn.Discrete("d", "0", "1"),
		bn.Continuous("y"), bn.Continuous("z"))
	if err != nil {
		t.Fatal(err)
	}
	y := net.Gaussian(2)
	copy(y.Intercept, []float64{1, 2, 4, 8}) // by g, then d
	for config := range y.Weights {
		y.Weights[config][0] = float64(config + 1)
	}
	// y = 2 + 2·z + noise at g = 0, d = 1 with z = 3 and y = 9: noise 1. At g = 1: 8 + 4·3 + 1.
	seen := infer.Evidence{"g": "0", "d": "1", "z": 3.0, "y": 9.0}
	df, err := bnkit.Counterfactual(net, seen, "y", bn.Set("g", "1"))
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, df.Elem(0, 2).Float(), 21, 1e-9, 0)
	// Had z been −1 too: 8 − 4 + 1.
	if df, err = bnkit.Counterfactual(net, seen, "y", bn.Set("g", "1"), bn.Set("z", "-1")); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, df.Elem(0, 2).Float(), 5, 1e-9, 0)
}

// Random functions of noise, by enumeration over the noise.
func TestCounterfactualByEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1994, 7))
	for range 60 {
		// Three noises, then four variables, each a function of its noise and of those before.
		vars := make([]bn.Variable, 7)
		parents := make([][]int, 7)
		names := make([]string, 7)
		for v := range vars {
			names[v] = fmt.Sprintf("v%d", v)
			vars[v] = bn.Discrete(names[v], "0", "1", "2")
			for p := range v {
				if v >= 3 && rng.Float64() < 0.6 {
					parents[v] = append(parents[v], p)
				}
			}
		}
		g, err := bn.NewDAG(names, parents)
		if err != nil {
			t.Fatal(err)
		}
		net, err := bn.NewNetwork(g, vars)
		if err != nil {
			t.Fatal(err)
		}
		for v := range vars {
			p := net.CPT(v).P
			clear(p)
			for row := 0; row < len(p); row += 3 {
				if v < 3 {
					p[0], p[1], p[2] = 0.2, 0.3, 0.5
				} else {
					p[row+rng.IntN(3)] = 1
				}
			}
		}
		run := func(noise [3]int, set, value int) (out [7]int) {
			for v := range out {
				switch {
				case v == set:
					out[v] = value
				case v < 3:
					out[v] = noise[v]
				default:
					var given []int
					for _, p := range parents[v] {
						given = append(given, out[p])
					}
					row := net.CPT(v).Row(net.CPT(v).Configs().Index(given))
					for s, p := range row {
						if p == 1 {
							out[v] = s
						}
					}
				}
			}
			return out
		}
		set, value, seen, state, outcome := rng.IntN(7), rng.IntN(3), 3+rng.IntN(4), rng.IntN(3), 3+rng.IntN(4)
		var want [3]float64
		total := 0.0
		for at := range 27 {
			noise := [3]int{at / 9, at / 3 % 3, at % 3}
			if run(noise, -1, 0)[seen] != state {
				continue
			}
			p := 1.0
			for _, s := range noise {
				p *= []float64{0.2, 0.3, 0.5}[s]
			}
			total += p
			want[run(noise, set, value)[outcome]] += p
		}
		df, err := bnkit.Counterfactual(net, infer.Evidence{names[seen]: fmt.Sprint(state)}, names[outcome],
			bn.Set(names[set], fmt.Sprint(value)))
		if total == 0 {
			if !errors.Is(err, infer.ErrImpossibleEvidence) {
				t.Errorf("impossible evidence: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for s := range want {
			numtest.Close(t, df.Elem(s, 2).Float(), want[s]/total, 1e-12, 0)
		}
	}
}

func TestCounterfactualRefused(t *testing.T) {
	noisy := firingSquad(0.7, 0.2)
	copy(noisy.CPT(4).P, []float64{1, 0, 0.1, 0.9})
	ask := func(net *bn.Network, e infer.Evidence, outcome string, set ...bn.Intervention) error {
		return second(bnkit.Counterfactual(net, e, outcome, set...))
	}
	dead := infer.Evidence{"dead": "yes"}
	net := firingSquad(0.7, 0.2)
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"no noise": {ask(noisy, dead, "dead", bn.Set("captain", "no")), `"b" is affected, and no noise model`},
		"unknown":  {ask(net, dead, "dead", bn.Set("judge", "no")), `"judge"`},
		"state":    {ask(net, dead, "dead", bn.Set("a", "maybe")), `"maybe"`},
		"outcome":  {ask(net, dead, "alive", bn.Set("a", "no")), `"alive"`},
		"nothing":  {ask(net, dead, "dead"), "nothing is set"},
		"impossible": {ask(net, infer.Evidence{"dead": "no", "a": "yes"}, "dead", bn.Set("b", "no")),
			"probability zero"},
		"policy":     {ask(net, dead, "dead", bn.Policy("a", "no yes\n0.5 0.5")), "set it to a value"},
		"not needed": {ask(noisy, dead, "dead", bn.Set("a", "no")), ""}, // b is not affected
	} {
		if (tt.err != nil) != (tt.want != "") || tt.err != nil && !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, tt.err, tt.want)
		}
	}
	mixed, err := bn.New("[g][y|g]", bn.Discrete("g", "0", "1"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	mixed.Gaussian(1).Variance[0] = 2
	if err := ask(mixed, nil, "y", bn.Set("g", "1")); err == nil || !strings.Contains(err.Error(), "one variance") {
		t.Errorf("a noise that depends on the cause: %v", err)
	}
}
