package guarantees

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
)

// TestStatements checks that the truth satisfies every right statement and breaks every wrong one.
func TestStatements(t *testing.T) {
	one, err := oneTruth()
	if err != nil {
		t.Fatal(err)
	}
	word, err := wordTruth()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[int]bool)
	for _, group := range []struct {
		truth   *bn.Network
		classes []class
	}{{one, oneClasses()}, {word, wordClasses()}} {
		for _, c := range group.classes {
			for _, s := range []struct {
				statement constraint.Constraint
				right     bool
			}{{c.right, true}, {c.wrong, false}} {
				p, err := constraint.Compile(group.truth, s.statement)
				if err != nil {
					t.Fatal(err)
				}
				v := p.Violation(parameters(group.truth))
				if s.right && v > 1e-15 || !s.right && v < 0.01 {
					t.Errorf("%s: the truth breaks %q by %v, right %v", c.label(), s.statement, v, s.right)
				}
			}
			seen[c.number] = true
		}
	}
	stock, err := stockTruth()
	if err != nil {
		t.Fatal(err)
	}
	maker := stock.Gaussian(stock.Len() - 1)
	for i, want := range []float64{0.5, 0.5, 0.1, -0.3} {
		if maker.Weights[0][i] != want {
			t.Errorf("weights %v of %v", maker.Weights[0], maker.Continuous)
		}
	}
	for _, c := range stockClasses() {
		seen[c.number] = true
	}
	for number := 1; number <= 13; number++ {
		if !seen[number] || reasons[number] == "" {
			t.Errorf("class %d is missing, or why it should lower the variance", number)
		}
	}
}

// TestTiedTruths checks what Theorem 2 is computed from: θ, and how often the parent
// configuration occurs.
func TestTiedTruths(t *testing.T) {
	settings, err := identitySettings()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		theta, layout := parameters(s.truth), s.truth.Layout()
		v, config, _ := layout.Locate(s.lo)
		lo, hi := layout.Row(v, config)
		times := 0
		for _, p := range theta[lo:hi] {
			if p == theta[s.lo] {
				times++
			}
		}
		if theta[s.lo] != tiedTheta || times != s.s {
			t.Errorf("%s: the row %v should have 0.15 %d times", s.name, theta[lo:hi], s.s)
		}
		if s.truth.Len() == 1 {
			continue
		}
		given := s.truth.CPT(v).ConfigNames(config)
		if p := s.truth.CPT(0).P[1] * s.truth.CPT(1).Row(1)[1]; given[0] != "yes" || given[1] != "yes" ||
			math.Abs(p-familySeen) > 1e-15 {
			t.Errorf("%s: configuration %v has the probability %v", s.name, given, p)
		}
	}
}

// TestTally compares counts with those of package data on the same draws.
func TestTally(t *testing.T) {
	net, err := tiedFamily(3)
	if err != nil {
		t.Fatal(err)
	}
	const n = 500
	table, err := data.Sample(net, n, rand.NewPCG(5, 0))
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.Count(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	sampler, err := net.Sampler(rand.NewPCG(5, 0))
	if err != nil {
		t.Fatal(err)
	}
	tally := newTally(net)
	row := []constraint.Row{{Var: 2, Config: 3}}
	if tally.seen(row) {
		t.Error("a case was seen before any was drawn")
	}
	for range n {
		tally.add(sampler)
	}
	for cell := range want.N {
		if tally.n[cell] != want.N[cell] {
			t.Fatalf("counts %v, want %v", tally.n, want.N)
		}
	}
	if !tally.seen(row) {
		t.Error("no case of A=yes, B=yes among 500")
	}
}

// TestTrueCounts sums the joint probabilities of Language and Word.
func TestTrueCounts(t *testing.T) {
	net, err := wordTruth()
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, net.Layout().Len())
	for language := range 4 {
		for word := range 5 {
			p := net.CPT(0).P[language] * net.CPT(1).Row(language)[word]
			want[net.Layout().Cell(0, 0, language)] += p
			want[net.Layout().Cell(1, language, word)] += p
		}
	}
	for cell, got := range trueCounts(net) {
		if math.Abs(got-want[cell]) > 1e-15 {
			t.Errorf("cell %d: %v, want %v", cell, got, want[cell])
		}
	}
}
