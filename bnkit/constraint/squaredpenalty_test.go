package constraint_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/internal/numtest"
)

// qualitative is a child X of K states with parents A, B, of three states each, and C of two, and a
// list of influences and synergies about them with margins and conditions.
func qualitative(t testing.TB, states int) (*bn.Network, []constraint.Constraint) {
	net := network(t, "[A][B][C][X|A:B:C]", bn.Discrete("A", spell("a", 3)...), bn.Discrete("B", spell("b", 3)...), bn.Discrete("C", spell("c", 2)...), bn.Discrete("X", spell("x", states)...))
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
			want := fd.Gradient(nil, func(x []float64) float64 { return 3 * p.Value(x) }, theta, &fd.Settings{Formula: fd.Central})
			near(t, "gradient", got, want, 1e-7)
		}
		numtest.Close(t, float64(p.Inequalities()), float64((2*6+2*6+3+4*2+2)*(states-1)), 0, 0)
	}
}
