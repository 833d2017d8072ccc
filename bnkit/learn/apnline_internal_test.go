package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/violation"
)

// Whatever the first step, the line search ends higher by what the first Wolfe condition asks for,
// at a point where the slope has fallen as the second asks; downhill it does not move.
func TestLineSearch(t *testing.T) {
	for _, search := range []bool{false, true} {
		for _, first := range []float64{1e-6, 1e-3, 1, 30, 1e5} {
			rng := rand.New(rand.NewPCG(17, 0))
			net, table := twoCauses(t, 60, rng)
			a := ascentOf(t, net, table, APN{Pseudocount: .5, ConjugateGradient: search}, rng)
			longest := a.search.direction(a.d, a.now)
			slope, before := floats.Dot(a.d, a.now.grad), a.now.objective
			x := append([]float64(nil), a.now.x...)
			moved, err := a.line(slope, min(first, longest), longest)
			if err != nil || !moved {
				t.Fatalf("%v, first step %v: moved %v, %v", search, first, moved, err)
			}
			floats.Sub(x, a.now.x)
			step := floats.Norm(x, 2) / floats.Norm(a.d, 2)
			if rise := a.now.objective - before; !(rise >= leastRise*step*slope*(1-1e-9)) {
				t.Errorf("%v, first step %v: a rise of %v at step %v and slope %v", search, first, rise, step, slope)
			}
			if after := floats.Dot(a.d, a.now.grad); !(after <= slopeLeft*slope) {
				t.Errorf("%v, first step %v: slope %v after %v", search, first, after, slope)
			}
			if moved, err := a.line(-slope, first, longest); moved || err != nil {
				t.Errorf("%v: moved downhill: %v, %v", search, moved, err)
			}
			if moved, err := a.line(1e12, min(1, longest), longest); moved || err != nil {
				t.Errorf("%v: moved without the rise that the slope promises: %v, %v", search, moved, err)
			}
		}
	}
	// The top of a parabola is found at once: 1 − (t − 2)².
	if top := between(probe{0, -3, 4}, probe{3, 0, -2}); math.Abs(top-2) > 1e-12 {
		t.Errorf("top at %v", top)
	}
}

