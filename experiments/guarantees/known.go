package guarantees

import (
	"math"

	"gonum.org/v1/gonum/stat/combin"

	"bnlab/bnkit/constraint"
)

// knownVariances are the exact variances of the estimates of P(X=b) and P(X=c) in
// [knownTruth] from n examples, by ML and with P(X=a) known: the sums over all counts, given
// that b or c has a case, since otherwise nothing says how they share.
func knownVariances(n int) (ml, constrained []float64, err error) {
	truth, err := knownTruth()
	if err != nil {
		return nil, nil, err
	}
	p := truth.CPT(0).P
	problem, err := constraint.Compile(truth, constraint.Fixed{Var: "X", P: map[string]float64{"a": p[0]}})
	if err != nil {
		return nil, nil, err
	}
	var total float64
	var first, second [2][2]float64 // by method, then b and c
	estimate, counts := make([]float64, 3), make([]float64, 3)
	for some := 1; some <= n; some++ {
		for c := range some + 1 {
			b := some - c
			mass := float64(combin.Binomial(n, some)*combin.Binomial(some, c)) * math.Pow(p[0], float64(n-some)) *
				math.Pow(p[1], float64(b)) * math.Pow(p[2], float64(c))
			counts[0], counts[1], counts[2] = float64(n-some), float64(b), float64(c)
			if err := problem.Maximize(estimate, counts); err != nil {
				return nil, nil, err
			}
			total += mass
			for i := range 2 {
				for m, x := range [2]float64{counts[i+1] / float64(n), estimate[i+1]} {
					first[m][i] += mass * x
					second[m][i] += mass * x * x
				}
			}
		}
	}
	variance := func(m int) []float64 {
		v := make([]float64, 2)
		for i := range v {
			mean := first[m][i] / total
			v[i] = second[m][i]/total - mean*mean
		}
		return v
	}
	return variance(0), variance(1), nil
}
