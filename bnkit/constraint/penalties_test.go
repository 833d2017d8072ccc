package constraint_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// qualitative is a child X of K states with parents A, B, of three states each, and C of two, and a
// list of influences and synergies about them with margins and conditions.
func qualitative(t testing.TB, states int) (*bn.Network, []constraint.Constraint) {
	net := network(t, "[A][B][C][X|A:B:C]", bn.Discrete("A", spell("a", 3)...), bn.Discrete("B", spell("b", 3)...),
		bn.Discrete("C", spell("c", 2)...), bn.Discrete("X", spell("x", states)...))
	return net, []constraint.Constraint{
		constraint.Influence{Parent: "A", Child: "X", Margin: 0.05},
		&constraint.Influence{Parent: "B", Child: "X"},
		constraint.Influence{Parent: "C", Child: "X", Sign: constraint.Negative, Given: bn.Given{"A": "a1"}},
		constraint.Synergy{Parents: []string{"B", "A"}, Child: "X", Margin: 0.02},
		&constraint.Synergy{Parents: []string{"B", "C"}, Child: "X", Sub: true, Given: bn.Given{"A": "a0"}},
	}
}

func TestSquaredPenaltyDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 0))
	for states := 2; states <= 4; states++ {
		net, list := qualitative(t, states)
		p, err := constraint.CompilePenalty(net, list...)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			theta := make([]float64, net.Layout().Len())
			for i := range theta {
				theta[i] = rng.Float64()
			}
			got := make([]float64, len(theta))
			p.AddGradient(got, theta, 0.5)
			p.AddGradient(got, theta, 2.5)
			want := fd.Gradient(nil, func(x []float64) float64 { return 3 * p.Value(x) }, theta,
				&fd.Settings{Formula: fd.Central})
			near(t, "gradient", got, want, 1e-7)
			deltas, again := make([]float64, p.Inequalities()), make([]float64, len(theta))
			if paid := p.Deltas(deltas, theta); paid != p.Value(theta) || slices.Max(deltas) != p.Largest(theta) {
				t.Errorf("penalty %v with largest %v, want %v with %v", paid, slices.Max(deltas), p.Value(theta),
					p.Largest(theta))
			}
			p.AddGradientOf(again, deltas, 0.5)
			p.AddGradientOf(again, deltas, 2.5)
			if !slices.Equal(again, got) {
				t.Errorf("gradient %v, want %v", again, got)
			}
		}
		numtest.Close(t, float64(p.Inequalities()), float64((2*6+2*6+3+4*2+2)*(states-1)), 0, 0)
	}
}

