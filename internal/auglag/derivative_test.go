package auglag

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bnlab/internal/numtest"
)

// wavy is exp(x_0) x_1² + x_0 x_2, with derivatives by hand. It reports values asked for
// where a variable is negative.
func wavy(t *testing.T) Function {
	return Function{
		Index: []int{0, 1, 2},
		Value: func(x []float64) float64 {
			if min(x[0], x[1], x[2]) < 0 {
				t.Errorf("asked for the value at %v", x)
			}
			return math.Exp(x[0])*x[1]*x[1] + x[0]*x[2]
		},
		Gradient: func(dst, x []float64) {
			dst[0], dst[1], dst[2] = math.Exp(x[0])*x[1]*x[1]+x[2], 2*math.Exp(x[0])*x[1], x[0]
		},
		Hessian: func(dst *mat.SymDense, x []float64) {
			e := math.Exp(x[0])
			dst.SetSym(0, 0, e*x[1]*x[1])
			dst.SetSym(0, 1, 2*e*x[1])
			dst.SetSym(0, 2, 1)
			dst.SetSym(1, 1, 2*e)
			dst.SetSym(1, 2, 0)
			dst.SetSym(2, 2, 0)
		},
	}
}

// TestDifferences compares derivatives by differences, inside and at zero, with those by
// hand. At zero a Hessian is taken a step of 1e-5 inside.
func TestDifferences(t *testing.T) {
	full := wavy(t)
	for _, x := range [][]float64{{0.3, 0.5, 0.2}, {0, 0.7, 0.3}, {0, 0, 0}, {1e-9, 1e-5, 1}} {
		exact := Problem{Len: 3, Zero: []Function{full}}.terms(true)[0]
		if err := exact.differentiate(x, true); err != nil {
			t.Fatal(err)
		}
		values, gradients := full, full
		values.Gradient, values.Hessian, gradients.Hessian = nil, nil, nil
		for _, f := range []Function{values, gradients} {
			other := Problem{Len: 3, Zero: []Function{f}}.terms(true)[0]
			if err := other.differentiate(x, true); err != nil {
				t.Fatal(err)
			}
			for i := range x {
				numtest.Close(t, other.grad[i], exact.grad[i], 1e-8, 0)
				for j := range i + 1 {
					numtest.Close(t, other.hess.At(i, j), exact.hess.At(i, j), 1e-4, 0)
				}
			}
		}
	}
}

// TestExpand compares the gradient and the Hessian of φ in u with differences of its value.
func TestExpand(t *testing.T) {
	p := Problem{Len: 3,
		Equal:    []Row{{Index: []int{0, 1, 2}, Value: 1}},
		AtMost:   []Row{{Index: []int{0, 2}, Coef: []float64{2, -1}, Value: 0.1}, {Index: []int{1}, Value: 5}},
		Zero:     []Function{wavy(t)},
		Negative: []Function{{Index: []int{2, 0}, Value: func(x []float64) float64 { return x[0]*x[1] - 0.01 }}},
	}
	x := []float64{0.4, 0.35, 0.3}
	l := newLagrangian([]float64{0.2, 0, 0.8}, p.terms(true), x)
	l.rho, l.mu = 3, 0.1
	if err := l.measureUnits(); err != nil {
		t.Fatal(err)
	}
	copy(l.y, []float64{0.5, -0.7, 0.3, 0, 0.2})
	at := make([]float64, 3)
	phi := func(u []float64) float64 {
		for p := range at {
			at[p] = x[p] * (1 + u[p])
		}
		v, err := l.value(at)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	gradient := fd.Gradient(nil, phi, make([]float64, 3), &fd.Settings{Formula: fd.Central})
	hessian := mat.NewSymDense(3, nil)
	fd.Hessian(hessian, phi, make([]float64, 3), &fd.Settings{Formula: fd.Central, Step: 1e-4})
	phi(make([]float64, 3))
	if err := l.expand(); err != nil {
		t.Fatal(err)
	}
	for i := range x {
		numtest.Close(t, l.g[i], gradient[i], 1e-8, 0)
		for j := range i + 1 {
			numtest.Close(t, l.h.At(i, j), hessian.At(i, j), 1e-5, 0)
		}
	}
}
