package guarantees

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func TestInverseCases(t *testing.T) {
	for _, tt := range []struct {
		n    int
		p    float64
		want float64
	}{
		{1, 0.3, 1},
		{2, 0.5, (0.5 + 0.25/2) / 0.75},
		{3, 0.2, (3*0.2*0.64 + 3*0.04*0.8/2 + 0.008/3) / (1 - 0.512)},
		{20, 1, 0.05},
	} {
		if got := inverseCases(tt.n, tt.p); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("E[1/N | N ≠ 0] of %d at %v is %v, want %v", tt.n, tt.p, got, tt.want)
		}
	}
}

// sequences calls f for every sequence of n cases of categories with the given
// probabilities, with the counts and the probability of the sequence.
func sequences(p []float64, n int, f func(counts []float64, mass float64)) {
	counts := make([]float64, len(p))
	var draw func(left int, mass float64)
	draw = func(left int, mass float64) {
		if left == 0 {
			f(counts, mass)
			return
		}
		for i, q := range p {
			counts[i]++
			draw(left-1, mass*q)
			counts[i]--
		}
	}
	draw(n, 1)
}

// exact are the variances of the two estimates in one entry of a row, over all sequences of n
// examples that are cases of the row with probability seen; given that one is, and in all.
func exact(t *testing.T, net *bn.Network, statement constraint.Constraint, state, n int, seen float64) (conditional,
	all [2]float64) {
	t.Helper()
	free, err := constraint.Compile(net)
	if err != nil {
		t.Fatal(err)
	}
	problem, err := constraint.Compile(net, statement)
	if err != nil {
		t.Fatal(err)
	}
	p := []float64{1 - seen} // the first category: no case of the row
	for _, theta := range net.CPT(0).P {
		p = append(p, seen*theta)
	}
	estimate := make([]float64, len(p)-1)
	var mass [2]float64
	var first, second [2][2]float64 // conditional or all, then method
	sequences(p, n, func(counts []float64, weight float64) {
		for m, problem := range []*constraint.Problem{free, problem} {
			if err := problem.Maximize(estimate, counts[1:]); err != nil {
				t.Fatal(err)
			}
			x := estimate[state]
			for k, in := range []bool{counts[0] < float64(n), true} {
				if in {
					mass[k] += weight / 2
					first[k][m] += weight * x
					second[k][m] += weight * x * x
				}
			}
		}
	})
	variance := func(k int) (v [2]float64) {
		for m := range v {
			mean := first[k][m] / mass[k]
			v[m] = second[k][m]/mass[k] - mean*mean
		}
		return v
	}
	return variance(0), variance(1)
}

// TestTheorem2 computes the variances exactly, by enumeration.
func TestTheorem2(t *testing.T) {
	for _, s := range []int{1, 2, 3} {
		net, err := tiedTruth(s)
		if err != nil {
			t.Fatal(err)
		}
		names, _ := tiedRow(s, 0)
		statement := constraint.ShareStates{Var: "X", Groups: [][]string{names[:s]}}
		for _, seen := range []float64{1, 0.3} {
			const n = 4
			setting := setting{s: s, inverse: inverseCases(n, seen)}
			conditional, all := exact(t, net, statement, 0, n, seen)
			if got := conditional[0] - conditional[1]; math.Abs(got-setting.theory()) > 1e-14 {
				t.Errorf("s = %d, P(case) = %v: the variances differ by %v, Theorem 2 says %v", s, seen, got,
					setting.theory())
			}
			want := (1 - math.Pow(1-seen, n)) * setting.theory()
			if got := all[0] - all[1]; math.Abs(got-want) > 1e-14 {
				t.Errorf("s = %d, P(case) = %v: without the condition %v, want %v", s, seen, got, want)
			}
		}
	}
}

func TestMoments(t *testing.T) {
	values, truth := [][]float64{{1, 4}, {2, 4}, {6, 7}}, []float64{2, 5}
	m := newMoments(2)
	for _, v := range values {
		m.add(v, truth)
	}
	for i := range truth {
		column := []float64{values[0][i], values[1][i], values[2][i]}
		mean, variance := stat.MeanVariance(column, nil)
		if got := m.variance()[i]; math.Abs(got-variance) > 1e-14 {
			t.Errorf("variance %v, want %v", got, variance)
		}
		if got := m.bias()[i]; math.Abs(got-(mean-truth[i])) > 1e-14 {
			t.Errorf("bias %v, want %v", got, mean-truth[i])
		}
	}
}

