package infer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// gaussians lists the linear-Gaussian nodes of a network.
func gaussians(net *bn.Network) []*bn.LinearGaussian {
	list := make([]*bn.LinearGaussian, net.Len())
	for v := range list {
		if g := net.Gaussian(v); g != nil {
			list[v] = g.Clone()
		}
	}
	return list
}

// products multiplies out R'R.
func products(f data.Factor) []float64 {
	k := int(math.Sqrt(float64(len(f.R))))
	out := make([]float64, k*k)
	for i := range k {
		for j := range k {
			for l := range k {
				out[i*k+j] += f.R[l*k+i] * f.R[l*k+j]
			}
		}
	}
	return out
}

// TestMixture is one step of EM for two Gaussians of equal variance 1 around 0 and 2 with
// weights ½, by hand: at y = 1 both are as likely, and at y = 1 ± log(3)/2 the odds are 3,
// since the log odds are 2(y − 1). So the responsibilities of the second are ¼, ½, ¾.
func TestMixture(t *testing.T) {
	net, err := bn.New("[class][y|class]", bn.Discrete("class", "a", "b"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	h := math.Log(3) / 2
	table, err := data.New(data.Column{Var: bn.Continuous("y"), Values: []float64{1 - h, 1, 1 + h}})
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.WithWeights([]float64{4, 2, 4}); err != nil {
		t.Fatal(err)
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := gaussians(net)
	g[1].Intercept = []float64{0, 2} // the plan was made with others
	n, m := make([]float64, 2), data.NewMoments(net)
	loglik, err := plan.ExpectMoments(n, m, []float64{0.5, 0.5}, g)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, n[0], 5, 1e-12, 0)
	numtest.Close(t, n[1], 5, 1e-12, 0)
	numtest.Close(t, loglik, 4*math.Log(normal(1-h, 0, 1)*2/3)+2*math.Log(normal(1, 0, 1))+4*math.Log(normal(1+h, 2,
		1)*2/3), 1e-12, 0)
	// The second has weights 1, 1 and 3: mean 1 + 2h/5.
	for state, want := range [][3]float64{
		{5, 5 - 2*h, 3*(1-h)*(1-h) + 1 + (1+h)*(1+h)},
		{5, 5 + 2*h, (1-h)*(1-h) + 1 + 3*(1+h)*(1+h)},
	} {
		f := m.Factors[1][state]
		p := products(f)
		numtest.Close(t, f.N, want[0], 1e-12, 0)
		for i, at := range []int{0, 1, 3} {
			numtest.Close(t, p[at], want[i], 1e-12, 0)
		}
	}
	if m.Rows != 10 || m.Skipped[1] != 0 {
		t.Errorf("%v rows, %v skipped", m.Rows, m.Skipped)
	}
}

// randomMixed adds some linear-Gaussian variables with parents of both kinds to a random
// network of discrete ones.
func randomMixed(t testing.TB, rng *rand.Rand) *bn.Network {
	t.Helper()
	discrete := infertest.Random(rng, 1+rng.IntN(5), 0)
	var names []string
	var parents [][]int
	vars := discrete.Variables()
	for v := range discrete.Len() {
		names, parents = append(names, vars[v].Name), append(parents, discrete.DAG().Parents(v))
	}
	for i := range 1 + rng.IntN(4) {
		var p []int
		for u := range names {
			if rng.IntN(3) == 0 && len(p) < 3 {
				p = append(p, u)
			}
		}
		names, parents = append(names, fmt.Sprint("y", i)), append(parents, p)
		vars = append(vars, bn.Continuous(names[len(names)-1]))
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			infertest.Fill(rng, t, 0)
		}
	}
	for _, node := range gaussians(net) {
		if node != nil {
			v, _ := net.Index(node.Child.Name)
			shake(rng, net.Gaussian(v))
		}
	}
	return net
}

// shake draws the parameters of a node.
func shake(rng *rand.Rand, g *bn.LinearGaussian) {
	for config := range g.Variance {
		g.Intercept[config] = rng.NormFloat64()
		for i := range g.Weights[config] {
			g.Weights[config][i] = rng.NormFloat64()
		}
		g.Variance[config] = 0.2 + rng.ExpFloat64()
	}
}

// withGaps draws cases and hides discrete cells, and cells of continuous variables without
// children.
func withGaps(t testing.TB, rng *rand.Rand, net *bn.Network, rows int) *data.Table {
	t.Helper()
	table, err := data.Sample(net, rows, rand.NewPCG(rng.Uint64(), 0))
	if err != nil {
		t.Fatal(err)
	}
	var cols []data.Column
	for v, c := range table.Columns() {
		c.States, c.Values = slices.Clone(c.States), slices.Clone(c.Values)
		barren := true
		for u := range net.Len() {
			barren = barren && !slices.Contains(net.DAG().Parents(u), v)
		}
		wholly := c.States != nil && rng.IntN(4) == 0
		for row := range rows {
			switch {
			case c.States != nil && (wholly || rng.IntN(4) == 0):
				c.States[row] = bn.Missing
			case c.Values != nil && barren && rng.IntN(5) == 0:
				c.Values[row] = math.NaN()
			}
		}
		cols = append(cols, c)
	}
	if table, err = data.New(cols...); err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, rows)
	for row := range weights {
		weights[row] = float64(rng.IntN(4)) / 2
	}
	weights[0] = 1.5
	if table, err = table.WithWeights(weights); err != nil {
		t.Fatal(err)
	}
	return table
}

