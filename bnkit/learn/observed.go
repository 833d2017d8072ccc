package learn

import (
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/information"
)

// Observed replaces draws of all tables, made with expected counts taken as known, by draws that know of the
// missing cells: by a normal approximation at the maximum with the inverse of the observed information as
// covariance. The information is that of the log-likelihood of the cases c plus the prior,
//
//	−∂²ℓ/∂θ_i∂θ_j = δ_ij n_i/θ_i² − (1/θ_i) ∂n_i/∂θ_j,
//
// the complete information less the missing one (Louis 1982), with the expected counts n as functions of θ
// (Oakes 1999). Their derivatives are central differences along the directions that the sums to one and the
// statements leave, inequalities that hold with equality among them. Draws are made on the scale of √θ, on which
// the complete information of a distribution is the same for all entries, and are then brought back to the
// statements, so they are tables that obey them. Distributions that are observed outright keep their draws;
// entries below 1e-9 keep their values there.
//
// It returns an error, and leaves theta alone, when there are linear-Gaussian nodes, statements that are not linear,
// more than 1,000 entries, an estimate that is no maximum, or tables that the cases do not determine (whose
// information is singular; it names them). The cases must be those of the fit, pseudocounts its prior and p its
// statements. It takes two passes over the cases for each free parameter.
func (r *Result) Observed(theta [][]float64, p *constraint.Problem, c Cases, pseudocounts []float64,
	src rand.Source) error {
	if hasGaussian(r.Net) {
		return fmt.Errorf("learn: no observed information with linear-Gaussian nodes")
	}
	o, err := information.New(r.Net, p, c, pseudocounts, tables(r.Net))
	if err != nil || len(o.Cells()) == 0 {
		return err
	}
	drawn := make([][]float64, len(theta))
	rng := rand.New(src)
	for i := range theta {
		if drawn[i], err = o.Draw(rng); err != nil {
			return err
		}
	}
	for i := range theta {
		for _, cell := range o.Cells() {
			theta[i][cell] = drawn[i][cell]
		}
	}
	return nil
}
