package constraint_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// convex are functions h whose h(x) ≤ 0 is a convex set, with their gradients.
var convex = []struct {
	name  string
	value func(x []float64) float64
	slope func(x float64) float64 // the derivative by one entry
}{
	{"the squares are 0.28 in all at most", func(x []float64) float64 {
		sum := -0.28
		for _, v := range x {
			sum += v * v
		}
		return sum
	}, func(x float64) float64 { return 2 * x }},
	{"the entropy is 1.35 nats at least", func(x []float64) float64 {
		sum := 1.35
		for _, v := range x {
			if v > 0 {
				sum += v * math.Log(v)
			}
		}
		return sum
	}, func(x float64) float64 { return math.Log(x) + 1 }},
}

// TestConvexFormulasAreCertified proves the maximum under functions of the user's own. A
// convex function lies above its tangent at the answer, so the set lies inside the half
// space of the tangent, and the dual bound over that is one over the set.
func TestConvexFormulasAreCertified(t *testing.T) {
	for k, f := range convex {
		t.Run(f.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(35, uint64(k)))
			net := network(t, "[P][X|P]", bn.Discrete("P", "p0", "p1"), bn.Discrete("X", spell("x", 5)...))
			bound := 0
			for instance := range instances() {
				p0 := bn.Given{"P": "p0"}
				s := constraint.Formula{Text: f.name, AtMost: []constraint.Function{{Value: f.value}}}
				if instance%2 == 0 {
					s.AtMost[0].Gradient = func(dst, x []float64) {
						for i, v := range x {
							dst[i] = f.slope(v)
						}
					}
				}
				for _, x := range spell("x", 5) {
					s.Cells = append(s.Cells, constraint.Cell{Var: "X", State: x, Given: p0})
				}
				statements := []constraint.Constraint{s}
				if instance%3 == 0 {
					statements = append(statements, constraint.OrderSums{Var: "X", Given: p0,
						Groups: [][]string{{"x0", "x1"}, {"x2", "x3"}}})
				}
				if instance%3 == 1 {
					statements = append(statements,
						constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X", States: []string{"x0"}}}})
				}
				n := make([]float64, 12)
				for i := range n {
					n[i] = math.Exp(4 * rng.Float64())
				}
				if instance%4 == 0 {
					n[2+rng.IntN(5)] = 0
				}
				theta := make([]float64, 12)
				if err := compile(t, net, statements...).Maximize(theta, n); err != nil {
					t.Fatalf("%d: %v with counts %v", instance, err, n)
				}
				feasible(t, net, theta, 1e-9, statements...)
				said := read(t, net, statements...)
				x := theta[2:7]
				tangent := claim{coef: make(map[int]float64), value: -f.value(x), atMost: true}
				for i, v := range x {
					g := f.slope(math.Max(v, 1e-12))
					tangent.coef[2+i] = g
					tangent.value += g * v
				}
				if f.value(x) > -1e-7 {
					bound++
				}
				said.linear = append(said.linear, tangent)
				optimal(t, net, said, n, theta)
				if t.Failed() {
					t.Fatalf("%d: %v, counts %v, theta %v", instance, statements, n, theta)
				}
			}
			if bound < instances()/4 {
				t.Errorf("the function binds in %d cases only", bound)
			}
		})
	}
}

// TestOddsDouble: the odds of a are twice as high in the second row. In log odds η the
// problem has one unknown, and the maximum is where
// a_0 + a_1 = N_0 σ(η) + N_1 σ(η + log 2).
func TestOddsDouble(t *testing.T) {
	net := network(t, "[P][X|P]", bn.Discrete("P", "p0", "p1"), bn.Discrete("X", "a", "b"))
	cell := func(p, x string) constraint.Cell {
		return constraint.Cell{Var: "X", State: x, Given: bn.Given{"P": p}}
	}
	p := compile(t, net, constraint.Formula{
		Text:  "the odds double",
		Cells: []constraint.Cell{cell("p0", "a"), cell("p0", "b"), cell("p1", "a"), cell("p1", "b")},
		Equal: []constraint.Function{{Value: func(x []float64) float64 { return x[2]*x[1] - 2*x[0]*x[3] }}},
	})
	rng := rand.New(rand.NewPCG(36, 0))
	sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for range instances() {
		n := make([]float64, 6)
		for i := range n {
			n[i] = math.Exp(6 * rng.Float64())
		}
		lo, hi := -50.0, 50.0
		for range 100 {
			eta := (lo + hi) / 2
			if n[2]+n[4] > (n[2]+n[3])*sigma(eta)+(n[4]+n[5])*sigma(eta+math.Ln2) {
				lo = eta
			} else {
				hi = eta
			}
		}
		u, v := sigma(lo), sigma(lo+math.Ln2)
		theta := make([]float64, 6)
		if err := p.Maximize(theta, n); err != nil {
			t.Fatal(err)
		}
		near(t, "theta", theta[2:], []float64{u, 1 - u, v, 1 - v}, 1e-7)
	}
}

// TestFormulasAgreeWithLinearSums: a function that happens to be linear has the answer of
// the linear statement.
func TestFormulasAgreeWithLinearSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 0))
	for instance := range instances() {
		sc := newScene(t, rng, false)
		truth := sc.truth()
		relation := constraint.Relation(instance % 3)
		l := sc.linearSum(t, truth, relation).(constraint.LinearSum)
		sign := 1.0
		if relation == constraint.NoLess {
			sign = -1
		}
		f := constraint.Formula{Text: l.String()}
		for _, term := range l.Terms {
			f.Cells = append(f.Cells, term.Cell)
		}
		g := constraint.Function{Value: func(x []float64) float64 {
			sum := -l.Value
			for i, term := range l.Terms {
				sum += term.Factor * x[i]
			}
			return sign * sum
		}}
		if relation == constraint.Equal {
			f.Equal = []constraint.Function{g}
		} else {
			f.AtMost = []constraint.Function{g}
		}
		n := sc.positive()
		theta := make([]float64, len(n))
		if err := compile(t, sc.net, f).Maximize(theta, n); err != nil {
			t.Fatalf("%d: %v: %v", instance, l, err)
		}
		feasible(t, sc.net, theta, 1e-9, l)
		optimal(t, sc.net, read(t, sc.net, l), n, theta)
		near(t, "theta", theta, maximize(compile(t, sc.net, l), n), 1e-5)
	}
}