// moments runs through all joint states of the discrete variables for each row: expected
// counts, R'R by variable and configuration, the skipped weight and the log-likelihood.
func moments(net *bn.Network, t *data.Table) (n []float64, rr [][][]float64, skipped []float64, loglik float64) {
	n, rr, skipped = make([]float64, net.Layout().Len()), make([][][]float64, net.Len()), make([]float64, net.Len())
	for v := range net.Len() {
		if g := net.Gaussian(v); g != nil {
			for range g.Variance {
				k := len(g.Continuous) + 2
				rr[v] = append(rr[v], make([]float64, k*k))
			}
		}
	}
	cols := t.Columns()
	for row := range t.Rows() {
		w := t.Weights()[row]
		states := make([]int, net.Len())
		// visit calls f with each joint state that agrees with the row, and its density.
		visit := func(f func(p float64)) {
			var walk func(i int, p float64)
			walk = func(i int, p float64) {
				if i == net.Len() {
					f(p)
					return
				}
				v := net.DAG().Order()[i]
				var given []int
				var x []float64
				for _, u := range net.DAG().Parents(v) {
					if net.Variable(u).IsDiscrete() {
						given = append(given, states[u])
					} else {
						x = append(x, cols[u].Values[row])
					}
				}
				if g := net.Gaussian(v); g != nil {
					if cols[v].IsMissing(row) {
						walk(i+1, p)
						return
					}
					config := g.Configs().Index(given)
					walk(i+1, p*normal(cols[v].Values[row], g.Mean(config, x), g.Variance[config]))
					return
				}
				for state, q := range net.CPT(v).Row(net.CPT(v).Configs().Index(given)) {
					if states[v] = state; cols[v].IsMissing(row) || int(cols[v].States[row]) == state {
						walk(i+1, p*q)
					}
				}
			}
			walk(0, 1)
		}
		total := 0.0
		visit(func(p float64) { total += p })
		if w > 0 {
			loglik += w * math.Log(total)
		}
		for v := range net.Len() {
			if net.Gaussian(v) != nil && cols[v].IsMissing(row) {
				skipped[v] += w
			}
		}
		visit(func(p float64) {
			for v := range net.Len() {
				var given []int
				z := []float64{1}
				for _, u := range net.DAG().Parents(v) {
					if net.Variable(u).IsDiscrete() {
						given = append(given, states[u])
					} else {
						z = append(z, cols[u].Values[row])
					}
				}
				g := net.Gaussian(v)
				switch {
				case g == nil:
					n[net.Layout().Cell(v, net.CPT(v).Configs().Index(given), states[v])] += w * p / total
				case !cols[v].IsMissing(row):
					z = append(z, cols[v].Values[row])
					sum := rr[v][g.Configs().Index(given)]
					for i, a := range z {
						for j, b := range z {
							sum[i*len(z)+j] += w * p / total * a * b
						}
					}
				}
			}
		})
	}
	return n, rr, skipped, loglik
}

