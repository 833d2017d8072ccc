package clg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/internal/clg"
	"bnlab/internal/numtest"
)

// A problem is a linear-Gaussian network with some variables observed.
type problem struct {
	nodes    []*bn.LinearGaussian
	families []clg.Family
	seen     []bool
	values   [][]float64 // by variable and row, drawn from the network
}

// random draws a network; weights and variances are zero at times. Its numbers are multiples of 1/4 below 2,
// so that variables without variance contradict nothing by rounding of the draws.
func random(rng *rand.Rand, n, rows int, zero float64) problem {
	quarter := func() float64 { return float64(rng.IntN(15)-7) / 4 }
	p := problem{seen: make([]bool, n), values: make([][]float64, n)}
	order := rng.Perm(n) // the order in the list says nothing of parents
	for v := range n {
		p.values[v] = make([]float64, rows)
		p.seen[v] = rng.IntN(5) < 2
	}
	p.nodes, p.families = make([]*bn.LinearGaussian, n), make([]clg.Family, n)
	for i, v := range order {
		var parents []bn.Variable
		p.families[v].Child = v
		for _, u := range order[:i] {
			if rng.IntN(2) == 0 && len(parents) < 3 {
				parents = append(parents, bn.Continuous(fmt.Sprint("x", u)))
				p.families[v].Parents = append(p.families[v].Parents, u)
			}
		}
		g, err := bn.NewLinearGaussian(bn.Continuous(fmt.Sprint("x", v)), parents...)
		if err != nil {
			panic(err)
		}
		g.Intercept[0], g.Variance[0] = quarter(), float64(1+rng.IntN(7))/4
		if rng.Float64() < zero {
			g.Variance[0] = 0
		}
		for j := range g.Weights[0] {
			if g.Weights[0][j] = quarter(); rng.Float64() < zero {
				g.Weights[0][j] = 0
			}
		}
		p.nodes[v] = g
		for row := range rows {
			x := g.Intercept[0] + math.Sqrt(g.Variance[0])*rng.NormFloat64()
			for j, u := range p.families[v].Parents {
				x += g.Weights[0][j] * p.values[u][row]
			}
			p.values[v][row] = x
		}
	}
	return p
}

// joint is the mean and the covariance of all variables: (I−B)⁻¹a and (I−B)⁻¹D(I−B)⁻ᵀ.
func (p problem) joint() (*mat.VecDense, *mat.Dense) {
	n := len(p.nodes)
	b, a, d := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), mat.NewDense(n, n, nil)
	for v, g := range p.nodes {
		b.Set(v, v, 1)
		for j, u := range p.families[v].Parents {
			b.Set(v, u, -g.Weights[0][j])
		}
		a.SetVec(v, g.Intercept[0])
		d.Set(v, v, g.Variance[0])
	}
	var inverse, cov mat.Dense
	if err := inverse.Inverse(b); err != nil {
		panic(err)
	}
	var mean mat.VecDense
	mean.MulVec(&inverse, a)
	cov.Product(&inverse, d, inverse.T())
	return &mean, &cov
}

func (p problem) lists() (hidden, seen []int) {
	for v, s := range p.seen {
		if s {
			seen = append(seen, v)
		} else {
			hidden = append(hidden, v)
		}
	}
	return hidden, seen
}

func part(m *mat.Dense, rows, cols []int) *mat.Dense {
	out := mat.NewDense(len(rows), len(cols), nil)
	for i, r := range rows {
		for j, c := range cols {
			out.Set(i, j, m.At(r, c))
		}
	}
	return out
}

// condition is the textbook's conditional normal, with the pseudo-inverse of the covariance of what is
// observed: log-density (NaN when that has none), mean and covariance of the hidden variables.
func (p problem) condition(row int) (log float64, mean []float64, cov *mat.Dense) {
	hidden, seen := p.lists()
	m, s := p.joint()
	mean = make([]float64, len(hidden))
	for i, v := range hidden {
		mean[i] = m.AtVec(v)
	}
	if len(seen) == 0 {
		return 0, mean, part(s, hidden, hidden)
	}
	var svd mat.SVD
	if !svd.Factorize(part(s, seen, seen), mat.SVDFull) {
		panic("no singular values")
	}
	var u mat.Dense
	svd.UTo(&u)
	r := mat.NewVecDense(len(seen), nil)
	for i, v := range seen {
		r.SetVec(i, p.values[v][row]-m.AtVec(v))
	}
	inverse := mat.NewDense(len(seen), len(seen), nil)
	values := svd.Values(nil)
	for l, x := range values {
		if x <= 1e-11*values[0] {
			log = math.NaN()
			continue
		}
		inverse.Add(inverse, outer(1/x, u.ColView(l)))
		e := mat.Dot(u.ColView(l), r)
		log -= (math.Log(2*math.Pi*x) + e*e/x) / 2
	}
	if len(hidden) == 0 {
		return log, nil, nil
	}
	var gain, shift, less mat.Dense
	gain.Mul(part(s, hidden, seen), inverse)
	shift.Mul(&gain, r)
	for i := range mean {
		mean[i] += shift.At(i, 0)
	}
	less.Mul(&gain, part(s, seen, hidden))
	cov = part(s, hidden, hidden)
	cov.Sub(cov, &less)
	return log, mean, cov
}

func outer(by float64, v mat.Vector) *mat.Dense {
	var out mat.Dense
	out.Outer(by, v, v)
	return &out
}

// TestJointNormal compares with the joint normal distribution by linear algebra, with weights and
// variances of zero among the numbers.
func TestJointNormal(t *testing.T) {
	const rows = 3
	degenerate, plain := 0, 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 16))
		p := random(rng, 1+rng.IntN(8), rows, []float64{0, 0.3}[seed%2])
		hidden, seen := p.lists()
		var all [][2]int
		for _, u := range hidden {
			for _, v := range hidden {
				all = append(all, [2]int{u, v})
			}
		}
		plan := clg.NewPlan(p.families, func(v int) bool { return p.seen[v] }, nil, all...)
		var w clg.Space
		w.Solve(plan, p.nodes, make([]int, len(p.nodes)), p.values, []int32{0, 1, 2})
		logs := slices.Clone(w.LogDensities())
		points, _ := w.Points()
		w.Back()
		for row := range rows {
			log, mean, cov := p.condition(row)
			if math.IsNaN(log) != (points > 0) {
				t.Fatalf("seed %d: %d variables without a density, oracle %v", seed, points, log)
			}
			if points > 0 {
				degenerate++
				if math.IsInf(logs[row], -1) {
					t.Fatalf("seed %d: what was drawn is impossible", seed)
				}
			} else {
				plain++
				numtest.Close(t, logs[row], log, 1e-7, 1e-7)
			}
			for i, u := range hidden {
				numtest.Close(t, w.Means(u)[row], mean[i], 1e-6, 1e-6)
				for j, v := range hidden {
					numtest.Close(t, w.Covariance(u, v), cov.At(i, j), 1e-6, 1e-6)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v observed of %d", seed, seen, len(p.nodes))
		}
	}
	if degenerate < 100 || plain < 500 {
		t.Errorf("%d degenerate and %d plain cases", degenerate, plain)
	}
}
