// Package infertest is the suite that every inference engine passes: posteriors,
// probabilities of evidence and errors against plain enumeration of the joint
// distribution.
package infertest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/numtest"
)

// An Engine answers what the suite asks.
type Engine interface {
	Marginals(evidence infer.Evidence) (*infer.Posteriors, error)
	LogProbability(evidence infer.Evidence) (float64, error)
}

// A Suite says what is tested.
type Suite struct {
	New func(net *bn.Network) (Engine, error)
	// Tolerance is how far a probability may be off, absolutely.
	Tolerance float64
	// Least is the smallest probability of evidence that the engine is asked for; 0 asks
	// also for impossible evidence.
	Least float64
	// Networks is how many random networks there are.
	Networks int
}

// Test runs the suite.
func (s Suite) Test(t *testing.T) {
	t.Run("asia by hand", s.asia)
	t.Run("random networks", s.random)
	t.Run("errors", s.errors)
}

// Asia is the network of Lauritzen and Spiegelhalter (1988).
func Asia() *bn.Network {
	var vars []bn.Variable
	for _, name := range []string{"asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"} {
		vars = append(vars, bn.Discrete(name, "no", "yes"))
	}
	net, err := bn.New(
		"[asia][tub|asia][smoke][lung|smoke][bronc|smoke][either|tub:lung][xray|either][dysp|bronc:either]", vars...)
	if err != nil {
		panic(err)
	}
	for v, p := range [][]float64{
		{0.99, 0.01}, {0.99, 0.01, 0.95, 0.05}, {0.5, 0.5}, {0.99, 0.01, 0.9, 0.1}, {0.7, 0.3, 0.4, 0.6},
		{1, 0, 0, 1, 0, 1, 0, 1}, {0.95, 0.05, 0.02, 0.98}, {0.9, 0.1, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9},
	} {
		copy(net.CPT(v).P, p)
	}
	return net
}

// asia compares with numbers computed by hand: P(lung) = ½·0.01 + ½·0.1 = 0.055, P(tub) =
// 0.99·0.01 + 0.01·0.05 = 0.0104, P(either) = 1 − 0.945·0.9896 = 0.064828, P(xray) =
// 0.064828·0.98 + 0.935172·0.05 = 0.11029004, so P(either | xray) = 0.06353144/0.11029004.
func (s Suite) asia(t *testing.T) {
	e, err := s.New(Asia())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		evidence infer.Evidence
		target   string
		want     float64
	}{
		{nil, "lung", 0.055},
		{nil, "tub", 0.0104},
		{nil, "either", 0.064828},
		{nil, "xray", 0.11029004},
		{infer.Evidence{"xray": "yes"}, "either", 0.06353144 / 0.11029004},
		{infer.Evidence{"xray": "yes"}, "xray", 1},
		{infer.Evidence{"smoke": "no"}, "bronc", 0.3},
		{infer.Evidence{"either": "yes"}, "lung", 0.055 / 0.064828},
	} {
		got, err := e.Marginals(c.evidence)
		if err != nil {
			t.Fatal(err)
		}
		if !numtest.Close(t, got.Of(c.target)[1], c.want, s.Tolerance, 0) {
			t.Errorf("P(%s | %v)", c.target, c.evidence)
		}
	}
}

