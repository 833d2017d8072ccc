package constraint

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A Formula states that functions of the user's own are zero, or at most zero, in some
// parameters x (N06 §3.2):
//
//	g(x) = 0 for each g of Equal,   h(x) ≤ 0 for each h of AtMost
//
// It is for what is not linear, such as "the odds double". A function without division has values
// where a probability is 0 too, which maxima from few cases need: p(1−q) − 2q(1−p) rather than
// p/(1−p) − 2q/(1−q). Functions cannot be stored:
// [Marshal] keeps the text and the cells, and the statement cannot be bound again until
// it has its functions back.
type Formula struct {
	// Text is how the statement prints.
	Text string
	// Cells are the parameters x, in the order in which the functions get them. Each names
	// the states of all parents; none appears twice.
	Cells  []Cell
	Equal  []Function `json:"-"`
	AtMost []Function `json:"-"`
}

var _ Constraint = Formula{}

// A Smooth is a set of functions of some parameters that the user states to be zero, or
// at most zero (N06 §3.2). The functions get the parameters of Cells, in that order.
type Smooth struct {
	Cells  []int
	Equal  []Function // g(x) = 0
	AtMost []Function // h(x) ≤ 0
}

// A Function is twice continuously differentiable where probabilities are positive.
// Without Gradient or Hessian they are taken by finite differences.
type Function struct {
	Value    func(x []float64) float64
	Gradient func(dst, x []float64)               // optional
	Hessian  func(dst *mat.SymDense, x []float64) // optional
}

// String returns the text of the formula.
func (s Formula) String() string { return s.Text }

// Bind implements [Constraint].
func (s Formula) Bind(net *bn.Network) ([]Bound, error) {
	if s.Text == "" {
		return nil, errors.New("constraint: a formula has no text; say in Text what it states, as in \"the odds " +
			"double\"")
	}
	if len(s.Cells) == 0 {
		return nil, wrong(s, errors.New("it has no cells; name the parameters that the functions get"))
	}
	if len(s.Equal)+len(s.AtMost) == 0 {
		return nil, wrong(s, errors.New("it has no functions; functions are not stored in files, so give Equal or "+
			"AtMost again after reading"))
	}
	for i, f := range slices.Concat(s.Equal, s.AtMost) {
		if f.Value == nil {
			return nil, wrong(s, fmt.Errorf("function %d has no Value; give the function itself", i+1))
		}
	}
	cells, err := single(net, s, s.Cells)
	if err != nil {
		return nil, err
	}
	even := make([]float64, len(cells))
	for i, cell := range cells {
		v, _, _ := net.Layout().Locate(cell)
		even[i] = 1 / float64(net.Variable(v).Cardinality())
	}
	for i, f := range slices.Concat(s.Equal, s.AtMost) {
		if err := f.try(even); err != nil {
			return nil, wrong(s, say.Errorf("function %d %w, at equal probabilities %.3g; it gets the %d parameters "+
				"of Cells in their order", i+1, err, even, len(cells)))
		}
	}
	return []Bound{{
		Links:  rowsOf(net.Layout(), cells),
		Smooth: []Smooth{{Cells: cells, Equal: slices.Clone(s.Equal), AtMost: slices.Clone(s.AtMost)}},
	}}, nil
}

// try calls the functions once and returns what is wrong with them.
func (f Function) try(x []float64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = say.Errorf("panics (%v)", r)
		}
	}()
	if y := f.Value(slices.Clone(x)); math.IsNaN(y) || math.IsInf(y, 0) {
		return say.Errorf("is %v", y)
	}
	if f.Gradient != nil {
		f.Gradient(make([]float64, len(x)), slices.Clone(x))
	}
	if f.Hessian != nil {
		f.Hessian(mat.NewSymDense(len(x), nil), slices.Clone(x))
	}
	return nil
}

// gradient writes the slopes of the function at x.
func (f Function) gradient(dst, x []float64) {
	if f.Gradient != nil {
		f.Gradient(dst, x)
		return
	}
	fd.Gradient(dst, f.Value, x, nil)
}

func (s Smooth) violation(theta []float64) float64 {
	x := make([]float64, len(s.Cells))
	for i, cell := range s.Cells {
		x[i] = theta[cell]
	}
	worst := 0.0
	for _, g := range s.Equal {
		worst = max(worst, math.Abs(g.Value(x)))
	}
	for _, h := range s.AtMost {
		worst = max(worst, h.Value(x))
	}
	return worst
}
