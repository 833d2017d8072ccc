package constraint

// A GaussianPrior is the normal-inverse-gamma density of the coefficients w (intercept,
// then weights) and the variance σ² of a linear-Gaussian node, the same in each
// configuration of its discrete parents:
//
//	σ² ~ InverseGamma(Shape, Scale),    w | σ² ~ N(Mean, σ² Λ⁻¹),    Λ diagonal.
//
// It weighs as 2·Shape cases with a mean squared deviation of Scale/Shape, and for each
// weight as one case in which its parent lies √Precision from zero. Statements restrict
// the density to w = Cβ, as they do with tables.
type GaussianPrior struct {
	Shape, Scale float64 // of σ², positive; Scale in squared units of the variable
	// Precision of each weight, not negative; 0 is flat.
	Precision float64
	// InterceptPrecision is the precision of the intercept; 0 is flat.
	InterceptPrecision float64
	// Mean is the expected weight by continuous parent, or the intercept by [Intercept];
	// others expect 0. Names that a node does not have are ignored, since one prior may
	// serve several nodes.
	Mean map[string]float64 `json:",omitempty"`
}
