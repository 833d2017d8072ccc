package constraint_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

func soft(t testing.TB, net *bn.Network, weight float64, statements ...constraint.Constraint) *constraint.Problem {
	t.Helper()
	p, err := constraint.CompileSoft(net, weight, statements...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// violation is that of all influences among statements at theta.
func violation(t testing.TB, net *bn.Network, theta []float64, statements []constraint.Constraint) float64 {
	t.Helper()
	at := net.Clone()
	for v := range at.Len() {
		lo, hi := net.Layout().Family(v)
		copy(at.CPT(v).P, theta[lo:hi])
	}
	total := 0.0
	for _, s := range statements {
		if s, ok := s.(constraint.Influence); ok {
			x, err := s.Violation(at)
			if err != nil {
				t.Fatal(err)
			}
			total += x
		}
	}
	return total
}

// A child of two states has 6 of 10 cases in the second where the parent is low, and 2 of 10
// where it is high. At the weight w the slopes at the maximum are
// 6/y − 4/(1−y) = w and 2/z − 8/(1−z) = −w, until y and z meet at 8/20 for w ≥ 25/3.
func TestSoftByHand(t *testing.T) {
	net := network(t, "[A][X|A]", bn.Discrete("A", "low", "high"), bn.Discrete("X", "no", "yes"))
	up := constraint.Influence{Parent: "A", Child: "X"}
	n := []float64{1, 1, 4, 6, 8, 2}
	for _, w := range []float64{1, 3, 8} {
		y := (w + 10 - math.Sqrt((w+10)*(w+10)-24*w)) / (2 * w)
		z := (w - 10 + math.Sqrt((10-w)*(10-w)+8*w)) / (2 * w)
		p := soft(t, net, w, up)
		theta := maximize(p, n)
		near(t, fmt.Sprint("weight ", w), theta, []float64{.5, .5, 1 - y, y, 1 - z, z}, 1e-12)
		numtest.Close(t, p.Penalty(theta), w*(y-z), 1e-12, 0)
	}
	near(t, "dear", maximize(soft(t, net, 25./3*1.001, up), n), []float64{.5, .5, .6, .4, .6, .4}, 1e-12)
	near(t, "twice as dear", maximize(soft(t, net, 1.5, up, up), n), maximize(soft(t, net, 3, &up), n), 1e-12)
	down := constraint.Influence{Parent: "A", Child: "X", Sign: constraint.Negative}
	near(t, "both ways", maximize(soft(t, net, 9, up, down), n), []float64{.5, .5, .6, .4, .6, .4}, 1e-12)
	near(t, "no counts", maximize(soft(t, net, 2, up), make([]float64, 6)), slices.Repeat([]float64{.5}, 6), 1e-9)
}

// The maximum at a weight is better than that at others, than the free one and than the one under
// the influences; and between the last two when the weight is small or large.
func TestSoftIsBetween(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 0))
	for _, size := range monotoneSizes[:8] {
		net, statements, counts := monotoneTable(t, rng, size[0], size[1:]...)
		free, hard := compile(t, net), compile(t, net, statements...)
		weights := []float64{1e-9, 0.5, 2, 8, 32, 1e6}
		for _, n := range counts[:2] {
			points := [][]float64{maximize(free, n), maximize(hard, n)}
			for _, w := range weights {
				points = append(points, maximize(soft(t, net, w, statements...), n))
			}
			last := math.Inf(1)
			for k, w := range weights {
				value := func(theta []float64) float64 {
					return objective(n, theta) - w*violation(t, net, theta, statements)
				}
				best := points[2+k]
				feasible(t, net, best, 1e-11)
				numtest.Close(t, soft(t, net, w, statements...).Penalty(best), w*violation(t, net, best, statements),
					1e-9, 1e-9)
				for _, other := range points {
					if !(value(best) >= value(other)-1e-9*total(n)) {
						t.Errorf("%v at weight %v: %v is beaten by %v", size, w, value(best), value(other))
					}
				}
				if v := violation(t, net, best, statements); !(v <= last+1e-9) {
					t.Errorf("%v: the violation rises to %v at weight %v", size, v, w)
				} else {
					last = v
				}
			}
			near(t, "at no price to speak of", points[2], points[0], 1e-7)
			near(t, "at any price", points[len(points)-1], points[1], 1e-7)
		}
	}
}

