package constraint

import (
	"errors"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
)

// TestImpliedBounds draws statements of one part and compares what one tableau tells of the bounds among them with a
// linear program for each statement: bounds within and across rows, orders, fixed values, shares, and repetitions.
func TestImpliedBounds(t *testing.T) {
	states := []string{"a", "b", "c", "d", "e"}
	net, err := bn.New("[Y][X|Y]", bn.Discrete("Y", "0", "1"), bn.Discrete("X", states...))
	if err != nil {
		t.Fatal(err)
	}
	yes, no := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		given := func() bn.Given { return []bn.Given{nil, {"Y": "0"}, {"Y": "1"}}[rng.IntN(3)] }
		var list []Constraint
		for range 2 + rng.IntN(10) {
			set := append([]string(nil), states...)
			rng.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
			some := set[:1+rng.IntN(4)]
			share := float64(len(some)) / 5
			switch rng.IntN(8) {
			case 0:
				list = append(list, OrderSums{Var: "X", Given: given(), Groups: [][]string{set[:1], set[1:3]}})
			case 1:
				list = append(list, ShareStates{Var: "X", Given: given(), Groups: [][]string{set[:2]}})
			case 2:
				list = append(list, ShareAcross{Var: "X", Groups: [][]string{set[:1]}})
			case 3:
				list = append(list, AtLeast{Var: "X", Given: given(), States: some, P: share * rng.Float64()})
			case 4:
				if len(list) > 0 {
					list = append(list, list[rng.IntN(len(list))])
				}
			default:
				list = append(list, AtMost{Var: "X", Given: given(), States: some,
					P: min(1, share+0.4*rng.Float64())})
			}
		}
		p, err := Compile(net, list...)
		if errors.Is(err, ErrInfeasible) || errors.Is(err, ErrOverlap) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range p.parts {
			for statement, got := range p.impliedBounds(part) {
				want, err := p.follows(part, statement)
				if err != nil || got != want {
					t.Errorf("seed %d: %v: %v of %v, want %v, error %v", seed, got, list[statement], list, want, err)
				}
				if want {
					yes++
				} else {
					no++
				}
			}
		}
	}
	if yes < 100 || no < 100 {
		t.Errorf("%d bounds are redundant and %d are not: too few to tell", yes, no)
	}
}
