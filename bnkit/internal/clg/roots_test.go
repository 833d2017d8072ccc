package clg_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/internal/clg"
)

func wide(x float64) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(x) }

// exactly finds means and covariances of all variables given those that are seen in the first row, in 600 bits: the
// joint distribution, from which one observed variable after the other is taken (a Schur complement). Variables are
// parents before children.
func (p problem) exactly() (mean []*big.Float, cov [][]*big.Float) {
	n := len(p.nodes)
	times := func(x, y *big.Float) *big.Float { return wide(0).Mul(x, y) }
	mean, cov = make([]*big.Float, n), make([][]*big.Float, n)
	for v, g := range p.nodes {
		mean[v], cov[v] = wide(g.Intercept[0]), make([]*big.Float, n)
		for u := range v {
			cov[v][u] = wide(0)
			for j, w := range p.families[v].Parents {
				cov[v][u].Add(cov[v][u], times(wide(g.Weights[0][j]), cov[w][u]))
			}
			cov[u][v] = cov[v][u]
		}
		cov[v][v] = wide(g.Variance[0])
		for j, w := range p.families[v].Parents {
			mean[v].Add(mean[v], times(wide(g.Weights[0][j]), mean[w]))
			cov[v][v].Add(cov[v][v], times(wide(g.Weights[0][j]), cov[w][v]))
		}
	}
	for y, seen := range p.seen {
		if !seen || cov[y][y].Cmp(wide(1e-100)) < 0 { // what those before determine
			continue
		}
		off := wide(p.values[y][0])
		off.Sub(off, mean[y])
		gain := make([]*big.Float, n)
		for v := range n {
			gain[v] = wide(0).Quo(cov[v][y], cov[y][y])
		}
		row := append([]*big.Float(nil), cov[y]...)
		for v := range n {
			mean[v] = wide(0).Add(mean[v], times(gain[v], off))
		}
		next := make([][]*big.Float, n)
		for v := range n {
			next[v] = make([]*big.Float, n)
			for u := range n {
				next[v][u] = wide(0).Sub(cov[v][u], times(gain[v], row[u]))
			}
		}
		cov = next
	}
	return mean, cov
}

// solved finds the same by a plan.
func (p problem) solved() (mean []*big.Float, cov [][]*big.Float) {
	n := len(p.nodes)
	hidden, _ := p.lists()
	var pairs [][2]int
	for i, u := range hidden {
		for _, v := range hidden[i:] {
			pairs = append(pairs, [2]int{u, v})
		}
	}
	var w clg.Space
	w.Solve(clg.NewPlan(p.families, func(v int) bool { return p.seen[v] }, nil, pairs...), p.nodes,
		make([]int, n), p.values, []int32{0})
	w.Back()
	mean, cov = make([]*big.Float, n), make([][]*big.Float, n)
	for v := range n {
		cov[v] = make([]*big.Float, n)
	}
	for _, v := range hidden {
		mean[v] = wide(w.Means(v)[0])
	}
	for _, pair := range pairs {
		cov[pair[0]][pair[1]] = wide(w.Covariance(pair[0], pair[1]))
		cov[pair[1]][pair[0]] = cov[pair[0]][pair[1]]
	}
	return mean, cov
}

// off is the largest difference of an answer from the exact one: of means by the mean or the standard deviation, of
// covariances by the standard deviations, which count as no less than 1e-13 of what they are without evidence.
func (p problem) off(gotMean []*big.Float, gotCov [][]*big.Float) float64 {
	mean, cov := p.exactly()
	prior := p
	prior.seen = make([]bool, len(p.seen))
	_, free := prior.exactly()
	float := func(x *big.Float) float64 { f, _ := x.Float64(); return f }
	hidden, _ := p.lists()
	sd := make([]float64, len(p.nodes))
	for _, v := range hidden {
		sd[v] = max(math.Sqrt(math.Max(float(cov[v][v]), 0)), 1e-13*math.Sqrt(float(free[v][v])))
	}
	worst := 0.0
	for _, u := range hidden {
		x := float(wide(0).Sub(gotMean[u], mean[u]))
		worst = max(worst, math.Abs(x)/max(sd[u], math.Abs(float(mean[u]))))
		for _, v := range hidden {
			if x := float(wide(0).Sub(gotCov[u][v], cov[u][v])); x != 0 {
				worst = max(worst, math.Abs(x)/(sd[u]*sd[v]))
			}
		}
	}
	return worst
}

