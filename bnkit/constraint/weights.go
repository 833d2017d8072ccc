package constraint

// Weights says that coefficients of one linear-Gaussian node are known multiples of one
// free parameter β: w = Scale·β for each term (N06 types 12 and 13).
type Weights struct {
	Var   int
	Terms []WeightTerm
}

// A WeightTerm is one coefficient of a linear-Gaussian node.
type WeightTerm struct {
	Config int     // of the discrete parents
	Parent int     // place among the continuous parents; −1 is the intercept
	Scale  float64 // not zero
}