// Together with statements that have to hold, by an interior-point method or on what those
// leave, no small change is for the better.
func TestSoftAmongHardStatements(t *testing.T) {
	rng := rand.New(rand.NewPCG(92, 0))
	net := network(t, "[A][B][X|A:B]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("B", "off", "on"),
		bn.Discrete("X", "a", "b", "c"))
	influences := []constraint.Constraint{constraint.Influence{Parent: "A", Child: "X"},
		constraint.Influence{Parent: "B", Child: "X", Sign: constraint.Negative}}
	on := bn.Given{"B": "on"}
	for _, tt := range []struct {
		name string
		says []constraint.Constraint
	}{
		{"alone", nil},
		{"a limit", []constraint.Constraint{constraint.AtMost{Var: "X", Given: bn.Given{"A": "1", "B": "on"},
			States: []string{"c"}, P: 0.3}}},
		{"a limit that leaves room", []constraint.Constraint{constraint.AtMost{Var: "X",
			Given: bn.Given{"A": "1", "B": "on"}, States: []string{"c"}, P: 0.999}}},
		{"a known value", []constraint.Constraint{constraint.Fixed{Var: "X", Given: bn.Given{"A": "0", "B": "on"},
			P: map[string]float64{"c": 0.5}}}},
		{"an impossible state", []constraint.Constraint{constraint.Fixed{Var: "X", Given: bn.Given{"A": "0", "B": "on"},
			P: map[string]float64{"c": 0}}}},
		{"two known values", []constraint.Constraint{
			constraint.Fixed{Var: "X", Given: bn.Given{"A": "0", "B": "on"}, P: map[string]float64{"c": 0.5}},
			constraint.Fixed{Var: "X", Given: bn.Given{"A": "1", "B": "on"}, P: map[string]float64{"c": 0.3}}}},
		{"an impossible state above", []constraint.Constraint{constraint.Fixed{Var: "X",
			Given: bn.Given{"A": "2", "B": "on"}, P: map[string]float64{"c": 0}}}},
		{"states in proportion", []constraint.Constraint{constraint.Proportional{Var: "X",
			Given: bn.Given{"A": "1", "B": "on"}, Weights: map[string]float64{"b": 1, "c": 3}}}},
		{"states in proportion everywhere", []constraint.Constraint{constraint.Proportional{Var: "X",
			Weights: map[string]float64{"b": 1, "c": 3}}}},
		{"one tail that has to rise", []constraint.Constraint{constraint.LinearSum{Relation: constraint.NoMore,
			Terms: []constraint.Term{
				{Cell: constraint.Cell{Var: "X", State: "c", Given: bn.Given{"A": "0", "B": "on"}}},
				{Cell: constraint.Cell{Var: "X", State: "c", Given: bn.Given{"A": "1", "B": "on"}}, Factor: -1}}}}},
		{"equal states", []constraint.Constraint{constraint.ShareStates{Var: "X", Given: on,
			Groups: [][]string{{"a", "c"}}}}},
		{"equal rows", []constraint.Constraint{constraint.ShareAcross{Var: "X", ForEach: []string{"A"}}}},
		{"equal cells", []constraint.Constraint{constraint.ShareAcross{Var: "X", Given: []bn.Given{on},
			Groups: [][]string{{"b"}}}}},
		{"an order", []constraint.Constraint{constraint.OrderSums{Var: "X", Given: bn.Given{"A": "1", "B": "off"},
			Groups: [][]string{{"a"}, {"b"}}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			statements := slices.Concat(influences, tt.says)
			for _, w := range []float64{0.7, 6} {
				p := soft(t, net, w, statements...)
				others := compile(t, net, tt.says...)
				for range 4 {
					n := make([]float64, net.Layout().Len())
					for i := range n {
						n[i] = 0.5 + 9*rng.Float64()
						if p.Impossible(i) {
							n[i] = 0
						}
					}
					sol, err := p.Solve(n)
					if err != nil {
						t.Fatal(err)
					}
					theta := sol.Theta
					feasible(t, net, theta, 1e-9, tt.says...)
					value := func(theta []float64) float64 {
						return objective(n, theta) - w*violation(t, net, theta, statements)
					}
					best := value(theta)
					lo, _ := net.Layout().Family(2)
					parts := 0.0
					for _, part := range sol.Parts {
						parts += part.Objective
					}
					numtest.Close(t, parts, best-objective(n[:lo], theta[:lo]), 1e-9, 1e-9)
					other, mixed := make([]float64, len(n)), make([]float64, len(n))
					for range 60 {
						for i := range other {
							other[i] = 0.01 + theta[i]*total(n)*math.Exp(rng.NormFloat64())
							if p.Impossible(i) {
								other[i] = 0
							}
						}
						if err := others.Maximize(other, slices.Clone(other)); err != nil {
							t.Fatal(err)
						}
						for _, f := range []float64{0.3, 1e-2, 1e-4} {
							for i := range mixed {
								mixed[i] = (1-f)*theta[i] + f*other[i]
							}
							if v := value(mixed); v > best+1e-8*total(n) {
								t.Fatalf("weight %v: %v of the way to another point %v rises to %v", w, f, best, v)
							}
						}
					}
					_, residual, err := sol.Multipliers()
					if err != nil || !(residual <= 1e-5) {
						t.Errorf("weight %v: the residual of the forces is %v (%v)", w, residual, err)
					}
					for _, part := range sol.Parts {
						if !part.Global {
							t.Errorf("%v", part)
						}
					}
				}
			}
		})
	}
}

// Blocks by Newton's method and the interior-point method agree: a limit that leaves room makes
// a part one for the latter.
func TestSoftBothWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(93, 0))
	for _, size := range [][]int{{2, 3, 3}, {3, 3, 2}, {4, 4}} {
		net, statements, counts := monotoneTable(t, rng, size[0], size[1:]...)
		given := bn.Given{}
		for i := range size[1:] {
			given[fmt.Sprintf("P%d", i)] = "s0"
		}
		room := constraint.AtMost{Var: "X", Given: given, States: []string{"x0"}, P: 1 - 1e-9}
		for _, n := range counts[:4] {
			for _, w := range []float64{0.5, 5} {
				blocks, interior := soft(t, net, w, statements...), soft(t, net, w, append(statements, room)...)
				a, err1 := blocks.Solve(n)
				b, err2 := interior.Solve(n)
				if err1 != nil || err2 != nil {
					t.Fatal(err1, err2)
				}
				if violation(t, net, a.Theta, statements) > 0 && a.Parts[0].Method == b.Parts[0].Method {
					t.Fatalf("both by %s", a.Parts[0].Method)
				}
				numtest.Close(t, a.Parts[0].Objective, b.Parts[0].Objective, 1e-8*total(n), 0)
				near(t, fmt.Sprint(size, w), a.Theta, b.Theta, 1e-4)
			}
		}
	}
}

