package metric_test

import (
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/numtest"
)

// By hand, with weights: b where P = .2 .3 .5 costs .2² + .7² + .5² = .78, a where
// P = .6 .4 0 costs .4² + .4² = .32, c there .6² + .4² + 1² = 1.52.
func TestQuadraticLoss(t *testing.T) {
	net := twoNodes(t, "0 1\n.3 .7", "Y | a b c\n0 | .2 .3 .5\n1 | .6 .4 0")
	// The column's states stand in another order than the network's.
	x := data.Column{Var: bn.Discrete("X", "c", "a", "b"), States: []bn.State{2, 1, 0}}
	table, err := data.New(x, data.Column{Var: net.Variable(0), States: []bn.State{0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.WithWeights([]float64{2, 1, 0}); err != nil {
		t.Fatal(err)
	}
	loss, err := quadraticLoss(net, table, "X")
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{.78, .32, 1.52} {
		numtest.Close(t, loss.ByCase[row], want, 1e-14, 0)
	}
	numtest.Close(t, loss.Average, (2*.78+.32)/3, 1e-14, 0)
	numtest.Close(t, loss.Cases, 3, 0, 0)
	if want := "quadratic loss 0.6267 a case, of 3 cases"; loss.String() != want {
		t.Errorf("it prints %q, want %q", loss, want)
	}

	// Uniform tables know nothing: 1 − 1/3.
	uniform, err := bn.New("[Y][X|Y]", net.Variables()...)
	if err != nil {
		t.Fatal(err)
	}
	if loss, err = quadraticLoss(uniform, table, "X"); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, loss.Average, 2./3, 1e-14, 0)
}
