package constraints

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/integrate/quad"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/experiments/run"
	"bnlab/internal/num"
)

// logNormaliser is the logarithm of N06's normalisation constant of a Constrained Dirichlet
// Prior (§4.1.2) with Dirichlet counts alpha of parameters that stand in k cells each, when
// parameter n is eliminated:
//
//	Z_n = k_n / Π k_i^α_i · Π Γ(α_i) / Γ(Σ α_i)
func logNormaliser(alpha, k []float64, n int) float64 {
	sum, total := math.Log(k[n]), 0.0
	for i, a := range alpha {
		sum += num.Lgamma(a) - a*math.Log(k[i])
		total += a
	}
	return sum - num.Lgamma(total)
}

// logIntegral is the same for two parameters by Gauss-Legendre quadrature, which is exact
// for the whole counts used here:
//
//	Z_2 = ∫ θ^(α_1−1) ((1 − k_1 θ)/k_2)^(α_2−1) dθ,  0 < θ < 1/k_1
func logIntegral(alpha, k []float64) float64 {
	mode := (alpha[0] - 1) / (alpha[0] + alpha[1] - 2) / k[0]
	log := func(x float64) float64 {
		return (alpha[0]-1)*math.Log(x) + (alpha[1]-1)*math.Log((1-k[0]*x)/k[1])
	}
	peak := log(mode)
	return peak + math.Log(quad.Fixed(func(x float64) float64 { return math.Exp(log(x) - peak) }, 0, 1/k[0], 100,
		quad.Legendre{}, 0))
}

// checkNormaliser returns the largest difference in nats, over random data sets, of the
// log probability of the cases of [FourValues] as the library computes it, from N06's Z with
// either parameter eliminated, and from quadrature. The prior has one virtual case a cell.
func checkNormaliser(ctx context.Context, job *run.Job, c Config) (float64, error) {
	truth, err := FourValues()
	if err != nil {
		return 0, err
	}
	problem, err := constraint.Compile(truth, FourValuesKnowledge()...)
	if err != nil {
		return 0, err
	}
	pseudo := make([]float64, problem.Layout().Len())
	for cell := range pseudo {
		pseudo[cell] = 1
	}
	k := [][]float64{{1, 1}, {2, 2}, {3, 1}} // of Y, and of X in each configuration
	worst := 0.0
	for replicate := range c.Checks {
		src := job.Source(normaliserStream, replicate)
		cases, err := data.Sample(truth, 10+rand.New(src).IntN(40), src)
		if err != nil {
			return 0, err
		}
		counts, err := cases.Count(truth, nil)
		if err != nil {
			return 0, err
		}
		ours, err := problem.LogMarginal(ctx, counts.N, pseudo, nil)
		if err != nil {
			return 0, err
		}
		n, x0, x1 := counts.N[:2], counts.N[2:6], counts.N[6:]
		group := [][]float64{n, {x0[0] + x0[1], x0[2] + x0[3]}, {x1[0] + x1[2] + x1[3], x1[1]}}
		var by [3]float64
		for row, k := range k {
			prior, posterior := make([]float64, 2), make([]float64, 2)
			for i := range k {
				prior[i] = k[i] + 1
				posterior[i] = prior[i] + group[row][i]
			}
			by[0] += logNormaliser(posterior, k, 0) - logNormaliser(prior, k, 0)
			by[1] += logNormaliser(posterior, k, 1) - logNormaliser(prior, k, 1)
			by[2] += logIntegral(posterior, k) - logIntegral(prior, k)
		}
		for _, value := range by {
			worst = max(worst, math.Abs(value-ours.Value))
		}
	}
	return worst, nil
}
