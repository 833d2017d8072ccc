package constraint

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

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
