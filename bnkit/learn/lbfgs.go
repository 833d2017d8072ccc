package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// remembered is how many steps back L-BFGS looks.
const remembered = 15

// lbfgs finds quasi-Newton directions d = H·∇ (Nocedal and Wright 2006, Algorithm 7.4), where H
// is made of the last steps s and the changes y of the negative gradient along them, and
// begins as the inverse curvature of the blocks times s'y / y'Py.
type lbfgs struct {
	*surface
	x, grad []float64 // at the last point; nil after forgetting
	s, y    [][]float64
	rho     []float64 // 1/s'y
}

func (q *lbfgs) forget() bool {
	had := len(q.s) > 0
	q.x, q.s, q.y, q.rho = nil, nil, nil, nil
	return had
}

func (q *lbfgs) direction(d []float64, p *apnPoint) (longest float64) {
	x, grad := p.x[:q.free], p.grad[:q.free]
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
	q.scale(d, v, p)
	if last := len(q.s) - 1; last >= 0 {
		py := make([]float64, len(d))
		q.scale(py, q.y[last], p)
		if norm := floats.Dot(q.y[last], py); norm > 0 {
			floats.Scale(1/(q.rho[last]*norm), d)
		}
	}
	for i, s := range q.s {
		floats.AddScaled(d, a[i]-q.rho[i]*floats.Dot(q.y[i], d), s)
	}
	return math.Inf(1)
}

// remember keeps the last step, unless the objective curves upwards along it.
func (q *lbfgs) remember(x, grad []float64) {
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

// scale divides a gradient over the free coordinates by the curvature of the blocks at p.
func (s *surface) scale(dst, gradient []float64, p *apnPoint) {
	lo := 0
	for i, b := range s.blocks {
		if s.ends[i] > s.free {
			break
		}
		hi := s.ends[i]
		b.scale(dst[lo:hi], gradient[lo:hi], p.x[lo:hi], p)
		lo = hi
	}
}