// TestDeterministicCluster is the hidden cluster [a][b|a][c|a:b][d|a:c], c = a + k·b, d = a + k·c. By differences the
// variance of a, 1, came out as .99999996 at k = 100, 1.56 at 10⁴ and 0 at 10⁵. Sums of products have no such loss.
func TestDeterministicCluster(t *testing.T) {
	for _, k := range []float64{1, 100, 1e4, 1e5, 1e8} {
		p := problem{
			nodes: []*bn.LinearGaussian{node(t, 1, 1), node(t, 2, 1, 0.5), node(t, 0, 0, 1, k), node(t, 0, 0, 1, k)},
			families: []clg.Family{{Child: 0}, {Child: 1, Parents: []int{0}}, {Child: 2, Parents: []int{0, 1}},
				{Child: 3, Parents: []int{0, 2}}},
			seen: make([]bool, 4), values: make([][]float64, 4),
		}
		if off := p.off(p.solved()); !(off < 1e-13) {
			t.Errorf("k = %g: off by %g standard deviations", k, off)
		}
	}
}

// TestDeterminedByObserved is [a][b|a][c|a:b][d|c][e|a:c:d] with c = a − 82b and d = c + 1 without noise, d and e seen:
// c is known, and what e says of a is the small rest of k·c. With the digits of float64 eight were right at k = 6·10⁵.
func TestDeterminedByObserved(t *testing.T) {
	for _, k := range []float64{1, 6e5, 1e9} {
		p := problem{
			nodes: []*bn.LinearGaussian{node(t, 1, 1), node(t, 0, 4, 1), node(t, 0, 0, 1, -82), node(t, 1, 0, 1),
				node(t, 0, 1.7, 1, -k, 1.5e4)},
			families: []clg.Family{{Child: 0}, {Child: 1, Parents: []int{0}}, {Child: 2, Parents: []int{0, 1}},
				{Child: 3, Parents: []int{2}}, {Child: 4, Parents: []int{0, 2, 3}}},
			seen: []bool{false, false, false, true, true}, values: make([][]float64, 5),
		}
		p.values[3] = []float64{121}
		p.values[4] = []float64{1.5 - k*120 + 1.5e4*121}
		if off := p.off(p.solved()); !(off < 1e-12) {
			t.Errorf("k = %g: off by %g standard deviations", k, off)
		}
	}
}

// TestLargeCoefficients draws networks with weights from 1e-5 to 1e5, half of the variables without noise, and compares
// with 600 bits: nine digits are right, or as many as there are when what was given changes by 1e-13 of itself.
func TestLargeCoefficients(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 3 + rng.IntN(7)
		p := problem{seen: make([]bool, n), values: make([][]float64, n)}
		for v := range n {
			var f clg.Family
			var parents []bn.Variable
			f.Child = v
			for u := range v {
				if rng.IntN(2) == 0 {
					f.Parents = append(f.Parents, u)
					parents = append(parents, bn.Continuous(fmt.Sprint("x", u)))
				}
			}
			g, err := bn.NewLinearGaussian(bn.Continuous(fmt.Sprint("x", v)), parents...)
			if err != nil {
				t.Fatal(err)
			}
			g.Intercept[0], g.Variance[0] = rng.NormFloat64(), rng.ExpFloat64()
			if len(parents) > 0 && rng.IntN(2) == 0 {
				g.Variance[0] = 0
			}
			for j := range parents {
				g.Weights[0][j] = rng.NormFloat64() * math.Pow(10, 10*rng.Float64()-5)
			}
			x := g.Intercept[0] + math.Sqrt(g.Variance[0])*rng.NormFloat64()
			for j, u := range f.Parents {
				x += g.Weights[0][j] * p.values[u][0]
			}
			p.nodes, p.families = append(p.nodes, g), append(p.families, f)
			p.values[v] = []float64{x}
			p.seen[v] = g.Variance[0] > 0 && rng.IntN(3) == 0
		}
		changed := p
		changed.nodes = nil
		for _, g := range p.nodes {
			change := func() float64 { return 1 + 1e-13*(2*rng.Float64()-1) }
			h := *g
			h.Intercept, h.Variance = []float64{g.Intercept[0] * change()}, []float64{g.Variance[0] * change()}
			h.Weights = [][]float64{nil}
			for _, b := range g.Weights[0] {
				h.Weights[0] = append(h.Weights[0], b*change())
			}
			changed.nodes = append(changed.nodes, &h)
		}
		moves := p.off(changed.exactly())
		if off := p.off(p.solved()); !(off <= moves+1e-9) {
			t.Errorf("seed %d: off by %g standard deviations; the answer moves by %g", seed, off, moves)
		}
	}
}