// Random returns a network of n variables with two to four states each, arcs at random
// with at most three parents, and at most 2^13 joint states. Zeros is the share of table
// entries that are 0.
func Random(rng *rand.Rand, n int, zeros float64) *bn.Network {
	names := make([]string, n)
	parents := make([][]int, n)
	vars := make([]bn.Variable, n)
	joint := 1
	position := rng.Perm(n)
	for v := range n {
		names[v] = fmt.Sprint("x", v)
		r := 2
		if left := 1 << 13 / joint >> (n - v - 1); left >= 4 {
			r += rng.IntN(3)
		}
		joint *= r
		vars[v] = bn.Discrete(names[v], []string{"a", "b", "c", "d"}[:r]...)
		for _, p := range rng.Perm(n) {
			if position[p] < position[v] && len(parents[v]) < 3 && rng.IntN(3) == 0 {
				parents[v] = append(parents[v], p)
			}
		}
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		panic(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		panic(err)
	}
	for v := range n {
		Fill(rng, net.CPT(v), zeros)
	}
	return net
}

// Fill draws the rows of a table, with zeros.
func Fill(rng *rand.Rand, t *bn.CPT, zeros float64) {
	for config := range t.Configs().Len() {
		row := t.Row(config)
		sum := 0.0
		for i := range row {
			row[i] = rng.ExpFloat64()
			if rng.Float64() < zeros {
				row[i] = 0
			}
			sum += row[i]
		}
		if sum == 0 {
			row[rng.IntN(len(row))], sum = 1, 1
		}
		for i := range row {
			row[i] /= sum
		}
	}
}

func (s Suite) random(t *testing.T) {
	for seed := range s.Networks {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		net := Random(rng, 1+rng.IntN(12), []float64{0, 0.3}[seed%2])
		e, err := s.New(net)
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{0, 0.15, 0.4, 0.8} {
			evidence := Evidence(rng, net, share)
			total, want := Enumerate(net, evidence)
			if total < s.Least {
				continue
			}
			got, err := e.Marginals(evidence)
			log, logErr := e.LogProbability(evidence)
			if total == 0 {
				for _, err := range []error{err, logErr} {
					if !errors.Is(err, infer.ErrImpossibleEvidence) ||
						!strings.Contains(err.Error(), evidence.String()) {
						t.Fatalf("network %d, evidence %v: error %v, want %v", seed, evidence, err,
							infer.ErrImpossibleEvidence)
					}
				}
				continue
			}
			if err != nil || logErr != nil {
				t.Fatalf("network %d, evidence %v: %v, %v", seed, evidence, err, logErr)
			}
			ok := numtest.Close(t, log, math.Log(total), 1e-9+4*s.Tolerance, 0)
			for v := range want {
				p := got.Of(net.Variable(v).Name)
				for state := range want[v] {
					ok = numtest.Close(t, p[state], want[v][state]/total, s.Tolerance, 0) && ok
				}
			}
			if !ok {
				t.Fatalf("network %d, %v, evidence %v", seed, net, evidence)
			}
		}
	}
}

func (s Suite) errors(t *testing.T) {
	e, err := s.New(Asia())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		evidence infer.Evidence
		is       error
		message  string
	}{
		{infer.Evidence{"smoking": "yes"}, bn.ErrUnknownVariable, `"smoking"`},
		{infer.Evidence{"smoke": "often"}, bn.ErrUnknownState, `"often" of "smoke"`},
	} {
		_, err := e.Marginals(c.evidence)
		_, logErr := e.LogProbability(c.evidence)
		for _, err := range []error{err, logErr} {
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.message) {
				t.Errorf("evidence %v: error %v, want %v with %s", c.evidence, err, c.is, c.message)
			}
		}
	}
	broken := Asia()
	broken.CPT(0).P[0] = 0.5
	if _, err := s.New(broken); err == nil {
		t.Error("a table whose rows do not sum to 1 is taken")
	}
}

// Renamed returns the network with its variables, the parents of each and all states in
// another order, under the same names.
func Renamed(rng *rand.Rand, net *bn.Network) *bn.Network {
	n := net.Len()
	at := rng.Perm(n) // new position of each variable
	names, parents, vars := make([]string, n), make([][]int, n), make([]bn.Variable, n)
	for v := range n {
		w := at[v]
		names[w] = net.Variable(v).Name
		states := slices.Clone(net.Variable(v).States)
		rng.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
		vars[w] = bn.Discrete(names[w], states...)
		for _, p := range net.DAG().Parents(v) {
			parents[w] = append(parents[w], at[p])
		}
		rng.Shuffle(len(parents[w]), func(i, j int) { parents[w][i], parents[w][j] = parents[w][j], parents[w][i] })
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		panic(err)
	}
	out, err := bn.NewNetwork(g, vars)
	if err != nil {
		panic(err)
	}
	for v := range n {
		old, t := net.CPT(v), out.CPT(at[v])
		for config := range t.Configs().Len() {
			given := bn.Given{}
			for i, name := range t.ConfigNames(config) {
				given[t.Parents[i].Name] = name
			}
			from, err := old.Config(given)
			if err != nil {
				panic(err)
			}
			for state, name := range t.Child.States {
				t.Row(config)[state] = old.Row(from)[slices.Index(old.Child.States, name)]
			}
		}
	}
	return out
}
