package learn

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
	"bnlab/internal/numtest"
)

// TestAuditLinked compares the numbers of an audit, which solves the statements that are linked with one, with fits
// under all statements and under all others: costs, degrees, and the p-values of simulations from the same source.
func TestAuditLinked(t *testing.T) {
	net, err := bn.New("[A][B|A][C|A:B][D|C]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("B", "0", "1"),
		bn.Discrete("C", "0", "1", "2"), bn.Discrete("D", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.Sample(net, 300, rand.NewPCG(5, 0)) // of uniform tables
	if err != nil {
		t.Fatal(err)
	}
	statements := []constraint.Constraint{
		constraint.AtMost{Var: "A", States: []string{"0"}, P: 0.3},
		constraint.Influence{Parent: "A", Child: "B"},
		constraint.AtMost{Var: "B", Given: bn.Given{"A": "1"}, States: []string{"1"}, P: 0.45},
		constraint.OrderSums{Var: "C", Given: bn.Given{"A": "0", "B": "0"}, Groups: [][]string{{"0"}, {"1"}, {"2"}}},
		constraint.OrderSums{Var: "C", Given: bn.Given{"A": "2", "B": "1"}, Groups: [][]string{{"2"}, {"1"}, {"0"}}},
		constraint.AtLeast{Var: "A", States: []string{"2"}, P: 0.4},
		constraint.Influence{Parent: "C", Child: "D", Sign: constraint.Negative},
	}
	r, err := Fit(t.Context(), net, table, ML{Constraints: statements}, nil)
	if err != nil {
		t.Fatal(err)
	}
	set := &AuditSettings{Simulations: 30, Seed: 9}
	dear := 0
	for i, s := range statements {
		a, err := newAudit(r, set)
		if err != nil {
			t.Fatal(err)
		}
		got, found, err := a.weigh(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		all, err := a.fit(statements)
		if err != nil {
			t.Fatal(err)
		}
		without, err := a.fit(a.without(i))
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, got.Cost, max(0, without.LogLikelihood-all.LogLikelihood), 1e-9, 1e-9)
		theta := all.Solution.Theta
		if want := all.tables.Binding(theta) - without.tables.Binding(theta); got.Degrees != want {
			t.Errorf("%s: %d degrees, want %d", s, got.Degrees, want)
		}
		if found.isFree {
			continue
		}
		dear++
		rng, p := rand.New(rand.NewPCG(set.Seed, set.Stream)), 0.0
		n := make([]float64, len(r.Counts))
		for range set.Simulations {
			multinomials(n, net, all.tables.Layout(), r.Counts, theta, rng)
			with, err := all.tables.Solve(n)
			if err != nil {
				t.Fatal(err)
			}
			free, err := without.tables.Solve(n)
			if err != nil {
				t.Fatal(err)
			}
			if cost, slack := costOf(all.tables.Layout(), n, with, free); num.Sum(cost) > slack {
				p += chiSquare(max(1, all.tables.Binding(with.Theta)-without.tables.Binding(with.Theta)), 2*got.Cost)
			}
		}
		numtest.Close(t, got.PValue, p/float64(set.Simulations), 1e-12, 1e-12)
	}
	if dear < 4 {
		t.Errorf("%d statements cost something, want at least 4", dear)
	}
}
