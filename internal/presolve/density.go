package presolve

import (
	"math"
	"math/rand/v2"

	"bnlab/internal/num"

	"gonum.org/v1/gonum/stat/distuv"
)

// LogBeta is the logarithm of Π Γ(e) / Γ(Σ e). (N06 §4.1.2: Z without sharing.)
func LogBeta(e []float64) float64 {
	sum, out := 0.0, 0.0
	for _, x := range e {
		sum += x
		out += num.Lgamma(x)
	}
	return out - num.Lgamma(sum)
}

// Dirichlet draws from the Dirichlet density with exponents e, which may be dst. It works
// in logarithms, since gamma variables of small exponents underflow.
func Dirichlet(dst, e []float64, src rand.Source) {
	largest := math.Inf(-1)
	for i, alpha := range e {
		dst[i] = logGamma(alpha, src)
		largest = math.Max(largest, dst[i])
	}
	all := 0.0
	for i := range dst {
		dst[i] = math.Exp(dst[i] - largest)
		all += dst[i]
	}
	for i := range dst {
		dst[i] /= all
	}
}

// logGamma draws the logarithm of a gamma variable: below 1 by log G(α) = log G(α+1) +
// log(U)/α.
func logGamma(alpha float64, src rand.Source) float64 {
	if alpha < 1 {
		return logGamma(alpha+1, src) + math.Log(1-rand.New(src).Float64())/alpha
	}
	return math.Log(distuv.Gamma{Alpha: alpha, Beta: 1, Src: src}.Rand())
}
