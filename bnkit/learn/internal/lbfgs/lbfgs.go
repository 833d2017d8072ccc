// Package lbfgs finds quasi-Newton directions from the last steps of a climb.
package lbfgs

import "gonum.org/v1/gonum/floats"

// remembered is how many steps back L-BFGS looks.
const remembered = 15

// A Memory finds quasi-Newton directions d = H·∇ (Nocedal and Wright 2006, Algorithm 7.4), where H
// is made of the last steps s and the changes y of the negative gradient along them, and
// begins as an inverse curvature P that the caller knows, times s'y / y'Py. The zero value is a memory of nothing.
type Memory struct {
	x, grad []float64 // at the last point; nil after forgetting
	s, y    [][]float64
	rho     []float64 // 1/s'y
}

// Forget makes the next direction one of the gradient alone. It reports whether the last was more than that.
func (q *Memory) Forget() bool {
	had := len(q.s) > 0
	q.x, q.s, q.y, q.rho = nil, nil, nil, nil
	return had
}

// Direction writes to d a way up at x, where the gradient is grad; scale divides a gradient by the curvature.
func (q *Memory) Direction(d, x, grad []float64, scale func(dst, gradient []float64)) {
	if q.x != nil {
		q.remember(x, grad)
	}
	q.x, q.grad = append(q.x[:0], x...), append(q.grad[:0], grad...)
	v := append([]float64(nil), grad...)
	a := make([]float64, len(q.s))
	for i := len(q.s) - 1; i >= 0; i-- {
		a[i] = q.rho[i] * floats.Dot(q.s[i], v)
		floats.AddScaled(v, -a[i], q.y[i])
	}
	scale(d, v)
	if last := len(q.s) - 1; last >= 0 {
		py := make([]float64, len(d))
		scale(py, q.y[last])
		if norm := floats.Dot(q.y[last], py); norm > 0 {
			floats.Scale(1/(q.rho[last]*norm), d)
		}
	}
	for i, s := range q.s {
		floats.AddScaled(d, a[i]-q.rho[i]*floats.Dot(q.y[i], d), s)
	}
}

// remember keeps the last step, unless the objective curves upwards along it.
func (q *Memory) remember(x, grad []float64) {
	s, y := make([]float64, len(x)), make([]float64, len(x))
	floats.SubTo(s, x, q.x)
	floats.SubTo(y, q.grad, grad)
	sy := floats.Dot(s, y)
	if !(sy > 1e-10*floats.Norm(s, 2)*floats.Norm(y, 2)) {
		return
	}
	if len(q.s) == remembered {
		q.s, q.y, q.rho = q.s[1:], q.y[1:], q.rho[1:]
	}
	q.s, q.y, q.rho = append(q.s, s), append(q.y, y), append(q.rho, 1/sy)
}
