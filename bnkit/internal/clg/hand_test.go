package clg_test

import (
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/internal/clg"
	"bnlab/internal/numtest"
)

func node(t *testing.T, intercept, variance float64, weights ...float64) *bn.LinearGaussian {
	t.Helper()
	parents := []bn.Variable{bn.Continuous("a"), bn.Continuous("b"), bn.Continuous("c")}[:len(weights)]
	g, err := bn.NewLinearGaussian(bn.Continuous("y"), parents...)
	if err != nil {
		t.Fatal(err)
	}
	g.Intercept[0], g.Variance[0] = intercept, variance
	copy(g.Weights[0], weights)
	return g
}

// TestSum is a sum without noise of two independent normals, N(1, 1) and N(2, 3): the sum 7 is 4 above its
// mean, of which a quarter is the first's, and they vary against each other with variance 1·3/4.
func TestSum(t *testing.T) {
	nodes := []*bn.LinearGaussian{node(t, 1, 1), node(t, 2, 3), node(t, 0, 0, 1, 1)}
	families := []clg.Family{{Child: 2, Parents: []int{0, 1}}, {Child: 0}, {Child: 1}}
	configs := make([]int, 3)
	var w clg.Space
	w.Solve(clg.NewPlan(families, func(v int) bool { return v == 2 }, nil), nodes, configs,
		[][]float64{nil, nil, {7}}, []int32{0})
	numtest.Close(t, w.LogDensities()[0], -0.5*math.Log(2*math.Pi*4)-2, 1e-14, 0)
	w.Back()
	numtest.Close(t, w.Means(0)[0], 2, 1e-14, 0)
	numtest.Close(t, w.Means(1)[0], 5, 1e-14, 0)
	numtest.Close(t, w.Covariance(0, 0), 0.75, 1e-14, 0)
	numtest.Close(t, w.Covariance(1, 1), 0.75, 1e-14, 0)
	numtest.Close(t, w.Covariance(0, 1), -0.75, 1e-14, 0)
}

// TestContradiction observes two copies of a hidden variable: 0.1 times and 0.3 times its value.
func TestContradiction(t *testing.T) {
	nodes := []*bn.LinearGaussian{node(t, 1, 1), node(t, 0, 0, 0.1), node(t, 0.7, 0, 0.3)}
	families := []clg.Family{{Child: 0}, {Child: 1, Parents: []int{0}}, {Child: 2, Parents: []int{0}}}
	plan := clg.NewPlan(families, func(v int) bool { return v > 0 }, nil)
	var w clg.Space
	// The third row is off by 1e-6, the last by rounding.
	w.Solve(plan, nodes, make([]int, 3),
		[][]float64{nil, {0.2, 0.2, 0.2, 0.1 * 7}, {1.3, 1.2, 1.3 + 1e-6, 0.3*7 + 0.7}}, []int32{0, 1, 2, 3})
	if n, v := w.Points(); n != 1 || v != 2 {
		t.Errorf("%d variables without a density, the last %d", n, v)
	}
	log := -0.5*math.Log(2*math.Pi*0.01) - 0.5
	for c, want := range []float64{log, math.Inf(-1), math.Inf(-1), log - 35.0/2} {
		if got := w.LogDensities()[c]; got != want && !(math.Abs(got-want) < 1e-9) {
			t.Errorf("case %d: %v, want %v", c, got, want)
		}
	}
	w.Back()
	numtest.Close(t, w.Means(0)[0], 2, 1e-14, 0)
	if w.Covariance(0, 0) != 0 {
		t.Errorf("variance %v", w.Covariance(0, 0))
	}
}

// TestScales has a precise sensor of a vague quantity: the variance that is left is that of the sensor, with
// all digits, where 1e12 − 1e12·(1 − 1e-24) has none.
func TestScales(t *testing.T) {
	nodes := []*bn.LinearGaussian{node(t, 0, 1e12), node(t, 0, 1e-12, 1)}
	families := []clg.Family{{Child: 0}, {Child: 1, Parents: []int{0}}}
	var w clg.Space
	w.Solve(clg.NewPlan(families, func(v int) bool { return v == 1 }, nil), nodes, make([]int, 2),
		[][]float64{nil, {5}}, []int32{0})
	w.Back()
	numtest.Close(t, w.Covariance(0, 0), 1e-12, 0, 1e-12)
	numtest.Close(t, w.Means(0)[0], 5, 0, 1e-12)
}

// TestMultiples observes a weighted sum of two hidden variables and multiples of it: weights that cancel but for
// rounding are none, so that the multiples say nothing more.
func TestMultiples(t *testing.T) {
	for _, by := range []float64{3, 7, 1.1, -0.7, 13, 1e9, 1e-9} {
		nodes := []*bn.LinearGaussian{node(t, 0, 1), node(t, 0, 1), node(t, 0, 0, 0.1, 0.7),
			node(t, 0, 0, 0.1*by, 0.7*by)}
		families := []clg.Family{{Child: 0}, {Child: 1}, {Child: 2, Parents: []int{0, 1}},
			{Child: 3, Parents: []int{0, 1}}}
		var w clg.Space
		w.Solve(clg.NewPlan(families, func(v int) bool { return v > 1 }, nil), nodes, make([]int, 4),
			[][]float64{nil, nil, {2.3}, {2.3 * by}}, []int32{0})
		if n, _ := w.Points(); n != 1 || math.IsInf(w.LogDensities()[0], -1) {
			t.Errorf("%v times: %d variables without a density, log-density %v", by, n, w.LogDensities()[0])
		}
		w.Back()
		numtest.Close(t, w.Means(1)[0], 0.7*2.3/0.5, 1e-9, 0)
		numtest.Close(t, w.Covariance(0, 0), 0.49/0.5, 1e-9, 0)
	}
}
