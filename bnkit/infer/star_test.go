package infer_test

import (
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

// shapes are networks of n variables that are trees but for one or two hubs.
var shapes = []struct {
	name    string
	parents func(i int) []int // of variable i
}{
	{"star", func(i int) []int { return hubs(i, 1) }},
	{"two hubs", func(i int) []int { return hubs(i, 2) }},
	{"TAN", func(i int) []int {
		if i < 2 {
			return hubs(i, 1)
		}
		return []int{0, 1 + (i-2)/2}
	}},
	{"caterpillar", func(i int) []int { // a chain of 100 hubs
		switch {
		case i == 0:
			return nil
		case i < 100:
			return []int{i - 1}
		}
		return []int{i % 100}
	}},
}

// hubs are the first variables below most, without parents.
func hubs(i, most int) []int {
	if i < most {
		return nil
	}
	return []int{0, 1}[:most]
}

// shaped makes a network of binary variables.
func shaped(t testing.TB, n int, parents func(i int) []int) *bn.Network {
	t.Helper()
	var model strings.Builder
	vars := make([]bn.Variable, n)
	for i := range n {
		vars[i] = bn.Discrete(fmt.Sprint("X", i), "0", "1")
		sep := "|"
		fmt.Fprintf(&model, "[X%d", i)
		for _, p := range parents(i) {
			fmt.Fprintf(&model, "%sX%d", sep, p)
			sep = ":"
		}
		model.WriteString("]")
	}
	net, err := bn.New(model.String(), vars...)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	for v := range net.Len() {
		infertest.Fill(rng, net.CPT(v), 0)
	}
	return net
}

// BenchmarkStar asks networks with hubs: a new engine, all marginals given three findings, the posterior of the hub
// given every second child, and the most probable states.
func BenchmarkStar(b *testing.B) {
	for _, shape := range shapes {
		for _, n := range []int{1000, 10_000} {
			net := shaped(b, n, shape.parents)
			few, half := infer.Evidence{}, infer.Evidence{}
			for i := 3; i < n; i++ {
				name := fmt.Sprint("X", i)
				if i < 6 {
					few[name] = "1"
				}
				if i%2 == 1 {
					half[name] = "1"
				}
			}
			for _, c := range []struct {
				name string
				f    func() error
			}{
				{"new", func() error { return second(infer.New(net, nil)) }},
				{"marginals", func() error {
					e, err := infer.New(net, nil)
					if err != nil {
						return err
					}
					return second(e.Marginals(few))
				}},
				{"posterior", func() error { return second(infer.Posterior(net, half, "X0")) }},
				{"explanation", func() error {
					e, err := infer.New(net, nil)
					if err != nil {
						return err
					}
					_, _, err = e.MostProbable(few)
					return err
				}},
			} {
				b.Run(fmt.Sprintf("%s/%d/%s", shape.name, n, c.name), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if err := c.f(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// TestStar asks a naive Bayes network of 10,000 children, most of them hidden, for the class, which Bayes' rule has by
// hand, for a child and for the most probable states. With one more pass through the hub for each child that is
// eliminated these questions took minutes.
func TestStar(t *testing.T) {
	const n = 10_000
	net := shaped(t, n, shapes[0].parents)
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Findings on 20 children, so that the class stays open.
	evidence, p := infer.Evidence{}, [2]float64{net.CPT(0).P[0], net.CPT(0).P[1]}
	for i := n / 20; i < n; i += n / 20 {
		evidence[fmt.Sprint("X", i)] = "1"
		for class := range p {
			p[class] *= net.CPT(i).Row(class)[1]
		}
	}
	total := p[0] + p[1]
	all, err := e.Marginals(evidence)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, all.P[0][1], p[1]/total, 0, 1e-12)
	numtest.Close(t, all.P[7][1], (p[0]*net.CPT(7).Row(0)[1]+p[1]*net.CPT(7).Row(1)[1])/total, 0, 1e-12)
	log, err := e.LogProbability(evidence)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, log, math.Log(total), 0, 1e-12)
	states, log, err := e.MostProbable(evidence)
	if err != nil {
		t.Fatal(err)
	}
	var best [2]float64 // of the classes with the likeliest states of the others
	for class := range best {
		best[class] = math.Log(net.CPT(0).P[class])
		for i := 1; i < n; i++ {
			row := net.CPT(i).Row(class)
			if evidence[fmt.Sprint("X", i)] != nil {
				best[class] += math.Log(row[1])
			} else {
				best[class] += math.Log(max(row[0], row[1]))
			}
		}
	}
	class := 0
	if best[1] > best[0] {
		class = 1
	}
	numtest.Close(t, log, best[class], 0, 1e-12)
	if states["X0"] != fmt.Sprint(class) {
		t.Errorf("the class is %s, want %d", states["X0"], class)
	}
}