// A row without counts costs nothing between the others.
func TestSoftWithUnseenRows(t *testing.T) {
	net := network(t, "[A][X|A]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("X", "a", "b", "c"))
	up := constraint.Influence{Parent: "A", Child: "X"}
	n := []float64{1, 1, 1, 1, 2, 7, 0, 0, 0, 6, 3, 1}
	p := soft(t, net, 2, up)
	theta := maximize(p, n)
	feasible(t, net, theta, 1e-9)
	// The unseen row costs nothing between the others, whose violation is counted once between
	// themselves and once through it.
	two := network(t, "[A][X|A]", bn.Discrete("A", "0", "2"), bn.Discrete("X", "a", "b", "c"))
	want := maximize(soft(t, two, 4, up), []float64{1, 1, 1, 2, 7, 6, 3, 1})
	near(t, "seen rows", append(slices.Clone(theta[3:6]), theta[9:]...), want[2:], 1e-5)
}

// Without counts rows are even, also among statements that leave it to an interior-point method.
func TestSoftWithoutCounts(t *testing.T) {
	net := task(t)
	room := constraint.AtMost{Var: "X", Given: bn.Given{"A": "0", "B": "on"}, States: []string{"a"}, P: 0.9}
	for _, p := range []*constraint.Problem{
		soft(t, net, 2, constraint.Influence{Parent: "A", Child: "X"}),
		soft(t, net, 2, constraint.Influence{Parent: "A", Child: "X"}, room),
	} {
		theta := maximize(p, make([]float64, net.Layout().Len()))
		lo, hi := net.Layout().Family(2)
		near(t, "even", theta[lo:hi], slices.Repeat([]float64{1. / 3}, hi-lo), 1e-6)
	}
}

func TestSoftErrors(t *testing.T) {
	net := task(t)
	up := constraint.Influence{Parent: "A", Child: "X"}
	for _, w := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := constraint.CompileSoft(net, w, up); err == nil {
			t.Errorf("the weight %v is no error", w)
		}
	}
	across := constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "X", States: []string{"a", "b"}}}}
	for _, s := range []constraint.Constraint{across,
		constraint.Formula{Text: "odds", Cells: []constraint.Cell{{Var: "X", State: "a",
			Given: bn.Given{"A": "0", "B": "on"}}},
			Equal: []constraint.Function{{Value: func(x []float64) float64 { return x[0] - 0.5 }}}}} {
		if _, err := constraint.CompileSoft(net, 2, up, s); !errors.Is(err, constraint.ErrOverlap) {
			t.Errorf("with %q: %v", s, err)
		}
	}
	p := soft(t, net, 2, up, up)
	n := make([]float64, net.Layout().Len())
	if redundant, err := p.Redundant(); err != nil || len(redundant) > 0 {
		t.Errorf("what need not hold makes others redundant: %v (%v)", redundant, err)
	}
	lo, _ := net.Layout().Row(2, 0)
	n[lo+2], n[lo+6] = 1, 1
	if v := p.Violation(n); v != 0 {
		t.Errorf("what need not hold is violated by %v", v)
	}
	if v := p.Penalty(n); v != 2*(2*2*1)*2 { // both tails over two rows, at the weight 2, stated twice
		t.Errorf("penalty %v", v)
	}
	if _, err := p.LogMarginal(t.Context(), n, n, nil); !errors.Is(err, constraint.ErrNoPrior) {
		t.Errorf("marginal likelihood: %v", err)
	}
	if v := compile(t, net, up).Penalty(n); v != 0 {
		t.Errorf("a hard problem has the penalty %v", v)
	}
}

// Twenty cases say that errors fall, an expert that they rise: the weight decides.
func ExampleCompileSoft() {
	net, err := bn.New("[difficulty][error|difficulty]", bn.Discrete("difficulty", "low", "high"),
		bn.Discrete("error", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	rises := constraint.Influence{Parent: "difficulty", Child: "error"}
	counts := []float64{10, 10 /* difficulty */, 4, 6, 8, 2 /* error */}
	theta := make([]float64, len(counts))
	for _, weight := range []float64{0.1, 2, 10} {
		problem, err := constraint.CompileSoft(net, weight, rises)
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := problem.Maximize(theta, counts); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("weight %v: P(error=yes) %.3f, %.3f, penalty %.3f\n", weight, theta[3], theta[5],
			problem.Penalty(theta))
	}
	// Output:
	// weight 0.1: P(error=yes) 0.598, 0.202, penalty 0.040
	// weight 2: P(error=yes) 0.551, 0.236, penalty 0.629
	// weight 10: P(error=yes) 0.400, 0.400, penalty 0.000
}
