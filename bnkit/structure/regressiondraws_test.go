package structure_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// numbersTable has columns of numbers, and one of states if there are any.
func numbersTable(t *testing.T, states []bn.State, columns map[string][]float64) *data.Table {
	t.Helper()
	var cols []data.Column
	if states != nil {
		cols = append(cols, data.Column{Var: bn.Discrete("g", "no", "yes", "never"), States: states})
	}
	for _, name := range []string{"x", "y", "z"} {
		if columns[name] != nil {
			cols = append(cols, data.Column{Var: bn.Continuous(name), Values: columns[name]})
		}
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func scorerOf(t *testing.T, table *data.Table, score structure.Score) *structure.Scorer {
	t.Helper()
	s, err := structure.NewScorer(table, score, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The density of two further cases, averaged over draws, is the ratio of the marginal likelihoods with and without
// them. They lie opposite each other about the mean, by which BGe centres its prior, so that this stays.
func TestRegressionsOfBGe(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	columns := map[string][]float64{}
	for range 9 {
		x, y := r.NormFloat64(), 2+r.NormFloat64()
		columns["x"], columns["y"] = append(columns["x"], x), append(columns["y"], y)
		columns["z"] = append(columns["z"], 1+x-0.5*y+0.7*r.NormFloat64())
	}
	more := map[string][]float64{}
	away := map[string]float64{"x": 0.9, "y": -0.4, "z": 0.3}
	var mean, off []float64 // of x, y, z
	for _, name := range []string{"x", "y", "z"} {
		m := 0.0
		for _, x := range columns[name] {
			m += x / float64(len(columns[name]))
		}
		mean, off = append(mean, m), append(off, away[name])
		more[name] = append(slices.Clone(columns[name]), m+away[name], m-away[name])
	}
	bge := structure.BGe{MeanSize: 2}
	s, with := scorerOf(t, numbersTable(t, nil, columns), bge), scorerOf(t, numbersTable(t, nil, more), bge)
	for _, parents := range [][]int{nil, {0}, {0, 1}} {
		before, err := s.Family(t.Context(), 2, parents)
		if err != nil {
			t.Fatal(err)
		}
		after, err := with.Family(t.Context(), 2, parents)
		if err != nil {
			t.Fatal(err)
		}
		node, draw := regressionDraws(t, s, 2, parents)
		const draws = 100000
		sum, squares := 0.0, 0.0
		src := rand.NewPCG(1, 1)
		for range draws {
			draw(node, src)
			density := 1.0
			for _, sign := range []float64{1, -1} {
				var x []float64
				for _, p := range parents {
					x = append(x, mean[p]+sign*off[p])
				}
				e := mean[2] + sign*off[2] - node.Mean(0, x)
				density *= math.Exp(-e*e/2/node.Variance[0]) / math.Sqrt(2*math.Pi*node.Variance[0])
			}
			sum, squares = sum+density/draws, squares+density*density/draws
		}
		want, e := math.Exp(after-before), math.Sqrt((squares-sum*sum)/draws)
		if math.Abs(sum-want) > 5*e || e > 0.02*want {
			t.Errorf("given %v: density %v ± %v, want %v", parents, sum, e, want)
		}
	}
}

// regressionDraws returns a node and what draws it.
func regressionDraws(t *testing.T, s *structure.Scorer, child int, parents []int) (*bn.LinearGaussian,
	func(*bn.LinearGaussian, rand.Source)) {
	t.Helper()
	draw, err := s.Regressions(t.Context(), child, parents)
	if err != nil {
		t.Fatal(err)
	}
	var of []bn.Variable
	for _, p := range parents {
		of = append(of, s.Variables()[p])
	}
	node, err := bn.NewLinearGaussian(s.Variables()[child], of...)
	if err != nil {
		t.Fatal(err)
	}
	return node, draw
}

// Under the reference prior, draws in each configuration have the moments of Student's distribution about the least
// squares: by hand, with Sxx, b = Sxy/Sxx and RSS over N−2 degrees of freedom.
func TestRegressionsOfBIC(t *testing.T) {
	states := []bn.State{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}
	columns := map[string][]float64{}
	r := rand.New(rand.NewPCG(5, 5))
	for _, g := range states {
		x := r.NormFloat64() + 3
		columns["x"] = append(columns["x"], x)
		columns["z"] = append(columns["z"], float64(g)*x+r.NormFloat64())
	}
	s := scorerOf(t, numbersTable(t, states, columns), structure.BIC{})
	node, draw := regressionDraws(t, s, 2, []int{0, 1}) // z given g, x
	const draws = 40000
	src := rand.NewPCG(2, 2)
	var w, w2, at, at2, variance [3]float64 // moments of the weight, of the mean at x = 4, of the variance
	for range draws {
		draw(node, src)
		for g := range 3 {
			b, m := node.Weights[g][0], node.Mean(g, []float64{4})
			w[g], w2[g] = w[g]+b/draws, w2[g]+b*b/draws
			at[g], at2[g] = at[g]+m/draws, at2[g]+m*m/draws
			variance[g] += node.Variance[g] / draws
		}
	}
	for g := range 3 {
		n, mx, mz := 0.0, 0.0, 0.0
		in := func(row int) bool { return g == 2 || int(states[row]) == g } // no case says "never": all count
		for row := range states {
			if in(row) {
				n, mx, mz = n+1, mx+columns["x"][row], mz+columns["z"][row]
			}
		}
		mx, mz = mx/n, mz/n
		sxx, sxz, szz := 0.0, 0.0, 0.0
		for row := range states {
			if in(row) {
				dx, dz := columns["x"][row]-mx, columns["z"][row]-mz
				sxx, sxz, szz = sxx+dx*dx, sxz+dx*dz, szz+dz*dz
			}
		}
		b, rss := sxz/sxx, szz-sxz*sxz/sxx
		e := rss / (n - 4) // E[σ²], of N−2 degrees
		for _, c := range []struct{ got, want, sd float64 }{
			{w[g], b, math.Sqrt(e / sxx)},
			{at[g], mz + b*(4-mx), math.Sqrt(e * (1/n + (4-mx)*(4-mx)/sxx))},
			{variance[g], e, e},
		} {
			if math.Abs(c.got-c.want) > 5*c.sd/math.Sqrt(draws) {
				t.Errorf("configuration %d: %v, want %v", g, c.got, c.want)
			}
		}
		for _, c := range []struct{ got, want float64 }{
			{w2[g] - w[g]*w[g], e / sxx}, {at2[g] - at[g]*at[g], e * (1/n + (4-mx)*(4-mx)/sxx)},
		} {
			if math.Abs(c.got/c.want-1) > 0.06 { // Student's kurtosis with 8 degrees is 4.5: 5·√(3.5/40000)
				t.Errorf("configuration %d: variance %v, want %v", g, c.got, c.want)
			}
		}
	}
}

func TestRegressionsRefused(t *testing.T) {
	table := numbersTable(t, []bn.State{0, 1, 0, 1, 0, 0}, map[string][]float64{"x": {1, 2, 3, 5, 4, 3},
		"z": {1, 3, 2, 4, 4, 1}})
	s := scorerOf(t, table, structure.BIC{})
	for _, c := range []struct {
		child   int
		parents []int
		want    string
	}{{0, nil, `"g" has states`}, {2, []int{0, 1}, "2 cases are too few for 2 coefficients"}} {
		_, err := s.Regressions(t.Context(), c.child, c.parents)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d given %v: %v", c.child, c.parents, err)
		}
	}
}
