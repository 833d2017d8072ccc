package auglag

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bnlab/internal/num"
	"bnlab/internal/rows"
	"bnlab/internal/say"
)

// ErrInfeasible says that no start led to a point that satisfies all constraints.
var ErrInfeasible = errors.New("no point satisfies all constraints")

// ErrNotConverged says that the best point found is feasible, but not stationary.
var ErrNotConverged = errors.New("did not converge")

// A Row is a linear function and its value.
type Row = rows.Row

// A Function is twice continuously differentiable in the variables of Index, which its
// three functions get in that order; each index stands once. They are called where these
// variables are not negative, and must neither change nor keep x, nor panic.
//
// Gradient and Hessian may be nil and are then taken by finite differences, with steps of
// a thousandth of a variable, but of 1e-7 (Gradient) or 1e-5 (Hessian) at least.
type Function struct {
	Index    []int
	Value    func(x []float64) float64
	Gradient func(dst, x []float64)
	Hessian  func(dst *mat.SymDense, x []float64)
}

// A Problem says what x must satisfy beside x ≥ 0. The constraints must bound every
// variable.
type Problem struct {
	Len      int        // number of variables
	Equal    []Row      // E x = b
	AtMost   []Row      // A x ≤ u
	Zero     []Function // g(x) = 0
	Negative []Function // h(x) ≤ 0
}

// Options say where the search starts.
type Options struct {
	// Starts is the number of starts; 0 means 4. Without functions the problem is concave
	// and one start is made.
	Starts int
	// Src drives the starts after the first; it may be nil when there is one only.
	Src rand.Source
	// Start is the first start. Nil means the maximiser of equal counts under the linear
	// constraints.
	Start []float64
}

// A Certificate says what is known of a stationary point beyond first order.
type Certificate int

const (
	// Unchecked: the Hessian did not prove a local maximum. It may still be one.
	Unchecked Certificate = iota
	// CheckedLocal: the Hessian of the Lagrangian is negative definite on the tangent
	// space of the active constraints, so that the point is a strict local maximum.
	CheckedLocal
)

// String names the certificate.
func (c Certificate) String() string {
	if c == CheckedLocal {
		return "checked local maximum"
	}
	return "unchecked"
}

// A Report describes the answer. The multipliers λ are in the order of the constraints and
// satisfy
//
//	n_p / x_p = Σ λ ∂(constraint)/∂x_p − s_p,   s_p ≥ 0,  s_p x_p = 0
//
// with λ ≥ 0 for inequalities, and 0 for those that do not bind.
type Report struct {
	Objective float64 // Σ n_p log x_p
	// KKT is the largest of |n_p − x_p (J'λ)_p| / N, of the negative parts of s_p and of the
	// multipliers of inequalities / N, and of |λ h(x)| / N, with N = Σ n and J the gradients.
	KKT         float64
	Feasibility float64 // largest violation of a constraint

	Equal, AtMost, Zero, Negative []float64 // multipliers

	SecondOrder Certificate
	Starts      int // starts made
	Agreed      int // starts that reached the best objective, to 1e-7·N
	Iterations  int // Newton steps over all starts
}

// check finds what is wrong with the data of a problem.
func (p Problem) check(n []float64) error {
	seen := make([]bool, p.Len)
	mark := func(kind string, i int, index []int) {
		for k, v := range index {
			if v < 0 || v >= p.Len || slices.Contains(index[:k], v) {
				panic(fmt.Sprintf("auglag: %s constraint %d: index %d out of range or twice", kind, i, v))
			}
			seen[v] = true
		}
	}
	for kind, rows := range [][]Row{p.Equal, p.AtMost} {
		for i, r := range rows {
			mark(kinds[kind], i, r.Index)
			if r.Coef != nil && len(r.Coef) != len(r.Index) {
				panic("auglag: row with coefficients of another length")
			}
			if !num.Finite(r.Value) || !num.Finite(r.Coef...) {
				return say.Errorf("auglag: %s constraint %d: a number is not finite", kinds[kind], i)
			}
		}
	}
	for kind, functions := range [][]Function{p.Zero, p.Negative} {
		for i, f := range functions {
			mark(kinds[2+kind], i, f.Index)
		}
	}
	for v, x := range n {
		if !(x >= 0) || math.IsInf(x, 0) {
			return say.Errorf("auglag: count %d is %v", v, x)
		}
		if !seen[v] {
			return fmt.Errorf("auglag: no constraint speaks of variable %d", v)
		}
	}
	return nil
}

var kinds = [...]string{"equality", "inequality", "g(x) = 0", "h(x) ≤ 0"}
