package main

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// tryLargeCoefficients compares means and standard deviations of linear-Gaussian variables, some of them exact sums of
// others with large coefficients, given some of them. Nine digits are right, or as many as there are when what was
// given changes by 1e-13 of itself.
func tryLargeCoefficients(rng *rand.Rand) (string, error) {
	n := 2 + rng.IntN(5)
	names, parents, vars := make([]string, n), make([][]int, n), make([]bn.Variable, n)
	for v := range n {
		names[v] = fmt.Sprint("g", v)
		vars[v] = bn.Continuous(names[v])
		for p := range v {
			if len(parents[v]) < 3 && rng.IntN(2) == 0 {
				parents[v] = append(parents[v], p)
			}
		}
	}
	net := must(bn.NewNetwork(must(bn.NewDAG(names, parents)), vars))
	for v := range n {
		g := net.Gaussian(v)
		g.Intercept[0], g.Variance[0] = rng.NormFloat64(), math.Exp(2*rng.NormFloat64())
		if len(parents[v]) > 0 && rng.IntN(2) == 0 {
			g.Variance[0] = 0
		}
		for i := range parents[v] {
			g.Weights[0][i] = 1
			if rng.IntN(2) == 0 {
				g.Weights[0][i] = rng.NormFloat64() * math.Pow(10, 6*rng.Float64())
			}
		}
	}
	asIs := func(x float64) float64 { return x }
	_, prior := conditional(net, nil, asIs)
	evidence, seen := infer.Evidence{}, make([]*float64, n)
	for v := range n {
		// What others determine has a variance of nothing then, and no density.
		mean, sd := conditional(net, seen, asIs)
		if rng.IntN(3) == 0 && sd[v] > 1e-9*prior[v] {
			x := mean[v] + sd[v]*rng.NormFloat64()
			evidence[names[v]], seen[v] = x, &x
		}
	}
	engine, err := infer.New(net, nil)
	if err != nil {
		return "", err
	}
	got, err := engine.Expectation(evidence, names...)
	if err != nil {
		return "", say.Errorf("%w\ngiven %s in %s", err, evidence, texts(net))
	}
	wantMean, wantSD := conditional(net, seen, asIs)
	near, nearSD := conditional(net, seen, func(x float64) float64 { return x * (1 + 2e-13*(rng.Float64()-0.5)) })
	for v, name := range names {
		mean, variance := got.Of(name)
		sd := math.Sqrt(variance)
		slack := 1e-9*max(math.Abs(wantMean[v]), prior[v]) + 4*math.Abs(near[v]-wantMean[v])
		slackSD := 1e-9*wantSD[v] + 1e-12*prior[v] + 4*math.Abs(nearSD[v]-wantSD[v])
		if !(math.Abs(mean-wantMean[v]) <= slack) || !(math.Abs(sd-wantSD[v]) <= slackSD) {
			return "", say.Errorf("%s has the mean %v and the sd %v, want %v and %v\ngiven %s in %s", name, mean, sd,
				wantMean[v], wantSD[v], evidence, texts(net))
		}
	}
	return "large coefficients", nil
}

// conditional has the means and standard deviations of all variables given those that are seen, in long arithmetic
// after each number has been changed.
func conditional(net *bn.Network, seen []*float64, change func(float64) float64) (means, sds []float64) {
	n := net.Len()
	mean, cov := make([]*big.Float, n), make([][]*big.Float, n)
	for v := range n {
		g, parents := net.Gaussian(v), net.DAG().Parents(v)
		mean[v], cov[v] = exact(change(g.Intercept[0])), make([]*big.Float, n)
		for u := range v {
			cov[v][u] = exact(0)
		}
		cov[v][v] = exact(change(g.Variance[0]))
		w := make([]*big.Float, len(parents))
		for i, p := range parents {
			w[i] = exact(change(g.Weights[0][i]))
			mean[v] = add(mean[v], mul(w[i], mean[p]))
			for u := range v {
				cov[v][u] = add(cov[v][u], mul(w[i], cov[p][u]))
			}
		}
		for i, p := range parents { // once cov[v][p] is whole
			cov[v][v] = add(cov[v][v], mul(w[i], cov[v][p]))
		}
		for u := range v {
			cov[u][v] = cov[v][u]
		}
	}
	for v, x := range seen {
		if x == nil {
			continue
		}
		at := append([]*big.Float(nil), cov[v]...)
		miss := div(sub(exact(change(*x)), mean[v]), at[v])
		for i := range n {
			mean[i] = add(mean[i], mul(at[i], miss))
			row := make([]*big.Float, n)
			for j := range n {
				row[j] = sub(cov[i][j], div(mul(at[i], at[j]), at[v]))
			}
			cov[i] = row
		}
	}
	means, sds = make([]float64, n), make([]float64, n)
	for v := range n {
		means[v], sds[v] = float(mean[v]), math.Sqrt(max(0, float(cov[v][v])))
	}
	return means, sds
}

// tryOffsets fits a line through points far from zero.
func tryOffsets(rng *rand.Rand) (string, error) {
	rows := 5 + rng.IntN(50)
	net := must(bn.New("[x][y|x]", bn.Continuous("x"), bn.Continuous("y")))
	offset := func() float64 { return rng.NormFloat64() * math.Pow(10, 12*rng.Float64()) }
	x0, y0, slope := offset(), offset(), rng.NormFloat64()
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i] = rng.NormFloat64()
		y[i] = y0 + slope*x[i] + 0.5*rng.NormFloat64()
		x[i] += x0
	}
	table := must(data.New(data.Column{Var: net.Variable(0), Values: x}, data.Column{Var: net.Variable(1), Values: y}))
	fit, err := learn.Fit(context.Background(), net, table, learn.ML{}, nil)
	if err != nil {
		return "", say.Errorf("%w: %d rows around %v, %v", err, rows, x0, y0)
	}
	mx, my, sxx, sxy, syy, n := exact(0), exact(0), exact(0), exact(0), exact(0), exact(float64(rows))
	for i := range rows {
		mx, my = add(mx, div(exact(x[i]), n)), add(my, div(exact(y[i]), n))
	}
	for i := range rows {
		dx, dy := sub(exact(x[i]), mx), sub(exact(y[i]), my)
		sxx, sxy, syy = add(sxx, mul(dx, dx)), add(sxy, mul(dx, dy)), add(syy, mul(dy, dy))
	}
	want := float(div(sxy, sxx))
	variance := float(div(sub(syy, div(mul(sxy, sxy), sxx)), n))
	g := fit.Net.Gaussian(1)
	// What the line is worth where the points are, which the intercept alone is not.
	at := float(sub(add(exact(g.Intercept[0]), mul(exact(g.Weights[0][0]), mx)), my))
	grain := 1e-15 * (math.Abs(x0*want) + math.Abs(y0))
	if !(math.Abs(g.Weights[0][0]-want) <= 1e-9*(1+math.Abs(want))) ||
		!(math.Abs(g.Variance[0]-variance) <= 1e-8*variance) || !(math.Abs(at) <= 1e-9+4*grain) {
		return "", say.Errorf("slope %v and variance %v, want %v and %v, and %v off in the middle\n%d rows around "+
			"%v, %v", g.Weights[0][0], g.Variance[0], want, variance, at, rows, x0, y0)
	}
	return "lines far from zero", nil
}
