package exteriorpenalty

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/constraint"
)

// What a climb keeps from the points before changes nothing: at each point J and its derivatives are, to the last bit,
// those of a climb that has seen no other. Points differ in one row, in the links or in everything; some rows have no
// cases.
func TestClimbForgets(t *testing.T) {
	net := cube(t, 2, 2, 3, 2)
	rng := rand.New(rand.NewPCG(8, 0))
	for _, said := range [][]constraint.Constraint{rising(net), append(rising(net), pairs)} {
		n := drawn(net, 6, rng.Uint64())
		old := climbing(t, net, n, 30, rng, said...)
		for round := range 200 {
			switch k := rng.IntN(3); {
			case k == 0:
				for i := range old.x {
					old.x[i] = rng.NormFloat64()
				}
			case k == 1 && old.now != nil:
				old.x[rng.IntN(old.now.Len())] = rng.NormFloat64()
			default:
				old.x[old.cpts.lo+rng.IntN(old.cpts.hi-old.cpts.lo)] = rng.NormFloat64()
			}
			fresh := newClimb(old.Child)
			copy(fresh.n, old.n)
			fresh.see()
			copy(fresh.x, old.x)
			fresh.cases, fresh.weight = old.cases, old.weight
			if got, want := old.value(old.x), fresh.value(fresh.x); got != want {
				t.Fatalf("round %d: J is %v, want %v", round, got, want)
			}
			if got, want := slices.Concat(old.theta...), slices.Concat(fresh.theta...); !slices.Equal(got, want) {
				t.Fatalf("round %d: tables %v, want %v", round, got, want)
			}
			old.differentiateLinks()
			old.differentiateTables()
			fresh.differentiateTables()
			fresh.differentiateLinks()
			if !slices.Equal(old.gradient, fresh.gradient) {
				t.Fatalf("round %d: derivatives %v, want %v", round, old.gradient, fresh.gradient)
			}
		}
	}
}
