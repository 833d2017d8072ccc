package exteriorpenalty

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/exteriorpenalty/penaltytest"
)

var (
	cube   = penaltytest.Cube
	drawn  = penaltytest.Drawn
	rising = penaltytest.Rising
	pairs  = penaltytest.Pairs
)

func prepared(t testing.TB, net *bn.Network, m Settings) *Search {
	t.Helper()
	s, err := New(net, m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// climbing is a climb of y with counts n, at a random point.
func climbing(t testing.TB, net *bn.Network, n []float64, weight float64, rng *rand.Rand,
	said ...constraint.Constraint) *climb {
	t.Helper()
	p := newClimb(prepared(t, net, Settings{Constraints: said}).Children[0])
	copy(p.n, n[:len(p.n)])
	p.see()
	p.cases, p.weight = floats.Sum(p.n), weight
	for i := range p.x {
		p.x[i] = rng.NormFloat64()
	}
	return p
}

// Within a round no step lowers J, from anywhere.
func TestPenaltyNeverFalls(t *testing.T) {
	net := cube(t, 2, 2, 3, 2)
	rng := rand.New(rand.NewPCG(6, 0))
	for _, said := range [][]constraint.Constraint{rising(net), append(rising(net), pairs)} {
		for range 20 {
			p := climbing(t, net, drawn(net, 50, rng.Uint64()), math.Pow(10, 5*rng.Float64()), rng, said...)
			p.objective = p.value(p.x) + 1000 // out of reach
			at := slices.Concat(p.theta...)
			p.cpts.length = 1e40
			if p.step(&p.cpts) || !slices.Equal(at, slices.Concat(p.theta...)) {
				t.Fatal("a step that fails moves tables")
			}
			p.objective = p.value(p.x)
			p.cpts.length, p.links.length = 1, 1
			for range 50 {
				for _, c := range []*coordinates{&p.links, &p.cpts} {
					before := p.objective
					moved := p.step(c)
					left := slices.Concat(p.theta...)
					if now := p.value(p.x); now != p.objective || moved != (now > before) {
						t.Fatalf("J went from %v to %v, is said to be %v; moved %v", before, now, p.objective, moved)
					}
					if !slices.Equal(left, slices.Concat(p.theta...)) {
						t.Fatal("a step leaves tables that are not those of its point")
					}
				}
			}
		}
	}
}

// From a link of 1e-4, where its logit has hardly a derivative, the climb comes back from most draws
// of the cases: from 32 of these 40, or 27 on a processor without FMA, since a climb as long as this
// depends on the last bits.
func TestPenaltyLeavesPlateau(t *testing.T) {
	back := 0
	for seed := range uint64(40) {
		net := cube(t, 2, 2, 3, 2)
		n := drawn(net, 300, seed)
		s := prepared(t, net, Settings{Constraints: []constraint.Constraint{pairs}, Pseudocount: .5})
		want := s.rounds(newClimb(s.Children[0]), n[:24], make([]float64, 24))
		s.Children[0].start[0] = math.Log(1e-4)
		got := s.rounds(newClimb(s.Children[0]), n[:24], make([]float64, 24))
		if math.Abs(got[0].Objective-want[0].Objective) <= 1e-3 {
			back++
		}
	}
	if back < 20 {
		t.Errorf("the climb comes back from %d of 40 draws, want at least half", back)
	}
}

// A hundred iterations on 300 cases with five binary parents.
func BenchmarkExteriorPenalty(b *testing.B) {
	net := cube(b, 2, 2, 2, 2, 2, 2)
	n := drawn(net, 300, 1)
	synergies := []constraint.Constraint{
		constraint.Synergy{Parents: []string{"x1", "x2"}, Child: "y"}, constraint.Synergy{Parents: []string{"x3", "x4"},
			Child: "y"},
	}
	for _, c := range []struct {
		name string
		said []constraint.Constraint
	}{
		{"monotone", rising(net)},
		{"synergy", append(rising(net), synergies...)},
		{"synergy+noisy-OR", append(append(rising(net), synergies...),
			constraint.NoisyOR{Child: "y", Sets: [][]string{{"x1", "x2"}, {"x3", "x4", "x5"}}})},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := newClimb(prepared(b, net, Settings{Constraints: c.said}).Children[0])
			copy(p.n, n)
			p.see()
			p.cases, p.weight = 300, 1e5
			b.ReportAllocs()
			for b.Loop() {
				copy(p.x, p.start)
				p.total = 0
				if p.round(1, 1, 100); p.total < 100 {
					b.Fatalf("%d iterations", p.total)
				}
			}
		})
	}
}
