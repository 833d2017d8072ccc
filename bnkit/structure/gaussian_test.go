package structure_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// numbers reads a table of testdata/oracles.
func numbers(tb testing.TB, name string) *data.Table {
	tb.Helper()
	t, err := data.ReadCSVFile(datatest.Oracle(tb, name), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// regressed draws cases of a network with random weights; the values of discrete variables change the regressions.
func regressed(tb testing.TB, model string, rows int, seed uint64, vars ...bn.Variable) *data.Table {
	tb.Helper()
	net, err := bn.New(model, vars...)
	if err != nil {
		tb.Fatal(err)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for v := range net.Len() {
		g := net.Gaussian(v)
		if g == nil {
			continue
		}
		for config := range g.Intercept {
			g.Intercept[config] = random.NormFloat64()
			g.Variance[config] = 0.5 + random.Float64()
			for p := range g.Weights[config] {
				g.Weights[config][p] = 0.5 + random.Float64()
			}
		}
	}
	t, err := data.Sample(net, rows, rand.NewPCG(seed, 1))
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// continuous are variables without states.
func continuous(names string) []bn.Variable {
	var vars []bn.Variable
	for _, name := range strings.Fields(names) {
		vars = append(vars, bn.Continuous(name))
	}
	return vars
}

// unbiased is by how much bnlearn's log-likelihood of a regression with p coefficients on n cases is below the
// maximum: it divides the residual sum of squares by n − p.
func unbiased(n, p float64) float64 { return n/2*math.Log(n/(n-p)) - p/2 }

// Scores by bnlearn 5.2.1; see testdata/oracles/gaussian.txt.
func TestGaussianScoresOfBnlearn(t *testing.T) {
	const truth = "[A][B][C|A:B][D|C][E|C:D]"
	kinds := map[bn.State]float64{}
	for _, state := range numbers(t, "mixed.csv").Columns()[0].States {
		kinds[state]++
	}
	gaussian := unbiased(400, 1)*2 + unbiased(400, 3)*2 + unbiased(400, 2)
	mixed := unbiased(400, 1) + unbiased(kinds[0], 2) + unbiased(kinds[1], 2)
	for _, test := range []struct {
		file, graph, line string
		score             structure.Score
		below             float64
	}{
		{"gaussian.csv", truth, "score loglik-g", structure.LogLikelihood{}, gaussian},
		{"gaussian.csv", truth, "score aic-g", structure.AIC{}, gaussian},
		{"gaussian.csv", truth, "score bic-g", structure.BIC{}, gaussian},
		{"gaussian.csv", truth, "score bge:default", structure.BGe{}, 0},
		{"gaussian.csv", truth, "score bge:iss.mu=1,iss.w=15", structure.BGe{DegreesOfFreedom: 15}, 0},
		{"mixed.csv", "[kind][A][F|kind:A]", "score loglik-cg", structure.LogLikelihood{}, mixed},
		{"mixed.csv", "[kind][A][F|kind:A]", "score aic-cg", structure.AIC{}, mixed},
		{"mixed.csv", "[kind][A][F|kind:A]", "score bic-cg", structure.BIC{}, mixed},
	} {
		total, _, err := scorer(t, numbers(t, test.file), test.score).Score(t.Context(), dag(t, test.graph))
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, total-test.below, datatest.OracleNumbers(t, "gaussian.txt", test.line)[0], 1e-8, 0)
	}
	s := scorer(t, numbers(t, "gaussian.csv"), structure.BGe{})
	_, families, err := s.Score(t.Context(), dag(t, truth))
	if err != nil {
		t.Fatal(err)
	}
	for v, name := range []string{"A", "B", "C", "D", "E"} {
		numtest.Close(t, families[v], datatest.OracleNumbers(t, "gaussian.txt", "family bge:default "+name)[0], 1e-8, 0)
	}
	// hc() of bnlearn goes greedily from the empty graph: one order. The best of eight is not below it.
	for _, how := range []structure.Search{nil, structure.Exact{}} {
		r, err := structure.Learn(t.Context(), numbers(t, "gaussian.csv"), structure.BGe{}, how, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := datatest.OracleNumbers(t, "gaussian.txt", "hc bge")[0]
		if !(r.Score >= want-1e-8) || r.Score <= want+1e-8 && !r.DAG.Equivalent(dag(t, truth)) {
			t.Errorf("%v finds %v with %v; hc() %s with %v", r.Search, r.DAG, r.Score, truth, want)
		}
	}
}

// leastSquares is the Gaussian log-likelihood of y at the least squares on the columns x with an intercept.
func leastSquares(y []float64, x [][]float64) float64 {
	z := mat.NewDense(len(y), len(x)+1, nil)
	for row := range y {
		z.Set(row, 0, 1)
		for j := range x {
			z.Set(row, j+1, x[j][row])
		}
	}
	var qr mat.QR
	qr.Factorize(z)
	var beta, left mat.VecDense
	if err := qr.SolveVecTo(&beta, false, mat.NewVecDense(len(y), y)); err != nil {
		panic(err)
	}
	left.MulVec(z, &beta)
	left.SubVec(mat.NewVecDense(len(y), y), &left)
	n := float64(len(y))
	return -n / 2 * (math.Log(2*math.Pi*mat.Dot(&left, &left)/n) + 1)
}

// Every family of a mixed table against a regression of the rows of each configuration, by QR of the rows themselves.
func TestConditionalGaussianByRows(t *testing.T) {
	vars := append([]bn.Variable{bn.Discrete("s", "a", "b"), bn.Discrete("q", "0", "1", "2")}, continuous("x y z")...)
	table := regressed(t, "[s][q|s][x|s][y|x:q][z|x:y:s]", 400, 5, vars...)
	s := scorer(t, table, structure.BIC{})
	columns := table.Columns()
	for child := range vars {
		for set := range 1 << len(vars) {
			var parents []int
			mixed := false
			for p := range vars {
				if set>>p&1 == 1 {
					parents = append(parents, p)
					mixed = mixed || !vars[p].IsDiscrete() && vars[child].IsDiscrete()
				}
			}
			if slices.Contains(parents, child) {
				continue
			}
			got, err := s.Family(t.Context(), child, parents)
			if err != nil {
				t.Fatal(err)
			}
			if mixed {
				if !math.IsInf(got, -1) {
					t.Errorf("a discrete child of a continuous parent scores %v", got)
				}
				continue
			}
			if vars[child].IsDiscrete() {
				continue
			}
			want, q, slopes := 0.0, 1, 0
			rows := map[string][]int{}
			for row := range table.Rows() {
				key := ""
				for _, p := range parents {
					if vars[p].IsDiscrete() {
						key += fmt.Sprint(columns[p].States[row])
					}
				}
				rows[key] = append(rows[key], row)
			}
			for _, p := range parents {
				if vars[p].IsDiscrete() {
					q *= vars[p].Cardinality()
				} else {
					slopes++
				}
			}
			for _, part := range rows {
				var y []float64
				x := make([][]float64, slopes)
				for _, row := range part {
					y = append(y, columns[child].Values[row])
					at := 0
					for _, p := range parents {
						if !vars[p].IsDiscrete() {
							x[at] = append(x[at], columns[p].Values[row])
							at++
						}
					}
				}
				want += leastSquares(y, x)
			}
			want -= math.Log(400) / 2 * float64(q*(slopes+2))
			numtest.Close(t, got, want, 1e-8, 0)
		}
	}
}

// sequential is the log density of rows under the normal-Wishart prior of BGe, each row by a multivariate t density
// given those before it (Bernardo and Smith 1994, §5.4), without any determinant of products.
func sequential(columns [][]float64, nu []float64, prior, degrees, t float64) float64 {
	l := len(columns)
	if l == 0 {
		return 0
	}
	mean, scale := slices.Clone(nu), mat.NewSymDense(l, nil)
	for i := range l {
		scale.SetSym(i, i, t)
	}
	total := 0.0
	for row := range columns[0] {
		freedom := degrees - float64(l) + 1
		away := mat.NewVecDense(l, nil)
		for i := range l {
			away.SetVec(i, columns[i][row]-mean[i])
		}
		var spread mat.SymDense
		spread.ScaleSym((prior+1)/(prior*freedom), scale)
		var factor mat.Cholesky
		if !factor.Factorize(&spread) {
			panic("not positive definite")
		}
		var solved mat.VecDense
		if err := factor.SolveVecTo(&solved, away); err != nil {
			panic(err)
		}
		up, _ := math.Lgamma((freedom + float64(l)) / 2)
		down, _ := math.Lgamma(freedom / 2)
		total += up - down - float64(l)/2*math.Log(freedom*math.Pi) - factor.LogDet()/2 -
			(freedom+float64(l))/2*math.Log1p(mat.Dot(away, &solved)/freedom)
		scale.SymRankOne(scale, prior/(prior+1), away)
		for i := range l {
			mean[i] += away.AtVec(i) / (prior + 1)
		}
		prior++
		degrees++
	}
	return total
}

func TestBGeByPrediction(t *testing.T) {
	table := regressed(t, "[a][b|a][c|a:b][d|c]", 60, 7, continuous("a b c d")...)
	columns, nu := make([][]float64, 4), make([]float64, 4)
	for v, c := range table.Columns() {
		columns[v] = c.Values
		for _, x := range c.Values {
			nu[v] += x / 60
		}
	}
	for _, score := range []structure.BGe{{}, {MeanSize: 0.5, DegreesOfFreedom: 7.5}} {
		s := scorer(t, table, score)
		prior, degrees := score.MeanSize, score.DegreesOfFreedom
		if prior == 0 {
			prior, degrees = 1, 6
		}
		scale := prior * (degrees - 5) / (prior + 1)
		density := func(set ...int) float64 {
			var x [][]float64
			var at []float64
			for _, v := range set {
				x, at = append(x, columns[v]), append(at, nu[v])
			}
			return sequential(x, at, prior, degrees-4+float64(len(set)), scale)
		}
		for child := range 4 {
			for set := range 16 {
				var parents []int
				for p := range 4 {
					if set>>p&1 == 1 {
						parents = append(parents, p)
					}
				}
				if slices.Contains(parents, child) {
					continue
				}
				got, err := s.Family(t.Context(), child, parents)
				if err != nil {
					t.Fatal(err)
				}
				numtest.Close(t, got, density(append(slices.Clone(parents), child)...)-density(parents...), 1e-9, 0)
			}
		}
	}
}

// Graphs of one equivalence class have one score, all 29,281 graphs on five variables; the classes have several.
func TestBGeIsEquivalent(t *testing.T) {
	table := regressed(t, "[a][b|a][c|a:b][d|c][e|b:d]", 80, 3, continuous("a b c d e")...)
	s := scorer(t, table, structure.BGe{})
	names := []string{"a", "b", "c", "d", "e"}
	scores := map[string]float64{}
	total := everyDAG(5, func(int, int) bool { return true }, func(sets []int) {
		parents := make([][]int, 5)
		score := 0.0
		for v, set := range sets {
			for p := range 5 {
				if set>>p&1 == 1 {
					parents[v] = append(parents[v], p)
				}
			}
			f, err := s.Family(t.Context(), v, parents[v])
			if err != nil {
				t.Fatal(err)
			}
			score += f
		}
		g, err := bn.NewDAG(names, parents)
		if err != nil {
			t.Fatal(err)
		}
		class := g.CPDAG().String()
		if first, ok := scores[class]; !ok {
			scores[class] = score
		} else if math.Abs(first-score) > 1e-9 {
			t.Fatalf("%v scores %v, and another graph of its class %v", g, score, first)
		}
	})
	if total != 29281 || len(scores) != 8782 {
		t.Errorf("%d graphs in %d classes, want 29281 in 8782", total, len(scores))
	}
}
