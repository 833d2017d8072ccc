package learn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// With cells missing completely at random, or a class that is never observed, estimates come
// back to the truth as near as their standard errors say: each free parameter within five of
// them, and the squared distance in the metric of the information within five standard
// deviations of its mean, the number k of free parameters. The information is Σ w·gg' over
// cases, with g the derivatives of log P(case) by the free parameters at the estimate.
func TestRecovery(t *testing.T) {
	for _, tt := range []struct {
		name, model string
		hidden      bool // the first variable
		holes       float64
		rows        int
		method      learn.Method
	}{
		{"EM, holes", "[A2][B3|A2][C2|A2:B3][D3|C2]", false, .25, 2000, learn.EM{}},
		{"EM, weak prior", "[A2][B3|A2][C2|A2:B3][D3|C2]", false, .25, 2000, learn.EM{Pseudocount: 1}},
		{"Gibbs, holes", "[A2][B3|A2][C2|A2:B3][D3|C2]", false, .25, 2000, learn.Gibbs{Sweeps: 80, BurnIn: 20}},
		{"EM, hidden class", "[H2][X3|H2][Y3|H2][Z3|H2]", true, .1, 5000, learn.EM{}},
		{"Gibbs, hidden class", "[H2][X3|H2][Y3|H2][Z3|H2]", true, .1, 5000, learn.Gibbs{Sweeps: 100, BurnIn: 30}},
	} {
		truth := random(t, tt.model, 12)
		if tt.hidden { // classes that differ
			for v := 1; v < truth.Len(); v++ {
				copy(truth.CPT(v).Row(0), []float64{.8, .1, .1})
				copy(truth.CPT(v).Row(1), []float64{.1, .3, .6})
			}
		}
		all, err := data.Sample(truth, tt.rows, rand.NewPCG(21, 0))
		if err != nil {
			t.Fatal(err)
		}
		if tt.hidden {
			var names []string
			for _, v := range truth.Variables()[1:] {
				names = append(names, v.Name)
			}
			if all, err = all.Keep(names...); err != nil {
				t.Fatal(err)
			}
		}
		table := holes(t, all, tt.holes, rand.New(rand.NewPCG(21, 1)))
		// The truth as start gives the classes their names.
		r, err := learn.Fit(t.Context(), truth, table, tt.method, &learn.Settings{Seed: 21, Stream: 2, From: truth,
			Starts:    1,
			Tolerance: 1e-10})
		if err != nil {
			t.Fatal(err)
		}
		distance, information := information(t, r.Net, truth, table)
		k, _ := information.Dims()
		var factor mat.Cholesky
		if !factor.Factorize(information) {
			t.Errorf("%s: the information is singular", tt.name)
			continue
		}
		var covariance mat.SymDense
		if err := factor.InverseTo(&covariance); err != nil {
			t.Fatal(err)
		}
		for i := range k {
			if se := math.Sqrt(covariance.At(i, i)); !(math.Abs(distance.AtVec(i)) <= 5*se) {
				t.Errorf("%s: parameter %d is off by %v, standard error %v", tt.name, i, distance.AtVec(i), se)
			}
		}
		chi := mat.Inner(distance, information, distance)
		if mean, sd := float64(k), math.Sqrt(2*float64(k)); !(math.Abs(chi-mean) <= 5*sd) {
			t.Errorf("%s: χ² = %v with %d degrees of freedom", tt.name, chi, k)
		}
	}
}

// information returns the distance of the free parameters, all states but the last, from the
// truth, and their empirical information.
func information(t *testing.T, net, truth *bn.Network, table *data.Table) (*mat.VecDense, *mat.SymDense) {
	t.Helper()
	theta, want := flat(net), flat(truth)
	var free, last []int
	for v := range net.Len() {
		for config := range net.CPT(v).Configs().Len() {
			lo, hi := net.Layout().Row(v, config)
			for cell := lo; cell < hi-1; cell++ {
				free, last = append(free, cell), append(last, hi-1)
			}
		}
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	distance, out := mat.NewVecDense(len(free), nil), mat.NewSymDense(len(free), nil)
	for i, cell := range free {
		distance.SetVec(i, theta[cell]-want[cell])
	}
	g := mat.NewVecDense(len(free), nil)
	err = plan.EachCase(theta, func(_ int, weight, _ float64, n []float64) error {
		for i, cell := range free {
			g.SetVec(i, n[cell]/theta[cell]-n[last[i]]/theta[last[i]])
		}
		out.SymRankOne(out, weight, g)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return distance, out
}