// How far steps may go, by hand. Towards M(θ) = (.3, .7) from (.6, .4) the first entry is used up at twice
// the way, and nine tenths of that may be gone. In a conjugate search the entry that falls from .2 by .5 with
// nothing expected may fall to its end at .4, the one that falls from .5 by .9 with cases to a tenth at .5.
func TestLongestStep(t *testing.T) {
	net, err := bn.New("[A]", bn.Discrete("A", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{0, 0, 0, 1, 1, 1, 1, 1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	m := APN{Constraints: []constraint.Constraint{constraint.AtMost{Var: "A", States: []string{"0"}, P: .9}}}
	a := ascentOf(t, net, table, m, rand.New(rand.NewPCG(1, 0)))
	copy(a.now.x, []float64{.6, .4})
	copy(a.target, []float64{.3, .7})
	if got := a.towards(); math.Abs(got-1.8) > 1e-12 {
		t.Errorf("towards M(θ): %v", got)
	}
	// The M-step makes a zero of an expected count that is nothing beside 8; the way there is still up.
	copy(a.now.theta, []float64{.6, .4})
	copy(a.now.m, []float64{1e-20, 8})
	copy(a.target, []float64{0, 1})
	if got, want := a.promise(), 8*math.Log(2.5); math.Abs(got-want) > 1e-12 {
		t.Errorf("M(θ) promises %v, want %v", got, want)
	}
	q := conjugate{surface: &surface{blocks: []block{entries{span{0, 3, 3}, leastEntry}}, ends: []int{3}, free: 3}}
	p := &apnPoint{x: []float64{.2, .5, .3}, m: []float64{0, 5, 3}}
	if got := q.reach([]float64{-.5, -.2, .7}, p); math.Abs(got-.4) > 1e-9 {
		t.Errorf("to zero: %v", got)
	}
	if got := q.reach([]float64{.2, -.9, .7}, p); math.Abs(got-.5) > 1e-12 {
		t.Errorf("to a tenth: %v", got)
	}
}

// The penalty and its gradient, without names, are those of constraint.Influence.
func TestPenaltyIsThatOfInfluences(t *testing.T) {
	net, err := bn.New("[A][B][Y|A:B]", bn.Discrete("A", "0", "1", "2", "3"), bn.Discrete("B", "0", "1"),
		bn.Discrete("Y", "0", "1", "2"))
	if err != nil {
		t.Fatal(err)
	}
	list := []constraint.Influence{{Parent: "A", Child: "Y", Margin: 0.1},
		{Parent: "B", Child: "Y", Sign: constraint.Negative, Margin: 0.05},
		{Parent: "A", Child: "Y", Sign: constraint.Negative, Given: bn.Given{"B": "1"}}}
	statements := []constraint.Constraint{constraint.ShareAcross{Var: "Y"}}
	for i := range list {
		statements = append(statements, &list[i])
	}
	soft, err := violation.BindLadders(net, statements)
	if err != nil {
		t.Fatal(err)
	}
	size := net.Layout().Len()
	for seed := range uint64(20) {
		randomTables(net, rand.New(rand.NewPCG(seed, 0)))
		theta := make([]float64, size)
		for v := range net.Len() {
			lo, _ := net.Layout().Family(v)
			copy(theta[lo:], net.CPT(v).P)
		}
		g, want, one := make([]float64, size), make([]float64, size), make([]float64, size)
		total := 0.0
		for _, s := range list {
			v, err := s.Violation(net)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Gradient(one, net); err != nil {
				t.Fatal(err)
			}
			total += 1.5 * v
			floats.AddScaled(want, -1.5, one)
		}
		floats.Mul(want, theta)
		if got := soft.Penalise(g, theta, 1.5); math.Abs(got-total) > 1e-12 ||
			math.Abs(1.5*soft.Violation(theta)-total) > 1e-12 {
			t.Errorf("penalty %v, violation %v, want %v", got, soft.Violation(theta), total)
		}
		if !floats.EqualApprox(g, want, 1e-12) {
			t.Errorf("gradient %v, want %v", g, want)
		}
	}
}

// Divided by their curvature the slopes of a linear-Gaussian node lead from any coefficients to
// least squares at once, also where statements tie coefficients.
func TestCurvatureOfGaussians(t *testing.T) {
	net, err := bn.New("[K][X][W][Y|K:X:W]", bn.Discrete("K", "a", "b"), bn.Continuous("X"), bn.Continuous("W"),
		bn.Continuous("Y"))
	if err != nil {
		t.Fatal(err)
	}
	truth := randomTables(net.Clone(), rand.New(rand.NewPCG(1, 0)))
	copy(truth.Gaussian(3).Intercept, []float64{1, -2})
	table, err := data.Sample(truth, 40, rand.NewPCG(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, statements := range [][]constraint.Constraint{
		nil,
		{constraint.ProportionalWeights{Var: "Y", Weights: map[string]float64{"X": 1, "W": -2,
			constraint.Intercept: 3}}},
		{constraint.ShareWeightsAcross{Var: "Y", Parents: []string{"X"}}},
	} {
		m := APN{Constraints: statements}
		a := ascentOf(t, net, table, m, rand.New(rand.NewPCG(3, 0)))
		err := a.each(func(b block, lo, hi int) error {
			g, ok := b.(*gaussianBlock)
			if !ok || g.v != 3 {
				return nil
			}
			for i := range g.free {
				a.now.x[lo+i] += float64(i) - 1.5
			}
			if err := a.at(a.now); err != nil {
				return err
			}
			step := make([]float64, hi-lo)
			g.scale(step, a.now.grad[lo:hi], a.now.x[lo:hi], a.now)
			floats.Add(a.now.x[lo:lo+g.free], step[:g.free])
			if err := a.at(a.now); err != nil {
				return err
			}
			for i, slope := range a.now.grad[lo : lo+g.free] {
				if !(math.Abs(slope) < 1e-5) {
					t.Errorf("%v: slope %v by coordinate %d after the step", statements, slope, i)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