func TestExpectMoments(t *testing.T) {
	for seed := range some(60) {
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		net := randomMixed(t, rng)
		table := withGaps(t, rng, net, 1+rng.IntN(30))
		plan, err := infer.NewPlan(net, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := make([]float64, net.Layout().Len())
		before, err := plan.Expect(n, theta(net))
		if err != nil {
			t.Fatal(err)
		}
		wantN, _, _, want := moments(net, table)
		numtest.Close(t, before, want, 1e-9, 1e-10)
		for cell := range n {
			numtest.Close(t, n[cell], wantN[cell], rounding, 0)
		}
		for _, g := range gaussians(net) { // other parameters than the plan's
			if g != nil {
				v, _ := net.Index(g.Child.Name)
				shake(rng, net.Gaussian(v))
			}
		}
		wantN, rr, skipped, want := moments(net, table)
		clear(n)
		m := data.NewMoments(net)
		for range 2 { // moments are added
			clear(n)
			got, err := plan.ExpectMoments(n, m, theta(net), gaussians(net))
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, got, want, 1e-9, 1e-10)
		}
		if alone, err := plan.ExpectMoments(nil, nil, theta(net), gaussians(net)); err != nil ||
			!numtest.Close(t, alone, want, 1e-9, 1e-10) {
			t.Errorf("error %v", err)
		}
		for cell := range n {
			numtest.Close(t, n[cell], wantN[cell], rounding, 0)
		}
		numtest.Close(t, m.Rows, 2*table.TotalWeight(), 1e-12, 0)
		for v := range rr {
			numtest.Close(t, m.Skipped[v], 2*skipped[v], 1e-12, 0)
			for config, sum := range rr[v] {
				f := m.Factors[v][config]
				numtest.Close(t, f.N, 2*sum[0], rounding, 0)
				for i, x := range products(f) {
					numtest.Close(t, x, 2*sum[i], rounding, rounding)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("network %d: %v\n%v", seed, net, table)
		}
	}
}

func TestExpectMomentsErrors(t *testing.T) {
	net := mixed(t)
	table, err := data.New(
		data.Column{Var: net.Variable(0), States: []bn.State{0, 1, bn.Missing}},
		data.Column{Var: net.Variable(1), Values: []float64{0, 1, 2}},
		data.Column{Var: net.Variable(3), Values: []float64{1, 1e160, 3}},
	)
	if err != nil {
		t.Fatal(err)
	}
	short, err := table.Keep("class", "dose")
	if err != nil {
		t.Fatal(err)
	}
	good := gaussians(net)
	change := func(f func(g *bn.LinearGaussian)) []*bn.LinearGaussian {
		list := gaussians(net)
		f(list[3])
		return list
	}
	for _, c := range []struct {
		name      string
		table     *data.Table
		gaussians []*bn.LinearGaussian
		is        error
		message   string
	}{
		{"too few", short, good[:3], nil, "3 linear-Gaussian nodes for a network of 4"},
		{"none", short, make([]*bn.LinearGaussian, 4), nil, `"dose" is continuous`},
		{"other parents", short, []*bn.LinearGaussian{nil, good[1], nil, good[1]}, nil, `"level" has other parents`},
		{"not finite", short, change(func(g *bn.LinearGaussian) { g.Intercept[1] = math.NaN() }), nil, "intercept"},
		{"hidden variance", table.Select([]int{2}), change(func(g *bn.LinearGaussian) { g.Variance[1] = 0 }),
			infer.ErrNoDensity, `"level"`},
		{"observed variance", table.Select([]int{0}), change(func(g *bn.LinearGaussian) { g.Variance[0] = 0 }),
			infer.ErrNoDensity, `"level" is observed; give it a variance`},
		{"far out", table, good, infer.ErrImpossibleEvidence, "case 2"},
	} {
		// The plan is made with parameters of which none is refused, except that case 2 is
		// possible only with a large variance.
		wide := mixed(t)
		wide.Gaussian(3).Variance = []float64{1e300, 1e300}
		plan, err := infer.NewPlan(wide, c.table, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = plan.ExpectMoments(nil, data.NewMoments(net), theta(net), c.gaussians)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.message)
		}
	}
	huge, err := data.New(
		data.Column{Var: net.Variable(1), Values: []float64{0, 1}},
		data.Column{Var: net.Variable(3), Values: []float64{1.3e308, 1.3e308}},
	)
	if err != nil {
		t.Fatal(err)
	}
	vast := mixed(t)
	vast.Gaussian(3).Variance = []float64{1.7e308, 1.7e308}
	plan, err := infer.NewPlan(vast, huge, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = plan.ExpectMoments(nil, nil, theta(net), good)
	if !errors.Is(err, infer.ErrImpossibleEvidence) {
		t.Errorf("error %v", err)
	}
	sure := theta(net)
	sure[0], sure[1] = 1, 0
	_, err = plan.ExpectMoments(nil, data.NewMoments(net), sure, gaussians(vast))
	if err == nil || !strings.Contains(err.Error(), "measure in a larger unit") {
		t.Errorf("error %v", err)
	}
}

// TestMomentsBelongToCaller: adding to what came out does not change the plan. The moments of
// complete cases are those of data.Crossproducts.
func TestMomentsBelongToCaller(t *testing.T) {
	net := mixed(t)
	table, err := data.Sample(net, 50, rand.NewPCG(17, 0))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.Crossproducts(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		m := data.NewMoments(net)
		if _, err := plan.ExpectMoments(nil, m, theta(net), gaussians(net)); err != nil {
			t.Fatal(err)
		}
		for v, factors := range want.Factors {
			for config, f := range factors {
				got := &m.Factors[v][config]
				numtest.Close(t, got.N, f.N, 1e-12, 0)
				for i, x := range f.R {
					numtest.Close(t, got.R[i], x, 1e-10, 0)
				}
				got.R[0]++
			}
		}
	}
}

// BenchmarkExpectMoments is an E-step of a mixture of three Gaussians with two measurements.
func BenchmarkExpectMoments(b *testing.B) {
	net, err := bn.New("[class][x|class][y|class:x]", bn.Discrete("class", "a", "b", "c"), bn.Continuous("x"),
		bn.Continuous("y"))
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(18, 0))
	shake(rng, net.Gaussian(1))
	shake(rng, net.Gaussian(2))
	table, err := data.Sample(net, 1000, rng)
	if err != nil {
		b.Fatal(err)
	}
	if table, err = table.Keep("x", "y"); err != nil {
		b.Fatal(err)
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		b.Fatal(err)
	}
	n, p, g := make([]float64, net.Layout().Len()), theta(net), gaussians(net)
	b.ReportAllocs()
	for b.Loop() {
		clear(n)
		if _, err := plan.ExpectMoments(n, data.NewMoments(net), p, g); err != nil {
			b.Fatal(err)
		}
	}
}