// TestStudy compares a study with what is known of its variances: θ(1−θ)/N for ML, and
// Theorem 2.
func TestStudy(t *testing.T) {
	settings, err := identitySettings()
	if err != nil {
		t.Fatal(err)
	}
	const dataSets = 20_000
	for _, s := range settings[:2] { // s = 2, of the one distribution and of the network
		outcomes, err := study(s, dataSets, rand.NewPCG(8, 0))
		if err != nil {
			t.Fatal(err)
		}
		o := outcomes[0]
		seen := 1 - math.Pow(1-familySeen, float64(s.examples))
		if s.truth.Len() == 1 {
			seen = 1
		}
		if got := float64(o.kept) / dataSets; math.Abs(got-seen) > 0.02 {
			t.Errorf("%s: %v of the data sets have a case, want %v", s.name, got, seen)
		}
		want := tiedTheta * (1 - tiedTheta) * s.inverse
		if math.Abs(o.ml[0]/want-1) > 0.05 { // a standard error of 1.2 % to 1.6 %
			t.Errorf("%s: ML variance %v, want %v", s.name, o.ml[0], want)
		}
		if got := o.ml[0] - o.constrained[0]; math.Abs(got/s.theory()-1) > 0.12 { // of 3 %
			t.Errorf("%s: difference %v, want %v", s.name, got, s.theory())
		}
		if got := (o.mlAll[0] - o.constrainedAll[0]) / (seen * s.theory()); math.Abs(got-1) > 0.12 {
			t.Errorf("%s: the difference without the condition is %v times the expected", s.name, got)
		}
	}
}

// TestContinuousStudy checks the least-squares variances σ² E[(X'X)⁻¹], which for standard
// normal regressors and an intercept is σ² / (n − 4 − 2) for each of four weights, and half of
// that for one weight on the sum of two.
func TestContinuousStudy(t *testing.T) {
	truth, err := stockTruth()
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := continuousStudy(truth, 20, stockClasses(), 1500, rand.NewPCG(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	// Under a statement three weights are left, so that the divisor is n − 3 − 2.
	for i, want := range []float64{1. / 14, 1. / 14, 1. / 14, 1. / 14} {
		if got := outcomes[0].ml[i]; math.Abs(got/want-1) > 0.2 { // a standard error of 4 to 5 %
			t.Errorf("weight %d: ML variance %v, want %v", i, got, want)
		}
	}
	for class, wants := range [][]float64{{0.5 / 15, 0.5 / 15, 1. / 15, 1. / 15},
		{25. / 26 / 15, 1. / 15, 1. / 26 / 15, 1. / 15}} {
		for i, want := range wants {
			if got := outcomes[class].constrained[i]; math.Abs(got/want-1) > 0.2 {
				t.Errorf("class %d, weight %d: variance %v, want %v", class, i, got, want)
			}
		}
	}
}

func TestSummary(t *testing.T) {
	s := newSummary(setting{}, class{}, []outcome{
		{kept: 5, ml: []float64{4, 2, 1}, constrained: []float64{1, 2.5, 0.9}, bias: []float64{0.5, 0, 0},
			mlAll: []float64{1, 1, 1}, constrainedAll: []float64{0, 0, 1}},
		{kept: 6, ml: []float64{6, 2, 1}, constrained: []float64{3.01, 2.5, 1.1}, bias: []float64{0.7, 0, 0},
			mlAll: []float64{1, 1, 1}, constrainedAll: []float64{0, 1, 1}},
	})
	// The differences are 3 and 2.99 in the first parameter, −0.5 twice in the second, and
	// 0.1 and −0.1 in the third.
	if s.dataSets != 11 || math.Abs(s.difference[0]-2.6) > 1e-14 || math.Abs(s.difference[1]-2.39) > 1e-14 ||
		s.all[1] != 1 {
		t.Errorf("summary %+v", s)
	}
	share, stderr := s.removed() // 2.495 of 8; residuals 2.6 − 7r and 2.39 − 9r
	r := 2.495 / 8
	if want := math.Abs(2.6-7*r-(2.39-9*r)) / 2 / 8; math.Abs(share-r) > 1e-14 || math.Abs(stderr-want) > 1e-14 {
		t.Errorf("removed %v ± %v, want %v ± %v", share, stderr, r, want)
	}
	if lower, higher := s.sides(); lower != 1 || higher != 1 {
		t.Errorf("%d lower and %d higher, want one of each", lower, higher)
	}
	if largest, errors := s.bias(); math.Abs(largest-0.6) > 1e-15 || math.Abs(errors-6) > 1e-12 {
		t.Errorf("bias %v, %v standard errors; want 0.6 and 6", largest, errors)
	}
}

// TestChance: the tabulated 0.9995 quantile of Student's t with 9 degrees of freedom is
// 4.781.
func TestChance(t *testing.T) {
	if got := chance(1, 10); math.Abs(got-4.781) > 5e-4 {
		t.Errorf("one mean: %v, want 4.781", got)
	}
	if chance(2, 10) <= chance(1, 10) || chance(1, 100) >= chance(1, 10) {
		t.Error("the limit should rise with the number of means and fall with the studies")
	}
}
