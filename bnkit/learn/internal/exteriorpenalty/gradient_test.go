package exteriorpenalty

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// The gradient of J (Y13 Eqs. 2, 3, 6, 7 and 10 to 13) is that of its differences, for tables and
// noisy-ORs, with margins, contexts and states the other way round.
func TestPenaltyGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	turned := pairs
	turned.Present = "0"
	for _, c := range []struct {
		net  *bn.Network
		said []constraint.Constraint
	}{
		{cube(t, 3, 2, 3), append(rising(cube(t, 3, 2, 3)), constraint.Synergy{Parents: []string{"x1", "x2"},
			Child: "y", Margin: .1})},
		{cube(t, 2, 2, 2, 3), []constraint.Constraint{
			constraint.Influence{Parent: "x3", Child: "y", Sign: constraint.Negative, Margin: .2,
				Given: bn.Given{"x1": "1"}},
			constraint.Synergy{Parents: []string{"x1", "x3"}, Child: "y", Sub: true},
		}},
		{cube(t, 2, 2, 3, 2), append(rising(cube(t, 2, 2, 3, 2)), pairs,
			constraint.Synergy{Parents: []string{"x1", "x3"}, Child: "y", Margin: .05})},
		{cube(t, 2, 2, 3, 2), append(rising(cube(t, 2, 2, 3, 2)), turned)},
	} {
		priced := 0
		for range 5 {
			p := climbing(t, c.net, drawn(c.net, 200, 3), 70, rng, c.said...)
			want := fd.Gradient(nil, p.value, p.x, &fd.Settings{Formula: fd.Central})
			free := p.value(p.x)
			p.differentiate()
			p.differentiate() // again at the same point
			for i, d := range want {
				numtest.Close(t, p.gradient[i], d, 1e-5, 1e-6)
			}
			if p.weight = 0; p.value(p.x) > free {
				priced++
			}
		}
		if priced == 0 {
			t.Error("no penalty at five random points")
		}
	}
}

// Eqs. 10 to 13 as they are printed, case by case and by μ_ij0 and μ_ij1 of each set: right with an indicator
// that the configuration of set i in case l is j, and far off without.
func TestPenaltyGradientLiteral(t *testing.T) {
	net := cube(t, 2, 2, 3, 2)
	n := drawn(net, 100, 4)
	p := climbing(t, net, n, 0, rand.New(rand.NewPCG(5, 0)), pairs)
	p.value(p.x)
	p.differentiate()
	q := []float64{1 / (1 + math.Exp(-p.x[0])), 1 / (1 + math.Exp(-p.x[1]))}
	mu := [][]float64{p.x[2:10], p.x[10:16]} // set {x3, x1}, then {x2}, by configuration and state
	absent := func(i, j int) float64 {       // P_i(y = 0 | j), Eq. 3
		return math.Exp(mu[i][2*j]) / (math.Exp(mu[i][2*j]) + math.Exp(mu[i][2*j+1]))
	}
	literal, mended, links := make([]float64, 14), make([]float64, 14), make([]float64, 2)
	for config := range 12 {
		x := net.CPT(0).Configs().States(nil, config)
		at := []int{2*x[2] + x[0], x[1]}
		g := make([]float64, 2)
		for i := range g {
			g[i] = 1 - q[i] + q[i]*absent(i, at[i])
		}
		for y := range 2 {
			sign, probability := 1., g[0]*g[1]
			if y == 1 {
				sign, probability = -1, 1-g[0]*g[1]
			}
			cases := n[2*config+y]
			for i := range 2 {
				others := g[1-i]
				phi := (absent(i, at[i]) - 1) * others       // Eq. 13
				links[i] += cases * sign / probability * phi // Eq. 12
				for j := range len(mu[i]) / 2 {
					a, b := math.Exp(mu[i][2*j]), math.Exp(mu[i][2*j+1])
					varphi := q[i] * a * b / ((a + b) * (a + b)) * others // Eq. 11
					for k := range 2 {
						term := cases / probability * sign * math.Pow(-1, float64(k)) * varphi // Eq. 10
						literal[8*i+2*j+k] += term
						if j == at[i] {
							mended[8*i+2*j+k] += term
						}
					}
				}
			}
		}
	}
	off := 0.
	for i := range mended {
		numtest.Close(t, p.gradient[2+i], mended[i], 1e-10, 1e-10)
		off = max(off, math.Abs(p.gradient[2+i]-literal[i]))
	}
	if !(off > 1) {
		t.Errorf("without the indicator derivatives are off by %v only", off)
	}
	for i := range links {
		numtest.Close(t, p.gradient[i], links[i]*q[i]*(1-q[i]), 1e-10, 1e-10)
	}
}
