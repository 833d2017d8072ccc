package auglag

import (
	"fmt"
	"math"

	"bnlab/internal/num"
	"bnlab/internal/say"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
)

// A term is one constraint, c(x) = 0 or c(x) ≤ 0, with the workspace for its derivatives.
type term struct {
	name  string
	index []int
	equal bool

	coef  []float64 // of a linear constraint, else nil
	value float64
	fn    Function

	x, grad []float64
	hess    *mat.SymDense
}

// terms lists the constraints: linear and other equalities, linear and other inequalities.
func (p Problem) terms(functions bool) []*term {
	var list []*term
	rows := func(rows []Row, kind int) {
		for i, r := range rows {
			t := &term{name: fmt.Sprintf("%s constraint %d", kinds[kind], i), index: r.Index, equal: kind == 0,
				coef: r.Coef, value: r.Value}
			if r.Coef == nil {
				t.coef = make([]float64, len(r.Index))
				for k := range t.coef {
					t.coef[k] = 1
				}
			}
			t.grad = t.coef
			list = append(list, t)
		}
	}
	funcs := func(functions []Function, kind int) {
		for i, f := range functions {
			t := &term{name: fmt.Sprintf("function %d of %s", i, kinds[kind]), index: f.Index, equal: kind == 2, fn: f}
			t.x, t.grad = make([]float64, len(f.Index)), make([]float64, len(f.Index))
			if len(f.Index) > 0 {
				t.hess = mat.NewSymDense(len(f.Index), nil)
			}
			list = append(list, t)
		}
	}
	rows(p.Equal, 0)
	if functions {
		funcs(p.Zero, 2)
	}
	rows(p.AtMost, 1)
	if functions {
		funcs(p.Negative, 3)
	}
	return list
}

// at returns c(x).
func (t *term) at(x []float64) float64 {
	if t.fn.Value == nil {
		total := -t.value
		for k, p := range t.index {
			total += t.coef[k] * x[p]
		}
		return total
	}
	return t.fn.Value(t.take(x))
}

func (t *term) take(x []float64) []float64 {
	for k, p := range t.index {
		t.x[k] = x[p]
	}
	return t.x
}

// differentiate fills the gradient of c at x, and the Hessian of a function if asked.
func (t *term) differentiate(x []float64, second bool) error {
	if t.fn.Value == nil || len(t.index) == 0 {
		return nil
	}
	at := t.take(x)
	t.gradient(t.grad, at)
	if !num.Finite(t.grad...) {
		return say.Errorf("%s: gradient is not finite", t.name)
	}
	if !second {
		return nil
	}
	t.hessian(at)
	for i := range t.index {
		for j := range i + 1 {
			if !num.Finite(t.hess.At(i, j)) {
				return say.Errorf("%s: Hessian is not finite", t.name)
			}
		}
	}
	return nil
}

// unit is the factor that makes the gradient in u, x_p ← x_p + scale_p u_p, a unit vector;
// 1e12 at most.
func (t *term) unit(scale []float64) float64 {
	norm := 1e-12
	for a, p := range t.index {
		norm = math.Hypot(norm, t.grad[a]*scale[p])
	}
	return 1 / norm
}

// central is exact for polynomials of degree 4, forward for those of degree 3.
func central(step float64) *fd.Settings {
	return &fd.Settings{Step: step, Formula: fd.Formula{Derivative: 1, Step: step, Stencil: []fd.Point{
		{Loc: -2, Coeff: 1. / 12}, {Loc: -1, Coeff: -2. / 3}, {Loc: 1, Coeff: 2. / 3}, {Loc: 2, Coeff: -1. / 12}}}}
}

func forward(step float64) *fd.Settings {
	return &fd.Settings{Step: step, Formula: fd.Formula{Derivative: 1, Step: step, Stencil: []fd.Point{
		{Loc: 0, Coeff: -11. / 6}, {Loc: 1, Coeff: 3}, {Loc: 2, Coeff: -3. / 2}, {Loc: 3, Coeff: 1. / 3}}}}
}

// gradient takes the user's, or differences with steps in proportion to x: what enters the
// stationarity conditions is x_p times the derivative.
func (t *term) gradient(dst, x []float64) {
	if t.fn.Gradient != nil {
		t.fn.Gradient(dst, x)
		return
	}
	for k, xk := range x {
		step := 1e-3 * max(xk, 1e-4)
		rule := central(step)
		if xk < 2*step {
			rule = forward(step)
		}
		dst[k] = fd.Derivative(func(v float64) float64 {
			x[k] = v
			return t.fn.Value(x)
		}, xk, rule)
		x[k] = xk
	}
}

// hessian takes the user's, or differences of the gradient. Values too near zero for a step
// to either side are moved inside first.
func (t *term) hessian(x []float64) {
	if t.fn.Hessian != nil {
		t.fn.Hessian(t.hess, x)
		return
	}
	n := len(x)
	step := make([]float64, n)
	for k := range x {
		step[k] = 1e-3 * max(x[k], 1e-2)
		x[k] = max(x[k], step[k])
	}
	if t.fn.Gradient == nil {
		// In units of the steps: ∂²c/∂x_i∂x_j = H_ij / (step_i step_j).
		moved := make([]float64, n)
		fd.Hessian(t.hess, func(u []float64) float64 {
			for k := range moved {
				moved[k] = math.Max(0, x[k]+step[k]*u[k])
			}
			return t.fn.Value(moved)
		}, make([]float64, n), &fd.Settings{Step: 1, Formula: fd.Formula{Derivative: 1, Step: 1,
			Stencil: []fd.Point{{Loc: -0.5, Coeff: -1}, {Loc: 0.5, Coeff: 1}}}})
		for i := range n {
			for j := range i + 1 {
				t.hess.SetSym(i, j, t.hess.At(i, j)/(step[i]*step[j]))
			}
		}
		return
	}
	rows := mat.NewDense(n, n, nil)
	up, down := make([]float64, n), make([]float64, n)
	for k, xk := range x {
		x[k] = xk + step[k]
		t.fn.Gradient(up, x)
		x[k] = xk - step[k]
		t.fn.Gradient(down, x)
		x[k] = xk
		for i := range n {
			rows.Set(k, i, (up[i]-down[i])/(2*step[k]))
		}
	}
	for i := range n {
		for j := range i + 1 {
			t.hess.SetSym(i, j, (rows.At(i, j)+rows.At(j, i))/2)
		}
	}
}
