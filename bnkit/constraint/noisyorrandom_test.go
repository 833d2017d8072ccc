package constraint_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// randomNoisyOR is a child of two to five parents of two or three states in random sets, with random signs,
// conditions, synergies and margins.
func randomNoisyOR(t testing.TB, rng *rand.Rand) (*bn.Network, []constraint.Constraint) {
	parents := 2 + rng.IntN(4)
	s := constraint.NoisyOR{Child: "Y", Sets: make([][]string, 2+rng.IntN(parents-1))}
	if rng.IntN(3) == 0 {
		s.Present = "0"
	}
	var vars []bn.Variable
	model := ""
	for i := range parents {
		name := fmt.Sprintf("P%d", i)
		vars = append(vars, bn.Discrete(name, spell("s", 2+rng.IntN(2))...))
		model += "[" + name + "]"
		set := i
		if i >= len(s.Sets) {
			set = rng.IntN(len(s.Sets))
		}
		s.Sets[set] = append(s.Sets[set], name)
	}
	names := strings.TrimSuffix(strings.ReplaceAll(strings.ReplaceAll(model, "[", ""), "]", ":"), ":")
	net := network(t, model+"[Y|"+names+"]", append(vars, bn.Discrete("Y", "0", "1"))...)
	statements := []constraint.Constraint{s}
	margin := 0.0
	if rng.IntN(3) == 0 {
		margin = 0.02 * rng.Float64()
	}
	for _, set := range s.Sets {
		if rng.IntN(4) > 0 {
			sign := constraint.Sign(rng.IntN(2))
			for i, name := range set {
				influence := constraint.Influence{Parent: name, Child: "Y", Sign: sign, Margin: margin}
				if i > 0 && rng.IntN(5) == 0 {
					influence.Given = bn.Given{set[0]: "s0"}
				}
				statements = append(statements, influence)
			}
		}
		if len(set) > 1 && rng.IntN(3) > 0 {
			statements = append(statements, constraint.Synergy{Parents: set, Child: "Y", Sub: rng.IntN(2) == 0,
				Margin: margin / 2})
		}
	}
	return net, statements
}

// Whatever is said, and from however few cases: statements hold, multipliers exist, and the answer is certified,
// as the maximum where all is convex.
func TestRandomNoisyORs(t *testing.T) {
	for seed := range uint64(3 * instances()) {
		rng := rand.New(rand.NewPCG(seed, 71))
		net, statements := randomNoisyOR(t, rng)
		p := compile(t, net, statements...)
		n := cases(rng, net, "Y", []int{8, 30, 300}[rng.IntN(3)])
		got, err := p.Solve(n)
		if err != nil {
			t.Fatal(err)
		}
		part := got.Parts[0]
		if part.Starts == 0 && !part.Global || !part.Local {
			t.Errorf("seed %d: %v", seed, part)
		}
		if miss := p.Violation(got.Theta); !(miss <= 1e-12) {
			t.Errorf("seed %d: missed by %v", seed, miss)
		}
		if _, residual, err := got.Multipliers(); err != nil || !(residual <= 1e-5) {
			t.Errorf("seed %d: a residual of %v, error %v", seed, residual, err)
		}
	}
}
