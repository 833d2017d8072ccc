package constraint

import "math"

// A Bound is a statement resolved against the tables of one network: what it says of
// the parameters θ, which the network's [bn.Layout] numbers. A statement says any
// number of things; all of them hold together. A statement of your own implements
// [Constraint] by returning Bounds, and is solved like the others.
type Bound struct {
	// Links are the distributions that the statement speaks of, each once.
	Links []Row

	Fixed  []Value   // θ_cell = P
	Ties   []Tie     // θ_cell = scale · φ, one φ for the cells of a tie
	Equal  []Linear  // Σ coef · θ_cell = value
	AtMost []Linear  // Σ coef · θ_cell ≤ value
	Ratios []Ratio   // blocks of cells in the same proportions
	Smooth []Smooth  // functions of the user's own
	Shares []Weights // weights of linear-Gaussian nodes in known proportions

	price   float64 // of each unit by which AtMost is broken; 0 where all has to hold
	product *causes // Smooth is that of a noisy-OR
}

// A Value is a parameter that is known.
type Value struct {
	Cell int
	P    float64
}

// A Tie is one free parameter φ that stands in several cells: θ_cell = Scale·φ.
type Tie struct {
	Cells []int
	Scale []float64 // one for each cell, positive; nil means 1 everywhere
	// Alpha, when positive, is the Dirichlet count of φ, as N06 counts it: the density of
	// φ has the exponent Alpha − 1 in all, instead of the sum of its cells' exponents.
	Alpha float64
}

// A Linear is a linear function of parameters and the value that it has or may have at
// most. Each cell stands once.
type Linear struct {
	Cells []int
	Coef  []float64 // one for each cell; nil means 1 everywhere
	Value float64
}

// A Ratio says that blocks of equally many cells have the same proportions inside:
// θ_gi = a_g·w_i with a mass a_g for each block and one shape w for all. Each block lies
// in one distribution; no cell appears twice.
type Ratio struct {
	Blocks [][]int
}

// coef returns the factor of the i-th cell.
func (l Linear) coef(i int) float64 {
	if l.Coef == nil {
		return 1
	}
	return l.Coef[i]
}

// at is the linear function at theta, less the value.
func (l Linear) at(theta []float64) float64 {
	total := -l.Value
	for i, cell := range l.Cells {
		total += l.coef(i) * theta[cell]
	}
	return total
}

func (t Tie) scale(i int) float64 {
	if t.Scale == nil {
		return 1
	}
	return t.Scale[i]
}

// Violation returns the largest amount by which theta, one entry for each parameter of the
// layout, breaks what the bound says of tables: a difference of probabilities, or of
// their linear functions. It is 0 when the bound holds.
func (b Bound) Violation(theta []float64) float64 {
	worst := 0.0
	for _, f := range b.Fixed {
		worst = max(worst, math.Abs(theta[f.Cell]-f.P))
	}
	for _, t := range b.Ties {
		worst = max(worst, t.violation(theta))
	}
	for _, l := range b.Equal {
		worst = max(worst, math.Abs(l.at(theta)))
	}
	if b.price == 0 {
		for _, l := range b.AtMost {
			worst = max(worst, l.at(theta))
		}
	}
	for _, r := range b.Ratios {
		worst = max(worst, r.violation(theta))
	}
	for _, s := range b.Smooth {
		worst = max(worst, s.violation(theta))
	}
	return worst
}

// violation is the largest distance of a cell from its scale times the mean of φ over the
// cells, twice: so with two cells of scale 1 it is their difference.
func (t Tie) violation(theta []float64) float64 {
	lo, hi, largest := math.Inf(1), math.Inf(-1), 0.0
	for i, cell := range t.Cells {
		phi := theta[cell] / t.scale(i)
		lo, hi = min(lo, phi), max(hi, phi)
		largest = max(largest, t.scale(i))
	}
	return largest * (hi - lo)
}

// violation is the largest |θ_gi·m_h − θ_hi·m_g| over positions and pairs of blocks with
// the first, m being the masses of the blocks.
func (r Ratio) violation(theta []float64) float64 {
	worst, first := 0.0, sum(theta, r.Blocks[0])
	for _, block := range r.Blocks[1:] {
		mass := sum(theta, block)
		for i, cell := range block {
			worst = max(worst, math.Abs(theta[r.Blocks[0][i]]*mass-theta[cell]*first))
		}
	}
	return worst
}
