package clg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/internal/clg"
	"bnlab/internal/numtest"
)

// stateSpace is x_t = F x_(t−1) + noise Q, y_t = H x_t + noise R, from x_0 ~ N(0, P0), with diagonal Q, R, P0.
type stateSpace struct {
	f, h      *mat.Dense
	q, r, p0  []float64
	positions [][]float64 // y by slice
}

// network unrolls it: in each slice two states and one sensor.
func (s stateSpace) network() (nodes []*bn.LinearGaussian, families []clg.Family, values [][]float64) {
	add := func(variance float64, parents []int, weights []float64, value float64) {
		var vars []bn.Variable
		for _, u := range parents {
			vars = append(vars, bn.Continuous(fmt.Sprint("x", u)))
		}
		g, err := bn.NewLinearGaussian(bn.Continuous(fmt.Sprint("x", len(nodes))), vars...)
		if err != nil {
			panic(err)
		}
		g.Variance[0] = variance
		copy(g.Weights[0], weights)
		nodes, families = append(nodes, g), append(families, clg.Family{Child: len(nodes), Parents: parents})
		values = append(values, []float64{value})
	}
	for t, y := range s.positions {
		for i := range 2 {
			if t == 0 {
				add(s.p0[i], nil, nil, math.NaN())
			} else {
				add(s.q[i], []int{3*t - 3, 3*t - 2}, mat.Row(nil, i, s.f), math.NaN())
			}
		}
		add(s.r[0], []int{3 * t, 3*t + 1}, mat.Row(nil, 0, s.h), y[0])
	}
	return nodes, families, values
}

// smooth is the Kalman filter and the smoother of Rauch, Tung and Striebel, as textbooks have them.
func (s stateSpace) smooth() (log float64, means []*mat.VecDense, covs []*mat.Dense) {
	mul := func(a ...mat.Matrix) *mat.Dense {
		var out mat.Dense
		out.Product(a...)
		return &out
	}
	diag := func(x []float64) *mat.DiagDense { return mat.NewDiagDense(len(x), x) }
	var predicted, filtered []*mat.Dense
	var before, after []*mat.VecDense
	for t, y := range s.positions {
		m, p := mat.NewVecDense(2, nil), mat.DenseCopyOf(diag(s.p0))
		if t > 0 {
			m.MulVec(s.f, after[t-1])
			p = mul(s.f, filtered[t-1], s.f.T())
			p.Add(p, diag(s.q))
		}
		before, predicted = append(before, m), append(predicted, p)
		var hm mat.VecDense
		hm.MulVec(s.h, m)
		e, v := y[0]-hm.AtVec(0), mul(s.h, p, s.h.T()).At(0, 0)+s.r[0]
		log -= (math.Log(2*math.Pi*v) + e*e/v) / 2
		k := mul(p, s.h.T())
		k.Scale(1/v, k)
		var now mat.VecDense
		now.AddScaledVec(m, e, k.ColView(0))
		less := mul(k, s.h, p)
		less.Sub(p, less)
		after, filtered = append(after, &now), append(filtered, less)
	}
	last := len(s.positions) - 1
	means, covs = make([]*mat.VecDense, last+1), make([]*mat.Dense, last+1)
	means[last], covs[last] = after[last], filtered[last]
	for t := last - 1; t >= 0; t-- {
		var inverse mat.Dense
		if err := inverse.Inverse(predicted[t+1]); err != nil {
			panic(err)
		}
		g := mul(filtered[t], s.f.T(), &inverse)
		var d, m mat.VecDense
		d.SubVec(means[t+1], before[t+1])
		m.MulVec(g, &d)
		m.AddVec(after[t], &m)
		c := mat.NewDense(2, 2, nil)
		c.Sub(covs[t+1], predicted[t+1])
		c = mul(g, c, g.T())
		c.Add(filtered[t], c)
		means[t], covs[t] = &m, c
	}
	return log, means, covs
}

// TestKalman compares a chain with the filter's likelihood and the smoother's means and covariances.
func TestKalman(t *testing.T) {
	for _, q := range [][]float64{{0.1, 0.3}, {0, 0.2}} { // the second: a position that is the sum of speeds
		rng := rand.New(rand.NewPCG(3, 0))
		s := stateSpace{f: mat.NewDense(2, 2, []float64{1, 0.5, -0.2, 0.9}), h: mat.NewDense(1, 2, []float64{1, 0.3}),
			q: q, r: []float64{0.4}, p0: []float64{1, 2}}
		for range 60 {
			s.positions = append(s.positions, []float64{3 * rng.NormFloat64()})
		}
		nodes, families, values := s.network()
		plan := clg.NewPlan(families, func(v int) bool { return v%3 == 2 }, nil)
		var w clg.Space
		w.Solve(plan, nodes, make([]int, len(nodes)), values, []int32{0})
		log, means, covs := s.smooth()
		numtest.Close(t, w.LogDensities()[0], log, 0, 1e-10)
		w.Back()
		for slice := range s.positions {
			for i := range 2 {
				numtest.Close(t, w.Means(3*slice + i)[0], means[slice].AtVec(i), 1e-9, 1e-9)
				for j := range 2 {
					numtest.Close(t, w.Covariance(3*slice+i, 3*slice+j), covs[slice].At(i, j), 1e-9, 1e-9)
				}
			}
		}
		if n := plan.Numbers(); n > 40*3*60 {
			t.Errorf("%d numbers for %d variables: they grow faster than the chain", n, 3*60)
		}
	}
}