// The penalty by softmax parameters μ and its derivative as Y13 print it,
//
//	2 I(δ>0) δ exp(μ_jk) (I(j=j1) + I(j=j4) − I(j=j2) − I(j=j3)) (I(k ≤ k_c) Z_j − Z_jk_c) / Z_j²
//
// summed over what is written out from the names (Eqs. 3, 6 and 7), against the one by table entries.
func TestSquaredPenaltyAsPrinted(t *testing.T) {
	rng := rand.New(rand.NewPCG(97, 0))
	for states := 2; states <= 4; states++ {
		net, list := qualitative(t, states)
		p, err := constraint.CompilePenalty(net, list...)
		if err != nil {
			t.Fatal(err)
		}
		var values []constraint.Constraint
		for _, s := range list {
			switch s := s.(type) {
			case *constraint.Influence:
				values = append(values, *s)
			case *constraint.Synergy:
				values = append(values, *s)
			default:
				values = append(values, s)
			}
		}
		claims := qualitatively(t, net, values...).linear
		mu := make([]float64, net.Layout().Len())
		for i := range mu {
			mu[i] = rng.NormFloat64()
		}
		theta := make([]float64, len(mu))
		z := make([]float64, len(mu)) // by cell, of its row
		for _, row := range simplexes(net) {
			all := 0.0
			for _, cell := range row {
				all += math.Exp(mu[cell])
			}
			for _, cell := range row {
				theta[cell], z[cell] = math.Exp(mu[cell])/all, all
			}
		}
		value, largest := 0.0, math.Inf(-1)
		want := make([]float64, len(mu))
		for _, c := range claims {
			delta := -c.value
			for cell, coef := range c.coef {
				delta += coef * theta[cell]
			}
			largest = max(largest, delta)
			if !(delta > 0) {
				continue
			}
			value += delta * delta
			for _, row := range simplexes(net) {
				below, sign := 0.0, 0.0 // Z_jk_c and the indicators
				for _, cell := range row {
					if coef, ok := c.coef[cell]; ok {
						below, sign = below+math.Exp(mu[cell]), coef
					}
				}
				for _, cell := range row {
					inside := 0.0
					if _, ok := c.coef[cell]; ok {
						inside = z[cell]
					}
					want[cell] += 2 * delta * math.Exp(mu[cell]) * sign * (inside - below) / (z[cell] * z[cell])
				}
			}
		}
		numtest.Close(t, p.Value(theta), value, 1e-12, 1e-12)
		numtest.Close(t, p.Largest(theta), largest, 1e-12, 1e-12)

		gradient, got := make([]float64, len(mu)), make([]float64, len(mu))
		p.AddGradient(gradient, theta, 1)
		for _, row := range simplexes(net) {
			mean := 0.0
			for _, cell := range row {
				mean += theta[cell] * gradient[cell]
			}
			for _, cell := range row {
				got[cell] = theta[cell] * (gradient[cell] - mean)
			}
		}
		near(t, "derivative by μ", got, want, 1e-12)

		// The methods of statements, at the table of the network.
		lo, hi := net.Layout().Family(3)
		copy(net.CPT(3).P, theta[lo:hi])
		total := 0.0
		for _, s := range values {
			one, err := s.(interface {
				SquaredPenalty(*bn.Network) (float64, error)
			}).SquaredPenalty(net)
			if err != nil {
				t.Fatal(err)
			}
			total += one
		}
		numtest.Close(t, total, value, 1e-12, 1e-12)
	}
}

func TestSquaredPenaltyErrors(t *testing.T) {
	net, list := qualitative(t, 2)
	for says, statements := range map[string][]constraint.Constraint{
		"statement 2 is nil":            {list[0], nil},
		"only influences and synergies": {list[0], constraint.Fixed{Var: "X", P: map[string]float64{"x0": 0.5}}},
		"no parent":                     {constraint.Influence{Parent: "B", Child: "A"}},
	} {
		if _, err := constraint.CompilePenalty(net, statements...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if _, err := constraint.CompilePenalty(nil, list...); err == nil {
		t.Error("no network")
	}
	p, err := constraint.CompilePenalty(net)
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float64, net.Layout().Len())
	if p.Inequalities() != 0 || p.Value(theta) != 0 || p.Largest(theta) != 0 {
		t.Error("nothing said has a penalty")
	}
	net.CPT(3).P[0] = math.NaN()
	if v, err := (constraint.Influence{Parent: "A", Child: "X"}).SquaredPenalty(net); err == nil {
		t.Errorf("the penalty of a table that is none is %v", v)
	}
}

// BenchmarkSquaredPenalty is the value and the gradient, as in a loop of a gradient method.
func BenchmarkSquaredPenalty(b *testing.B) {
	net, statements, counts := synergies(b, 7, true, [2]int{0, 1}, [2]int{2, 3}, [2]int{4, 5})
	p, err := constraint.CompilePenalty(net, statements...)
	if err != nil {
		b.Fatal(err)
	}
	theta := maximize(compile(b, net), counts[0])
	dst := make([]float64, len(theta))
	b.ReportAllocs()
	for b.Loop() {
		p.Value(theta)
		p.AddGradient(dst, theta, 1)
	}
	b.ReportMetric(float64(p.Inequalities()), "inequalities")
}
